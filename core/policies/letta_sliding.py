"""Letta's sliding window: after a step, the oldest messages go, 40 % of their number or as many more as it takes.

Modelled. Source: letta 0.16.7 (Apache-2.0), read and worked through by hand, not run; checked 2026-11-20.
"""

from core.policy.parameters import amount, of_window, share
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Condition, Placement, Scope, Source, Stage, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import back, is_assistant

_SAID = (
    '{{"type": "system_alert", "message": "Note: prior messages from the beginning of the conversation have been hidden '
    "from view due to conversation memory constraints.\nThe following is a summary of the previous messages:\n {text}"
)
_SUMMARIZE = Summarize(strip=True, max_chars="clip_chars", on_error="raise")
_PLACE = Placement(role="user", template=_SAID)
_TRIES, _STAY = 10, 2  # shares that are tried, messages that must stay


@Cut
def first_that_fits(context: CutContext) -> int:
    """The cut at the first share of the messages, a tenth more each time, that leaves little enough; none if none does."""
    window, share = context.window, float(context.policy.number("sliding_window_percentage"))
    goal = context.value("ceil((1 - sliding_window_percentage) * window)")
    every = context.messages()
    for _ in range(_TRIES):
        share += 0.1
        cut = _cut_at(context, round(share * every)) if share < 1 else context.body
        left = context.tokens(0, context.head) + context.tokens(cut, len(window))
        if cut > context.body and left < goal:
            return cut
    return context.body


def _cut_at(context: CutContext, count: int) -> int:
    """Back from behind so many messages to an assistant message; nothing goes where only one message would stay."""
    window, body = context.window, context.body
    cut = context.behind(0, count)
    cut = back(window, cut, body, is_assistant) if cut > body else body
    return body if context.messages(cut) < _STAY else cut


POLICY = Policy(
    name="letta.sliding",
    title="Letta sliding window",
    family="Letta",
    about="Pins the system message, summarizes the oldest messages and keeps the rest from an assistant message on.",
    rule="After a model call and its tools, if the window has more than 90 % of the context window: tries to "
    "summarize 40 % of all messages, then a tenth more each time, moving the cut back to an assistant "
    "message, until system message and tail have less than 70 % of the window. The results of one reply "
    "count as one message. If no cut works, or only one message would be kept, summarizes everything after "
    "the system message.",
    faults=(
        "It begins with 40 % although 30 % is configured, and uses a share of the messages to reach a goal in tokens.",
        "The check ignores the summary, whose size is limited only at 50,000 characters.",
        "An agent that is too large at the start of a request is noticed only when the provider rejects the prompt.",
        "If no cut works, everything is summarized, including the question just asked.",
    ),
    not_modelled=(
        "the reported usage of the last call as the trigger, which misses the newest tool results",
        "compacting when the provider rejects a prompt as too long",
        "the time and the number of hidden messages in the summary's JSON",
        "the mark after a summary cut to clip_chars",
        "measuring the kept messages as 1.3 times the bytes of their JSON / 4",
        "a second summary, which loses the first, if summary and tool schemas reach the trigger again",
    ),
    source=Source(
        url="https://github.com/letta-ai/letta/blob/main/letta/services/summarizer/compact.py",
        version="letta 0.16.7",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        share(
            "sliding_window_percentage",
            0.3,
            "share",
            "share of the messages to summarize, less the tenth added by the first attempt",
        ),
        amount("clip_chars", 50_000, "characters", "longest summary"),
        of_window("context_window", "context window of the model"),
    ),
    trigger=Trigger(phase="after_tools", also=("turn_end",), any_of=((Condition(value="int(0.9 * window)"),),)),
    scope=Scope(
        head_limit=1,
        cut=first_that_fits,
    ),
    transform=_SUMMARIZE,
    placement=_PLACE,
    grouping="results",
    fallback=Stage(name="all", when=((),), scope=Scope(head_limit=1), transform=_SUMMARIZE, placement=_PLACE),
)
