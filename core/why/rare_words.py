"""The rare words of a text, and which messages have enough of them to be about the same thing.

Which words are rare the session tells: there is no list of words of any language. Forms of one word are known by their common
beginning. This is a match of words, never a proof that a message means the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import log, sqrt

from core.entities.denials import claims, denies, holds, is_question
from core.entities.search import search_of
from core.entities.texts import texts
from core.model.cached import cached
from core.model.session import Message
from core.trace.trace import Trace
from core.why.readable import readable_added
from core.window.measured import Measured

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of scripts that put no blanks between words: there two letters in a row are taken for a word."""

_LEAST, _LONG = 5, 10  # letters of a word that may be rare; of one that counts in full
_MOST_WORDS = 5  # looked for: each takes a search of all that was said
_CLOSE = 200  # characters from the first of some words to the last, that they say one thing
_ENOUGH = 0.45  # of the weight of the words looked for
_BOTH, _LETTERS = 2, 14  # two words are evidence with so many letters in all; more in any case
_ALONE, _PART, _FEW, _FEWEST = 10, 0.3, 20, 10
"""One word is evidence with so many letters, such a part of the text's, in one of so many messages, and in few at all."""


@dataclass(frozen=True)
class RareWord:
    """A word of the text, what it weighs, the messages of the session that have a form of it, and whether it tells `alone`."""

    word: str
    weight: float
    places: frozenset[int]
    alone: bool

    @cached_property
    def forms(self) -> re.Pattern[str]:
        """Any form of it in a text without case."""
        return _forms(self.word)


class RareWords:
    """The rare words of a text in a trace."""

    def __init__(self, trace: Trace, text: str) -> None:
        self._trace, self._text = trace, text
        self._letters = sum(map(len, _WORD.findall(text)))
        self._whole = 0.0
        self.words = list(self._rare(list(_candidates(text))))

    def places(self) -> list[int]:
        """The messages of the session that have enough of them, in order."""
        some = set[int]().union(*(word.places for word in self.words))
        likely = [i for i in sorted(some) if self._enough([word for word in self.words if i in word.places])]
        return [i for i in likely if self.has(self._trace.messages[i])]

    def added(self) -> list[int]:
        """The messages among what compactions put in that have enough of them, in order."""
        put_in = readable_added(self._trace)
        some = {k for word in self.words for k in search_of(put_in).places(_stem(word.word), "case").places}
        return sorted(k for k in some if self.has(put_in[k]))

    def has(self, message: Message) -> bool:
        """Whether a message has enough of them close together."""
        return any(map(self._enough, self._runs(_casefolded(message))))

    def evidence(self, message: Message) -> tuple[str, ...]:
        """Those that a message has close together, in the form in which it has them, the heaviest first."""
        said, found = "\n".join(texts(message)), list[str]()
        for word in self._close_words(message):
            if form := re.compile(word.forms.pattern, re.IGNORECASE).search(said):
                found.append(form[0])
        return tuple(found)

    def against(self, message: Message) -> bool:
        """Whether a message does what the text forbids: it has words of a clause that denies in one that denies nothing."""
        denied = [part for part in claims(self._text.casefold()) if denies(part)]
        words = [word for word in self._close_words(message) if any(map(word.forms.search, denied))]
        if len(words) < _BOTH:
            return False
        spoken = (part for line in _casefolded(message).splitlines() for part in claims(line))
        about = (part for part in spoken if sum(word.forms.search(part) is not None for word in words) >= _BOTH)
        return any(not is_question(part) and not any(holds(part, one) for one in denied) for part in about)

    def _close_words(self, message: Message) -> list[RareWord]:
        """The heaviest of them that a message has close together, the heaviest first."""
        best = max(self._runs(_casefolded(message)), key=_weight_of, default=[])
        return sorted(best, key=lambda word: -word.weight)

    def _runs(self, said: str) -> Iterator[list[RareWord]]:
        """Those that stand close to each place in a text without case where one of them ends the run."""
        found = sorted((match.start(), k) for k, word in enumerate(self.words) for match in word.forms.finditer(said))
        first = 0
        for last, (at, _) in enumerate(found):
            while at - found[first][0] > _CLOSE:
                first += 1
            yield [self.words[k] for k in sorted({k for _, k in found[first : last + 1]})]

    def _enough(self, have: Sequence[RareWord]) -> bool:
        if _weight_of(have) < _ENOUGH * self._whole:
            return False
        return len(have) > _BOTH or any(word.alone for word in have) or _letters(have) >= _LETTERS

    def _rare(self, words: Sequence[str]) -> Iterator[RareWord]:
        """Those of the words that few messages have; the others weigh little, but they weigh."""
        measured, messages = self._trace.measured, self._trace.messages
        most = max(4, min(len(messages) // 12, 300))
        for word in words:
            places, known = cached(measured, ("rare word", word), partial(_places_of, word=word, most=4 * most))
            weight = log(max(1.5, len(messages) / (len(places) + 2))) * sqrt(min(len(word), _LONG) / _LONG)
            self._whole += weight
            if known and len(places) <= most:
                yield RareWord(word, weight, places, self._alone(word, len(places)))

    def _alone(self, word: str, count: int) -> bool:
        """Whether a word is evidence by itself, that so many messages have."""
        few = count <= max(3, min(len(self._trace.messages) // _FEW, _FEWEST))
        return few and len(word) >= _ALONE and len(word) >= _PART * self._letters


def _places_of(measured: Measured, word: str, most: int) -> tuple[frozenset[int], bool]:
    """The messages that have a form of a word, and whether these are all: of a word that many have, some that have its stem."""
    found = search_of(measured.messages).places(_stem(word), "case", most).places
    known, forms = len(found) < most, _forms(word)
    return frozenset(i for i in found if not known or forms.search(_casefolded(measured.messages[i]))), known


def _weight_of(words: Sequence[RareWord]) -> float:
    return sum(word.weight for word in words)


def _letters(words: Sequence[RareWord]) -> int:
    return sum(len(word.word) for word in words) if len(words) == _BOTH else 0


def _candidates(text: str) -> Iterator[str]:
    """The longest words of a text, without case; of two forms of one word the longer."""
    words, found = dict.fromkeys(word for run in _WORD.findall(text.casefold()) for word in _words_in(run)), list[str]()
    for word in sorted(words, key=len, reverse=True):
        if not any(one.startswith(_stem(word)) for one in found if word.isascii()):
            found.append(word)
    yield from found[:_MOST_WORDS]


def _words_in(run: str) -> Iterator[str]:
    """A run of letters as words."""
    if not _UNSPACED.search(run):
        yield from (run,) if len(run) >= _LEAST else ()
        return
    yield from (run[i : i + 2] for i in range(0, len(run) - 1, 2))


def _stem(word: str) -> str:
    """What the forms of a word have in common: a long word without its end."""
    return word[: len(word) - (2 if len(word) >= 9 else 1 if len(word) >= 6 else 0)]


def _forms(word: str) -> re.Pattern[str]:
    if _UNSPACED.search(word):
        return re.compile(re.escape(word))
    return re.compile(rf"(?<![^\W_]){re.escape(_stem(word))}[^\W\d_]{{0,4}}(?![^\W_])")


def _casefolded(message: Message) -> str:
    return "\n".join(texts(message)).casefold()
