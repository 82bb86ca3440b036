"""Messages parted into passages of a few lines, each read once for all compactions: its terms are kept as numbers."""

import re
from collections.abc import Iterator, Sequence
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.entities.kept import kept
from core.model.session import Message
from core.origins.terms import Words

SIZE, LONGEST = 280, 420  # characters: passages are made of lines up to the first, and longer lines cut at the second
_RUN = re.compile(r".{1,420}(?=\s|$)|.{1,420}", re.DOTALL)
Numbers = NDArray[np.int32]


class Parts(NamedTuple):
    """The passages of a text: where each starts and ends, how many terms it has, and their numbers, passage by passage."""

    starts: Numbers
    ends: Numbers
    counts: Numbers
    terms: Numbers


class Reader:
    """The passages of messages that go on arriving, read when first asked for. Threads may share it."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.numbers: dict[str, int] = {}
        self._read, self._lock = dict[int, Parts](), RLock()

    def take(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow."""
        self.messages += messages

    def parts(self, text: str, words: Words, place: int | None = None) -> Parts:
        """The passages of a text; with the place of the message that says it, kept. `words` are the terms of words known."""
        with self._lock:
            found = None if place is None else self._read.get(place)
            if found is None:
                found = self._parts(text, words)
                if place is not None:
                    self._read[place] = found
        return found

    def _parts(self, text: str, words: Words) -> Parts:
        numbers, spans = self.numbers, list(stretches(text))
        counts, found = list[int](), list[int]()
        for start, end in spans:
            names = words.of(text[start:end])
            counts.append(len(names))
            found += [numbers.setdefault(name, len(numbers)) for name in names]
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
