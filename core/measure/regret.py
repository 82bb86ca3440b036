"""How many misses a policy has beyond a clairvoyant with the same room: an estimate.

The clairvoyant is greedy and knows which names will be used. At each event it may hold as many tokens as the policy left, in
whole messages and without a summary; what it drops is gone. Greedy is not the best there is, and a real summary may beat it,
so that regret may be below 0.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.entities.entity import Entity
from core.measure.columns import Integers
from core.measure.misses import misses
from core.measure.prompts import Event, Prompts
from core.measure.uses import uses_of
from core.model.cached import cached
from core.window.measured import Measured

_NOTHING: frozenset[int] = frozenset()


def regret(prompts: Prompts) -> int:
    """Misses of the policy less those of the clairvoyant."""
    return len(misses(prompts).missed) - clairvoyant_misses(prompts)


def clairvoyant_misses(prompts: Prompts) -> int:
    """How many uses the clairvoyant would have missed."""
    clairvoyant = _Clairvoyant(prompts.trace.measured)
    for event in prompts.events:
        if event.call is not None:
            clairvoyant.compact(event, prompts.trace.compactions[event.last].at)
    clairvoyant.use(len(prompts.calls))
    return clairvoyant.missed


class _Future(NamedTuple):
    """The uses of a session in order of call and name, by numbers for their names.

    `before` is the index of the use of the same name before, -1 for its first; `first` and `last` are the places of the first
    and the newest message that show it. `rank` are the messages by size, the newest of equal ones first, and `shows` says
    which of these names each message shows.
    """

    call: Integers
    name: Sequence[int]
    before: Integers
    first: Integers
    last: Integers
    rank: Sequence[int]
    shows: dict[int, frozenset[int]]


def _future(base: Measured) -> _Future:
    uses = sorted(uses_of(base), key=lambda use: (use.call, use.name))
    numbers, newest, before = dict[Entity, int](), dict[Entity, int](), []
    for k, use in enumerate(uses):
        numbers.setdefault(use.name, len(numbers))
        before.append(newest.get(use.name, -1))
        newest[use.name] = k
    shows: dict[int, set[int]] = {}
    for name, k in newest.items():
        for place in uses[k].shown:
            shows.setdefault(place, set()).add(numbers[name])
    columns = [[use.call for use in uses], before, [use.shown[0] for use in uses], [use.last for use in uses]]
    call, earlier, first, last = (np.array(column, np.int64) for column in columns)
    held = {i: frozenset(names) for i, names in shows.items()}
    return _Future(call, [numbers[use.name] for use in uses], earlier, first, last, _ranks(base.tokens), held)


def _ranks(tokens: Sequence[int]) -> list[int]:
    """The rank of each message: 0 for the smallest, and of those the newest."""
    ranks = [0] * len(tokens)
    for rank, place in enumerate(sorted(range(len(tokens)), key=lambda i: (tokens[i], -i))):
        ranks[place] = rank
    return ranks


class _Clairvoyant:
    """What it holds of the messages before place `since`, in order, and the uses it has missed so far."""

    def __init__(self, base: Measured) -> None:
        self.base, self.future = base, cached(base, "uses to come", _future)
        self.held: list[int] = []
        self.names: set[int] = set()
        self.since, self.done, self.missed = 0, 0, 0

    def use(self, call: int) -> None:
        """The calls before this one are made: what no message shows that is held, or arrived since, is missed."""
        behind = int(np.searchsorted(self.future.call, call))
        gone = np.flatnonzero(self.future.last[self.done : behind] < self.since) + self.done
        self.missed += sum(self.future.name[k] not in self.names for k in gone.tolist())
        self.done = behind

    def compact(self, event: Event, at: int) -> None:
        """Choose what to hold of all it has, once so many messages have arrived."""
        assert event.call is not None
        self.use(event.call)
        tokens, there = self.base.tokens, [*self.held, *range(self.since, at)]
        kept = {*(i for i in range(self.base.leading_systems) if i in there), *there[-1:]}
        room, names = event.after - sum(tokens[i] for i in kept), self._shown(kept)
        cheapest = self._cheapest(there, room, names)
        for name in self._wanted(at) if cheapest else ():
            place = cheapest.get(name, -1)
            if place >= 0 and tokens[place] <= room and name not in names:
                kept.add(place)
                room -= tokens[place]
                names |= self.future.shows[place]
        self._take(kept, room, there)
        self.since = at

    def _take(self, kept: set[int], room: int, there: Sequence[int]) -> None:
        """Hold these, and of the others it has the newest that fit into the room that is left."""
        tokens = self.base.tokens
        least = min(map(tokens.__getitem__, there), default=0)
        for place in reversed(there):
            if room < least:
                break
            if tokens[place] <= room and place not in kept:
                kept.add(place)
                room -= tokens[place]
        self.held, self.names = sorted(kept), self._shown(kept)

    def _shown(self, places: Iterable[int]) -> set[int]:
        return set[int]().union(*(self.future.shows.get(i, _NOTHING) for i in places))

    def _wanted(self, at: int) -> Iterator[int]:
        """The names to come that a message has shown, in order of their next use."""
        future, done = self.future, self.done
        found = np.flatnonzero((future.before[done:] < done) & (future.first[done:] < at)) + done
        return map(future.name.__getitem__, found.tolist())

    def _cheapest(self, there: Sequence[int], room: int, names: set[int]) -> dict[int, int]:
        """For each name but these the smallest message that shows it and fits into a room; of equal ones the newest."""
        tokens, shows, found, seen = self.base.tokens, self.future.shows, dict[int, int](), set(names)
        for i in sorted((i for i in there if i in shows and tokens[i] <= room), key=self.future.rank.__getitem__):
            if new := shows[i] - seen:
                found.update(dict.fromkeys(new, i))
                seen |= new
        return found
