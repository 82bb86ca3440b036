"""Where a session holds what is searched for: the text around it, with what is found marked."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from core.library.query import Term

MARKS = ("\ue000", "\ue001")
BEFORE, BEHIND = 30, 120
"""Characters of the text that are shown before the first that is found, and from the beginning of an exact one on."""

_MARKED = re.compile(f"{MARKS[0]}([^{MARKS[1]}]*){MARKS[1]}")


@dataclass(frozen=True)
class Snippet:
    """Where a session holds the words: in its "messages" or its "tools", and the text, the words between U+E000 and U+E001."""

    part: str
    text: str


def around(part: str, text: str, found: Sequence[Term]) -> Snippet | None:
    """The text around the first exact term that stands in it, every term marked; None where none does."""
    places = (term.pattern.search(text) for term in found if term.exact)
    first = next(filter(None, places), None)
    if first is None:
        return None
    begin, end = max(0, first.start() - BEFORE), max(first.end(), first.start() + BEHIND)
    begin = text.find(" ", begin, first.start()) + 1 or begin if begin else 0
    cut = re.compile("|".join(term.pattern.pattern for term in found), re.IGNORECASE)
    marked = cut.sub(lambda match: f"{MARKS[0]}{match[0]}{MARKS[1]}", text[begin:end])
    return Snippet(part, f"{'…' if begin else ''}{marked}{'…' if end < len(text) else ''}")


def near(text: str) -> str:
    """The same text, without what stands far before its first mark: a row of a list has no room for it."""
    at = text.find(MARKS[0])
    begin = max(0, at - BEFORE)
    begin = text.find(" ", begin, at) + 1 or begin
    return text if at <= BEFORE else f"…{text[begin:]}"


def as_begun(text: str, found: Sequence[Term]) -> str:
    """The same text; of a word that goes on behind what was typed only that is marked."""
    whole = {_folded(term.text) for term in found}
    begun = next((_folded(term.text) for term in found if term.begun), "")

    def mark(match: re.Match[str]) -> str:
        word, most = match[1], len(begun)
        if not begun or _folded(word) in whole or not _folded(word).startswith(begun):
            return match[0]
        return f"{MARKS[0]}{word[:most]}{MARKS[1]}{word[most:]}"

    return _MARKED.sub(mark, text)


def _folded(text: str) -> str:
    """A text without case and accents, as FTS5 compares it."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).lower()
