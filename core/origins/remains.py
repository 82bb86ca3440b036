"""Whether a summary still says something: word for word, in other words, in part, or not at all. All who ask, ask here."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Literal, NamedTuple

from core.entities.entity import Entity, bare
from core.entities.kinds import Names, whole_name
from core.entities.search import normalized
from core.model.cached import cached
from core.model.session import Message
from core.model.text import ELLIPSIS
from core.origins.common import TELLING
from core.origins.facts import Fact, Near, facts_of
from core.origins.origin import InSummary
from core.origins.sentences import sentences_of
from core.origins.terms import terms

_ENOUGH = 0.6  # of the words of a sentence: with so many, another one says the same
_SOME = 0.35  # of the words of a text: with so many near one another, it is not left out
_OPENING = 40  # characters at least of a longer text that is quoted by how it begins
_CLAUSE = 15  # characters at least of a first clause that is quoted
_FEW = 3  # words at least of a text, a sentence or a clause that is said in others
_LISTED = re.compile(r"(?<=\d),(?=[\d,]+\))")  # numbers in brackets, one behind the other
_WORD = re.compile(r"\w+(?:'\w+)*")
_BREAK = re.compile(r"[;:；：](?:\s|$)")
_NEAR = 3  # sentences of a summary that stand together
_SHORT = 4_000  # characters of a message that stayed: in a longer one the words of a sentence stand together by chance
_NEWEST = 400  # messages that stayed which are looked at
_TELLING = frozenset(terms(" ".join(TELLING)))


class Kept(NamedTuple):
    """What became of a text: `kept` of its distinct `words` stand near one another in what stands in for it."""

    verdict: Literal["verbatim", "reworded", "partly", "gone"]
    kept: int = 0
    words: int = 0

    @property
    def in_summary(self) -> InSummary:
        """The same where a part counts as other words."""
        return "reworded" if self.verdict == "partly" else self.verdict


class Remains:
    """What the messages that stand in for others say, and those that `stayed` beside them."""

    def __init__(self, messages: Sequence[Message], stayed: Sequence[Message] = ()) -> None:
        self._stayed = stayed
        names = set[Entity]().union(*map(Names().of_message, messages)) if messages else set[Entity]()
        self._names = names | set(map(bare, names))
        self._text = "\n".join(message.content for message in messages)
        self._plain, self._words = plain(self._text), _words(self._text)
        self._near = Near(self._text)
        said = [terms(one.text) for one in sentences_of(self._text)]
        self._said = _Having(said)
        self._together = _Having([set[str]().union(*said[k : k + _NEAR]) for k in range(max(1, len(said) - _NEAR + 1))])

    def of(self, text: str) -> Kept:
        """What became of a text: in them, or else in one of the newest messages that stayed."""
        kept = self._of(text)
        if kept.verdict in ("partly", "gone") and (said := self._in_stayed(text)):
            return said
        return kept

    def stays(self, text: str) -> bool:
        """Whether one of the newest messages that stayed says a text too, in so many words or in others."""
        return self._in_stayed(text) is not None

    def _in_stayed(self, text: str) -> Kept | None:
        some = (message for message in self._stayed[-_NEWEST:] if len(message.content) <= _SHORT)
        return next((said.of(text) for said in map(remains_in, some) if said.tells(text)), None)

    def tells(self, text: str) -> bool:
        """Whether they themselves say a text, in so many words or in others."""
        wanted = _read(text)
        if whole_name(text) or len(wanted.words) < _FEW:
            return self._of(text).verdict != "gone"
        return self._has_whole(wanted.bare, text) or self._rewords(wanted)

    def _of(self, text: str) -> Kept:
        """What became of a text: each of its sentences is looked for on its own."""
        if name := whole_name(text):
            return Kept("verbatim" if text in self._text else self._of_name(name))
        wanted = _read(text)
        if len(wanted.words) < _FEW:
            return Kept("verbatim" if self._has_words(text) else "gone")
        if self._has_whole(wanted.bare, text):
            return Kept("verbatim", len(wanted.words), len(wanted.words))
        near = set[str]().union(*map(self._together.best, wanted.parts))
        if self._rewords(wanted):
            return Kept("reworded", len(near), len(wanted.words))
        whole = _weight(wanted.words)
        some = whole and _weight(near) >= _SOME * whole
        some = some or self._quotes(wanted.bare) or any(map(self._says, (*wanted.parts, wanted.head)))
        return Kept("partly" if some else "gone", len(near), len(wanted.words))

    def _has_words(self, text: str) -> bool:
        """Whether they have the words of a short text one behind the other; a text without words as it is written."""
        words = _words(text)
        if not words:
            return normalized(text) in normalized(self._text)
        return (words if words.isascii() else words.strip()) in self._words  # Chinese puts no blanks between words

    def _has_whole(self, bare: str, text: str) -> bool:
        """Whether they have a text word for word, be it sentence by sentence."""
        if bare and bare in self._plain:
            return True
        quoted, sentences = self.quoted(text)
        return 1 < sentences == quoted

    def _quotes(self, bare: str) -> bool:
        """Whether they quote how a text begins: its first clause, or so many characters."""
        opening = bare[: _OPENING + 1].rpartition(" ")[0] if len(bare) > _OPENING else ""
        return any(len(one) >= _CLAUSE and one in self._plain for one in (opening, bare.partition(",")[0]))

    def _says(self, names: frozenset[str]) -> bool:
        """Whether one sentence has most of the words of a sentence or a clause."""
        return len(names) >= _FEW and _weight(self._said.best(names)) >= _ENOUGH * _weight(names)

    def _of_name(self, name: Entity) -> InSummary:
        """A name is there as it is written, or gone; a path also by its last part, a number also with commas."""
        return "reworded" if name.kind in ("path", "number") and bare(name) in self._names else "gone"

    def _rewords(self, wanted: "_Wanted") -> bool:
        """Whether one sentence each has most of the words of its sentences, and the whole its numbers."""
        whole = sum(map(_weight, wanted.parts))
        if not whole or any(not self._near.places(fact) for fact in wanted.numbers):
            return False
        return sum(map(_weight, map(self._said.best, wanted.parts))) >= _ENOUGH * whole

    def quoted(self, text: str) -> tuple[int, int]:
        """How many sentences of a text they have word for word, and how many it has."""
        parts = _sentences(text)
        return sum(part in self._plain for part in parts), len(parts)


def quoted_in(message: Message, text: str) -> tuple[int, int]:
    """How many sentences of a text a message has word for word, and how many the text has."""
    return remains_in(message).quoted(text)


class _Wanted(NamedTuple):
    """A text that is looked for: as it is compared word for word, the words of each of its sentences, those of all, those of
    what stands in front of its first colon or semicolon, and its numbers."""

    bare: str
    parts: tuple[frozenset[str], ...]
    words: frozenset[str]
    head: frozenset[str]
    numbers: tuple[Fact, ...]


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text as they are compared word for word."""
    return tuple(plain(part.text).rstrip(f" .{ELLIPSIS}") for part in sentences_of(text))


@lru_cache(maxsize=4096)
def _read(text: str) -> _Wanted:
    """A text as it is looked for: read once, for what many compactions took is looked for in the summary of each."""
    text = _LISTED.sub(", ", text)
    parts = tuple(frozenset(names) for part in sentences_of(text) if (names := terms(part.text)))
    head = frozenset(terms(_BREAK.split(text, maxsplit=1)[0]))
    numbers = tuple(fact for fact in facts_of(text) if fact.sort == "number")
    return _Wanted(plain(text).rstrip(f" .{ELLIPSIS}"), parts, frozenset[str]().union(*parts), head, numbers)


class _Having:
    """Some sentences by their words."""

    def __init__(self, said: Sequence[set[str]]) -> None:
        self._said = said
        self._having: dict[str, list[int]] = {}
        for k, names in enumerate(said):
            for name in names:
                self._having.setdefault(name, []).append(k)

    def best(self, names: frozenset[str]) -> frozenset[str]:
        """Those of the words that the one of the sentences has which has the most of them; of equal ones the first has them."""
        weights = Counter[int]()
        for name in self._having.keys() & names:
            weight = _weight_of(name)
            for k in self._having[name]:
                weights[k] += weight
        best = max(weights, key=lambda k: (weights[k], -k), default=None)
        return frozenset() if best is None else names & self._said[best]


def plain(text: str) -> str:
    """The text in lower case, without marks of Markdown, every run of white space one blank."""
    return " ".join(text.replace("*", "").replace("`", "").casefold().split())


def _words(text: str) -> str:
    """The words of a text in lower case, a blank around each: no case, mark or quote parts two texts that say the same."""
    found = _WORD.findall(text.replace("\u2019", "'").casefold())
    return f" {' '.join(found)} " if found else ""


def _weight(names: Set[str]) -> int:
    """How much some words say: long ones more, those of telling less. Whole numbers, for their sum has no rounding."""
    return sum(map(_weight_of, names))


@lru_cache(maxsize=65536)
def _weight_of(name: str) -> int:
    return (3 if name in _TELLING else 10) * min(4, len(name))


def remains_in(message: Message) -> Remains:
    """What one message says: read once for all texts that are looked for."""
    return cached(message, "remains", lambda message: Remains([message]))
