"""aider's chat history: after a turn, the older finished turns become a message in which the user tells of them.

Modelled: aider's own transcripts hold no tool messages; here they are counted and stay or go, unread. Source: aider-chat
0.86.2 (Apache-2.0), read, and run on random transcripts against this; checked 2026-11-20.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from core.model.session import Message
from core.policy.parameters import amount, of_window
from core.policy.policy import Policy
from core.policy.rules import Cut, Reading
from core.policy.vocabulary import Condition, Guards, Placement, Scope, Size, Source, Summarize, Trigger
from core.window.context import CutContext
from core.window.reading import Count, without_calls
from core.window.tails import raw_start

_FEW = 4  # messages: where no more than these would go, all go


@Cut
def behind_reply(context: CutContext) -> int:
    """Back from where the tail begins to behind an assistant message; everything where few would go."""
    cut = _behind_assistant(context)
    return len(context.window) if _are_few(context, cut) else cut


def _behind_assistant(context: CutContext) -> int:
    window, cut, body = context.window, raw_start(context), context.body
    while cut > body + 1 and window[cut - 1].role != "assistant":
        cut -= 1
    return cut


def _are_few(context: CutContext, cut: int) -> bool:
    return 0 < cut - context.body <= _FEW


@partial(Reading, limited=True)
def oldest_part(context: CutContext, messages: Sequence[Message], count: Count) -> list[Message]:
    """What was said, without calls and results: as much of the oldest as fits, all of it where few would have gone."""
    dialogue = [m for m in messages if m.role in ("user", "assistant")]
    read = without_calls(context.window.pool.base, dialogue)
    if _are_few(context, _behind_assistant(context)):
        return read
    most = context.value("max(0, window - 512)")
    return read[: bisect_right(list(accumulate(map(count, read))), most)]


POLICY = Policy(
    name="aider",
    title="aider chat history",
    family="coding agents",
    about="Summarizes the older half of the finished turns into one user message; the system prompt is outside its history.",
    rule="After a turn, if the non-system messages have more than max_chat_history_tokens tokens: keeps the "
    "longest tail of less than half of that, starting after an assistant message, and summarizes the rest; "
    "if four messages or fewer are left to summarize, the tail is summarized as well. Repeats, three times "
    "at most, while summary and tail are over the limit.",
    faults=(
        "If every model fails, the whole history is deleted.",
        "What exceeds the weak model's context is dropped unread, and that is the newest of it.",
        "An empty summary is accepted; tool messages are never read.",
        "A single long turn is never compacted; only finished turns are.",
    ),
    not_modelled=(
        "summarizing in the background, discarded if the history changes meanwhile",
        "repeating also where summary and tail have exactly max_chat_history_tokens",
        "a second summary of a long summary that is the only message",
        "summarizing everything after the fourth pass",
        "the reply added to a history that ends without one",
    ),
    source=Source(
        url="https://github.com/Aider-AI/aider/blob/main/aider/history.py",
        version="aider-chat 0.86.2",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    formats=("aider",),
    parameters=(
        amount(
            "max_chat_history_tokens",
            8192,
            "tokens",
            "compact above this many tokens; aider uses a sixteenth of the context window, from 1,024 to 8,192",
        ),
        of_window("max_input_tokens", "context window of the weak model, which writes the summary"),
    ),
    trigger=Trigger(phase="turn_end", any_of=((Condition(value="max_chat_history_tokens"),),), counts="spoken"),
    scope=Scope(
        tail=Size(unit="tokens", value="max_chat_history_tokens // 2 - 1"),
        cut=behind_reply,
    ),
    transform=Summarize(reads=oldest_part, unread=None, on_error="drop_all"),
    placement=Placement(
        role="user",
        template="I spoke to you previously about a number of things.\n{text}",
        ack="Ok.",
        ack_last=True,
    ),
    guards=Guards(not_alone=True),
    passes=4,
)
