"""Loads sessions from samples, uploads and paths, and keeps the list of recent paths.

The address bar names a source as `sample:…`, `path:…` or `upload:…`. A source holds one session or many; a session has a
window of its own and one for each sub-agent. Paths are opened only when the server listens on the loopback address: only the
user of this machine can then type one.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_state_path

import sample_sessions
from core import FoldlineError, Session, TranscriptError, load_all
from core.importers._files.members import tells_of_members
from core.importers._listing import listing
from core.model import private
from core.model.agent_windows import MAIN, AgentWindow, agent_window, agent_windows
from core.model.paths import check_place
from viewer.sessions.entries import MOST_SESSIONS, Entries, ListedEntries, ReadEntries, stamp
from viewer.sessions.registry import RecentCache

Kind = Literal["sample", "path", "upload"]
KEPT_PATHS = 12

_entries: RecentCache[Entries] = RecentCache(6)
_uploads: RecentCache[dict[str, bytes]] = RecentCache(4)


@dataclass(frozen=True)
class Source:
    """What to open: its kind and its name."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Source | None":
        """The source that an address names, or None."""
        kind, _, name = text.partition(":")
        return cls(kind, name) if kind in ("sample", "path", "upload") and name else None  # type: ignore[arg-type]


@dataclass(frozen=True)
class Sample:
    """A session that ships with foldline, and the settings to show it with. One that is not `listed` is a lesson's alone."""

    path: str
    title: str
    about: str
    policy: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    meter: str = ""
    summaries: str = ""
    listed: bool = True


@dataclass(frozen=True)
class Loaded:
    """A loaded session: its cache key, which changes with the file, the name to show, and a line about it.

    `entries` are all to choose from; this one has that `address`, and `number` where it is known; `lane` is the window that is
    shown. `paths` are the file or folder it was read from, if any, and its own file there, with their `stamp` at that time and
    the `seconds` that reading took.
    """

    key: str
    entries: Entries
    session: Session
    shown: str
    about: str = ""
    note: str = ""
    address: str = ""
    number: int | None = 0
    whole: Session | None = None
    lane: str = MAIN
    paths: tuple[Path, ...] = ()
    stamp: str = ""
    seconds: float = 0.0

    @property
    def agent_windows(self) -> list[AgentWindow]:
        """The windows of the session: its own, and its sub-agents'."""
        return agent_windows(self.whole or self.session)

    @property
    def started(self) -> AgentWindow:
        """The window that is shown, with the message that started it."""
        return agent_window(self.whole or self.session, self.lane)

    @property
    def notes(self) -> list[str]:
        """What is to be said of the source as a whole."""
        return [note for note in (self.note, *self.entries.notes()) if note]

    def at(self, lane_name: str) -> "Loaded":
        """Another window of the session. Raises FoldlineError."""
        here = agent_window(self.session, lane_name)
        key = self.key if here.name == MAIN else f"{self.key}#{here.name}"
        return replace(self, key=key, session=here.session, whole=self.session, lane=here.name)


@dataclass(frozen=True)
class _Opened:
    """A source that is open: what there is to choose from, under a key that changes with the file."""

    key: str
    entries: Entries
    shown: str
    about: str = ""
    note: str = ""
    path: Path | None = None
    stamp: str = ""

    def load(self, session: str) -> Loaded:
        """One session of it, by number, id or path. Raises FoldlineError."""
        found = self.entries.find(session)
        key = f"{self.key}#{found.key}" if found.key else self.key
        paths = tuple(path for path in (self.path, found.path) if path is not None)
        shown = Loaded(key, self.entries, found.session, self.shown, self.about, self.note, found.address, found.number)
        return replace(shown, whole=found.session, paths=paths, stamp=f"{self.stamp} {found.stamp}".strip())


@cache
def samples() -> tuple[Sample, ...]:
    """The samples, the first of which the app opens on."""
    text = resources.files(sample_sessions).joinpath("samples.json").read_text("utf-8")
    return tuple(Sample(**row) for row in json.loads(text))


def sample_named(path: str) -> Sample | None:
    """The sample at this path below `sample_sessions`, or None."""
    return next((s for s in samples() if s.path == path), None)


def samples_path(source: Source) -> Path | None:
    """Where a sample stands on disk; None for anything else, and for one in an archive."""
    if source.kind != "sample" or sample_named(source.name) is None:
        return None
    at = resources.files("sample_sessions").joinpath(*source.name.split("/"))
    return at if isinstance(at, Path) else None


def open_source(source: Source, local: bool, session: str = "", lane_name: str = "") -> Loaded:
    """The session and window of a source; by default the first session and its main window.

    Raises FoldlineError for whatever cannot be opened.
    """
    begun = time.monotonic()
    loaded = _open(source, local).load(session).at(lane_name)
    return replace(loaded, seconds=time.monotonic() - begun)


def start_of(source: Source, local: bool, most: int) -> tuple[bytes, int]:
    """The first bytes of a single file, at most so many, and how many it has; nothing of what is no single file."""
    try:
        if source.kind == "path" and local:
            check_place(source.name)
            path = Path(source.name).expanduser()
            if path.is_file():
                with path.open("rb") as file:
                    return file.read(most), path.stat().st_size
        if source.kind == "upload" and len(files := _uploads.get(source.name) or {}) == 1:
            (data,) = files.values()
            return data[:most], len(data)
    except (FoldlineError, OSError, ValueError, RuntimeError):  # opening it says why
        pass
    return b"", 0


def _open(source: Source, local: bool) -> _Opened:
    if source.kind == "sample":
        return _open_sample(source.name)
    if source.kind == "upload":
        return _open_upload(source.name)
    if not local:
        raise FoldlineError("paths are opened only when foldline listens on 127.0.0.1", "upload the file instead")
    return _open_path(source.name)


def _entries_of(key: str, shown: str, **given: Any) -> Entries:
    """What there is to choose from: the files of a folder, of which none is read yet; else every session."""
    found = listing(**given)
    if found is not None:
        return ListedEntries(key, shown, found)
    return ReadEntries(shown, _named(_first(load_all(**given)), shown))


def _named(sessions: tuple[Session, ...], shown: str) -> tuple[Session, ...]:
    """The same; the only session of a file, where it has no title, is called after the file."""
    lone = len(sessions) == 1 and not sessions[0].title
    return (sessions[0].model_copy(update={"title": shown}),) if lone else sessions


def _first(found: Iterator[Session]) -> tuple[Session, ...]:
    """The sessions that can be chosen. What was left out of a folder is said with the last one: here with each."""
    *others, last = islice(found, MOST_SESSIONS)
    notes = tuple(note for note in last.notes if tells_of_members(note))
    return (*(one.model_copy(update={"notes": (*one.notes, *notes)}) for one in others), last)


def _open_sample(name: str) -> _Opened:
    sample = sample_named(name)
    if sample is None:
        raise FoldlineError(f"There is no sample {name!r}.", "Choose one from the list.")
    found = _entries.get_or_make(f"sample:{name}", lambda: _read_sample(sample))
    return _Opened(f"sample:{name}", found, name.rpartition("/")[2], sample.about)


def _read_sample(sample: Sample) -> Entries:
    """The sample's session, under the sample's title; a sample may be a folder."""
    at = resources.files(sample_sessions).joinpath(*sample.path.split("/"))
    name = sample.path.rpartition("/")[2]
    with resources.as_file(at) as path:
        first, *more = load_all(path, name=name)
    return ReadEntries(name, (first.model_copy(update={"title": sample.title}), *more))


def _open_upload(digest: str) -> _Opened:
    files, key = _uploads.get(digest), f"upload:{digest}"
    found = _entries.get(key)
    if files is None and found is None:
        raise FoldlineError("the uploaded file is no longer in memory", "upload it again, or open it by its path")
    shown = _upload_name(files or {})
    if found is None and files is not None:
        found = _entries.put(key, _read_upload(key, shown, files))
    assert found is not None
    return _Opened(key, found, shown)


def _read_upload(key: str, shown: str, files: Mapping[str, bytes]) -> Entries:
    if len(files) == 1:
        ((name, data),) = files.items()
        return _entries_of(key, shown, name=name, data=data)
    return _entries_of(key, shown, name=shown, files=files)


def _upload_name(files: Mapping[str, bytes]) -> str:
    """The name of an upload: its file, the folder of all files, or the number of files."""
    names = list(files)
    tops = {name.partition("/")[0] for name in names}
    if len(names) == 1:
        return names[0]
    return tops.pop() if len(tops) == 1 else f"{len(names):,} files" if names else "upload"


def _open_path(name: str) -> _Opened:
    check_place(name)
    path, last = Path(name), f"path:{name}"
    try:
        path = path.expanduser()
        now = stamp(path)
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a ~ of an unknown user
        return _last_opened(path, last, error)
    key, shown = f"{last}:{now}", path.name or str(path)
    found = _entries.get_or_make(key, lambda: _entries_of(key, shown, path=path))
    _entries.put(last, found)
    return _Opened(key, found, shown, path=path, stamp=now)


def _last_opened(path: Path, last: str, error: Exception) -> _Opened:
    """What was last opened at a path that is gone. Raises TranscriptError if nothing was."""
    found = _entries.get(last)
    if found is None:
        next(load_all(path))  # raises the error of the loader
        raise TranscriptError(f"{path}: {error}", "check the path")
    return _Opened(last, found, path.name, note="The file is gone. This is what was last read from it.")


def hold_upload(files: Mapping[str, bytes]) -> Source:
    """Keep uploaded files in memory, by path, so that their address works while the server runs."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "replace"))
        digest.update(data)
    key = digest.hexdigest()[:16]
    _uploads.put(key, dict(files))
    return Source("upload", key)


def first_source() -> Source:
    """The source that the app opens first: the file it was started with, else the first sample."""
    given = os.environ.get("FOLDLINE_FILE")
    return Source("path", given) if given else Source("sample", samples()[0].path)


def _recent_file() -> Path:
    return user_state_path("foldline", appauthor=False) / "recent.json"


def recent() -> list[str]:
    """The paths opened before, the newest first; empty if the list cannot be read."""
    try:
        found = json.loads(_recent_file().read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [str(path) for path in found if isinstance(path, str)] if isinstance(found, list) else []


def remember_opened(source: Source) -> None:
    """Put the path that a person has opened first in the list of recent paths; nothing of a file that is gone."""
    path = os.path.expanduser(source.name)
    if source.kind == "path" and os.path.exists(path):
        remember(Path(path))


def remember(path: Path) -> None:
    """Put the path first in the list of recent paths. A list that cannot be written is ignored."""
    absolute = str(path.absolute())
    paths: Sequence[str] = recent()
    if paths[:1] == [absolute]:
        return
    kept = [absolute, *(p for p in paths if p != absolute)][:KEPT_PATHS]
    try:
        private.write(_recent_file(), json.dumps(kept))
    except OSError:
        return
