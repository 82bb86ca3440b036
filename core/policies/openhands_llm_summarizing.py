"""OpenHands' LLMSummarizingCondenser: too many events, or too many tokens, become one summary behind the first few.

Known faults are reproduced: it keeps a number of events, whatever their size, and one unanswered call stops it. Source:
openhands-sdk 1.58.2 (MIT), read 2026-11-20 and held to golden vectors of 1.58.0. Every event is a message here, and our
importers join the calls of one reply into one message, so counts of messages are lower than OpenHands' of events. Not
modelled: replies with thinking that hold a tool loop together, five tries of the reset with shorter texts, the tokens of
tool schemas, and that a step which condenses ends there, so that the next one looks again at once.
"""

from core.parameters import Parameter, of_window
from core.policy import Policy
from core.vocabulary import Condition, Guards, Placement, Scope, Source, Stage, Summarise, Trigger

_TOO_LONG = Condition(value="window")
_SUMMARY = Placement(role="user", template="{text}")

POLICY = Policy(
    name="openhands.llm_summarizing",
    title="OpenHands, LLM summarizing condenser",
    family="OpenHands",
    about="Above max_size messages, folds all but the first keep_first and the newest of them into a user message.",
    rule="Before each model call, if there are more than max_size messages or more than max_tokens tokens: what follows "
    "the first keep_first messages (the system prompt counts) goes, up to the newest max_size // 2 - keep_first - 1 "
    "or until half of max_tokens is left, whichever is more; both ends move forward to where no tool pair and no "
    "reply is parted. Less than minimum_progress of all messages is not worth it. Over max_tokens, where that fails, "
    "all but the system prompt goes.",
    faults=(
        "Keeps a number of messages, whatever their size: one giant message in the tail stays.",
        "A call that is never answered blocks every place behind it: without a limit of tokens nothing is folded any more.",
        "An empty summary is accepted, and an empty user message put in.",
        "keep_first counts the system prompt: with 1 the first user message, the task, is folded.",
    ),
    source=Source(
        url="https://github.com/OpenHands/software-agent-sdk/blob/main/openhands-sdk/openhands/sdk/context/condenser/"
        "llm_summarizing_condenser.py",
        version="openhands-sdk 1.58.2",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    parameters=(
        Parameter(name="max_size", default=240, unit="messages", at_least=1, about="compact above this many messages"),
        of_window("max_tokens", "compact above this many tokens; None: the context window of the model"),
        Parameter(name="keep_first", default=2, unit="messages", about="oldest messages that stay verbatim"),
        Parameter(
            name="minimum_progress",
            default=0.1,
            at_most=1,
            whole=False,
            unit="of all messages",
            about="the share of the messages that must go at least",
        ),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(of="messages", value="max_size"),), (_TOO_LONG,))),
    scope=Scope(
        head="leading",
        first="max(0, keep_first - systems)",
        snap_first=True,
        # asked by hand below max_size, it halves what there is
        evict="0 if min(max_size, all) // 2 <= keep_first else 0 if (all <= max_size) * (tokens > window) "
        "else n - min(max_size, all) // 2 + keep_first + 1",
        reach="tokens - window // 2 + 1 if tokens > window else 0",
        snap="pairs",
    ),
    transform=Summarise(),
    placement=_SUMMARY,
    guards=Guards(min_progress="minimum_progress"),
    fallback=Stage(name="hard reset", when=((_TOO_LONG,),), scope=Scope(head="leading"), placement=_SUMMARY),
)
