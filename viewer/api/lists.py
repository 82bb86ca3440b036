"""What the Library and Runs list, as tables to be handed on: rows by what names them on the page."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from core.exports.columns import Columns
from core.library import Index, Row
from core.meters import approximate
from viewer.api.library import MOST
from viewer.api.runs import rows_of
from viewer.export.listed import Listed, Values
from viewer.sessions.runs import runs

_READ = (
    "messages",
    "turns",
    "tokens",
    "compactions",
    "subagents",
    "ended",
)  # what is not known of a file that is not read yet
SESSIONS: Columns = {
    "title": str,
    "agent": str,
    "format": str,
    "project": str,
    "model": str,
    "path": str,
    "number": int,
    "messages": int,
    "turns": int,
    "tokens": int,
    "meter": str,
    "approximate": bool,
    "compactions": int,
    "subagents": int,
    "ended": str,
    "changed": str,
}
RUNS: Columns = {
    "id": str,
    "title": str,
    "status": str,
    "why": str,
    "agent": str,
    "model": str,
    "policy": str,
    "messages": int,
    "calls": int,
    "prompt": int,
    "output": int,
    "cost": float,
    "priced": int,
    "began": str,
    "changed": str,
    "fork": str,
}


def _sessions(ids: Sequence[Any]) -> Listed:
    found = Index().listing(most=MOST)
    rows = dict(zip(found.ids, found.rows, strict=True))
    return Listed("foldline-library", SESSIONS, [_values(rows[id]) for id in ids], ("title", "project", "path"))


def _values(row: Row) -> Values:
    values = asdict(row) | {"approximate": approximate(row.meter, row.model)}
    return values if row.meter else values | dict.fromkeys(_READ)


def _runs(ids: Sequence[Any]) -> Listed:
    rows = {row["id"]: row for row in rows_of(runs().store.runs())}
    return Listed("foldline-runs", RUNS, [rows[id] for id in ids], ("title", "why", "fork"))


LISTS: dict[str, Callable[[Sequence[Any]], Listed]] = {"library": _sessions, "runs": _runs}
"""The rows of each list in the order of these ids. Raises KeyError for an id that is there no more."""
