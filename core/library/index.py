"""The index: a SQLite database with a row for each session, and its text for full-text search (FTS5).

https://www.sqlite.org/fts5.html
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from platformdirs import user_cache_path

from core.library.bodies import holding
from core.library.places import Looked, Place
from core.library.query import Term, fts_query, literal, phrase_query, stand_in, terms
from core.library.snippets import MARKS, Snippet, around, as_begun, near
from core.model import private

SCHEMA = 12
"""The version of the tables: an index of another version is rebuilt."""

WAIT = 10.0
"""Seconds to wait for another process that writes."""

_TABLES = """
CREATE TABLE files (path TEXT PRIMARY KEY, stamp TEXT, problem TEXT);
CREATE TABLE places (place TEXT PRIMARY KEY, root TEXT, whole INTEGER, kept INTEGER);
CREATE TABLE held (place TEXT, path TEXT, PRIMARY KEY (place, path)) WITHOUT ROWID;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, path TEXT, number INTEGER, agent TEXT, format TEXT, title TEXT, project TEXT, model TEXT,
    messages INTEGER, turns INTEGER, tokens INTEGER, meter TEXT, compactions INTEGER, subagents INTEGER, ended TEXT,
    unsearched INTEGER, changed TEXT
);
CREATE INDEX by_path ON sessions (path);
CREATE INDEX by_time ON sessions (ended DESC);
CREATE VIRTUAL TABLE texts USING fts5(title, project, path, messages, tools, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE bodies (id INTEGER PRIMARY KEY, messages BLOB);
CREATE TABLE progress (one INTEGER PRIMARY KEY CHECK (one = 1), pid INTEGER, beat REAL, done INTEGER, total INTEGER, now TEXT);
"""


@dataclass(frozen=True)
class Row:
    """One session of the library.

    `agent` is its format by its label, `number` its place in a file of many, `tokens` are by its default `meter`. `ended`
    is when its last message was written, "" where no time is recorded, and `changed` when its file was, both as ISO 8601 in
    UTC. `unsearched` are the characters of its text that the search does not cover, because there are too many. Without a
    `meter` the file is not read yet, and `ended` is its time of change.
    """

    path: str
    number: int
    agent: str
    format: str
    title: str
    project: str
    model: str
    messages: int
    turns: int
    tokens: int
    meter: str
    compactions: int
    subagents: int
    ended: str
    unsearched: int = 0
    changed: str = ""


@dataclass(frozen=True)
class SearchText:
    """The text of a session that can be searched, besides its title, project and path.

    `messages` are what was typed and replied, `tools` the arguments of tool calls and what the tools returned. `bodies` are
    the messages that Find looks at, as `bodies.packed` gives them: they are only counted.
    """

    messages: str = ""
    tools: str = ""
    bodies: bytes = b""


@dataclass(frozen=True)
class Listing:
    """Rows of a query with their ids, how many there are in all, and the counts by agent.

    The newest come first. Those without a time come last, of these the one whose file was changed last first.
    """

    rows: tuple[Row, ...] = ()
    ids: tuple[int, ...] = ()
    total: int = 0
    agents: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Progress:
    """How far a build is: files done, files in total, and the current one. `pid` is the process that builds, or 0."""

    done: int = 0
    total: int = 0
    now: str = ""
    pid: int = 0
    beat: float = 0.0


COLUMNS = ", ".join(field.name for field in fields(Row))
_ORDER = "sessions.ended DESC, CASE sessions.ended WHEN '' THEN sessions.changed END DESC, sessions.id DESC"
_PARTS = {3: "messages", 4: "tools"}  # columns of the table `texts`


def default_path() -> Path:
    """The default path of the index."""
    return user_cache_path("foldline", appauthor=False) / "library.db"


class Index:
    """The database at a path. It is created if missing, and recreated if it is damaged or of another version."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """A connection that commits unless an error is raised. Raises sqlite3.Error or OSError.

        A damaged database is removed before its error is raised: the next connection creates an empty one.
        """
        try:
            with closing(self._connect_or_recreate()) as connection, connection:
                yield connection
        except sqlite3.DatabaseError as error:
            if damaged(error):
                self.remove()
            raise

    def _connect_or_recreate(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if not damaged(error):
                raise
            self.remove()
            return self._connect()

    def _connect(self, again: bool = False) -> sqlite3.Connection:
        private.make_file(self.path)  # its neighbours (-wal, -shm) take its mode
        connection = sqlite3.connect(self.path, timeout=WAIT)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA):
                raise sqlite3.DatabaseError("the index is of another version")
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
        except sqlite3.Error as error:
            connection.close()
            if "already exists" not in str(error):
                raise
            if again:
                raise sqlite3.DatabaseError("the database is not an index of foldline") from None
            return self._connect(again=True)  # another process was faster
        return connection

    def remove(self) -> None:
        """Delete the database."""
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self.path}{end}").unlink(missing_ok=True)

    def shrink(self) -> None:
        """Rewrite the database without what was dropped: SQLite leaves the text of deleted rows in its file."""
        with self.open() as connection:
            connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")
            connection.commit()
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def listing(
        self, query: str = "", agent: str = "", most: int = 2000, among: Sequence[Place] | None = None
    ) -> Listing:
        """The sessions that hold every term of the query in title, project, path, messages or tools.

        Of one agent if given, and of the files in these places: others may be in the index for another server.
        """
        with self.open() as connection:
            return _listed(connection, query, agent, most, among)

    def matches(self, query: str) -> list[int]:
        """The ids of the sessions that hold every term of the query; none without terms."""
        if not fts_query(query):
            return []
        where, values = _where(query, "")
        with self.open() as connection:
            _prepare(connection, query)
            return [id for (id,) in connection.execute(f"SELECT rowid FROM texts {where}", values)]

    def with_phrase(self, query: str) -> list[int]:
        """The ids of the sessions that hold the words of the query in a row; none where it is not several plain words."""
        phrase = phrase_query(query)
        if not phrase:
            return []
        with self.open() as connection:
            return [id for (id,) in connection.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (phrase,))]

    def snippets(self, query: str, ids: Sequence[int]) -> dict[int, Snippet]:
        """Where each of these sessions holds the terms, unless that is only in its title, project or path."""
        if not fts_query(query):
            return {}
        with self.open() as connection:
            found = {id: _snippet(connection, query, id) for id in ids}
        return {id: snippet for id, snippet in found.items() if snippet}

    def holding(self, query: str, ids: Sequence[int]) -> dict[int, int]:
        """How many messages of each session hold the text of the query, as Find in Debug counts them; none is left out."""
        marks, text = ", ".join("?" * len(ids)), literal(query)
        with self.open() as connection:
            rows = connection.execute(f"SELECT id, messages FROM bodies WHERE id IN ({marks})", tuple(ids))
            return {id: count for id, bodies in rows if (count := holding(bodies, text))}

    def progress(self) -> Progress:
        """How far a build is."""
        with self.open() as connection:
            found = connection.execute("SELECT done, total, now, pid, beat FROM progress").fetchone()
        return Progress(*found) if found else Progress()

    def known(self) -> dict[str, str]:
        """The files that were read, with their stamps."""
        with self.open() as connection:
            return dict(connection.execute("SELECT path, stamp FROM files"))

    def problems(self, among: Sequence[Place] | None = None) -> list[tuple[str, str]]:
        """The files that could not be read, each with its error; those in these places if given."""
        held, values = _held("files.path", among)
        clauses = " AND ".join(["problem != ''", *held])
        with self.open() as connection:
            return list(connection.execute(f"SELECT path, problem FROM files WHERE {clauses} ORDER BY path", values))

    def cut(self, among: Sequence[Place]) -> list[str]:
        """The folders among these that have more files than are looked at."""
        marks = ", ".join("?" * len(among))
        query = f"SELECT DISTINCT root FROM places WHERE NOT whole AND place IN ({marks}) ORDER BY root"
        with self.open() as connection:
            return [root for (root,) in connection.execute(query, [_key(place) for place in among])]


def damaged(error: sqlite3.Error) -> bool:
    """Whether the database is damaged or not an index, rather than locked or in a read-only folder."""
    return type(error) is sqlite3.DatabaseError or "no such" in str(error)


def _listed(
    connection: sqlite3.Connection, query: str, agent: str, most: int, among: Sequence[Place] | None
) -> Listing:
    _prepare(connection, query)
    where, values = _where(query, agent, among)
    table = "sessions JOIN texts ON texts.rowid = sessions.id" if fts_query(query) else "sessions"
    shown = ", ".join(f"sessions.{name.strip()}" for name in COLUMNS.split(","))
    rows = connection.execute(
        f"SELECT sessions.id, {shown} FROM {table} {where} ORDER BY {_ORDER} LIMIT ?",
        (*values, most),
    ).fetchall()
    where, values = _where(query, "", among)
    counted = connection.execute(
        f"SELECT sessions.agent, count(*) FROM {table} {where} GROUP BY 1 ORDER BY 2 DESC, 1", values
    ).fetchall()
    total = sum(n for name, n in counted if not agent or name == agent)
    return Listing(tuple(Row(*row[1:]) for row in rows), tuple(row[0] for row in rows), total, tuple(counted))


def _snippet(connection: sqlite3.Connection, query: str, id: int) -> Snippet | None:
    """The surroundings of an exact text of the query, of its words as they are typed, or those that FTS5 chooses."""
    found = terms(query)
    exact = any(term.exact for term in found)
    looked = found if exact else [Term(literal(query), exact=True, begun=True)] if len(found) > 1 else []
    if looked:
        made = ", ".join(_PARTS.values())
        row = connection.execute(f"SELECT {made} FROM texts WHERE rowid = ?", (id,)).fetchone()
        parts = zip(_PARTS.values(), row, strict=True) if row else ()
        typed = next(filter(None, (around(part, text, looked) for part, text in parts)), None)
        if typed or exact:
            return typed
    made = ", ".join(f"snippet(texts, {column}, '{MARKS[0]}', '{MARKS[1]}', '…', 16)" for column in _PARTS)
    match = f"SELECT {made} FROM texts WHERE texts MATCH ? AND rowid = ?"
    for row in connection.execute(match, (fts_query(query), id)):
        for part, text in zip(_PARTS.values(), row, strict=True):
            if MARKS[0] in text:
                return Snippet(part, near(as_begun(text, found)))
    return None


def _prepare(connection: sqlite3.Connection, query: str) -> None:
    """Make known to a connection how the exact texts of a query are found."""
    exact = [term for term in terms(query) if term.exact]
    connection.create_function("stand_in", 5, lambda *columns: stand_in(exact, columns))


def _where(query: str, agent: str, among: Sequence[Place] | None = None) -> tuple[str, tuple[str, ...]]:
    """The clause for a query, an agent and places, with its values. FTS5 finds an exact text also where it is not as typed."""
    parts = [("texts MATCH ?", fts_query(query)), ("sessions.agent = ?", agent)]
    given = [(clause, value) for clause, value in parts if value]
    held, roots = _held("sessions.path", among)
    clauses = [*(clause for clause, _ in given), *held]
    if any(term.exact for term in terms(query)):
        clauses.append("stand_in(texts.title, texts.project, texts.path, texts.messages, texts.tools)")
    return (f"WHERE {' AND '.join(clauses)}" if clauses else ""), (*(value for _, value in given), *roots)


def _held(path: str, among: Sequence[Place] | None) -> tuple[list[str], list[str]]:
    """The clause for a path that is in one of these places, with its values; none for None."""
    if among is None:
        return [], []
    return [f"{path} IN (SELECT path FROM held WHERE place IN ({', '.join('?' * len(among))}))"], list(map(_key, among))


def _key(place: Place) -> str:
    return f"{place.agent}:{place.root}"


def note(connection: sqlite3.Connection, looked: Iterable[tuple[Place, Looked]]) -> None:
    """Note which files each of these places holds now. What other places hold stays: they may be those of another server."""
    every = list(looked)
    for place, seen in every:
        connection.execute("DELETE FROM held WHERE place = ?", (_key(place),))
        noted = (_key(place), str(place.root), seen.whole, place.kept)
        connection.execute("REPLACE INTO places VALUES (?, ?, ?, ?)", noted)
    for place, seen in every:
        rows = ((_key(place), str(path)) for path in seen.files)
        connection.executemany("INSERT OR IGNORE INTO held VALUES (?, ?)", rows)


def forget_removed(connection: sqlite3.Connection, among: Iterable[Place]) -> None:
    """Forget the places that a user added and that are not among these any more: the user has removed them."""
    stay = {_key(place) for place in among}
    added = [key for (key,) in connection.execute("SELECT place FROM places WHERE kept") if key not in stay]
    for table in ("held", "places"):
        connection.executemany(f"DELETE FROM {table} WHERE place = ?", [(key,) for key in added])


def noted(connection: sqlite3.Connection) -> set[str]:
    """The files that any place holds."""
    return {path for (path,) in connection.execute("SELECT path FROM held")}


def put(
    connection: sqlite3.Connection, path: str, stamp: str, found: Iterable[tuple[Row, SearchText]], problem: str
) -> None:
    """Replace the sessions of one file, with their texts."""
    drop(connection, [path])
    connection.execute("INSERT INTO files VALUES (?, ?, ?)", (path, stamp, problem))
    marks = ", ".join("?" * len(fields(Row)))
    for row, text in found:
        id = connection.execute(f"INSERT INTO sessions ({COLUMNS}) VALUES ({marks})", astuple(row)).lastrowid
        connection.execute(
            "INSERT INTO texts (rowid, title, project, path, messages, tools) VALUES (?, ?, ?, ?, ?, ?)",
            (id, row.title, row.project, row.path, text.messages, text.tools),
        )
        if text.bodies:
            connection.execute("INSERT INTO bodies VALUES (?, ?)", (id, text.bodies))


def drop(connection: sqlite3.Connection, paths: Sequence[str]) -> None:
    """Forget these files."""
    for path in paths:
        for table, key in (("texts", "rowid"), ("bodies", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT id FROM sessions WHERE path = ?)", (path,))
        connection.execute("DELETE FROM sessions WHERE path = ?", (path,))
        connection.execute("DELETE FROM files WHERE path = ?", (path,))
