"""opencode.db (2026), an SQLite database: a row for each session, for each message, and for each part of one.

session (id, parent_id, directory, title, time_created, time_updated …), message (id, session_id, time_created, data), part
(id, message_id, session_id, data): `data` is the JSON of the message or the part without the ids that have columns.

Whoever made the file may mean ill. Nothing but those columns of plain tables is looked at, and what SQLite does for it, and
gives, is counted: to read a database takes no more than its size allows.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from core.importers._files.source import Source
from core.importers._files.sqlite import FAILURES, readable
from core.importers._files.text import LIMIT, parse
from core.importers._shapes.blocks import label, string, whole_number
from core.importers.opencode.stored import MOST_BYTES, TOO_LONG
from core.model.errors import TranscriptError

STEPS, STEPS_FOR_A_BYTE = 20_000_000, 2
"""What SQLite may do, in instructions: some at once, and more for every byte. A row takes twenty, and has hundreds of bytes."""

_TICK = 100_000
_ROW = 1000
"""A row counts as so many bytes more than its text: it takes up as much in memory."""

_NEEDED = {"session": {"id", "title"}, "message": {"id", "session_id", "data"}, "part": {"id", "message_id", "data"}}
_KNOWN = ("id", "parent_id", "directory", "title", "version", "time_created", "time_updated")

_Columns = dict[str, set[str]]


@contextmanager
def database(source: Source) -> Iterator["Database"]:
    """opencode's database in a file. Raises TranscriptError where it is none, or cannot be opened."""
    try:
        with readable(source) as (connection, size):
            columns = _columns(connection, spent := _Spent(size))
            if any(needed - columns.get(table, set()) for table, needed in _NEEDED.items()):
                raise source.fail("is an SQLite database without opencode's sessions")
            connection.set_authorizer(_only_reading)
            yield Database(source, connection, columns, spent)
    except (*FAILURES, OSError) as error:
        raise _refused(source, error) from None


def _columns(connection: sqlite3.Connection, spent: "_Spent") -> _Columns:
    """The columns of the tables that matter; of plain ones alone, without those that are computed."""
    connection.set_progress_handler(spent.tick, _TICK)
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'message', 'part')"
    tables = connection.execute(query).fetchall()
    plain = [name for name, sql in tables if not string(sql).upper().startswith("CREATE VIRTUAL")]
    return {name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")} for name in plain}


def _only_reading(action: int, table: str | None, *_: Any) -> int:
    """Whether SQLite may do what it is about to: to read those tables."""
    if action == sqlite3.SQLITE_SELECT or (action == sqlite3.SQLITE_READ and table in _NEEDED):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _refused(source: Source, error: Exception) -> TranscriptError:
    return source.fail(
        f"could not be read as an SQLite database ({label(str(error))})", "another program may be writing it; try again"
    )


class _Spent:
    """What reading a database may still take."""

    def __init__(self, size: int) -> None:
        self.steps, self.bytes = STEPS + STEPS_FOR_A_BYTE * size, LIMIT + 2 * size

    def tick(self) -> bool:
        """Called while SQLite works: whether it must stop."""
        self.steps -= _TICK
        return self.steps < 0


class Database:
    """An open database with opencode's tables."""

    def __init__(self, source: Source, connection: sqlite3.Connection, columns: _Columns, spent: _Spent) -> None:
        self._source, self._connection, self._columns, self._spent = source, connection, columns, spent

    def sessions(self) -> Iterator[dict[str, Any]]:
        """What is kept of each session. Raises TranscriptError where that cannot be read."""
        known = [name for name in _KNOWN if name in self._columns["session"]]
        try:
            for row in self._rows(f"SELECT {', '.join(known)} FROM session"):
                found = dict(zip(known, row, strict=True))
                if string(found["id"]):
                    yield _session(found)
        except FAILURES as error:
            raise _refused(self._source, error) from None

    def items(self, id: str, lost: list[str]) -> list[dict[str, Any]]:
        """The messages of a session with their parts, in order of time."""
        found = dict[str, tuple[int, dict[str, Any]]]()
        when = "time_created" if "time_created" in self._columns["message"] else "0"
        for message, time, data in self._of(id, f"SELECT id, {when}, data FROM message WHERE session_id = ?", lost):
            if (info := _object("message", message, data, lost)) is not None:
                found[message] = whole_number(time), {"info": {**info, "id": message, "sessionID": id}, "parts": []}
        for message, part, data in self._of(id, self._parts, lost):
            if message in found and (value := _object("part", part, data, lost)) is not None:
                found[message][1]["parts"].append({**value, "id": part})
        for _, item in found.values():
            item["parts"].sort(key=lambda value: value["id"])
        return [found[message][1] for message in sorted(found, key=lambda m: (found[m][0], m))]

    @property
    def _parts(self) -> str:
        own = "session_id" in self._columns["part"]
        where = "session_id = ?" if own else "message_id IN (SELECT id FROM message WHERE session_id = ?)"
        return f"SELECT message_id, id, data FROM part WHERE {where}"

    def _of(self, id: str, query: str, lost: list[str]) -> Iterator[tuple[str, Any, Any]]:
        """Rows of a session; what cannot be read of them, from some row on, is told."""
        left = MOST_BYTES
        try:
            for row in self._rows(query, id):
                left -= _weight(row)
                if left < 0:
                    lost.append(TOO_LONG)
                    return
                yield string(row[0]), row[1], row[2]
        except FAILURES as error:
            lost.append(f"the rest ({error})")

    def _rows(self, query: str, *values: str) -> Iterator[tuple[Any, ...]]:
        """What a query gives. Raises one of FAILURES, and TranscriptError where the file gives more than it can hold."""
        try:
            with closing(self._connection.execute(query, values)) as rows:
                for row in rows:
                    self._spent.bytes -= _weight(row)
                    if self._spent.bytes < 0:
                        raise self._too_much()
                    yield row
        except FAILURES as error:
            raise self._too_much() if self._spent.steps < 0 else error from None

    def _too_much(self) -> TranscriptError:
        hint = "opencode does not write such a database"
        return self._source.fail("takes far more work to read than a database of its size should", hint)


def _weight(row: tuple[Any, ...]) -> int:
    return _ROW + sum(len(value) for value in row if isinstance(value, (str, bytes)))


def _object(what: str, id: Any, data: Any, lost: list[str]) -> dict[str, Any] | None:
    """The object in a row's JSON; None where there is none, which is told."""
    try:
        value = parse(data) if isinstance(data, str) else None
    except ValueError as error:
        lost.append(f"{what} {id}: {error}")
        return None
    if not isinstance(value, dict) or not string(id):
        lost.append(f"{what} {id}: is not an object")
        return None
    return value


def _session(row: dict[str, Any]) -> dict[str, Any]:
    """A row as the `info` of an export."""
    time = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    names = {"id": "id", "parent_id": "parentID", "directory": "directory", "title": "title", "version": "version"}
    return {new: row[old] for old, new in names.items() if row.get(old) is not None} | {"time": time}
