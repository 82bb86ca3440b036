"""Transcripts that are being opened, each by a thread of its own: how far it is, and how a large one begins.

The thread leaves the session in the caches of `sources` and `registry`, where the page finds it.
"""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core import FoldlineError
from core.importers._beginning import BEGINNING_BYTES, beginning
from core.model.progress import Progress, watched
from core.model.session import Message, Session
from viewer.sessions.registry import RecentCache, digest, opened
from viewer.sessions.sources import Source, open_source, start_of

ROWS = 40
"""The messages of the beginning: more than a screen shows."""


@dataclass
class Opening:
    """A transcript that is being opened. `id` names it in addresses of the API; `size` is that of its file in bytes, or 0.

    `beginning` are its first messages, as soon as they are known; `messages` is how many there are once all of it is read.
    `error` is why it does not open.
    """

    id: str
    name: str
    size: int = 0
    beginning: tuple[Message, ...] = ()
    messages: int = 0
    error: FoldlineError | None = None
    progress: Progress = field(default_factory=Progress)
    _looked: threading.Event = field(default_factory=threading.Event)
    _done: threading.Event = field(default_factory=threading.Event)
    _started: float = field(default_factory=time.monotonic)

    @property
    def is_done(self) -> bool:
        """Whether it is open, or does not open."""
        return self._done.is_set()

    @property
    def stage(self) -> Literal["reading", "counting", "done"]:
        """What is being done."""
        return "done" if self.is_done else "counting" if self.messages else "reading"

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, or has taken so many seconds since it started. Returns whether it has ended."""
        return self._done.wait(max(0.0, self._started + seconds - time.monotonic()))

    def begins(self, seconds: float) -> bool:
        """Wait at most so long for its first bytes to be read. Returns whether it has a beginning and is still being opened."""
        return self._looked.wait(seconds) and bool(self.beginning) and not self.is_done

    def run(self, source: Source, local: bool, session: str, lane: str, meter_name: str) -> None:
        """Open and count the session. What the meter raises is left to the page, which then counts by another."""
        try:
            self._begin(source, local)
            with watched(self.progress):
                loaded = open_source(source, local, session, lane)
            self.messages = len(loaded.session.messages)
        except FoldlineError as error:
            self.error = error
        else:
            _count(loaded.key, loaded.session, meter_name)
        finally:
            self._done.set()
            self._looked.set()

    def _begin(self, source: Source, local: bool) -> None:
        """Look at the first bytes, of a file that has more than that."""
        start, self.size = start_of(source, local, BEGINNING_BYTES)
        if self.size > len(start):
            self.beginning = beginning(start, ROWS)
        self._looked.set()


def _count(key: str, session: Session, meter_name: str) -> None:
    with suppress(FoldlineError):
        opened(key, session, meter_name)


_OPENINGS: RecentCache[Opening] = RecentCache(16)


def opening(
    source: Source, local: bool, session: str = "", lane: str = "", meter_name: str = "", *, again: bool = False
) -> Opening:
    """The opening of what these name: the one that was begun, else a new one; `again`, unless it is still going on."""
    id = _id(source, session, lane, meter_name)
    with _LOCK:
        found = _OPENINGS.get(id)
        if found is None or (again and found.is_done):
            found = _OPENINGS.put(id, Opening(id, Path(source.name).name))
            given = (source, local, session, lane, meter_name)
            threading.Thread(target=found.run, args=given, daemon=True).start()
    return found


def opening_called(id: str) -> Opening | None:
    """The opening with this id, or None."""
    return _OPENINGS.get(id)


def opening_of(source: Source, session: str = "", lane: str = "", meter_name: str = "") -> Opening | None:
    """The opening of what these name, if one was begun."""
    return _OPENINGS.get(_id(source, session, lane, meter_name))


def ended_opening(source: Source, session: str = "", lane: str = "", meter_name: str = "") -> Opening | None:
    """The opening that has ended, if there is one. It is given once: the next one reads the file as it then is."""
    found = opening_of(source, session, lane, meter_name)
    if found is None or not found.is_done:
        return None
    _OPENINGS.drop(found.id)
    return found


def _id(source: Source, session: str, lane: str, meter_name: str) -> str:
    return digest(str(source), session, lane, meter_name)


_LOCK = threading.Lock()
