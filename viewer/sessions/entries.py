"""The sessions of a source to choose from: those of one file, which were all read, and those of a folder, of which only one is.

A session of a file is addressed by its number, from 0, or its id. One of a folder, an archive or an upload of several files is
addressed by the path of its file, `./runs/a.json`; the second in that file is `./runs/a.jsonl#1`, or has its id behind the `#`.
Numbers and ids alone count as `load_all` does, so that the files are read in order until the one that is meant is found.
"""

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Protocol

from core import FoldlineError, Session, TranscriptError
from core.importers._files.members import Reason
from core.importers._listing import Listing
from core.model.errors import NoTranscriptError
from core.model.session import id_of
from viewer.sessions.registry import RecentCache
from viewer.wire.lists import Row, file_row, session_row, session_rows

MOST_SESSIONS = 5_000
"""The most sessions of one file that can be chosen from, and the most of a folder that are counted."""

Place = tuple[str, int]
"""A file of a folder, and which of its sessions."""

_READ: RecentCache[Session] = RecentCache(8)
"""The sessions of folders that were shown last: as many as `registry.OPENED` holds, whatever is opened."""


@dataclass(frozen=True)
class Found:
    """A session with its address, its number where that is known, and the `path` of its file, if a folder on disk holds that.

    `stamp` is the time that file was written and its size, before it was read. `key` tells the session from the others of its
    source; it is empty for the first session of a file.
    """

    session: Session
    address: str
    number: int | None
    key: str
    path: Path | None = None
    stamp: str = ""


class Entries(Protocol):
    """The sessions of a source."""

    def find(self, session: str) -> Found:
        """The session of that number, id or path; the first for "". Raises FoldlineError."""
        ...

    def rows(self) -> list[Row]:
        """A row for each to choose from."""
        ...

    def notes(self) -> tuple[str, ...]:
        """What is to be said of the whole source, as far as it is known."""
        ...


@dataclass(frozen=True)
class ReadEntries:
    """The sessions of one file, or of a folder that is one transcript: all were read."""

    shown: str
    sessions: tuple[Session, ...]

    def find(self, session: str) -> Found:
        """By number or id; also behind the path of the file, as in an archive of one file."""
        wanted = (session.partition("#")[2] if session.startswith("./") else session) or "0"
        for number, one in enumerate(self.sessions):
            if wanted == str(number) or wanted == id_of(one):  # an id may have to be worked out of all messages
                return Found(one, str(number), number, str(number) if number else "")
        raise absent(self.shown, session, len(self.sessions))

    def rows(self) -> list[Row]:
        """Title and size of each."""
        return session_rows(self.sessions)

    def notes(self) -> tuple[str, ...]:
        """That the list ends early."""
        most = f"Only the first {MOST_SESSIONS:,} sessions are listed."
        return (most,) if len(self.sessions) >= MOST_SESSIONS else ()


def absent(shown: str, session: str, known: int) -> FoldlineError:
    """The error where no session is called so."""
    return FoldlineError(f"there is no session {session!r} in {shown}", f"it has {known:,}, counted from 0")


def address_of(place: Place) -> str:
    """The address of a session of a folder."""
    name, index = place
    return f"./{name}#{index}" if index else f"./{name}"


def place_in(address: str) -> Place:
    """The file of a folder, "" for a source that is one file, and which of its sessions an address names."""
    if not address.startswith("./"):
        return "", int(address or 0)
    name = address.removeprefix("./")
    file, _, index = name.rpartition("#")
    return (file, int(index)) if file and index.isdecimal() else (name, 0)


@dataclass
class ListedEntries:
    """The files of a folder: each is read when it is chosen, and what was learned of it is kept; the session is not.

    `key` names the folder as it is now. `_facts` holds the rows of files that were read, `_as_written` the stamp each had then,
    `_broken` why one could not be, `_taken` those read as parts of others; `_counted` the place and id of every session up to
    where the files were read in order.
    """

    key: str
    shown: str
    listing: Listing
    _facts: dict[str, list[Row]] = field(default_factory=dict)
    _broken: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _as_written: dict[str, str] = field(default_factory=dict)
    _counted: list[tuple[Place, str]] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def __post_init__(self) -> None:
        self._walk = self.listing.walk()

    def find(self, session: str) -> Found:
        """By path; by number or id, reading the files in order until it is found."""
        with self._lock:
            place = self._by_path(session) if session.startswith("./") else self._by_count(session or "0")
            number = next((n for n, (known, _) in enumerate(self._counted) if known == place), None)
            written = self._written(place[0])
            found = _READ.get(self._cached(place, written)) or self._read(place, written)
            key, path = f"{address_of(place)}@{written}", self.listing.path(place[0])
            return Found(found, address_of(place), number, key, path if written else None, written)

    def _by_path(self, session: str) -> Place:
        """The file at this path, or a later session in it. Raises FoldlineError."""
        name = session.removeprefix("./")
        if name in self.listing.names:
            return name, 0
        file, _, index = name.rpartition("#")
        if file in self.listing.names:
            return file, int(index) if index.isascii() and index.isdecimal() else self._by_id(file, index)
        raise FoldlineError(f"there is no file {name!r} in {self.shown}", "choose one from the list")

    def _by_id(self, name: str, id: str) -> int:
        """Which session of a file has this id. Raises FoldlineError."""
        count = 0
        for session in islice(self.listing.read(name, set()), MOST_SESSIONS):
            if id_of(session) == id:
                return count
            count += 1
        raise absent(f"{self.shown}/{name}", id, count)

    def _by_count(self, session: str) -> Place:
        """The first session in order that has this number or id. Raises FoldlineError."""
        for number, (place, id) in enumerate(self._counted):
            if session in (str(number), id):
                return place
        while len(self._counted) < MOST_SESSIONS and (step := self._next()) is not None:
            name, found = step
            try:
                hit = self._count(name, found, session)
            except TranscriptError as error:  # too deep, or too large for the memory: the others may still be read
                self._fail(name, error)
                continue
            self._learn_from_walk(name)
            if hit is not None:
                return hit
        raise absent(self.shown, session, len(self._counted))

    def _next(self) -> tuple[str, Iterator[Session]] | None:
        """The next file in order. Raises TranscriptError after the last one where none gave a session."""
        try:
            return next(self._walk, None)
        except TranscriptError:
            self._walk = self.listing.walk()
            raise

    def _count(self, name: str, found: Iterator[Session], wanted: str) -> Place | None:
        """Count the sessions of a file, and keep the one that is wanted."""
        hit: Place | None = None
        self._as_written[name] = written = self._written(name)
        for index, session in enumerate(islice(found, MOST_SESSIONS - len(self._counted))):
            number, place = len(self._counted), (name, index)
            self._counted.append((place, session.id))
            self._note(place, session)
            if hit is None and wanted in (str(number), session.id):
                hit = place
                _READ.put(self._cached(place, written), session)
        return hit

    def _learn_from_walk(self, name: str) -> None:
        """Take over what reading one more file told of those left out. One that had no room is still read by itself."""
        left, known = self._walk.left, self.listing.left
        self._took(self._walk.taken)
        for reason, found in left.left.items():
            for file, said in found.items() if reason != "no room" else ():
                known.leave(reason, file, said)
        if name not in self._facts and (why := left.why(self._file(name), name)):
            self._broken[name] = why

    def _read(self, place: Place, written: str) -> Session:
        """The session at a place, its file read by itself. Raises FoldlineError, and keeps why."""
        name, wanted = place
        try:
            known = self._facts.get(name) if self._as_written.get(name) == written else None
            found = self._again(place, known) if known is not None else self._whole(place, written)
        except TranscriptError as error:
            self._fail(name, error)
            raise
        if found is None:
            raise absent(f"{self.shown}/{name}", str(wanted), len(self._facts[name]))
        return _READ.put(self._cached(place, written), found)

    def _again(self, place: Place, known: list[Row]) -> Session | None:
        """A session of a file whose sessions are known: the rest of the file is not read."""
        name, wanted = place
        return next(islice(self.listing.read(name, set()), wanted, None), None) if wanted < len(known) else None

    def _whole(self, place: Place, written: str) -> Session | None:
        """A session of a file, with the rows of all that are in it."""
        name, wanted = place
        kept: Session | None = None
        taken = set[str]()
        self._facts.pop(name, None)
        for index, session in enumerate(islice(self.listing.read(name, taken), MOST_SESSIONS)):
            self._note((name, index), session)
            kept = session if index == wanted else kept
        self._as_written[name] = written
        self._took(taken)
        self._broken.pop(name, None)
        self.listing.left.found(self._file(name))
        return kept

    def _fail(self, name: str, error: TranscriptError) -> None:
        """Keep that a file that was listed gave no session, and why."""
        file = self._file(name)
        self._broken[name] = why = str(error).removeprefix(f"{file}: ")
        reason: Reason = "other" if isinstance(error, NoTranscriptError) else "unread"
        self.listing.left.leave(reason, file, f"{name}: {why}")

    def _took(self, names: set[str]) -> None:
        """Keep which files were read as parts of others."""
        self._taken |= names
        self.listing.left.take_back(map(self._file, names))

    def _file(self, name: str) -> str:
        return f"{self.listing.top}/{name}"

    def _note(self, place: Place, session: Session) -> None:
        """Keep the row of a session; those of a file come in order."""
        name, index = place
        if not index:
            self._facts[name] = []
        self._facts[name].append(session_row(None, session, address_of(place)))

    def _cached(self, place: Place, written: str) -> str:
        return f"{self.key}#{address_of(place)}@{written}"

    def _written(self, name: str) -> str:
        """The stamp of a file on disk, which may be growing; "" of any other, and of one that is gone."""
        path = self.listing.path(name)
        with suppress(OSError):
            return stamp(path) if path is not None else ""
        return ""

    def rows(self) -> list[Row]:
        """Of a file that was read its sessions; of any other its path, its size, and why it gave none where that is known."""
        with self._lock:
            numbers = {address_of(place): number for number, (place, _) in enumerate(self._counted)}
            names = dict.fromkeys([*(member.name for member in self.listing.members), *self._facts])
            sizes = {member.name: member.size for member in self.listing.members}
            return [
                row
                for name in names
                if name not in self._taken or name in self._facts
                for row in self._rows_of(name, sizes.get(name, 0), numbers)
            ]

    def _rows_of(self, name: str, size: int, numbers: dict[str, int]) -> list[Row]:
        if name in self._broken or name not in self._facts:
            return [file_row(name, size, self._broken.get(name, ""), address_of((name, 0)))]
        return [(numbers.get(row[5]), *row[1:]) for row in self._facts[name]]

    def notes(self) -> tuple[str, ...]:
        """Which files were left out."""
        with self._lock:
            return tuple(self.listing.left.notes())


def stamp(path: Path) -> str:
    """The time a file was written and its size. Raises OSError for a missing file."""
    found = path.stat()
    return f"{found.st_mtime_ns}:{found.st_size}"
