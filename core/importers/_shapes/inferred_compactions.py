"""Compactions inferred from prompts that shrink, for formats that do not record compactions.

The rule is the one of UW's TraceLab for unmarked files: the prompt falls by 64,000 tokens at least, from at least three
quarters of the largest prompt of the session, and does not come back to that within three model calls. What it left in the
window is not known: the newest messages are taken to have stayed, as large a share of the window as the smaller prompt is of
the larger one, whole exchanges of calls and results only.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from core.model.session import Message, RecordedCompaction, Session

DROP = 64_000
"""Tokens a prompt must fall by."""

HIGH = 0.75
"""Of the largest prompt: it must fall from there, and not come back to it."""

CALLS = 3
"""Model calls within which a prompt that comes back was no compaction."""

NOTE = "inferred from prompts that shrank, because the file records none; which messages stayed is a guess"


def with_inferred(session: Session) -> Session:
    """The session with the compactions that its prompts show; unchanged where it records compactions itself."""
    if session.compactions:
        return session
    found = tuple(_found(session.messages))
    if not found:
        return session
    many = "1 compaction was" if len(found) == 1 else f"{len(found):,} compactions were"
    return session.model_copy(update={"compactions": found, "notes": (*session.notes, f"{many} {NOTE}")})


def _found(messages: Sequence[Message]) -> Iterator[RecordedCompaction]:
    calls = [(i, m.usage.prompt) for i, m in enumerate(messages) if m.usage is not None and m.usage.prompt > 0]
    top = max((tokens for _, tokens in calls), default=0)
    for (_, before), (at, after), *later in _windows(calls):
        fell = before - after >= DROP and before >= HIGH * top
        if fell and all(tokens < HIGH * before for _, tokens in later):
            yield _compaction(messages, at, after / before)


def _windows(calls: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    return (calls[i : i + 2 + CALLS] for i in range(len(calls) - 1))


def _compaction(messages: Sequence[Message], at: int, share: float) -> RecordedCompaction:
    """Placed before the last typed message or result that the smaller prompt had in it: those came after it."""
    start = _first_new(messages, at)
    return RecordedCompaction(
        at=start,
        trigger="",
        edit="dropped",
        kept=tuple(m.id for m in messages[_first_kept(messages, start, share) : start] if m.role != "system"),
        fidelity="inferred",
        line=messages[at].line,
        timestamp=messages[at].timestamp,
    )


def _first_new(messages: Sequence[Message], at: int) -> int:
    """Where the messages begin that this call was the first to be sent: after the reply before it."""
    while at > 0 and messages[at - 1].role != "assistant":
        at -= 1
    return at


def _first_kept(messages: Sequence[Message], end: int, share: float) -> int:
    """The first of the newest messages that make up this share of all, by their characters; never a result without its call.

    A share, as a prompt holds more than messages, and tokens are not characters.
    """
    sizes = [_size(m) for m in messages[:end]]
    room = share * sum(sizes)
    first = end - sum(1 for size in accumulate(reversed(sizes)) if size <= room)
    while first < end and messages[first].role == "tool":
        first += 1
    return first


def _size(message: Message) -> int:
    return len(message.content) + sum(len(str(call.arguments)) for call in message.tool_calls)
