"""The events of a run on their way to its file: in order, each before the next thing is done, none left out."""

import threading
from contextlib import suppress
from typing import Protocol

from core.errors import FoldlineError
from core.events import Event


class Writer(Protocol):
    """What keeps the events of a run; `seq` is how many it has kept."""

    seq: int

    def write(self, event: Event) -> Event:
        """The event as it was kept."""
        ...

    def sync(self) -> None:
        """Have them outlive the machine."""
        ...

    def close(self) -> None:
        """Keep no more."""
        ...


class Journal:
    """Events in order. What cannot be written stands in front of what comes after it, and is tried again."""

    def __init__(self, recorder: Writer) -> None:
        self.recorder = recorder
        self._lock = threading.Lock()
        self._waiting: list[Event] = []

    def put_off(self, event: Event) -> None:
        """Write it with the next one: a run nobody told anything leaves no file."""
        self._waiting.append(event)

    def keep(self, event: Event) -> None:
        """Have the event written, but only once the run has begun: setting one up leaves no file either."""
        if self.recorder.seq:
            self.write(event)
        else:
            self.put_off(event)

    def write(self, event: Event) -> None:
        """Have the event written, behind those that could not be so far. Raises RunError where it cannot be."""
        with self._lock:
            self._waiting.append(event)
            self._write_waiting()

    def _write_waiting(self) -> None:
        while self._waiting:
            self.recorder.write(self._waiting[0])
            del self._waiting[0]

    def sync(self) -> None:
        """Have what was written outlive the machine."""
        self.recorder.sync()

    def close(self) -> None:
        """Write what still waits, if the run has begun, and no more."""
        if self.recorder.seq:
            with self._lock, suppress(FoldlineError):
                self._write_waiting()
        self.recorder.close()
