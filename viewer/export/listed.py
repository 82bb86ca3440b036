"""What a page lists, as a session: so that it is looked through for secrets, and masked, as every session is."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from core.exports.columns import Columns
from core.model.session import Message, Session
from core.secrets.found import Found
from core.secrets.redact import redacted
from core.trace.trace import as_session

Values = dict[str, Any]


class Listed(NamedTuple):
    """A list: what its file is called, its columns and rows, and the columns of words, where a secret may stand."""

    name: str
    columns: Columns
    rows: Sequence[Values]
    words: tuple[str, ...]


def session_of(listed: Listed) -> Session:
    """Its words, a message for each."""
    texts = (str(row[name]) for row, name in _places(listed))
    return as_session([Message(id=f"cell {k}", role="user", content=text) for k, text in enumerate(texts)])


def masked(listed: Listed, found: Sequence[Found]) -> list[Values]:
    """Its rows, each of these secrets masked."""
    rows = [dict(row) for row in listed.rows]
    if found:
        cells = redacted(session_of(listed), found).messages
        for (row, name), cell in zip(_places(listed._replace(rows=rows)), cells, strict=True):
            row[name] = cell.content
    return rows


def _places(listed: Listed) -> Iterator[tuple[Values, str]]:
    return ((row, name) for row in listed.rows for name in listed.words)
