"""The window as OpenHands keeps it: a list of events, from which a condensation takes some and puts in a summary.

A message goes with its events: a reply may be made of several (parallel calls), a recalled text of none. What is left
without its call, or without all of its results, is not sent either.
"""

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, frozen=True)
class Entry:
    """An event in the window with the messages it is part of, by their places; `summary` if it is one."""

    id: str
    spots: tuple[int, ...] = ()
    summary: bool = False


@dataclass(frozen=True)
class Between:
    """All events by number from `first` to `last`."""

    first: int
    last: int

    def __contains__(self, id: Any) -> bool:
        return isinstance(id, str) and id.isdecimal() and self.first <= int(id) <= self.last


@dataclass
class View:
    """The events in the window. `ever` are all ids there were, `made` counts the events of each message, `results` are
    those of each reply."""

    ever: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    made: Counter[int] = field(default_factory=Counter)
    results: dict[int, list[int]] = field(default_factory=dict)

    def add(self, id: str, *spots: int) -> None:
        """An event has come."""
        self.entries.append(Entry(id, spots))
        self.ever.add(id)
        self.made.update(spots)

    def also(self, spot: int) -> None:
        """One more message of the last event."""
        last = self.entries[-1]
        self.entries[-1] = Entry(last.id, (*last.spots, spot))
        self.made[spot] += 1

    def answer(self, reply: int, result: int) -> None:
        """A result has come to a call of a reply."""
        self.results.setdefault(reply, []).append(result)

    def forget(self, gone: Container[str], summaries: bool) -> int:
        """Take events out, with `summaries` the earlier summaries too; gives how many went."""
        before = len(self.entries)
        self.entries = [e for e in self.entries if e.id not in gone and not (summaries and e.summary)]
        return before - len(self.entries)

    def put(self, offset: int, id: str, spot: int) -> None:
        """Put a summary in behind as many events, or behind all where there are fewer."""
        size = len(self.entries)
        self.entries.insert(max(-size, min(offset, size)), Entry(id, (spot,), summary=True))
        self.ever.add(id)
        self.made[spot] += 1

    def sent(self, all_of_it: bool) -> dict[int, None]:
        """The messages that are still sent, in order. `all_of_it`: only replies of which nothing is missing (V1)."""
        have = Counter(spot for entry in self.entries for spot in entry.spots)
        lost = {spot for spot in have if all_of_it and have[spot] < self.made[spot]}
        self.results = {
            r: results for r, results in self.results.items() if r in have or not have.keys().isdisjoint(results)
        }
        for reply, results in self.results.items():
            missing = [spot for spot in results if spot not in have]
            gone = reply not in have or reply in lost
            if gone or (missing if all_of_it else len(missing) == len(results)):
                lost.update((reply, *results))
        return dict.fromkeys(spot for entry in self.entries for spot in entry.spots if spot not in lost)

    def before(self, summary: str) -> Iterable[int]:
        """The places of the messages of the events in front of a summary."""
        for entry in self.entries:
            if entry.summary and entry.id == summary:
                return
            yield from entry.spots
