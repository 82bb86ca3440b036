"""Messages that are folded again and again, in blocks of which it is known what they come to.

A block is kept with the first of its messages. It holds messages behind that one none of which begins a block of its level, so
no message is held by its own block.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from core.model.cached import cached
from core.model.session import Message
from core.summaries.facts import facts_of
from core.summaries.quotes import cite
from core.summaries.stretches import SHORTEST, Draft, Single, Stretch

EVERY = (16, 128)
"""At each level one message in so many begins a block. It is picked by its id, so that blocks are the same in every fold."""

LONGEST = 4  # times as long as most blocks of its level


class _Block(NamedTuple):
    """The messages behind the first one of a block, and what the block comes to."""

    rest: Sequence[Message]
    pieces: list[Single | Stretch]


def pieces(messages: Sequence[Message]) -> Iterator[Single | Stretch]:
    """The messages, as many of them at a time as possible."""
    return _pieces(list(messages), len(EVERY))


def _pieces(messages: list[Message], level: int) -> Iterator[Single | Stretch]:
    """The messages in blocks of this level where one begins, else of the levels below."""
    i = 0
    while i < len(messages):
        if found := _largest(messages, i, min(level, _level(messages[i]))):
            yield from found.pieces
            i += 1 + len(found.rest)
        else:
            yield _single(messages[i])
            i += 1


def _level(message: Message) -> int:
    """The level of the largest blocks that begin with a message; 0 where none does."""
    return cached(message, "level", _level_of)


def _level_of(message: Message) -> int:
    picked = crc32(message.id.encode("utf-8", "replace"))
    return next((k for k in range(len(EVERY), 0, -1) if not picked % EVERY[k - 1]), 0)


def _single(message: Message) -> Single:
    return cached(message, "single", lambda m: Single(facts_of(m), cite(m.id)))


def _largest(messages: list[Message], start: int, level: int) -> _Block | None:
    """The largest block that begins here and ends among the messages, up to this level."""
    return next((found for k in range(level, 0, -1) if (found := _block(messages, start, k))), None)


def _block(messages: list[Message], start: int, level: int) -> _Block | None:
    """The block of a level that begins here; None where the messages end before it does."""
    kept: list[_Block] = cached(messages[start], ("block", level), lambda _: [])
    if kept and messages[start + 1 : start + 1 + len(kept[0].rest)] == kept[0].rest:
        return kept[0]
    end, last = start + 1, min(len(messages), start + LONGEST * EVERY[level - 1])
    while end < last and _level(messages[end]) < level:
        end += 1
    if end == len(messages) or end - start < SHORTEST:
        return None
    inside = messages[start:end]
    kept[:] = [_Block(inside[1:], list(_joined(_pieces(inside, level - 1))))]
    return kept[0]


def _joined(parts: Iterable[Single | Stretch]) -> Iterator[Single | Stretch]:
    """Parts in stretches that are as long as possible."""
    draft = Draft()
    for part in parts:
        if draft.takes(part):
            continue
        yield from draft.pieces()
        draft = Draft()
        if not draft.takes(part):
            yield part
    yield from draft.pieces()
