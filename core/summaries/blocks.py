"""Messages that are folded again and again, in blocks of which it is known what they come to.

A block goes on until a message comes that has to be taken by itself, or one that parts blocks. It begins behind those, or where
one of some messages is picked by its id: so most blocks are the same wherever a fold begins. A fold that ends within a block
takes as much of it as it can. A block is kept with its first message.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from core.model.cached import cached
from core.model.give_way import give_way
from core.model.session import Message
from core.summaries.facts import facts_of
from core.summaries.quotes import cite
from core.summaries.stretches import Draft, Single, Stretch

BEGINS, PARTS = 4, 64
"""One message in so many, of those that are no results, may begin a block within another one; one in so many parts blocks."""

STEP = 8
"""A fold that ends within a block takes a multiple of so many messages of it as one."""

LONGEST = 256  # messages


class _Role(NamedTuple):
    """A message as it is taken by itself, and whether a block may begin with it wherever it stands, or always does."""

    single: Single
    begins: bool
    parts: bool


class _Block(NamedTuple):
    """The messages behind the first one of a block, what the block comes to, and whether nothing more belongs to it."""

    rest: Sequence[Message]
    pieces: tuple[Single | Stretch, ...]
    whole: bool


def pieces(messages: Sequence[Message]) -> Iterator[Single | Stretch]:
    """The messages, as many of them at a time as possible."""
    every = list(messages)
    place, behind = 0, False
    while place < len(every):
        role = _role(every[place])
        found = _block(every, place) if behind or role.begins else None
        if found is None:
            yield role.single
            place += 1
        else:
            yield from found.pieces
            place, behind = place + 1 + len(found.rest), True


def read_ahead(messages: Sequence[Message]) -> None:
    """Work out what the messages say before a fold asks for it; between two blocks, more urgent work goes first."""
    for _ in pieces(messages):
        give_way()


def _role(message: Message) -> _Role:
    return cached(message, "role in blocks", _role_of)


def _role_of(message: Message) -> _Role:
    """Picked by the id, so that it is the same in every fold. What is put in, such as a summary, is in one fold only."""
    picked = crc32(message.id.encode("utf-8", "replace"))
    known = not message.injected and message.role != "tool"
    return _Role(
        Single(facts_of(message), cite(message.id)), known and not picked % BEGINS, known and not picked % PARTS
    )


def _block(messages: list[Message], start: int) -> _Block | None:
    """The longest block, or beginning of one, that starts here and ends among the messages; None where that is too short."""
    known: list[_Block] = cached(messages[start], "blocks", lambda _: [])
    room, k = len(messages) - start, len(known)
    found: _Block | None = None
    while k and found is None:
        k -= 1
        if len(known[k].rest) < room:
            if messages[start + 1 : start + 1 + len(known[k].rest)] == known[k].rest:
                found = known[k]
            else:  # it was of other messages
                del known[k]
    if found is not None and (found.whole or room - len(found.rest) - 1 < STEP):
        return found
    if room < STEP:
        return None
    made = _made(messages, start, found)
    known.insert(0 if found is None else k + 1, made)
    return made


def _made(messages: list[Message], start: int, begun: _Block | None) -> _Block:
    """The block that starts here, as far as the messages go, in steps; `begun` is how it begins."""
    draft, end = Draft(), start
    if begun is not None:
        end += 1 + len(begun.rest)
        for piece in begun.pieces:
            draft.takes(piece)
    stop = start + (len(messages) - start) // STEP * STEP
    longest = start + LONGEST
    while end < min(stop, longest) and not (end > start and _role(messages[end]).parts):
        if not draft.takes(_role(messages[end]).single):
            break
        end += 1
    if end == start:
        return _Block([], (_role(messages[start]).single,), True)
    return _Block(messages[start + 1 : end], tuple(draft.pieces()), end < stop or end == longest)
