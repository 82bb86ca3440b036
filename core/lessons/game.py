"""One compaction as a game: groups of messages to keep, the names the agent needed later, and the best choice there is."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.engine.compaction import compact
from core.entities.entity import Entity
from core.lessons.run import Run
from core.measure.calls import calls_of
from core.measure.misses import names_shown
from core.measure.uses import uses_of
from core.policies import policy
from core.trace.trace import Trace

MOST_SEARCHED = 18
"""So many groups are tried in every combination; of more, those that hold most names for their size."""

SHARE = 0.19
"""The room to play with, as a share of the past."""

Words = npt.NDArray[np.uint64]


class Group(NamedTuple):
    """Messages that go or stay together: a call with its results, or one message. `places` are in the session."""

    places: tuple[int, ...]
    tokens: int

    @property
    def id(self) -> int:
        """The place of its first message."""
        return self.places[0]


class Need(NamedTuple):
    """A name that the agent wrote after the compaction, at the place of that reply: `shown` are the places before that have it.

    `was` is the newest of those in the past that may go.
    """

    name: Entity
    was: int
    at: int
    shown: frozenset[int]


class Score(NamedTuple):
    """What a policy, or a person, left in the window: its tokens, and the names that were needed and are not in it."""

    policy: str
    window: int
    summary: int
    missed: tuple[Need, ...]


@dataclass(frozen=True)
class Best:
    """The groups with which fewest names are missed, and whether every combination was tried."""

    groups: tuple[Group, ...]
    exact: bool


class Game:
    """The first compaction of a run. Raises IndexError where the run has none."""

    def __init__(self, run: Run) -> None:
        self.run, self.trace = run, run.trace
        self.found = self.trace.compactions[0]
        places = self.trace.measured.places
        self.past = [places[id] for id in self.found.removed if id in places]
        self.kept = [places[id] for id in self.found.kept if id in places]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The past in groups, in order."""
        return tuple(_groups(self.trace, self.past))

    @cached_property
    def tokens(self) -> int:
        """Tokens of the past."""
        return sum(group.tokens for group in self.groups)

    @cached_property
    def room(self) -> int:
        """Tokens of it that may stay, in round numbers."""
        share = int(self.tokens * SHARE)
        return share // 100 * 100 if share >= 1_000 else share // 10 * 10

    @cached_property
    def stays(self) -> dict[str, int]:
        """Tokens of what stays in any case: system messages, and the newest ones."""
        messages, tokens = self.trace.messages, self.trace.measured.tokens
        system = sum(tokens[i] for i in self.kept if messages[i].role == "system")
        return {"system": system, "recent": sum(tokens[i] for i in self.kept) - system}

    @cached_property
    def held(self) -> tuple[Need, ...]:
        """The names that the past shows and a later reply uses before a user or a tool has shown them again."""
        return tuple(_needs(self.trace, self.found.at, frozenset(self.past)))

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """Those of them that what stays in any case does not show."""
        return self._missed(frozenset(self.kept))

    def _missed(self, places: frozenset[int], names: frozenset[Entity] = frozenset()) -> tuple[Need, ...]:
        """The names that neither messages of the session at these places show, nor are among these."""
        return tuple(need for need in self.held if need.name not in names and not need.shown & places)

    def score(self, groups: Sequence[Group]) -> Score:
        """What is missed when a person keeps these groups."""
        places = frozenset([*self.kept, *(place for group in groups for place in group.places)])
        return Score("", sum(map(self.trace.measured.tokens.__getitem__, places)), 0, self._missed(places))

    @cached_property
    def rivals(self) -> tuple[Score, ...]:
        """Four real policies on the same window, one of them about as tight as the room; fewest misses first."""
        allowed = sum(self.stays.values()) + self.room
        scores = (
            self._score_of("anthropic.clear_tool_uses", keep=2),
            self._score_of("agentkit.memory", **self.run.scene.settings),
            self._score_of("langchain.trim", max_tokens=round(1.15 * allowed, -2)),
            self._score_of("strands.sliding_window", window_size=10),
        )
        return tuple(sorted(scores, key=lambda score: len(score.missed)))

    def _score_of(self, name: str, **settings: object) -> Score:
        """What is missed when a policy is asked to compact the same window."""
        made = compact(self.found.before, policy(name, **settings), self.run.meter, force=True)
        places, messages = self.trace.measured.places, self.trace.messages
        whole = {places[m.id] for m in made.after if m.id in places and messages[places[m.id]] is m}
        changed = (m for m in made.after if places.get(m.id) not in whole)
        names = frozenset[Entity]().union(*(names_shown(self.trace, message) for message in changed))
        return Score(name, made.window_after, made.summary_tokens, self._missed(frozenset(whole), names))

    def chosen(self, ids: Iterable[int]) -> list[Group]:
        """The groups with these ids."""
        wanted = set(ids)
        return [group for group in self.groups if group.id in wanted]

    def later(self, group: Group) -> int:
        """How many of the names that are needed a group shows."""
        return len(self.shown_by(group))

    def shown_by(self, group: Group) -> list[int]:
        """Which of the names that are needed a group shows, by their places in `needs`."""
        return [k for k, shows in enumerate(self._shows(group)) if shows]

    def _shows(self, group: Group) -> list[bool]:
        places = frozenset(group.places)
        return [bool(need.shown & places) for need in self.needs]

    @cached_property
    def best(self) -> Best:
        """The choice that misses fewest, of equal ones the smallest."""
        later = {group.id: self.later(group) for group in self.groups if group.tokens <= self.room}
        useful = [group for group in self.groups if later.get(group.id)]
        useful.sort(key=lambda group: later[group.id] / max(1, group.tokens), reverse=True)
        tried = useful[:MOST_SEARCHED]
        picked = _best([group.tokens for group in tried], [self._shows(group) for group in tried], self.room)
        return Best(tuple(sorted(tried[k] for k in picked)), len(useful) <= MOST_SEARCHED)


def _groups(trace: Trace, past: Sequence[int]) -> Iterable[Group]:
    """Each result goes with the message that called for it, where that is in the past."""
    groups: list[list[int]] = []
    owner: dict[str, list[int]] = {}
    for place in past:
        message = trace.messages[place]
        if message.role == "tool" and message.tool_call_id in owner:
            owner[message.tool_call_id].append(place)
            continue
        groups.append([place])
        owner.update((call.id, groups[-1]) for call in message.tool_calls)
    tokens = trace.measured.tokens
    return (Group(tuple(group), sum(tokens[place] for place in group)) for group in groups)


def _needs(trace: Trace, at: int, past: frozenset[int]) -> Iterable[Need]:
    calls, seen = calls_of(trace.measured), set[Entity]()
    for use in uses_of(trace.measured):
        call = calls[use.call].at
        if call < at or use.name in seen:
            continue
        seen.add(use.name)
        before, since = _split(use.shown, at)
        again = any(trace.messages[place].role in ("user", "tool") for place in since)
        was = max((place for place in before if place in past), default=-1)
        if was >= 0 and not again:
            yield Need(use.name, was, call, frozenset(before))


def _split(places: Sequence[int], at: int) -> tuple[Sequence[int], Sequence[int]]:
    """Places in order, those before one and those from it on."""
    first = bisect_left(places, at)
    return places[:first], places[first:]


def _best(tokens: Sequence[int], names: Sequence[Sequence[bool]], room: int) -> list[int]:
    """The combination that fits and holds most names: every one is tried, each as a bit mask, all at once."""
    words = max(1, -(-max((len(row) for row in names), default=0) // 64))
    sizes, held = np.zeros(1, np.int64), np.zeros((1, words), np.uint64)
    for size, row in zip(tokens, names, strict=True):
        sizes = np.concatenate([sizes, sizes + size])
        held = np.concatenate([held, held | _mask(row, words)])
    count = np.bitwise_count(held).sum(axis=1, dtype=np.int64)
    count[sizes > room] = -1
    best = int(np.lexsort((sizes, -count))[0])
    return [k for k in range(len(tokens)) if best >> k & 1]


def _mask(row: Sequence[bool], words: int) -> Words:
    found = [0] * words
    for k, held in enumerate(row):
        found[k // 64] |= int(held) << (k % 64)
    return np.array(found, np.uint64)
