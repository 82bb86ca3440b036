"""The sessions of a sweep: one that is open, a folder, or some of the Library; each read once, in a process of its own."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core import FoldlineError, save
from core.library import Index, places
from core.model.paths import check_place
from core.tune.files import Failure, File, failure, file_at, files_of
from core.tune.reader import sizes_of_files
from core.tune.sized import Sized
from viewer.sessions.entries import place_in
from viewer.sessions.registry import RecentCache
from viewer.sessions.sources import Loaded, Source, open_source, sample_named, samples_path

MOST = 2_000
"""Sessions of one sweep that this page takes."""

_sizes: RecentCache[list[Sized]] = RecentCache(MOST)
_sets: RecentCache["SessionSet"] = RecentCache(8)


@dataclass(frozen=True)
class SessionSet:
    """Sessions that were found together, with what could not be read; `id` is another one when a file has changed."""

    id: str
    sessions: tuple[Sized, ...]
    failures: tuple[Failure, ...]
    meter: str


@dataclass(frozen=True)
class Wanted:
    """Which sessions: `kind` is "this", "folder" or "library"; counted by this meter, or "" for each session's own.

    `source` and `session` name the open one; `folder` is a path; of the Library the newest that hold all `words`, of one
    `agent` or of any.
    """

    kind: str
    meter: str
    source: str = ""
    session: str = ""
    folder: str = ""
    words: str = ""
    agent: str = ""
    newest: int = 40

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> "Wanted":
        """What a request asks for. Raises FoldlineError for another kind."""
        if asked.get("kind") not in ("this", "folder", "library"):
            raise FoldlineError("which sessions?", "ask for this one, a folder or the library")
        texts = {
            name: str(asked.get(name) or "")[:4000]
            for name in ("kind", "meter", "source", "session", "folder", "words", "agent")
        }
        newest = asked.get("newest")
        return cls(**texts, newest=max(1, min(MOST, newest)) if isinstance(newest, int) else 40)


def set_named(id: str) -> SessionSet | None:
    """The sessions that were found under this id, while they are kept."""
    return _sets.get(id)


Step = tuple[int, int]
"""How many files have been read, of how many."""


def find_sessions(wanted: Wanted, local: bool) -> Iterator[Step | SessionSet]:
    """How far the reading is, again and again, and at last the sessions. Raises FoldlineError where there are none at all.

    Only a server that runs for its own user opens folders and the Library.
    """
    listed = list(islice(_listed(wanted, local), MOST + 1))
    places = [one for one in listed if not isinstance(one, Failure)]
    failures = [one for one in listed if isinstance(one, Failure)]
    if len(places) > MOST:
        raise FoldlineError(
            f"these are more than {MOST:,} sessions", "use `foldline tune` for as many, or choose fewer"
        )
    found: dict[tuple[File, int | None], list[Sized]] = {}
    yield 0, len(places)
    for count, (place, sized) in enumerate(_read(places, _meter(wanted)), 1):
        if isinstance(sized, Failure):
            failures.append(sized)
        else:
            found[place] = sized
        yield count, len(places)
    sessions = _titled(wanted, local, [one for place in places for one in found.get(place, ())])
    made = SessionSet(_digest(wanted, sessions), sessions, tuple(failures), wanted.meter)
    yield _sets.put(made.id, made)


def _meter(wanted: Wanted) -> str:
    """The meter that is asked for; of a sample that is open, the one that Debug shows it by."""
    source = Source.parse(wanted.source) if wanted.kind == "this" else None
    sample = sample_named(source.name) if source and source.kind == "sample" else None
    return wanted.meter or (sample.meter if sample else "")


def _titled(wanted: Wanted, local: bool, sessions: Sequence[Sized]) -> tuple[Sized, ...]:
    """The same; the open session is called what the other pages call it."""
    source = Source.parse(wanted.source) if wanted.kind == "this" else None
    title = open_source(source, local, wanted.session).session.title if source else ""
    return tuple(replace(one, title=title or one.title) for one in sessions)


def _listed(wanted: Wanted, local: bool) -> Iterator[tuple[File, int | None] | Failure]:
    if wanted.kind == "this":
        yield _open_file(wanted, local)
        return
    if not local:
        raise FoldlineError("folders and the library are opened only when foldline listens on 127.0.0.1", "")
    if wanted.kind == "library":
        yield from _library(wanted)
        return
    check_place(wanted.folder)
    for one in files_of(str(Path(wanted.folder).expanduser())):
        yield one if isinstance(one, Failure) else (one, None)


def _library(wanted: Wanted) -> Iterator[tuple[File, int | None] | Failure]:
    for row in Index().listing(wanted.words, wanted.agent, wanted.newest, places()).rows:
        try:
            yield file_at(row.path), row.number
        except OSError as error:
            yield failure(row.path, error)


def _open_file(wanted: Wanted, local: bool) -> tuple[File, int | None]:
    """The file of the session that is open: where it stands, or what of it is in memory."""
    source = Source.parse(wanted.source)
    if source is None:
        raise FoldlineError("no session is open", "open one on the Debug page, or choose a folder")
    loaded = open_source(source, local, wanted.session)
    place = samples_path(source) or next(reversed(loaded.paths), None)
    if place is None or not place.exists():
        return _in_memory(loaded), 0
    inside, number = place_in(loaded.address)
    archived = inside if len(loaded.paths) == 1 else ""  # a file of a folder has a path of its own
    return file_at(str(place), archived), number


def _in_memory(loaded: Loaded) -> File:
    """A session without a file, in foldline's own format."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "session.json"
        save(loaded.session, path)
        data = path.read_bytes()
    version = hashlib.blake2b(data, digest_size=8).hexdigest()
    return File(loaded.shown, size=len(data), version=version, data=data)


def _read(
    places: list[tuple[File, int | None]], meter: str
) -> Iterator[tuple[tuple[File, int | None], list[Sized] | Failure]]:
    """Each place with its sessions, or why it has none: what was read before at once, the rest as it comes."""
    new: list[tuple[File, int | None]] = []
    for place in places:
        known = _sizes.get(_key(place, meter))
        if known is None:
            new.append(place)
        else:
            yield place, known
    with closing(sizes_of_files(new, meter)) as found:
        for place, sized in found if new else ():
            yield place, sized if isinstance(sized, Failure) else _sizes.put(_key(place, meter), sized)


def _key(place: tuple[File, int | None], meter: str) -> str:
    file, number = place
    return f"{meter}|{file.name}|{file.version}|{number}"


def _digest(wanted: Wanted, sessions: tuple[Sized, ...]) -> str:
    said = [repr(wanted), *(f"{one.name}|{one.file.version}" for one in sessions)]
    return hashlib.blake2b("\n".join(said).encode("utf-8", "replace"), digest_size=9).hexdigest()


def session_id(one: Sized) -> str:
    """A short name of a session by its place: the same as long as its file stays where it is."""
    return hashlib.blake2b(one.name.encode("utf-8", "replace"), digest_size=4).hexdigest()
