"""Messages parted into passages of a few lines, each read once for all compactions: its terms are kept as numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.entities.kept import kept
from core.model.session import Message
from core.origins.terms import TOKEN, terms_of_word

SIZE, LONGEST = 280, 420  # characters: passages are made of lines up to the first, and longer lines cut at the second
_RUN = re.compile(r".{1,420}(?=\s|$)|.{1,420}", re.DOTALL)
Row = NDArray[np.int32]
_KNOWN, _WORD = 1 << 17, 40  # words to remember, and the letters of one that may well come again


class Parts(NamedTuple):
    """The passages of a text: where each starts and ends, how many terms it has, and their numbers, passage by passage."""

    starts: Row
    ends: Row
    counts: Row
    terms: Row


class Numbers(dict[str, tuple[int, ...]]):
    """The numbers of the terms of each word, as far as it is remembered: most words of a long text are few."""

    def __init__(self) -> None:
        super().__init__()
        self.of_term = dict[str, int]()

    def __missing__(self, word: str) -> tuple[int, ...]:
        terms, numbers = terms_of_word(word), self.of_term
        found = tuple(numbers.setdefault(name, len(numbers)) for name in terms)
        if len(word) <= _WORD:
            if len(self) >= _KNOWN:
                self.clear()
            self[word] = found
        return found


class Reader:
    """The passages of messages that go on arriving, read when first asked for. Threads may share it."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._numbers = Numbers()
        self._read, self._lock = dict[int, Parts](), RLock()

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each term that was read."""
        return self._numbers.of_term

    def take(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow."""
        self.messages += messages

    def parts(self, text: str, place: int | None = None) -> Parts:
        """The passages of a text; with the place of the message that says it, kept."""
        with self._lock:
            found = None if place is None else self._read.get(place)
            if found is None:
                found = self._parts(text)
                if place is not None:
                    self._read[place] = found
        return found

    def _parts(self, text: str) -> Parts:
        numbers_of, spans = self._numbers.__getitem__, list(stretches(text))
        counts, found = list[int](), list[int]()
        for start, end in spans:
            terms = set[int]().union(*map(numbers_of, TOKEN.findall(text[start:end].lower())))
            counts.append(len(terms))
            found += terms
        starts, ends = (np.array([span[side] for span in spans], np.int32) for side in (0, 1))
        return Parts(starts, ends, np.array(counts, np.int32), np.array(found, np.int32))


def reader_of(messages: Sequence[Message]) -> Reader:
    """What has read these messages: made once, and carried on for a list that begins with them."""
    return kept(Reader, messages) if messages else Reader()


def stretches(text: str) -> Iterator[tuple[int, int]]:
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
