"""The lane of a text: at every step, whether the window has it, and in which messages.

Between two compactions a window only grows. So a lane is the hits in the window that each compaction left, found by bisection
over its ranges, and the hits that arrive behind it: nothing is looked at step by step.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, repeat
from typing import Literal, NamedTuple, overload

from core.trace.trace import Trace
from core.why.hits import Slice, TextHits, grown
from core.why.moves import moves

State = Literal["before", "verbatim", "summary", "gone"]
Slices = tuple[Slice, ...]


class Held(Sequence[int]):
    """The messages of a window that have the text, by their places in the pool, in the order of the window."""

    def __init__(self, hits: TextHits, slices: Slices) -> None:
        self._hits, self._slices = hits, slices

    def __len__(self) -> int:
        return sum(b - a for a, b in self._slices)

    def __iter__(self) -> Iterator[int]:
        return (place for a, b in self._slices for place in self._hits.places[a:b])

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        left = index + len(self) if index < 0 else index
        for a, b in self._slices:
            if 0 <= left < b - a:
                return self._hits.places[a + left]
            left -= b - a
        raise IndexError(index)


@dataclass(frozen=True)
class Stretch:
    """Steps from `start` to `end`, both included, at which the same messages of the window have the text.

    `places` are those messages in the pool; `state` is "before" until the text is first said, "verbatim" while a message that
    is no summary has it, "summary" while only summaries have it, "gone" while nothing in the window has it.
    """

    start: int
    end: int
    state: State
    places: Sequence[int] = field(compare=False)
    trace: Trace = field(repr=False, compare=False)

    @property
    def messages(self) -> list[str]:
        """The ids of the messages."""
        return [self.trace.pool.message(place).id for place in self.places]


class Change(NamedTuple):
    """What differs between the hits before and after a compaction, and the messages that these are, by their places."""

    before: Slices
    after: Slices
    gone: list[int]
    came: list[int]


class Lane(Sequence[Stretch]):
    """The stretches of a text, in order; they cover every step once. Each is made when asked for."""

    def __init__(self, trace: Trace, hits: TextHits) -> None:
        self.trace, self.hits = trace, hits
        arrive, ats = hits.session.places, [0, *trace.compaction_ats]
        self._arrive = arrive
        self._cuts = [bisect_left(arrive, at) for at in ats] if arrive else [0] * len(ats)
        self._cuts.append(len(arrive))  # the first hit that arrives in each epoch
        self._there, self._kept = [False], dict[int, Slices]()  # whether each compaction left any hit, and which
        self._starts: list[int] = []
        self.changes: dict[int, Change] = {}
        self._lay()

    def _lay(self) -> None:
        """Find where the stretches begin: at a compaction that changes what has the text, and at each message with it."""
        starts, arrive, cuts, there = self._starts, self._arrive, self._cuts, self._there
        if (arrive[0] if cuts[1] else self._steps_of_first) > 0:
            starts.append(0)
        starts += arrive[: cuts[1]]
        every = moves(self.trace) if self.hits.in_copies else repeat(True)
        for number, moved in zip(range(1, len(cuts) - 1), every, strict=False):
            first, last = cuts[number], cuts[number + 1]
            there.append(bool(self._kept_by(number)) if moved else there[-1] or cuts[number - 1] < first)
            if not starts or (moved and self._changed(number)):
                starts.append(self._start(number))
            if first < last:
                starts += [place + number for place in arrive[first:last]]

    def _changed(self, number: int) -> bool:
        """Whether compaction `number - 1` changed what has the text, or how; what it changed is kept."""
        one, other = self.before(number - 1), self._kept_by(number)
        if one == other:
            return False
        left, right = rest(one, other)  # what is alike need not be compared
        change = Change(left, right, self.own(left), self.own(right))
        if change.gone == change.came and self._state(one) == self._state(other):
            return False
        self.changes[number - 1] = change
        return True

    def before(self, k: int) -> Slices:
        """The hits in the window that compaction k acted on."""
        return grown(self._kept_by(k), self._cuts[k], self._cuts[k + 1])

    def _kept_by(self, number: int) -> Slices:
        """The hits in the window that compaction `number - 1` left; none before the first."""
        if number and number not in self._kept:
            self._kept[number] = self.hits.cut(self.trace.compactions[number - 1].layout_after)
        return self._kept[number] if number else ()

    def own(self, slices: Slices) -> list[int]:
        """The messages of these hits, by their places: a cleared copy is the session's message."""
        return [place for a, b in slices for place in self.hits.own[a:b]]

    def _state(self, slices: Slices) -> State:
        if not slices:
            return "gone"
        said = self.hits.said
        return "verbatim" if any(said[b] > said[a] for a, b in slices) else "summary"

    @property
    def _steps_of_first(self) -> int:
        """The steps before the first compaction."""
        return self.trace.compactions[0].at if self.trace.compactions else len(self.trace)

    def _start(self, number: int) -> int:
        return self.trace.compaction_step(number - 1) if number else 0

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Stretch: ...
    @overload
    def __getitem__(self, index: slice) -> list[Stretch]: ...
    def __getitem__(self, index: int | slice) -> Stretch | list[Stretch]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = index + len(self) if index < 0 else index
        if not 0 <= k < len(self):
            raise IndexError(index)
        start, places = self._starts[k], self._held(self._starts[k])
        return Stretch(start, self._end(k), self._state_of(start, places), Held(self.hits, places), self.trace)

    def _end(self, k: int) -> int:
        return (self._starts[k + 1] if k + 1 < len(self) else len(self.trace)) - 1

    def at(self, step: int) -> Stretch:
        """The stretch of a step. Raises StepError outside the trace."""
        self.trace.step(step)
        return self[bisect_right(self._starts, step) - 1]

    def states(self) -> Iterator[tuple[int, int, State]]:
        """The longest runs of steps in one state: the first step, the last, and the state."""
        last: tuple[int, int, State] | None = None
        changed = {self.trace.compaction_steps[k] for k in self.changes}
        for k, start in enumerate(self._starts):
            stays = last and last[2] == "verbatim" and start not in changed  # one more message has it
            state = "verbatim" if stays else self.state(start)
            if last and last[2] == state:
                last = (last[0], self._end(k), state)
                continue
            if last:
                yield last
            last = (start, self._end(k), state)
        if last:
            yield last

    def state(self, step: int) -> State:
        """The state at a step."""
        return self._state_of(step, self._held(step))

    def _state_of(self, step: int, held: Slices) -> State:
        return "before" if not held and step < self.first_said else self._state(held)

    def has(self, step: int) -> bool:
        """Whether anything in the window has the text at a step; nothing has it before the first."""
        number, arrived = self._moment(step)
        return arrived > 0 or self._there[number]

    def _held(self, step: int) -> Slices:
        number, arrived = self._moment(step)
        first = self._cuts[number]
        return grown(self._kept_by(number), first, first + arrived)

    def _moment(self, step: int) -> tuple[int, int]:
        """The epoch of a step, and how many hits have arrived in it by then."""
        number = bisect_right(self.trace.compaction_steps, step)
        first = self._cuts[number]
        return number, bisect_left(self._arrive, step + 1 - number, first, self._cuts[number + 1]) - first

    @cached_property
    def first_said(self) -> int:
        """The first step at which anything in the window has the text; the number of steps if none has."""
        for number, there in enumerate(self._there):
            if there:
                return self._start(number)
            if self._cuts[number] < self._cuts[number + 1]:
                return self._arrive[self._cuts[number]] + number
        return len(self.trace)

    def arrivals(self) -> Iterator[tuple[int, int]]:
        """Every message that arrives with the text: its place, and the step."""
        for number, (first, last) in enumerate(pairwise(self._cuts)):
            for place in self._arrive[first:last]:
                yield place, place + number

    def found_again(self) -> Iterator[int]:
        """The messages that arrive with the text when nothing in the window has it, by their places."""
        for number, there in enumerate(self._there):
            if not there and self._cuts[number] < self._cuts[number + 1]:
                yield self._arrive[self._cuts[number]]


def rest(one: Slices, other: Slices) -> tuple[Slices, Slices]:
    """Two windows without the hits with which both begin, and those with which both end."""
    left, right = list(reversed(one)), list(reversed(other))
    while left and right and left[-1][0] == right[-1][0]:
        (_, b), (_, d) = left.pop(), right.pop()
        left += [(d, b)] if d < b else []
        right += [(b, d)] if b < d else []
    left.reverse()
    right.reverse()
    while left and right and left[-1][1] == right[-1][1]:
        (a, _), (c, _) = left.pop(), right.pop()
        left += [(a, c)] if a < c else []
        right += [(c, a)] if c < a else []
    return tuple(left), tuple(right)
