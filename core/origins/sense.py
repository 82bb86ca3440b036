"""Which sentence of a summary has the sense of another one: the words they share, the rare ones counting most, none denied."""

import re
from collections.abc import Iterator, Set
from functools import cached_property, lru_cache
from heapq import nsmallest
from math import log
from typing import NamedTuple

from core.entities.denials import claims, denies, holds, is_question
from core.origins.common import FILLING, TELLING, shortened, swapped
from core.origins.sentences import sentences_of
from core.origins.terms import term, terms

_PATH = re.compile(r"(?:[\w.@~<>+-]*/){2,}[\w.@~<>+-]*")  # a name is one thing, however many folders it has
LIGHT = frozenset(terms(" ".join(TELLING | FILLING)))
"""The words of telling and asking."""
_SAME = dict.fromkeys(terms("stay stays stayed remain remains remained"), term("keep"))
_RARE = 400  # what a long word weighs that no other sentence has
_HELD = 0.5  # of the words of a clause that is denied: who has so many speaks of it
_FEW = 2  # of these at least
_SPELLED = 5  # letters of a word that may be mistyped: shorter ones are other words by chance
_COMPOUND = re.compile(r"(\d{1,3})([a-z]{4,})")  # "3pass" for "3-pass"
_HEADING = re.compile(r"\s*#{1,6}\s+(.{1,60})$")
_TRIED = 20  # sentences, those with most of the words: each is asked whether it denies them


class Part(NamedTuple):
    """A sentence with its words, and those of them that only a path in it has."""

    text: str
    words: frozenset[str]
    named: frozenset[str] = frozenset()


def part_of(text: str) -> Part:
    """A sentence with its words."""
    words = _words(text)
    return Part(text, words, words - _words(_PATH.sub("", text)) if "/" in text else frozenset())


def _words(text: str) -> frozenset[str]:
    """The words of a text; what stays is kept."""
    return frozenset(_SAME.get(name, name) for name in terms(text))


def parts_of(text: str) -> tuple[Part, ...]:
    """The sentences of a text that have words."""
    return tuple(part for part in map(part_of, (one.text for one in sentences_of(text))) if part.words)


def _titled_parts(text: str) -> Iterator[Part]:
    """The sentences of a text that have words. The first below a heading has the words of the heading too.

    "## Branch" and "`refactor` in ~/pi" below it say together which branch it is.
    """
    end = 0
    for one in sentences_of(text):
        above = text[end : one.start].rpartition("\n")[0].rstrip().rpartition("\n")[2]
        part, end = part_of(one.text), one.end
        if heading := _HEADING.match(above):
            yield part._replace(words=part.words | _words(heading[1]))
        elif part.words:
            yield part


class Sense:
    """The sentences of a summary by their words. A block of code says nothing in other words."""

    def __init__(self, summary: str) -> None:
        self._said = [part for part in _titled_parts(summary) if part.words and "\n" not in part.text]
        self._having: dict[str, list[int]] = {}
        for k, part in enumerate(self._said):
            for name in part.words:
                self._having.setdefault(name, []).append(k)

    def best(self, wanted: Part) -> frozenset[str]:
        """Those of the words of a sentence that one has which has most of them, of equal ones the first.

        One that denies what it says is passed over, and so are all behind the first few.
        """
        weights, weight_of = dict[int, int](), self._weights
        for name in weight_of.keys() & wanted.words:
            weight = weight_of[name]
            for k in self._having[name]:
                weights[k] = weights.get(k, 0) + weight
        for k in nsmallest(_TRIED, weights, key=lambda k: (-weights[k], k)):
            if not contrary(wanted, self._said[k]):
                return wanted.words & self._said[k].words
        return frozenset()

    def says(self, text: str, wanted: Part) -> bool:
        """Whether a sentence that does not deny what is wanted has a text, in lower case."""
        return any(text in part.text.lower() and not contrary(wanted, part) for part in self._said)

    def spelled(self, wanted: Part) -> Part:
        """A sentence with each word that it only spells in another way ("ksill", "3pass") as this text has it."""
        slips = {name: own for name in wanted.words - self._having.keys() if (own := self._meant(name))}
        if not slips:
            return wanted
        words = frozenset(one for name in wanted.words for one in slips.get(name, (name,)))
        return Part(wanted.text, words, wanted.named)

    def _meant(self, name: str) -> tuple[str, ...]:
        """What this text has for a word: a long one with two letters swapped, be another one left out; "3" and "pass".

        () where it has nothing.
        """
        if compound := _COMPOUND.fullmatch(name):
            parts = tuple(map(term, compound.groups()))
            return parts if all(part in self._having for part in parts) else ()
        if len(name) < _SPELLED or not name.isalpha():
            return ()
        tried = list(swapped(name))
        one = next((one for one in tried if one in self._having), "")
        if not one and len(name) > _SPELLED:
            one = next((found for one in tried if (found := self._shortened.get(one))), "")
        return (one,) if one else ()

    @cached_property
    def _shortened(self) -> dict[str, str]:
        """Its long words by how they are written with one letter left out."""
        long = (name for name in self._having if len(name) > _SPELLED + 1 and name.isascii() and name.isalpha())
        return {short: name for name in long for short in shortened(name)}

    def beside(self, name: Set[str], wanted: Part) -> Iterator[frozenset[str]]:
        """The words that two sentences, one behind the other, have of a sentence, where one of them has a name of it.

        Those that deny what it says are passed over.
        """
        for k in sorted(self._places(name)):
            for pair in (self._said[max(0, k - 1) : k + 1], self._said[k : k + 2]):
                if not any(contrary(wanted, part) for part in pair):
                    yield wanted.words & frozenset[str]().union(*(part.words for part in pair))

    def _places(self, name: Set[str]) -> Set[int]:
        """Which sentences have all the words of a name."""
        return set[int].intersection(*(set(self._having.get(word, ())) for word in name)) if name else set()

    def weight(self, names: Set[str]) -> int:
        """How much some words say: long ones more, those of telling and asking and those that many sentences have less.

        A whole number, for a sum of these has no rounding.
        """
        own = self._weights
        return sum(own[name] if name in own else _alone(name) for name in names)

    def most(self, names: Set[str]) -> int:
        """The weight of those of some words that it has at all."""
        own = self._weights
        return sum(own[name] for name in names if name in own)

    @cached_property
    def _weights(self) -> dict[str, int]:
        """What each of its words weighs: less for each more of the sentences that have it."""
        count = len(self._said)
        rarities = {name: log(1 + count / len(where)) / log(1 + count) for name, where in self._having.items()}
        return {name: round(_plain_weight(name) * rarity) for name, rarity in rarities.items()}


@lru_cache(maxsize=65536)
def _alone(name: str) -> int:
    """What a word weighs that no sentence has."""
    return round(_plain_weight(name))


def _plain_weight(name: str) -> float:
    return _RARE * (0.3 if name in LIGHT else 1.0) * min(4, len(name)) / 4


def contrary(one: Part, other: Part) -> bool:
    """Whether one of two sentences denies what the other one says: "no new dependency" and "added a new dependency"."""
    return _denies(one, other) or _denies(other, one)


def _denies(one: Part, other: Part) -> bool:
    denied = (
        (clause, words)
        for clause, words in _denied(one.text)
        if len(words & other.words) >= max(_FEW, _HELD * len(words))
    )
    return any(not _holds(clause, words, other.text) for clause, words in denied)


def _holds(denied: str, words: Set[str], text: str) -> bool:
    """Whether a clause of a text that has some of the words of a denied one denies something too, or says it is not done."""
    return any(holds(part, denied) and not words.isdisjoint(_words(part)) for part in claims(text))


@lru_cache(maxsize=4096)
def _denied(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Each clause that denies something, with its words."""
    return () if is_question(text) else tuple((part, _words(part)) for part in claims(text) if denies(part))
