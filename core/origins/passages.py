"""Messages as passages of a few lines, and which passages hold which terms: what sentences are compared with.

Only terms that the summary has are kept, so that a window of thousands of messages is small.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.origins.common import TELLING
from core.origins.reader import Parts, Reader, Row
from core.origins.terms import TOKEN, terms, terms_of_word

MOST = 5_000_000  # characters that are read for one summary; of longer windows the ends of the longest messages are not
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

    def __init__(self, said: Sequence[Said], wanted: frozenset[str], reader: Reader | None = None) -> None:
        self.said, reader = said, reader or Reader()
        self._orders = dict[int, list[str]]()
        self._known, self._whole = dict[int, Passage](), dict[int, set[str]]()
        read = _read(said, reader)
        self.count = sum(len(one.starts) for one in read)
        self._names = {reader.numbers[name]: name for name in wanted if name in reader.numbers}
        is_wanted = np.zeros(len(reader.numbers), bool)
        is_wanted[list(self._names)] = True
        terms = _joined(one.terms for one in read)
        held = is_wanted[terms]
        self._terms, within = terms[held], np.repeat(np.arange(self.count), _joined(one.counts for one in read))[held]
        has, passage_of = np.unique(within, return_inverse=True)
        self._first = np.searchsorted(passage_of, np.arange(len(has) + 1)).tolist()
        saying = np.repeat(np.arange(len(read)), [len(one.starts) for one in read])[has]
        self._saying, self._of_said = saying.tolist(), np.searchsorted(saying, np.arange(len(read) + 1)).tolist()
        self._starts, self._ends = (_joined(one[side] for one in read)[has].tolist() for side in (0, 1))
        self.having = self._having(passage_of)

    def _having(self, passage_of: NDArray[np.intp]) -> dict[str, NDArray[np.intp]]:
        """The passages that have each term, in order."""
        order = np.argsort(self._terms, kind="stable")
        numbers, firsts = np.unique(self._terms[order], return_index=True)
        groups = np.split(passage_of[order], firsts[1:])
        return {self._names[number]: group for number, group in zip(numbers.tolist(), groups, strict=False)}

    def __len__(self) -> int:
        return len(self._starts)

    def passage(self, k: int) -> Passage:
        """Passage k of those that have terms which are wanted."""
        if k not in self._known:
            terms = frozenset(self._between(k, k + 1))
            self._known[k] = Passage(self._saying[k], self._starts[k], self._ends[k], terms)
        return self._known[k]

    def in_order(self, k: int) -> list[str]:
        """All terms of passage k in the order of its text."""
        if k not in self._orders:
            words = TOKEN.findall(self.text(self.passage(k)).lower())
            self._orders[k] = list(chain.from_iterable(map(terms_of_word, words)))
        return self._orders[k]

    def message_terms(self, said: int) -> set[str]:
        """The terms of a whole message."""
        if said not in self._whole:
            self._whole[said] = set(self._between(self._of_said[said], self._of_said[said + 1]))
        return self._whole[said]

    def _between(self, first: int, behind: int) -> Iterator[str]:
        """The terms of the passages from one on up to another."""
        return map(self._names.__getitem__, self._terms[self._first[first] : self._first[behind]].tolist())

    def weight(self, name: str) -> float:
        """How much it says that a passage has this term: the rarer, the more; a term that no passage has counts as rare."""
        held = len(self.having.get(name, ()))
        rarity = min(_RAREST, log(1 + self.count / (held + 0.5)))
        return _TOLD * rarity if name in _TELLING else rarity

    def text(self, passage: Passage, around: int = 0) -> str:
        """The passage as it is written, with so many characters around it."""
        return self.said[passage.said].text[max(0, passage.start - around) : passage.end + around]


def _read(said: Sequence[Said], reader: Reader) -> list[Parts]:
    """The passages of each message. What is read of one whole is kept, of the session's own."""
    limit = limit_of(len(one.text) for one in said)
    return [
        reader.parts(
            one.text[:limit], one.place if one.place < len(reader.messages) and len(one.text) <= limit else None
        )
        for one in said
    ]


def _joined(some: Iterable[Row]) -> Row:
    return np.concatenate([np.array((), np.int32), *some])
