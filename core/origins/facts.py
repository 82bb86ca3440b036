"""The exact things that a sentence names: files, numbers, identifiers, names. A source has them so, or has them not."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from core.origins.common import EMPTY
from core.origins.terms import TOKEN, Placed, number, placed, term

Sort = Literal["file", "number", "name"]


class Fact(NamedTuple):
    """A file by its last part, and the folder it is said to be in; a number by its value; a name; and how it is written."""

    sort: Sort
    key: str
    text: str
    folder: str = ""


_CODE = re.compile(r"`([^`\n]{1,200})`|[\"“]([^\s\"”]{2,60})[\"”]")
_PATH = re.compile(r"(?<![\w.@])(?:~|\.{1,2})?/?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*", re.ASCII)
_FILE = re.compile(r"[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$|\.[a-z][\w-]{2,}$", re.ASCII)
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?:[a-zµ%]{1,3})?(?![\w×])")
_IDENTIFIER = re.compile(r"\w*(?:[a-z][A-Z]|_\w|[A-Za-z]\d|\d[A-Za-z])\w*", re.ASCII)
_OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]+", re.ASCII)
_NAME = re.compile(r"(?:(?<=[a-z0-9,;)] )|(?<=[a-z]/))[A-Z][\w-]+")
_CALLED = re.compile(r"[A-Za-z]\w{2,}(?=\(\))", re.ASCII)
_LOWER = re.compile(r"[a-z]{2}")


_NO_FILES = ("e.g", "i.e")


@lru_cache(maxsize=2048)
def facts_of(sentence: str) -> tuple[Fact, ...]:
    """The exact things of a sentence, each once, in order of their sorts."""
    found = {**_files(sentence)}
    rest = _PATH.sub(
        lambda m: " " * len(m[0]) if m[0].strip(".").rsplit("/", 1)[-1].lower() in found else m[0], sentence
    )
    for match in _NUMBER.finditer(rest):
        for part in re.split(r",(?!\d{3}\b)", match[0]):
            key = number(part.lower())
            found.setdefault(key, Fact("number", key, match[0]))
    for match in _OPTION.finditer(rest):
        found.setdefault(match[0].lower(), Fact("name", match[0].lower(), match[0]))
    for span in _CODE.finditer(rest):
        for word in TOKEN.findall((span[1] or span[2]).lower()):
            if not word[0].isdigit() and len(word) > 1:
                found.setdefault(word, Fact("name", word, word))
    for match in _IDENTIFIER.finditer(rest):
        if not _NUMBER.fullmatch(match[0]):
            found.setdefault(match[0].lower(), Fact("name", match[0].lower(), match[0]))
    for match in _CALLED.finditer(rest):
        found.setdefault(match[0].lower(), Fact("name", match[0].lower(), match[0]))
    for match in _NAME.finditer(rest):
        if match[0].lower() not in EMPTY:
            found.setdefault(match[0].lower(), Fact("name", match[0].lower(), match[0]))
    return tuple(found.values())


def _files(sentence: str) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    for match in _PATH.finditer(sentence):
        folder, _, last = match[0].strip(".").rstrip("/").rpartition("/")
        if _FILE.fullmatch(last) and not last.replace(".", "").isdigit() and last.lower() not in _NO_FILES:
            folder = folder.rpartition("/")[2].strip(".~").lower()
            found.setdefault(last.lower(), Fact("file", last.lower(), last, folder))
    return found


class Near:
    """A text in which facts are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text.lower()

    def places(self, fact: Fact) -> list[int]:
        """Where the text names it."""
        if fact.sort == "number" and fact.key[0] not in self.text:
            return []
        if fact.sort == "number":
            return [one.start for one in self.placed if one.term == fact.key]
        if fact.sort == "file" or fact.key.startswith("--"):
            return list(self._whole(fact.key))
        first, *rest = TOKEN.findall(fact.key) or [fact.key]
        if any(not self._word(word) for word in rest):
            return []
        return self._word(first)

    @cached_property
    def placed(self) -> Sequence[Placed]:
        """The terms of the text."""
        return placed(self.text)

    def _word(self, word: str) -> list[int]:
        key = term(word) or word
        if key not in self.text:
            return []
        return [one.start for one in self.placed if one.term == key] or list(self._whole(word))

    def _whole(self, key: str) -> Iterator[int]:
        """Where a key stands as a word of its own."""
        place = self.text.find(key)
        while place >= 0:
            around = self.text[place - 1 : place] + self.text[place + len(key) : place + len(key) + 1]
            if not any(one.isalnum() or one in "_-" for one in around):
                yield place
            place = self.text.find(key, place + 1)
