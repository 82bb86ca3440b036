"""Whether a source has another exact thing where the sentence has this one: of two files with a number each, the wrong one."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from core.origins.align import Wanted
from core.origins.facts import Fact, Near, facts_of
from core.origins.terms import terms

_BESIDE = 3  # terms on each side of a fact that say which place is meant
_REACH = 8  # words in which such a neighbour is looked for
_TURNED = 0.6  # how much a neighbour counts that stands on the other side than in the sentence
_MOST = 0.3  # of what all neighbours weigh: what is near to less of them stands in another place
_LINE_END = 3  # words that it counts as: lines of a list are each about something else
_PATH = re.compile(r"[\w.@+~/-]+", re.ASCII)
_NUMBERED = re.compile(r"[A-Za-z]\d|\d[A-Za-z]", re.ASCII)
_IDENTIFIER = re.compile(r"[a-z][A-Z]|\w_\w", re.ASCII)


class _Neighbour(NamedTuple):
    """A term that stands beside a fact in the sentence, and on which side."""

    name: str
    behind: bool
    weight: float


class _Place(NamedTuple):
    """Where a term stands in a text, and how many words stand before it."""

    start: int
    words: int


class Displaced:
    """Passages in which other facts may stand where a sentence has its own."""

    def __init__(self, wanted: Wanted, passages: Sequence[str]) -> None:
        self._wanted, self._said = wanted, passages

    @cached_property
    def _sentence(self) -> "_Text":
        return _Text(self._wanted.text)

    @cached_property
    def _passages(self) -> list["_Text"]:
        return [_Text(text) for text in self._said]

    def has(self, fact: Fact) -> bool:
        """Whether, at one of its places, another fact of its shape stands nearer to what is beside it there."""
        return bool(_shape(fact)) and any(self._is_taken(fact, beside) for beside in self._neighbours(fact))

    def _is_taken(self, fact: Fact, beside: Sequence[_Neighbour]) -> bool:
        other = max(
            (text.nearness(one, beside) for text in self._passages for one in self._others(fact, text)), default=0
        )
        if not other or other < _MOST * sum(one.weight for one in beside):
            return False
        return other > max(text.nearness(fact, beside) for text in self._passages)

    def _others(self, fact: Fact, text: "_Text") -> Iterator[Fact]:
        """The facts of its shape in a passage that the sentence does not name."""
        shape = _shape(fact)
        return (one for one in text.facts if _shape(one) == shape and not self._names(one))

    def _names(self, fact: Fact) -> bool:
        return bool(self._sentence.near.places(fact)) or self._wanted.weights.keys() >= terms(fact.text)

    def _neighbours(self, fact: Fact) -> Iterator[list[_Neighbour]]:
        """The terms beside the fact, for each of its places in the sentence."""
        weights = self._wanted.weights
        for place in self._sentence.near.places(fact):
            sides = enumerate(self._sentence.beside(place, fact))
            yield [_Neighbour(name, bool(k), weights.get(name, 0.0)) for k, names in sides for name in names]


class _Text:
    """A text with its facts, and where its terms stand."""

    def __init__(self, text: str) -> None:
        self.near, self.facts = Near(text), facts_of(text)
        self._paths = [at.span() for at in _PATH.finditer(self.near.text)]
        self._places, self._words = dict[str, list[_Place]](), list[int]()
        self._count()

    def _count(self) -> None:
        """Count the words before each term. A path is one word, whatever terms it has."""
        words = behind = last = 0
        for one in self.near.placed:
            if one.start >= behind:
                words += 1 + _LINE_END * ("\n" in self.near.text[last : one.start])
                behind = self._path(one.start)[1]
            self._places.setdefault(one.term, []).append(_Place(one.start, words))
            self._words.append(words)
            last = one.end

    def _path(self, place: int) -> tuple[int, int]:
        """From where to where the path or word at a place goes."""
        k = bisect_right(self._paths, (place, len(self.near.text))) - 1
        return self._paths[k] if k >= 0 and self._paths[k][1] > place else (place, place)

    def nearness(self, fact: Fact, beside: Sequence[_Neighbour]) -> float:
        """How near the neighbours stand to the fact, at the best of its places."""
        return max((self._near_at(place, beside) for place in self.near.places(fact)), default=0.0)

    def _near_at(self, place: int, beside: Sequence[_Neighbour]) -> float:
        k = bisect_left(self.near.placed, place, key=lambda one: one.end - 1)
        here = self._words[k] if k < len(self._words) else 0
        found = 0.0
        for name, behind, weight in beside:
            places = self._places.get(name, ())
            found += weight * max(
                (_closeness(at.words - here, (at.start > place) == behind) for at in places), default=0.0
            )
        return found

    def beside(self, place: int, fact: Fact) -> tuple[list[str], list[str]]:
        """The nearest terms before the fact and behind it; the folders of a file are part of it."""
        start, end = self._path(place) if fact.sort == "file" else (place, place + len(fact.text))
        before = [one.term for one in self.near.placed if one.end <= start]
        return before[-_BESIDE:], [one.term for one in self.near.placed if one.start >= end][:_BESIDE]


def _closeness(gap: int, on_its_side: bool) -> float:
    """1 beside the fact, less with each word between, and on the other side than in the sentence."""
    return 0.0 if abs(gap) > _REACH else (1.0 if on_its_side else _TURNED) / (1 + max(0, abs(gap) - 1) / 2)


def _shape(fact: Fact) -> str:
    """What a fact could be mistaken for; "" for a plain word, which may stand for anything."""
    if fact.sort == "file":
        return "." + fact.key.rpartition(".")[2]
    if fact.sort == "number" or fact.key.startswith("--"):
        return fact.sort
    return "numbered" if _NUMBERED.search(fact.text) else "identifier" if _IDENTIFIER.search(fact.text) else ""
