"""The messages of a trace that have a text: the session's, those that compactions added, and copies cleared in place."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.entities.search import Match, begun, normalized, search_of
from core.model.cached import cached
from core.model.session import Message
from core.trace.trace import Trace
from core.why.readable import readable_added
from core.window.cleared_copy import ClearedCopy
from core.window.ranges import ADDED, SPACE, Range

SUMMARY = ("summary", "ack")
"""How a harness marks what stands for messages that went: such a message has a text only as a summary."""

Slice = tuple[int, int]
"""Hits that follow one another: the number of the first, and of the one behind the last."""


@dataclass(frozen=True)
class Hits:
    """Messages of one part of the pool: their places there, in order, and which message each of them is.

    A cleared copy is the session's message it was made of. `said` is whether each is more than a summary.
    """

    places: Sequence[int] = ()
    own: Sequence[int] = ()
    said: Sequence[bool] = ()


class TextHits:
    """Where a text is in a trace: all its hits in the order of the pool, those of the session first, and how it matched.

    `places`, `own` and `said` are those of all parts; `said[n]` counts those of the first n that are no summary. `in_copies`
    is whether every message that has it has it still when it is emptied in place.
    """

    def __init__(self, match: Match, parts: Sequence[Hits]) -> None:
        self.match, self.session = match, parts[0]
        some = [part for part in parts if part.places]
        self.places = some[0].places if len(some) == 1 else [place for part in some for place in part.places]
        self.own = some[0].own if len(some) == 1 else [place for part in some for place in part.own]
        self.said = list(accumulate((flag for part in some for flag in part.said), initial=0))
        self.in_copies = all(_is_alike(part, self.session) for part in parts[2:])

    def cut(self, layout: Iterable[Range]) -> tuple[Slice, ...]:
        """The hits in a layout, in its order, as few slices."""
        places, count, found = self.places, len(self.places), list[Slice]()
        if not count:
            return ()
        for a, b in layout:
            first = bisect_left(places, a)
            if first < count and places[first] < b:
                found.append((first, bisect_left(places, b, first)))
        return tuple(found) if len(found) < 2 else joined(found)

    def inside(self, part: Range) -> Slice | None:
        """The hits in one range of the pool; None where there are none."""
        first = bisect_left(self.places, part[0])
        last = bisect_left(self.places, part[1], first)
        return (first, last) if first < last else None


def grown(slices: tuple[Slice, ...], first: int, last: int) -> tuple[Slice, ...]:
    """The slices with the hits from `first` up to, not with, `last` added behind; unchanged where those are none."""
    if first == last:
        return slices
    if slices and slices[-1][1] == first:
        return (*slices[:-1], (slices[-1][0], last))
    return (*slices, (first, last))


def joined(slices: Iterable[Slice]) -> tuple[Slice, ...]:
    """The same hits in as few slices as can be: those that touch become one, empty ones none."""
    found: list[Slice] = []
    for a, b in slices:
        if found and found[-1][1] == a:
            found[-1] = (found[-1][0], b)
        elif a < b:
            found.append((a, b))
    return tuple(found)


def hits_of(trace: Trace, text: str) -> TextHits:
    """Every message of the trace that has the text: as written if one that arrives has it so, else without regard to case.

    A summary may write a rule with a capital letter that the user wrote without: the case of the first letter does not count in
    it. A text that only it has is sought as there.
    """
    pool = trace.pool
    changed = [_changed_copies(copy) for copy in pool.cleared_copies]
    put_in = readable_added(trace)
    groups: list[Sequence[Message]] = [trace.messages, put_in, *(messages for _, messages in changed)]
    match, (session, added, *left) = _found(groups, text)
    if match == "exact":
        added = sorted({*added, *_begun(put_in, text)})
    stay = [[places[k] for k in hits] for (places, _), hits in zip(changed, left, strict=True)]
    return TextHits(match, _parts(trace, session, added, stay))


def hits_at(trace: Trace, session: Sequence[int], added: Sequence[int], has: Callable[[Message], bool]) -> TextHits:
    """Messages that have something else than a text, by their places in the session and among what was added.

    `has` says of a message that was cleared in place whether it has it still.
    """
    mine, stay = set(session), []
    for copy in trace.pool.cleared_copies:
        pairs = zip(*_changed_copies(copy), strict=True)
        stay.append([i for i, message in pairs if i in mine and has(message)])
    return TextHits("exact", _parts(trace, session, added, stay))


def _parts(trace: Trace, session: Sequence[int], added: Sequence[int], stay: Sequence[Sequence[int]]) -> Sequence[Hits]:
    """The hits of each part of the pool; `stay` are, for each kind of cleared copy, the changed ones that have it still."""
    copies = [_copy_hits(trace, number, session, left) for number, left in enumerate(stay)]
    messages = trace.messages
    return [Hits(session, session, _beyond_summaries(messages[i] for i in session)), _added_hits(trace, added), *copies]


def _found(groups: Sequence[Sequence[Message]], text: str) -> tuple[Match, list[Sequence[int]]]:
    """How the text matches in the first of the groups that has it, and where all of them have it so."""
    found: list[Sequence[int]] = []
    match: Match = "none"
    for group in groups:
        one = search_of(group).places(text, match if match != "none" else None)
        match = one.match if match == "none" else match
        found.append(one.places)
    return match, found


def _begun(added: Sequence[Message], text: str) -> Iterator[int]:
    """The summaries that begin a sentence with it, or have the beginning of one within another."""
    places = search_of(added).places(begun(normalized(text)), "exact").places if added else ()
    return (k for k in places if added[k].injected == "summary")


def _added_hits(trace: Trace, found: Sequence[int]) -> Hits:
    pool = trace.pool
    messages = [pool.added[k] for k in found]
    own = [
        pool.base.places.get(m.id, ADDED + k) if m.injected == "cleared" else ADDED + k
        for k, m in zip(found, messages, strict=True)
    ]
    return Hits([ADDED + k for k in found], own, _beyond_summaries(messages))


def _copy_hits(trace: Trace, number: int, session: Sequence[int], left: Sequence[int]) -> Hits:
    """Those of a cleared copy: of the messages whose texts it changes those that still have it, of the others all that do."""
    copy, space, messages = trace.pool.cleared_copies[number], (number + 1) * SPACE, trace.messages
    changed = set(_changed_copies(copy)[0])
    own = sorted([*(i for i in session if i not in changed), *left])
    return Hits([space + i for i in own], own, _beyond_summaries(copy.copies.get(i, messages[i]) for i in own))


def _is_alike(part: Hits, session: Hits) -> bool:
    """Whether the same messages have the text in a part of the pool as in the session's."""
    return part.own == session.own and part.said == session.said


def _beyond_summaries(messages: Iterable[Message]) -> list[bool]:
    return [m.injected not in SUMMARY for m in messages]


def _changed_copies(copy: ClearedCopy) -> tuple[Sequence[int], Sequence[Message]]:
    """The copies made so far that say something else than their messages, and the places of those."""
    known: list[tuple[list[int], list[Message], int]] = cached(copy, "changed texts", lambda _: [([], [], 0)])
    places, messages, seen = known[-1]
    reached = copy.places[: len(copy.tokens)]
    if seen < len(reached):
        new = [i for i in reached[seen:] if _is_changed(copy, i)]
        known[:] = [([*places, *new], [*messages, *(copy.copies[i] for i in new)], len(reached))]
    return known[-1][:2]


def _is_changed(copy: ClearedCopy, i: int) -> bool:
    """Whether the copy says something else: one that only leaves thinking out keeps the very same calls."""
    before, after = copy.base.messages[i], copy.copies[i]
    return before.content is not after.content or before.tool_calls is not after.tool_calls
