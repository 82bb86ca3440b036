"""The events of a run on their way to its file: each is written before the next thing is done, and none is left out."""

import threading
from contextlib import suppress
from typing import Protocol

from core.model.errors import FoldlineError
from core.trace.events import Event


class Writer(Protocol):
    """Keeps the events of a run; `seq` is the number of the newest."""

    seq: int

    def write(self, event: Event) -> Event:
        """Keep the event; returns it with its number and time."""
        ...

    def sync(self) -> None:
        """Have the events survive a crash of the machine."""
        ...

    def close(self) -> None:
        """Keep no more."""
        ...


class Journal:
    """Writes events in order. An event that cannot be written is tried again before the next one."""

    def __init__(self, recorder: Writer) -> None:
        self.recorder = recorder
        self._lock = threading.Lock()
        self._waiting: list[Event] = []

    def put_off(self, event: Event) -> None:
        """Write the event together with the next one: a run without a typed message leaves no file."""
        self._waiting.append(event)

    def keep(self, event: Event) -> None:
        """Write the event if the run has a file already, else put it off."""
        if self.recorder.seq:
            self.write(event)
        else:
            self.put_off(event)

    def write(self, event: Event) -> None:
        """Write the event, after those that still wait. Raises RunError where that fails."""
        with self._lock:
            self._waiting.append(event)
            self._write_waiting()

    def _write_waiting(self) -> None:
        while self._waiting:
            self.recorder.write(self._waiting[0])
            del self._waiting[0]

    def sync(self) -> None:
        """Have the events survive a crash of the machine."""
        self.recorder.sync()

    def close(self) -> None:
        """Write what still waits, if the run has a file, and no more."""
        if self.recorder.seq:
            with self._lock, suppress(FoldlineError):
                self._write_waiting()
        self.recorder.close()
