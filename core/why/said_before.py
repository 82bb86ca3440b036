"""What users typed in a session, to find what a sentence says again nearly word for word."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import merge, nsmallest
from math import ceil
from typing import NamedTuple

from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import prose, sentences
from core.window.measured import Measured

_READ = 4_000  # characters of a message: behind those much is pasted
LEAST = 6  # different words of a sentence that nobody says twice by chance
_KEPT = 0.9  # of the words of a sentence that is said again nearly word for word
_LONGER = 2  # how many times as many words the new sentence may have
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
"""A word; of scripts that put no blanks between words a character."""


class Said(NamedTuple):
    """A sentence that a user typed, with its place and its different words."""

    place: int
    text: str
    words: frozenset[str]


class SaidBefore:
    """The sentences that users typed, in order.

    Each is kept under its rarest words, one more than it may lack: what says it again has one of them at least. So a sentence
    is compared with a few, and not with all that came before.
    """

    def __init__(self, measured: Measured) -> None:
        self._said = [*_typed(measured)]
        count = Counter(word for one in self._said for word in one.words)
        self._under = defaultdict[str, list[int]](list)
        for i, one in enumerate(self._said):
            most = len(one.words) - ceil(_KEPT * len(one.words)) + 1
            for word in nsmallest(most, one.words, key=lambda word: (count[word], word)):
                self._under[word].append(i)

    def before(self, place: int, words: frozenset[str]) -> Iterator[Said]:
        """The sentences before a place that these words say again, in order; some of them more than once."""
        for i in merge(*(self._under[word] for word in words if word in self._under)):
            one = self._said[i]
            if one.place >= place:
                return
            if says_again(words, one.words):
                yield one


def says_again(new: frozenset[str], old: frozenset[str]) -> bool:
    """Whether the words of a sentence say those of an earlier one again."""
    return len(new) <= _LONGER * len(old) and len(old & new) >= _KEPT * len(old)


def sentences_of(message: Message) -> Iterator[str]:
    """The sentences of a message, without what is pasted far behind its beginning."""
    return sentences(prose(own_text(message)[:_READ]))


def words_of(text: str) -> frozenset[str]:
    """The different words of a text, without case."""
    return frozenset(_WORD.findall(text.casefold()))


def _typed(measured: Measured) -> Iterator[Said]:
    for place, message in enumerate(measured.messages):
        for sentence in sentences_of(message) if message.typed else ():
            if len(words := words_of(sentence)) >= LEAST:
                yield Said(place, sentence, words)
