"""What is typed into a search: words, of which the last may be begun, and texts that must stand there as they are typed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.model.quotes import APOSTROPHES

_TYPED = re.compile(r'["“”„](?P<text>[^"“”]*)(?P<closed>["“”]?)|(?P<word>[^\s"“”„]+)')
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")

_WORD = re.compile(r"[^\W_]+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


@dataclass(frozen=True)
class Term:
    """A word, or a text that must stand there as it is typed, case aside: it is `exact`. One that is `begun` may go on."""

    text: str
    exact: bool = False
    begun: bool = False

    @property
    def fts(self) -> str:
        """The term as an FTS5 expression, which also finds an exact text with other characters between its words."""
        return f'"{self.text}"{"*" if self.begun else ""}'

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Where the term stands in a text."""
        words = r"\s+".join(map(re.escape, self.text.split()))
        words = _APOSTROPHE.sub(_APOSTROPHE.pattern, words)
        before = r"(?<![^\W_])" if _WORD.match(self.text[0]) else ""
        behind = r"(?![^\W_])" if _WORD.match(self.text[-1]) and not self.begun else ""
        return re.compile(before + words + behind, re.IGNORECASE)

    def stands_in(self, text: str) -> bool:
        """Whether the term stands in a text. Its words are looked for first: where one is missing, that takes a fraction."""
        small = text.lower()
        words = _APOSTROPHE.sub(" ", self.text.lower()).split()
        return all(word in small for word in words) and self.pattern.search(text) is not None


def terms(query: str) -> list[Term]:
    """The terms of a query. A text in quotes is exact, and so is a word with other characters inside, such as git-ai."""
    found = [term for match in _TYPED.finditer(query.replace("\0", " ")) if (term := _term(match))]
    return [*(replace(term, begun=False) for term in found[:-1]), *found[-1:]]


def _term(match: re.Match[str]) -> Term | None:
    quoted = match["word"] is None
    text = match["text"].strip() if quoted else _EDGES.sub("", match["word"])
    words = _WORD.findall(text)
    return Term(text, exact=quoted or len(words) > 1, begun=not match["closed"]) if words else None


def literal(query: str) -> str:
    """The text that Find looks for: what is typed, without the quotes around it."""
    match = _TYPED.fullmatch(query.strip())
    return (match["text"] if match and match["word"] is None else query).strip()


def fts_query(query: str) -> str:
    """The query as an FTS5 expression: every term must occur; "" for none."""
    return " ".join(term.fts for term in terms(query))


def phrase_query(query: str) -> str:
    """The words of the query in a row, as an FTS5 expression; "" for less than two, and where any text is exact."""
    found = terms(query)
    if len(found) < 2 or any(term.exact for term in found):
        return ""
    return Term(" ".join(term.text for term in found), begun=True).fts


def stand_in(exact: Sequence[Term], columns: Sequence[str]) -> bool:
    """Whether each of these texts stands in one of the columns as it is typed."""
    return all(any(term.stands_in(text) for text in columns) for term in exact)
