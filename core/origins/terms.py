"""What is compared of a text: words by their beginning, numbers by value, pairs of characters where no blanks part words."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.origins.common import EMPTY, IRREGULAR

TOKEN = re.compile(r"\d+(?:[.,]\d+)+|\w+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
_MEASURED = re.compile(r"(\d+(?:\.\d+)?)([a-zµ%×]{1,3})$")
_SCRIPTS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
UNSPACED, _SPACED = re.compile(f"[{_SCRIPTS}]+"), re.compile(f"[^{_SCRIPTS}]+")
_ENDINGS = (
    "izations", "ization", "izing", "ized", "izes", "ize", "ations", "ating", "ation", "ators", "ator", "ated", "ates", "ate",
    "ments", "ment", "ings", "ying", "yed", "ing", "ions", "ion", "ness", "ies", "ers", "ied", "ors", "er", "or", "ed", "es",
    "ly", "al", "s", "e", "y",
)  # fmt: skip
_HASH = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}$")
_SHORT = 1_500  # characters of a text whose terms are remembered with their places
_STEM = 3  # letters that are left at least


@lru_cache(maxsize=65536)
def term(word: str) -> str:
    """What a word is compared by: a number's value, the beginning of a hash, a word without its ending; "" for an empty one."""
    if word in EMPTY:
        return ""
    if _HASH.match(word):
        return word[:7]
    word = IRREGULAR.get(word, word)
    if word[0].isdigit():
        return number(word)
    if word.isascii() and not word.isalpha():
        return word  # an identifier: no ending to be taken off
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word[: -len(ending)]
            break
    if len(word) > _STEM + 1 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]  # running, stopped
    return word


def number(word: str) -> str:
    """A number as it is compared: 1,200 as 1200, 85ms as 85, 2.50 as 2.5."""
    if _THOUSANDS.match(word):
        word = word.replace(",", "")
    if found := _MEASURED.match(word):
        word = found[1]
    if "." in word and word.replace(".", "", 1).isdecimal():
        word = word.rstrip("0").rstrip(".")
    return word


def terms(text: str) -> set[str]:
    """Every term of a text."""
    return set().union(*map(terms_of_word, TOKEN.findall(text.lower())))


@lru_cache(maxsize=65536)
def terms_of_word(word: str) -> tuple[str, ...]:
    """The terms of one word in lower case; of a script that parts no words, its characters two by two."""
    return tuple(one for one in _parts(word) if one)


def _parts(word: str) -> Iterator[str]:
    if word.isascii() or not UNSPACED.search(word):
        yield term(word)
        return
    for rest in UNSPACED.split(word):
        if rest:
            yield term(rest)
    for run in UNSPACED.findall(word):
        yield from (run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else (run,)


class Placed(NamedTuple):
    """A term and where it stands in its text."""

    term: str
    start: int
    end: int


def placed(text: str) -> tuple[Placed, ...]:
    """The terms of a text in order, each with its place."""
    return _remembered(text) if len(text) <= _SHORT else _placed(text)


@lru_cache(maxsize=256)
def _remembered(text: str) -> tuple[Placed, ...]:
    """The same: a passage is quoted for one sentence after the other."""
    return _placed(text)


def _placed(text: str) -> tuple[Placed, ...]:
    found: list[Placed] = []
    for match in TOKEN.finditer(text):
        word = match[0]
        if not word.isascii() and UNSPACED.search(word):
            found += (one for one in _parted(word, match.start()) if one.term)
        elif name := term(word.lower()):
            found.append(Placed(name, match.start(), match.end()))
    return tuple(found)


def _parted(word: str, start: int) -> list[Placed]:
    """The terms of a word of a script that parts no words."""
    found = [
        Placed(run[0][i : i + 2], start + run.start() + i, start + run.start() + min(i + 2, len(run[0])))
        for run in UNSPACED.finditer(word)
        for i in range(max(1, len(run[0]) - 1))
    ]
    found += [
        Placed(term(rest[0].lower()), start + rest.start(), start + rest.end()) for rest in _SPACED.finditer(word)
    ]
    return sorted(found, key=lambda one: one.start)
