"""Whether a summary still says something: word for word, in other words, in part, or not at all. All who ask, ask here."""

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

from core.entities.denials import claims, denies
from core.entities.entity import Entity, bare
from core.entities.kinds import Names, whole_name
from core.entities.search import normalized
from core.model.cached import cached
from core.model.session import Message
from core.model.text import ELLIPSIS
from core.origins.about import About, abouts_of
from core.origins.facts import Fact, Near, facts_of
from core.origins.origin import InSummary
from core.origins.pointer import names_file, names_folder, pointed_at, put_in
from core.origins.sense import LIGHT, Part, Sense, part_of, parts_of
from core.origins.sentences import sentences_of

_ENOUGH = 0.6  # of the weight of a sentence: another one with so much says the same
_SOME: tuple[tuple[int, float], ...] = ((2, 0.55), (3, 0.3), (5, 0.2))
"""Words at least, and the share of the weight of a text: a sentence with so many and so much says a part of it."""
_MANY, _MUCH = 5, 1100  # words, and their weight, that are a part of any text
_BESIDE = 2  # words of it at least that no path has alone
_TOLD = 3  # words beside a code name that tell of it, in two sentences one behind the other
_OPENING = 40  # characters at least of a longer text that is quoted by how it begins
_CLOSE = 40  # characters at least of a text that is compared without its blanks
_CLAUSE = 15  # characters at least of a first clause that is quoted
_FEW = 3  # words at least of a text, a sentence or a clause that is said in others
_LISTED = re.compile(r"(?<=\d),(?=[\d,]+\))")  # numbers in brackets, one behind the other
_WORD = re.compile(r"\w+(?:'\w+)*")
_BREAK = re.compile(r"[;:；：](?:\s|$)")
_SHORT = 4_000  # characters of a message that stayed: in a longer one the words of a sentence stand together by chance
_NEWEST = 400  # messages that stayed which are looked at
_Best = Callable[[Part], frozenset[str]]


Verdict = Literal["verbatim", "reworded", "partly", "gone"]


class Kept(NamedTuple):
    """What became of a text: `kept` of its content `words` stand in the sentences nearest to it.

    A content word is one that says something, unlike "the" or "not"; each counts once. Nearest is, for each sentence of the
    text, the one that has most of its words. Of a name, or a text of fewer than three such words, both are 0.
    """

    verdict: Verdict
    kept: int = 0
    words: int = 0

    @property
    def in_summary(self) -> InSummary:
        """The same where a part counts as other words."""
        return "reworded" if self.verdict == "partly" else self.verdict


class Remains:
    """What the messages that stand in for others say, and those that `stayed` beside them."""

    def __init__(self, messages: Sequence[Message], stayed: Sequence[Message] = ()) -> None:
        self._messages, self._stayed = messages, stayed
        self._text = "\n".join(message.content for message in messages)
        self._plain = plain(self._text)

    @cached_property
    def _names(self) -> set[Entity]:
        names = set[Entity]().union(*map(Names().of_message, self._messages)) if self._messages else set[Entity]()
        return names | set(map(bare, names))

    @cached_property
    def _close(self) -> str:
        return _close_up(self._plain)

    @cached_property
    def _words(self) -> str:
        return _words(self._text)

    @cached_property
    def _near(self) -> Near:
        return Near(self._text)

    @cached_property
    def _sense(self) -> Sense:
        return Sense(self._text)

    def of(self, text: str) -> Kept:
        """What became of a text: in them, or else in one of the newest messages that stayed."""
        kept = self._of(text)
        if kept.verdict in ("partly", "gone") and (said := self._in_stayed(text)):
            return said
        return kept

    def has(self, bare: str) -> bool:
        """Whether they have a text as a whole that is `bare_text`, blanks aside: no more is asked than that."""
        return bool(bare) and (bare in self._plain or (len(bare) >= _CLOSE and _close_up(bare) in self._close))

    def stays(self, text: str) -> bool:
        """Whether one of the newest messages that stayed says a text too, in so many words or in others."""
        return self._in_stayed(text) is not None

    def _in_stayed(self, text: str) -> Kept | None:
        some = (message for message in self._stayed[-_NEWEST:] if len(message.content) <= _SHORT)
        return next((said.of(text) for said in map(remains_in, some) if said.tells(text)), None)

    def tells(self, text: str) -> bool:
        """Whether they themselves say a text, in so many words or in others."""
        wanted = _read(text)
        if whole_name(text):
            return self._of(text).verdict != "gone"
        if len(wanted.whole.words) < _FEW:
            return self._has_words(text)
        if self._has_whole(wanted.bare, text):
            return True
        few = len(wanted.whole.words) < _MANY  # so few stand in one of many messages by chance
        return not few and self._may_reword(wanted) and self._rewords(wanted, self._found(wanted, self._sense.best))

    def _of(self, text: str) -> Kept:
        """What became of a text: each of its sentences is looked for on its own."""
        if name := whole_name(text):
            return Kept("verbatim" if text in self._text else self._of_name(name))
        wanted = self._spelled(_read(text))
        if len(wanted.whole.words) < _FEW:
            return Kept(self._of_few(wanted.whole, text))
        if self._has_whole(wanted.bare, text):
            return Kept("verbatim", len(wanted.whole.words), len(wanted.whole.words))
        best = cache(self._sense.best)  # of one sentence, the whole is the same again
        found = self._found(wanted, best)
        kept, words = len(frozenset[str]().union(*found, *map(best, wanted.parts))), len(wanted.whole.words)
        if self._rewords(wanted, found):
            return Kept("reworded", kept, words)
        some = (
            self._quotes(wanted.bare)
            or any(self._says(part, best) for part in (*wanted.parts, wanted.head))
            or any(_says_all(part, best) for part in wanted.openings)
            or self._has_some(wanted.whole, best)
            or any(self._speaks_of(about, best) for about in wanted.abouts)
            or any(map(self._names_files, wanted.parts))
            or any(map(self._names_folder, wanted.parts))
        )
        return Kept("partly" if some else "gone", kept, words)

    def _of_few(self, whole: Part, text: str) -> Verdict:
        """A text of one word or two is there as it is written; of two, one sentence may have both."""
        if self._has_words(text):
            return "verbatim"
        return "reworded" if len(whole.words) == _FEW - 1 and self._sense.best(whole) == whole.words else "gone"

    def _spelled(self, wanted: "_Wanted") -> "_Wanted":
        """A text with the words that it only mistypes as they have them."""
        parts, spelled = tuple(map(self._sense.spelled, wanted.parts)), self._sense.spelled
        head, openings = spelled(wanted.head), tuple(map(spelled, wanted.openings))
        return wanted._replace(parts=parts, whole=spelled(wanted.whole), head=head, openings=openings)

    def _has_words(self, text: str) -> bool:
        """Whether they have the words of a short text one behind the other; a text without words as it is written."""
        words = _words(text)
        if not words:
            return normalized(text) in normalized(self._text)
        return (words if words.isascii() else words.strip()) in self._words  # Chinese puts no blanks between words

    def _has_whole(self, bare: str, text: str) -> bool:
        """Whether they have a text word for word, be it sentence by sentence."""
        if self.has(bare):
            return True
        quoted, sentences = self.quoted(text)
        return 1 < sentences == quoted

    def _quotes(self, bare: str) -> bool:
        """Whether they quote how a text begins: its first clause, or so many characters."""
        opening = bare[: _OPENING + 1].rpartition(" ")[0] if len(bare) > _OPENING else ""
        return any(len(one) >= _CLAUSE and one in self._plain for one in (opening, bare.partition(",")[0]))

    def _found(self, wanted: "_Wanted", best: _Best) -> list[frozenset[str]]:
        """What one sentence has of each of the sentences; of one of a word or two all, where the words stand together."""
        none = frozenset[str]()
        return [
            best(part) if len(part.words) >= _FEW else part.words if self._has_words(part.text) else none
            for part in wanted.parts
        ]

    def _says(self, part: Part, best: _Best) -> bool:
        """Whether one sentence has most of the words of a sentence or a clause."""
        found, weight = best(part), self._sense.weight
        enough = len(part.words) >= _FEW and len(found - part.named) >= _BESIDE
        return enough and weight(found) >= _ENOUGH * weight(part.words)

    def _speaks_of(self, about: About, best: _Best) -> bool:
        """Whether one sentence has a code name and most of what a clause says of it, or two so many words that tell of it."""
        found = best(about.part)
        if any(name <= found for name in about.names) and self._says(about.part, best):
            return True
        near = (found for name in about.names for found in self._sense.beside(name, about.part))
        return any(len(found & about.telling) >= _TOLD for found in near)

    def _names_files(self, part: Part) -> bool:
        """Whether they name the files that a sentence only points to."""
        files = pointed_at(part.text)
        return bool(files) and all(names_file(self._plain, file) for file in files)

    def _names_folder(self, part: Part) -> bool:
        """Whether they name the folder in which a sentence says that something is to be."""
        folder = put_in(part.text)
        return bool(folder) and names_folder(self._plain, folder) and self._sense.says(folder, part)

    def _has_some(self, whole: Part, best: _Best) -> bool:
        """Whether one sentence has a good share of the words of all of a text, or many words of a long one."""
        found = best(whole)
        if len(found - whole.named) < _BESIDE:
            return False
        weight, all_of_it = self._sense.weight(found), self._sense.weight(whole.words)
        some = any(len(found) >= words and weight >= share * all_of_it for words, share in _SOME)
        return some or (len(found) >= _MANY and weight >= _MUCH)

    def _of_name(self, name: Entity) -> InSummary:
        """A name is there as it is written, or gone; a path also by its last part, a number also with commas."""
        return "reworded" if name.kind in ("path", "number") and bare(name) in self._names else "gone"

    def _may_reword(self, wanted: "_Wanted") -> bool:
        """Whether they have so many words of it at all: most messages have not, and to tell that takes no sentence."""
        weight, most, parts = self._sense.weight, self._sense.most, wanted.parts
        had = sum(most(part.words) if len(part.words) >= _FEW else weight(part.words) for part in parts)
        return had >= _ENOUGH * sum(weight(part.words) for part in parts)

    def _rewords(self, wanted: "_Wanted", found: Sequence[frozenset[str]]) -> bool:
        """Whether one sentence each has most of the words of its sentences, some of what denies, and the whole its numbers."""
        weight = self._sense.weight
        if any(not some and denies(part.text) for part, some in zip(wanted.parts, found, strict=True)):
            return False
        whole = sum(weight(part.words) for part in wanted.parts)
        if not whole or any(not self._near.places(fact) for fact in wanted.numbers):
            return False
        return sum(map(weight, found)) >= _ENOUGH * whole

    def quoted(self, text: str) -> tuple[int, int]:
        """How many sentences of a text they have word for word, and how many it has."""
        parts = _sentences(text)
        return sum(not part or self.has(part) for part in parts), len(parts)


def quoted_in(message: Message, text: str) -> tuple[int, int]:
    """How many sentences of a text a message has word for word, and how many the text has."""
    return remains_in(message).quoted(text)


class _Wanted(NamedTuple):
    """A text that is looked for: as it is compared word for word, the words of each of its sentences, those of all, those of
    what stands in front of its first colon or semicolon, the clauses that its sentences begin with, what it says about code
    names, and its numbers."""

    bare: str
    parts: tuple[Part, ...]
    whole: Part
    head: Part
    openings: tuple[Part, ...]
    abouts: tuple[About, ...]
    numbers: tuple[Fact, ...]


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text as they are compared word for word."""
    return tuple(plain(part.text).rstrip(f" .{ELLIPSIS}") for part in sentences_of(text))


@lru_cache(maxsize=4096)
def _read(text: str) -> _Wanted:
    """A text as it is looked for: read once, for what many compactions took is looked for in the summary of each."""
    text = _LISTED.sub(", ", text)
    parts = parts_of(text)
    whole = part_of("\n".join(part.text for part in parts))
    head = part_of(_BREAK.split(text, maxsplit=1)[0])
    openings = tuple(filter(None, map(_opening, parts)))
    numbers = tuple(fact for fact in facts_of(text) if fact.sort == "number")
    return _Wanted(bare_text(text), parts, whole, head, openings, abouts_of(parts), numbers)


def _opening(sentence: Part) -> Part | None:
    """The first of several clauses that says enough to be looked for: "let's keep it in the index, can you show an entry?"."""
    clauses = claims(sentence.text)
    return next((part for part in map(part_of, clauses) if len(part.words) >= _FEW), None) if len(clauses) > 1 else None


def _says_all(clause: Part, best: _Best) -> bool:
    """Whether one sentence has all the words of a clause but those of telling and asking."""
    found = best(clause)
    return len(found - clause.named - LIGHT) >= _BESIDE and found >= clause.words - LIGHT


def bare_text(text: str) -> str:
    """The plain text without the marks at its end."""
    return plain(text).rstrip(f" .{ELLIPSIS}")


def _close_up(plain: str) -> str:
    """The same without blanks: a summary may leave one out, or put in one that a person forgot."""
    return plain.replace(" ", "")


def plain(text: str) -> str:
    """The text in lower case, without marks of Markdown, every run of white space one blank."""
    return " ".join(text.replace("*", "").replace("`", "").casefold().split())


def _words(text: str) -> str:
    """The words of a text in lower case, a blank around each: no case, mark or quote parts two texts that say the same."""
    found = _WORD.findall(text.replace("\u2019", "'").casefold())
    return f" {' '.join(found)} " if found else ""


def remains_in(message: Message) -> Remains:
    """What one message says: read once for all texts that are looked for."""
    return cached(message, "remains", lambda message: Remains([message]))
