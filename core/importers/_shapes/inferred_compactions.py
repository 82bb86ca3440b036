"""Compactions that nobody recorded, seen by the prompt that shrank: for transcripts of formats that record none.

The rule is the one of UW's TraceLab for unmarked files: the prompt falls by 64,000 tokens at least, from at least three
quarters of the largest prompt of the session, and does not come back to that within three model calls. What it left in the
window is not known: the newest messages are taken to have stayed, as large a share of the window as the smaller prompt is of
the larger one, whole exchanges of calls and results only.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from core.model import Message, RecordedCompaction, Session, Usage

DROP = 64_000
"""Tokens a prompt must fall by."""

HIGH = 0.75
"""Of the largest prompt: it must fall from there, and not come back to it."""

CALLS = 3
"""Model calls within which a prompt that comes back was no compaction."""

NOTE = "worked out from prompts that shrank, as nobody recorded it: what stayed is a guess"


def with_sizes(session: Session) -> Session:
    """The session with the sizes that its compactions do not record, read off the model calls around them, and named so."""
    if all(c.tokens_after is not None and c.tokens_before is not None for c in session.compactions):
        return session
    said = [m for m in session.messages if m.injected != "summary"]
    found = sorted(session.compactions, key=lambda c: c.at)
    starts, ends = [0, *(c.at for c in found)], [*(c.at for c in found[1:]), len(said)]
    sized = (_sized(c, said, start, end) for c, start, end in zip(found, starts, ends, strict=False))
    return session.model_copy(update={"compactions": tuple(sized)})


def _sized(one: RecordedCompaction, said: Sequence[Message], start: int, end: int) -> RecordedCompaction:
    """`start` and `end` are where the compactions around it happened: calls beyond them had another window."""
    if one.kind != "compaction" or one.fidelity == "inferred":
        return one
    after, before = _called(said[one.at : end]), _called(reversed(said[start : one.at]))
    known: dict[str, object] = {}
    if one.tokens_after is None and after is not None:
        known |= {"tokens_after": after.prompt, "after_from": "prompt of the reply after"}
    if one.tokens_before is None and before is not None:
        known |= {
            "tokens_before": before.prompt + before.output,
            "before_from": "prompt and output of the reply before",
        }
    return one.model_copy(update=known) if known else one


def _called(messages: Iterable[Message]) -> Usage | None:
    """What the first of these that is a reply with a recorded prompt used."""
    return next((m.usage for m in messages if m.usage is not None and m.usage.prompt > 0), None)


def with_inferred(session: Session) -> Session:
    """The session with the compactions its prompts tell of, where it records none itself; else the session as it is."""
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
            yield _compaction(messages, at, before, after)


def _windows(calls: Sequence[tuple[int, int]]) -> Iterator[Sequence[tuple[int, int]]]:
    return (calls[i : i + 2 + CALLS] for i in range(len(calls) - 1))


def _compaction(messages: Sequence[Message], at: int, before: int, after: int) -> RecordedCompaction:
    """Placed before the last typed message or result that the smaller prompt had in it: those came after it."""
    start = _asked(messages, at)
    return RecordedCompaction(
        at=start,
        trigger="",
        tokens_before=before,
        tokens_after=after,
        before_from="prompt of the model call before",
        after_from="prompt of the model call after",
        edit="dropped",
        kept=tuple(m.id for m in messages[_first_kept(messages, start, after / before) : start] if m.role != "system"),
        fidelity="inferred",
        line=messages[at].line,
        timestamp=messages[at].timestamp,
    )


def _asked(messages: Sequence[Message], at: int) -> int:
    """Where what the model had not seen before begins: behind the reply before this one."""
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
