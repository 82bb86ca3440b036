"""Messages as passages of a few lines, and which passages hold which terms: what sentences are compared with.

Only terms that the summary has are kept, so that a window of thousands of messages is small.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import log
from typing import NamedTuple

from core.origins.common import TELLING
from core.origins.terms import TOKEN, Words, terms

SIZE, LONGEST = 280, 420  # characters: passages are made of lines up to the first, and longer lines cut at the second
MOST = 5_000_000  # characters that are read for one summary; of longer windows the ends of the longest messages are not
_RUN = re.compile(r".{1,420}(?=\s|$)|.{1,420}", re.DOTALL)
_RAREST, _TOLD = 7.0, 0.3
_TELLING = frozenset(terms(" ".join(TELLING)))


class Said(NamedTuple):
    """A message that a sentence may come from: its place in the pool, what it says, and who says it."""

    place: int
    text: str
    by: str


class Passage(NamedTuple):
    """Part of a message: which (`said`, an index), from where to where in its text, and the terms it has."""

    said: int
    start: int
    end: int
    terms: frozenset[str]


def limit_of(sizes: Iterable[int], most: int = MOST) -> int:
    """The length up to which each text can be read so that all together are at most `most` characters."""
    left, ordered = most, sorted(sizes)
    for k, size in enumerate(ordered):
        if size * (len(ordered) - k) > left:
            return max(1, left // (len(ordered) - k))
        left -= size
    return ordered[-1] if ordered else 0


class Corpus:
    """The passages of some messages, as far as they have terms of `wanted`; how rare each term is among them."""

    def __init__(self, said: Sequence[Said], wanted: frozenset[str]) -> None:
        self.said, self.passages, self.count = said, list[Passage](), 0
        self.having: dict[str, list[int]] = {}
        self._orders, self._words = dict[int, list[str]](), Words()
        words, limit = Words(wanted), limit_of(len(one.text) for one in said)
        for k, one in enumerate(said):
            for start, end in _stretches(one.text[:limit]):
                self._take(k, start, end, words.of(one.text[start:end]))

    def _take(self, said: int, start: int, end: int, found: set[str]) -> None:
        self.count += 1
        if found:
            for name in found:
                self.having.setdefault(name, []).append(len(self.passages))
            self.passages.append(Passage(said, start, end, frozenset(found)))

    def in_order(self, k: int) -> list[str]:
        """All terms of passage k in the order of its text."""
        if k not in self._orders:
            words = TOKEN.findall(self.text(self.passages[k]).lower())
            self._orders[k] = [name for word in words for name in self._words[word]]
        return self._orders[k]

    @cached_property
    def message_terms(self) -> list[set[str]]:
        """The terms of each whole message."""
        found: list[set[str]] = [set() for _ in self.said]
        for passage in self.passages:
            found[passage.said] |= passage.terms
        return found

    def weight(self, name: str) -> float:
        """How much it says that a passage has this term: the rarer, the more; a term that no passage has counts as rare."""
        held = len(self.having.get(name, ()))
        rarity = min(_RAREST, log(1 + self.count / (held + 0.5)))
        return _TOLD * rarity if name in _TELLING else rarity

    def text(self, passage: Passage, around: int = 0) -> str:
        """The passage as it is written, with so many characters around it."""
        return self.said[passage.said].text[max(0, passage.start - around) : passage.end + around]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Where the passages of a text start and end: some lines each, and parts of a long line."""
    start = end = 0
    for line in text.splitlines(keepends=True) if len(text) > SIZE else (text,):
        if end > start and end + len(line) - start > SIZE:
            yield start, end
            start = end
        end += len(line)
        while end - start > LONGEST and (run := _RUN.match(text, start)):
            yield start, run.end()
            start = run.end()
    if end > start:
        yield start, end
