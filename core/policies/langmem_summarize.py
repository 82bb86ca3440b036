"""LangMem's summarize_messages: before a model call, the oldest messages that have not been summarized extend the summary.

Modelled: the view that the model is sent. It has no default for max_tokens; 4,000 is ours. Source: langmem 0.0.30 (MIT),
read, and run on random transcripts against this; checked 2026-11-20.
"""

from collections.abc import Sequence
from functools import partial

from core.model.session import Message
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Cut, Reading
from core.policy.vocabulary import Condition, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.cut_boundary import is_tool
from core.window.reading import Count, newest_within
from core.window.sizes import token_tail
from core.window.tails import reached
from core.window.window import Window

_ROOM = "max_tokens - max_summary_tokens"


@Cut
def room_for_summary(context: CutContext) -> int:
    """So many go that head and tail leave room for the summary; nothing where the head alone leaves none."""
    window, body = context.window, context.body
    left = context.value(_ROOM) - context.tokens(0, context.head)
    if left < 0:
        return body
    cut = max(token_tail(window, left, body), reached(context, context.value("max_tokens_before_summary")))
    return _with_own_results(window, cut) if cut > body else cut


def _with_own_results(window: Window, cut: int) -> int:
    """Forward past the results of the call that goes last."""
    asked = {call.id for call in window[cut - 1].tool_calls}
    while asked and cut < len(window) and is_tool(window[cut]) and window[cut].tool_call_id in asked:
        cut += 1
    return cut


@partial(Reading, limited=True)
def newest_or_all(context: CutContext, messages: Sequence[Message], count: Count) -> list[Message]:
    """The newest max_tokens, from a user message on; everything where that is nothing, or where everything fits."""
    most = context.value("max_tokens")
    return list(messages) if _fits(messages, most, count) else newest_within(messages, most, count) or list(messages)


def _fits(messages: Sequence[Message], most: int, count: Count) -> bool:
    """Whether all of them count no more than this; the newest are counted first, and no more than it takes to see."""
    for message in reversed(messages):
        most -= count(message)
        if most < 0:
            return False
    return True


POLICY = Policy(
    name="langmem.summarize",
    title="LangMem summarize_messages",
    family="LangChain",
    about="Summarizes the oldest messages into a running summary after the system prompt, until the rest leaves "
    "room for it.",
    rule="Before every model call, if the messages other than system and summary have max_tokens_before_summary "
    "tokens or more: summarizes the oldest of them, at least that many tokens, until those left, with the "
    "system message, have max_tokens - max_summary_tokens tokens or less. The results of the last "
    "summarized call are summarized with it. The earlier summary is extended.",
    faults=(
        "The newest question is summarized too if it does not fit: the summary is all that the model is sent.",
        "A cut between two results of one reply leaves the second one without its call.",
        "With a system message larger than max_tokens - max_summary_tokens it never summarizes, and does not say so.",
        "max_summary_tokens is reserved room, not a limit for the summarizer; an empty summary is accepted.",
    ),
    not_modelled=(
        "results that do not directly follow their call: the library sends them twice and loses a message",
        "a summary that contains the text of the system prompt and hides it",
        "system messages other than the leading one, which the library counts",
        "the earlier summary, which is removed from the summarizer's input",
    ),
    source=Source(
        url="https://github.com/langchain-ai/langmem/blob/main/src/langmem/short_term/summarization.py",
        version="langmem 0.0.30",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentkit",
    parameters=(
        amount("max_tokens", 4000, "tokens", "the model should be sent at most this many tokens"),
        amount(
            "max_tokens_before_summary",
            4000,
            "tokens",
            "summarize at this many tokens; the library uses max_tokens if it is not given",
        ),
        amount("max_summary_tokens", 256, "tokens", "room reserved for the summary"),
    ),
    trigger=Trigger(
        phase="before_call",
        any_of=((Condition(value="max_tokens_before_summary", at_least=True),),),
        counts="active",
    ),
    scope=Scope(
        head_limit=1,
        fold_summary=False,
        tail=Size(unit="tokens", value=_ROOM),
        cut=room_for_summary,
    ),
    transform=Summarize(reads=newest_or_all, on_error="raise"),
    placement=Placement(role="system", template="Summary of the conversation so far: {text}"),
)
