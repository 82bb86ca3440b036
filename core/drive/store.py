"""The runs on disk: listed, opened, renamed, deleted. One process at a time drives a run; others may read its file."""

import re
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import RunError
from core.events import AnyEvent, Arrived, Began, Renamed
from core.folders import runs_folder
from core.recorder import Recorder, read_events
from core.text import cut

TITLE_CHARS = 80

FORGOTTEN = 86_400.0
"""Seconds after which a lock without a run is taken away."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,80}")


@dataclass(frozen=True)
class RunInfo:
    """A run on disk: what it is called, what drives it, when it was last written to (seconds since 1970), its bytes."""

    id: str
    title: str
    provider: str
    model: str
    changed: float
    size: int


class Store:
    """The runs below a folder; None is the usual one."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or runs_folder()
        self._locks: dict[str, FileLock] = {}
        self._known: dict[str, tuple[tuple[int, int], RunInfo]] = {}
        self._tidy()

    def _tidy(self) -> None:
        """Take away the locks of runs that left no file, as a server that was killed may have."""
        with suppress(OSError):
            old = (lock for lock in self.folder.glob("*.lock") if time.time() - lock.stat().st_mtime > FORGOTTEN)
            for lock in [one for one in old if not one.with_suffix(".jsonl").exists()]:
                _remove(lock)

    def new_id(self) -> str:
        """A name for a run that no other has: the time it begins, and a little more."""
        return f"{datetime.now():%Y-%m-%d-%H%M%S}-{secrets.token_hex(2)}"

    def path(self, id: str) -> Path:
        """The file of a run. Raises RunError for what cannot be the name of one."""
        if not _ID.fullmatch(id):
            raise RunError(f"{id!r} is not the name of a run", "choose one of the list")
        return self.folder / f"{id}.jsonl"

    def runs(self) -> list[RunInfo]:
        """Every run that can be read, the newest first."""
        found = (self._info(path) for path in self.folder.glob("*.jsonl") if _ID.fullmatch(path.stem))
        return sorted((info for info in found if info), key=lambda info: -info.changed)

    def _info(self, path: Path) -> RunInfo | None:
        with suppress(OSError, RunError):
            stat = path.stat()
            known = self._known.get(path.stem)
            if known and known[0] == (stat.st_mtime_ns, stat.st_size):
                return known[1]
            info = _told(path, stat.st_mtime, stat.st_size)
            if info:
                self._known[path.stem] = ((stat.st_mtime_ns, stat.st_size), info)
            return info
        return None

    def events(self, id: str) -> list[AnyEvent]:
        """The events of a run. Raises RunError where there is none, or it is damaged."""
        return list(read_events(self._there(id)))

    def _there(self, id: str) -> Path:
        path = self.path(id)
        if not path.exists():
            raise RunError(f"there is no run {id}", "it may have been deleted; choose another")
        return path

    def recorder(self, id: str, seq: int = 0) -> Recorder:
        """What appends to the file of a run, which nobody else may then do. Raises RunError where somebody does."""
        path = self.path(id)
        self._lock(id, path)
        try:
            return Recorder(path, seq)
        except RunError:
            self.release(id)
            raise

    def reopened(self, id: str) -> tuple[Recorder, list[AnyEvent]]:
        """What appends to the file of a run that is there, and its events, read once nobody else can add to them.

        Raises RunError where there is none, it is damaged, or somebody drives it.
        """
        self._there(id)
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
        """Keep others out; the lock's file stays, for one that is deleted could be locked twice."""
        if id in self._locks:
            raise RunError(f"run {id} is being driven", "close it first")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path.with_suffix(".lock"), timeout=0, thread_local=False)
            lock.acquire()
        except Timeout:
            raise RunError(
                f"run {id} is being driven by another foldline", "open its file in the debugger: it is followed there"
            ) from None
        except OSError as error:
            raise RunError(f"{path.parent} cannot be written: {error.strerror}", "set FOLDLINE_DATA") from error
        self._locks[id] = lock

    def release(self, id: str) -> None:
        """Let others drive the run; of one that left no file nothing is left."""
        lock = self._locks.pop(id, None)
        if lock is not None:
            lock.release()
            if not self.path(id).exists():  # nobody else knows of it
                _remove(self.path(id).with_suffix(".lock"))

    def rename(self, id: str, title: str) -> None:
        """Give a run that nobody drives a name."""
        recorder, _ = self.reopened(id)
        try:
            recorder.write(Renamed(title=title))
        finally:
            recorder.close()
            self.release(id)

    def delete(self, id: str) -> None:
        """Delete a run that nobody drives. Raises RunError where somebody does, or it cannot be deleted."""
        path = self.path(id)
        self._lock(id, path)
        try:
            path.unlink(missing_ok=True)
            path.with_suffix(".lock").unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{path} cannot be deleted: {error.strerror}", "delete the file by hand") from error
        finally:
            self.release(id)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _told(path: Path, changed: float, size: int) -> RunInfo | None:
    """What the file says of itself: its first line, and the newest name it was given."""
    data = path.read_bytes()
    lines = data[: data.rfind(b"\n") + 1].split(b"\n")
    try:
        first = Began.model_validate_json(lines[0])
    except ValueError:
        return None
    names = [name for line in lines if line.startswith(b'{"kind":"renamed"') and (name := _name(line)) is not None]
    title = (names[-1] if names else first.title) or _first_typed(lines)
    return RunInfo(path.stem, title, first.settings.provider, first.settings.model, changed, size)


def _first_typed(lines: Iterable[bytes]) -> str:
    """The first line of what was typed first, as a name for a run that has none."""
    typed = next((line for line in lines if line.startswith(b'{"kind":"message"') and b'"role":"user"' in line), None)
    try:
        text = Arrived.model_validate_json(typed).message.content if typed else ""
    except ValueError:
        return ""
    return cut(" ".join(text.split()), TITLE_CHARS)


def _name(line: bytes) -> str | None:
    try:
        return Renamed.model_validate_json(line).title
    except ValueError:
        return None
