"""The runs on disk: list, open, rename, delete. One process at a time may write to a run; others may read its file."""

import json
import os
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_data_path

from core.drive.call_files import CallFiles
from core.drive.recorder import Recorder, read_events, unwritable
from core.drive.run_facts import RunFacts, run_facts
from core.drive.set_aside import SetAside
from core.model import private
from core.model.errors import RunError
from core.model.text import cut
from core.trace.events import AnyEvent, Arrived, Began, Fork, Renamed

TITLE_CHARS = 80

STALE = 86_400.0
"""Seconds after which a lock without a run is deleted."""

FOLDER_VARIABLE = "FOLDLINE_DATA"
"""The environment variable that names another folder for the runs."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,80}")


@dataclass(frozen=True)
class RunInfo:
    """A run on disk: its title, provider and model, when it was last active (seconds since 1970), its size in bytes.

    `fork` is where it was forked from, None for a run of its own; `began` is when it began, as ISO 8601 in UTC.
    """

    id: str
    title: str
    provider: str
    model: str
    changed: float
    size: int
    began: str
    facts: RunFacts
    fork: Fork | None = None


def runs_folder() -> Path:
    """The folder of the runs' files, whether or not it exists."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return (Path(chosen).expanduser() if chosen else user_data_path("foldline", appauthor=False)) / "sessions"


class Store:
    """The runs in a folder; None is the default folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or runs_folder()
        self._locks: dict[str, FileLock] = {}
        self._listed: dict[str, tuple[tuple[int, int], RunInfo]] = {}
        self.set_aside = SetAside(self.folder)
        self.set_aside.remove_old()
        self._delete_stale_locks()

    def _delete_stale_locks(self) -> None:
        """Delete the locks of runs without a file, which a killed server may leave."""
        with suppress(OSError):
            old = (lock for lock in self.folder.glob("*.lock") if time.time() - lock.stat().st_mtime > STALE)
            for lock in [one for one in old if not one.with_suffix(".jsonl").exists()]:
                _delete(lock)

    def new_id(self) -> str:
        """An id that no other run has: the time it begins, and some random digits."""
        return f"{datetime.now():%Y-%m-%d-%H%M%S}-{secrets.token_hex(2)}"

    def path(self, id: str) -> Path:
        """The file of a run. Raises RunError for an id that cannot be one."""
        if not _ID.fullmatch(id):
            raise RunError(f"{id!r} is not the id of a run", "choose a run from the list")
        return self.folder / f"{id}.jsonl"

    def calls(self, id: str) -> CallFiles:
        """Where the requests and replies of a run are kept. Raises RunError for an id that cannot be one."""
        return CallFiles(self.path(id).with_suffix(".calls"))

    def runs(self) -> list[RunInfo]:
        """Every run that can be read, the newest first."""
        paths = [path for path in self.folder.glob("*.jsonl") if _ID.fullmatch(path.stem)]
        self._listed = {path.stem: found for path in paths if (found := self._read(path))}
        return sorted((info for _, info in self._listed.values()), key=lambda info: -info.changed)

    def _read(self, path: Path) -> tuple[tuple[int, int], RunInfo] | None:
        """A run with the time and size of its file, which is read again only if these changed; None if it cannot be read."""
        with suppress(OSError, RunError):
            stat = path.stat()
            stamp, listed = (stat.st_mtime_ns, stat.st_size), self._listed.get(path.stem)
            if listed and listed[0] == stamp:
                return listed
            info = _read_info(path, stat.st_mtime, stat.st_size)
            return (stamp, info) if info else None
        return None

    def events(self, id: str) -> list[AnyEvent]:
        """The events of a run. Raises RunError where there is no such run, or its file is damaged."""
        return list(read_events(self._existing(id)))

    def _existing(self, id: str) -> Path:
        path = self.path(id)
        if not path.exists():
            raise RunError(f"there is no run {id}", "it may have been deleted; choose another")
        return path

    def recorder(self, id: str, seq: int = 0) -> Recorder:
        """Locks a run and returns what appends to its file. Raises RunError where it is locked already."""
        path = self.path(id)
        self._lock(id, path)
        try:
            return Recorder(path, seq)
        except RunError:
            self.release(id)
            raise

    def reopen(self, id: str) -> tuple[Recorder, list[AnyEvent]]:
        """Locks an existing run; returns what appends to its file, and its events.

        Raises RunError where there is no such run, its file is damaged, or it is locked already.
        """
        self._existing(id)
        recorder = self.recorder(id)
        try:
            events = self.events(id)
        except RunError:
            recorder.close()
            self.release(id)
            raise
        recorder.seq = events[-1].seq if events else 0
        return recorder, events

    def _lock(self, id: str, path: Path) -> None:
        """Keep others out. The lock's file stays: one that is deleted could be locked twice."""
        if id in self._locks:
            raise RunError(f"run {id} is open", "close it first")
        try:
            private.make_folder(path.parent)
            lock = FileLock(path.with_suffix(".lock"), timeout=0, mode=private.FILE, thread_local=False)
            lock.acquire()
        except Timeout:
            hint = "open its file in the debugger, which follows it"
            raise RunError(f"run {id} is open in another foldline", hint) from None
        except OSError as error:
            raise unwritable(path.parent, error) from error
        self._locks[id] = lock

    def release(self, id: str) -> None:
        """Unlock the run. Of a run without a file, delete the lock as well."""
        lock = self._locks.pop(id, None)
        if lock is not None:
            lock.release()
            if not self.path(id).exists():
                _delete(self.path(id).with_suffix(".lock"))

    def rename(self, id: str, title: str) -> None:
        """Give a run a title. Raises RunError where it is open."""
        recorder, _ = self.reopen(id)
        try:
            recorder.write(Renamed(title=title))
        finally:
            recorder.close()
            self.release(id)

    def delete(self, id: str, *, undoable: bool = False) -> None:
        """Delete a run; `undoable`: `set_aside` keeps its files for a while. Raises RunError where it is open, or stays."""
        path = self.path(id)
        self._lock(id, path)
        try:
            if undoable:
                self.set_aside.take(id, (path, self.calls(id).folder))
            path.unlink(missing_ok=True)
            self.calls(id).delete()
            path.with_suffix(".lock").unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{path} cannot be deleted: {error.strerror}", "delete the file yourself") from error
        finally:
            self.release(id)


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _read_info(path: Path, changed: float, size: int) -> RunInfo | None:
    """A run by its file: the first line, the newest title, and how it stands."""
    data = path.read_bytes()
    lines = data[: data.rfind(b"\n") + 1].split(b"\n")
    try:
        first = Began.model_validate_json(lines[0])
    except ValueError:
        return None
    renamed = [line for line in lines if line.startswith(b'{"kind":"renamed"')]
    titles = [title for line in renamed if (title := _title(line)) is not None]
    title = (titles[-1] if titles else first.title) or _first_typed(lines)
    facts = run_facts(first, lines)
    provider = first.settings.provider
    active = _before_names(lines) or changed
    return RunInfo(path.stem, title, provider, facts.model, active, size, first.time, facts, first.fork)


def _before_names(lines: Sequence[bytes]) -> float | None:
    """When the newest event before the names at the end was written: a name is no activity. None where no name is there."""
    written = [line for line in lines if line]
    kept = written
    while kept and kept[-1].startswith(b'{"kind":"renamed"'):
        kept = kept[:-1]
    if len(kept) == len(written):
        return None
    with suppress(ValueError, KeyError, TypeError):
        return datetime.fromisoformat(json.loads(kept[-1])["time"]).timestamp()
    return None


def _first_typed(lines: Iterable[bytes]) -> str:
    """The beginning of the first typed message, as a title for a run that has none."""
    typed = next((line for line in lines if line.startswith(b'{"kind":"message"') and b'"role":"user"' in line), None)
    try:
        text = Arrived.model_validate_json(typed).message.content if typed else ""
    except ValueError:
        return ""
    return cut(" ".join(text.split()), TITLE_CHARS)


def _title(line: bytes) -> str | None:
    try:
        return Renamed.model_validate_json(line).title
    except ValueError:
        return None
