"""A run's file: every event is appended as it happens, and survives the end of the process right after.

One JSON object a line, as core/trace/events.py defines them. A killed process may leave half a line at the end: that event
did not happen, and the half line is cut off before the next event is written.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from core.model import private
from core.model.errors import FoldlineError, ParameterError, RunError
from core.trace.events import ANY_EVENT, AnyEvent, Event, now

READ_THE_REST = "open the file in the debugger, which reads the rest"


class Recorder:
    """Appends events to a file; each is handed to the operating system before `write` returns."""

    def __init__(self, path: Path, seq: int = 0) -> None:
        self.path, self.seq = path, seq
        self._opened: IO[bytes] | None = None
        if path.exists():
            self._file()

    def _file(self) -> IO[bytes]:
        """The file, created with the first event: a run without events leaves none."""
        if self._opened is None:
            try:
                _cut_half_line(self.path)
                self._opened = private.open_to_append(self.path)
            except OSError as error:
                raise unwritable(self.path, error) from error
        return self._opened

    def write(self, event: Event) -> Event:
        """The event with its number and time, once it is written. Raises RunError where that fails."""
        placed = event.model_copy(update={"seq": self.seq + 1, "time": event.time or now()})
        data = line_of(placed).encode("utf-8", "replace") + b"\n"
        try:
            self._append(data)
        except (OSError, ValueError) as error:
            raise RunError(f"{self.path} cannot be written: {error}", "free some space, then continue") from error
        self.seq += 1
        return placed

    def _append(self, data: bytes) -> None:
        """Write all of it or nothing: a full disk may have taken the beginning of the line."""
        file = self._file()
        start = os.fstat(file.fileno()).st_size
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
        except OSError:
            os.ftruncate(file.fileno(), start)
            raise

    def sync(self) -> None:
        """Have what was written survive a crash of the machine."""
        if self._opened is not None:
            os.fsync(self._opened.fileno())

    def close(self) -> None:
        """Write no more."""
        if self._opened is not None:
            self._opened.close()


class Nowhere:
    """A recorder that keeps nothing, for a run that is not to be on disk."""

    path: Path | None = None

    def __init__(self) -> None:
        self.seq = 0

    def write(self, event: Event) -> Event:
        """The event with its number and time."""
        self.seq += 1
        return event.model_copy(update={"seq": self.seq, "time": event.time or now()})

    def sync(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


def unwritable(path: Path, error: OSError) -> RunError:
    """The error for a path that cannot be written."""
    return RunError(f"{path} cannot be written: {error.strerror}", "set FOLDLINE_DATA to a folder that can be written")


def line_of(event: Event) -> str:
    """The event as a line of JSON without defaults, but with its kind, which stands first."""
    try:
        line = event.model_dump_json(exclude_defaults=True)
    except ValueError:  # half a surrogate pair, as models and files sometimes hold
        line = json.dumps(event.model_dump(exclude_defaults=True), ensure_ascii=False)
    kind = f'{{"kind":"{event.kind}"'  # type: ignore[attr-defined]
    mark = ',"foldline":"run","version":1' if event.kind == "began" else ""  # type: ignore[attr-defined]
    rest = line[1:]
    return kind + mark + ("" if rest == "}" else ",") + rest


def _cut_half_line(path: Path) -> None:
    """Remove what follows the last line break."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)


def read_events(path: Path) -> Iterator[AnyEvent]:
    """The events of a run's file, in order, without half a line at the end.

    Raises RunError where the file cannot be read, or is damaged in the middle.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path.name} cannot be read: {error.strerror}", "choose another run") from error
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].split(b"\n")[:-1], start=1):
        try:
            yield ANY_EVENT.validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            what = f"{path.name}, line {number}: {where}: {first['msg']}"
            raise RunError(what, READ_THE_REST) from None
        except ParameterError as error:  # a breakpoint that there cannot be
            raise line_error(path.name, number, error) from None


def line_error(file: str, line: int, error: FoldlineError) -> RunError:
    """An error of the event of a line, with the file and the line."""
    ways = [way for way in (error.hint, READ_THE_REST) if way]
    return RunError(f"{file}, line {line}: {error}", "; or ".join(ways))
