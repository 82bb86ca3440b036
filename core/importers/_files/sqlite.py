"""An SQLite database, opened read-only: neither it nor any file beside it changes.

https://www.sqlite.org/wal.html#read_only_databases · https://www.sqlite.org/uri.html · https://www.sqlite.org/security.html
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from core.importers._files.source import SQLITE, Source
from core.importers._files.text import LIMIT, OWN_LIMIT, decoded

WAIT = 2.0
"""Seconds to wait for one who writes."""

FAILURES = (sqlite3.Error, UnicodeError)
"""What goes wrong with a damaged database: where SQLite's message repeats bytes of the file, Python cannot read it."""

_WRITES_AHEAD = b"\x02\x02"  # bytes 18 and 19 of the file: its newest changes stand in <name>-wal
_CAREFUL = ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0")


@contextmanager
def readable(source: Source) -> Iterator[tuple[sqlite3.Connection, int]]:
    """The open database, and how many bytes it has.

    One on disk is read where it lies; one from memory or an archive, or left behind by a crash, as a copy that is deleted.
    Raises TranscriptError where it is too large to be copied, one of FAILURES where it cannot be opened.
    """
    way, path = _way(source), source.local
    if way and path is not None:
        with _connected(path, way) as connection:
            yield connection, _size(path) + _size(_beside(path, "-wal"))
        return
    with TemporaryDirectory(prefix="foldline-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "copy.db"
        _copy(source, copy)
        ahead = _ahead(source)
        if ahead is not None:
            _copy(ahead, _beside(copy, "-wal"))
        with _connected(copy, "mode=ro" if ahead else "mode=ro&immutable=1") as connection:
            yield connection, _size(copy) + _size(_beside(copy, "-wal"))


def _way(source: Source) -> str:
    """How to open the file on disk so that SQLite makes no other file; empty where it would, or where it is packed."""
    path = source.local
    if path is None or path.is_symlink():  # a link's own neighbours are not the database's
        return ""
    with open(path, "rb") as file:
        start = file.read(20)
    if not start.startswith(SQLITE):
        return ""
    if start[18:20] != _WRITES_AHEAD or (_size(_beside(path, "-wal")) and os.path.exists(_beside(path, "-shm"))):
        return "mode=ro"
    return "" if _size(_beside(path, "-wal")) else "mode=ro&immutable=1"


def _ahead(source: Source) -> Source | None:
    """The changes that lie beside the database and are not in it yet."""
    name = f"{source.place}-wal"
    if source.folder is not None:
        above, _, last = name.rpartition("/")
        return Source(name, folder=source.folder, place=name) if last in source.folder.within(above)[1] else None
    path = source.local
    beside = _beside(path.resolve(), "-wal") if path is not None else None
    return Source(str(beside), path=beside) if beside is not None and _size(beside) else None


def _copy(source: Source, to: Path) -> None:
    with source.open() as file, open(to, "wb") as copy:
        left = OWN_LIMIT
        while data := file.read(1 << 20):
            left -= len(data)
            if left < 0:
                raise source.fail(
                    f"is a database of more than {OWN_LIMIT >> 20} MB", "unpack it and open it by its path"
                )
            copy.write(data)


@contextmanager
def _connected(path: Path, way: str) -> Iterator[sqlite3.Connection]:
    """A connection that may read only, and trusts nothing in the file."""
    uri = f"{path.absolute().as_uri()}?{way}"
    connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)
    with closing(connection):
        for pragma in _CAREFUL:
            connection.execute(f"PRAGMA {pragma}")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LIMIT)
        connection.text_factory = lambda raw: decoded(raw)[0]
        yield connection


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _size(path: Path) -> int:
    return path.stat().st_size if os.path.isfile(path) else 0
