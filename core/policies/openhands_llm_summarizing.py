"""OpenHands' LLMSummarizingCondenser: too many events, or too many tokens, become one summary behind the first few.

Known faults are reproduced: it keeps a number of events, whatever their size, and one unanswered call stops it. Source:
openhands-sdk 1.58.2 (MIT), read 2026-11-20 and held to golden vectors of 1.58.0. A reply counts as many messages as it
makes calls: each is an event there.
"""

from core.policy.parameters import amount, of_window, share
from core.policy.policy import Policy
from core.policy.rules import Head
from core.policy.vocabulary import Condition, Guards, Placement, Scope, Source, Stage, Summarize, Trigger
from core.window.cut_boundary import pairs
from core.window.grouped import behind
from core.window.heads import pinned_systems
from core.window.window import Window

_TOO_LONG = Condition(value="window")
_SUMMARY = Placement(role="user", template="{text}")


@Head
def first_messages(window: Window, policy: Policy, stage: Stage) -> int:
    """The first keep_first events, system messages counted, on to where no tool pair is parted."""
    first = behind(window, policy.grouping, 0, policy.value("keep_first"))
    return pairs(window, max(pinned_systems(window, policy, stage), first), len(window))


POLICY = Policy(
    name="openhands.llm_summarizing",
    title="OpenHands, LLM summarizing condenser",
    family="OpenHands",
    about="Above a number of messages, summarizes all but the first and the newest into a user message.",
    rule="Before each model call, with more than max_size messages or max_tokens tokens: summarizes what follows "
    "the first keep_first messages (the system prompt counts) until the newest `max_size // 2 - keep_first "
    "- 1` messages or half of max_tokens remain, whichever removes more. Both ends move forward so that no "
    "tool pair or reply is split. Each call of a reply counts as a message. Less than minimum_progress of "
    "all messages is not summarized. If that fails over max_tokens, everything except the system prompt is "
    "summarized.",
    faults=(
        "Counts messages, whatever their size: one giant message in the tail is kept.",
        "A call that is never answered blocks every later cut: without a token limit nothing is summarized anymore.",
        "An empty summary is accepted, and an empty user message added.",
        "keep_first counts the system prompt: with 1 the first user message, the task, is summarized.",
    ),
    not_modelled=(
        "replies with thinking that tie a tool loop together",
        "five attempts of the reset with shorter texts",
        "the tokens of tool schemas",
        "ending the step after a condensation, so that the next step checks again at once",
    ),
    source=Source(
        url="https://github.com/OpenHands/software-agent-sdk/blob/main/openhands-sdk/openhands/sdk/context/condenser/"
        "llm_summarizing_condenser.py",
        version="openhands-sdk 1.58.2",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    formats=("openhands",),
    parameters=(
        amount("max_size", 240, "messages", "compact above this many messages", at_least=1),
        of_window("max_tokens", "compact above this many tokens; None: the context window of the model"),
        amount("keep_first", 2, "messages", "oldest messages that stay verbatim"),
        share("minimum_progress", 0.1, "of all messages", "summarize at least this share of the messages"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(of="messages", value="max_size"),), (_TOO_LONG,))),
    scope=Scope(
        head=first_messages,
        # asked by hand below max_size, it halves what there is
        evict="0 if min(max_size, all) // 2 <= keep_first else 0 if (all <= max_size) * (tokens > window) "
        "else n - min(max_size, all) // 2 + keep_first + 1",
        reach="tokens - window // 2 + 1 if tokens > window else 0",
        cut_boundary="pairs",
    ),
    transform=Summarize(),
    placement=_SUMMARY,
    guards=Guards(min_progress="minimum_progress"),
    grouping="calls",
    fallback=Stage(name="hard reset", when=((_TOO_LONG,),), scope=Scope(), placement=_SUMMARY),
)
