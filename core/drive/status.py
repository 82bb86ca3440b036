"""The state of a live run under one lock, with a version and listeners for readers that wait for a change."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.drive.state import State, Status
from core.llm.exchange import NextTry

ACTIVE: tuple[Status, ...] = ("running", "pausing")
BUSY: tuple[Status, ...] = (*ACTIVE, "paused")

_PIECES = 0.05
"""Seconds between two versions while a reply streams: a version for each piece would be too many."""


class RunStatus:
    """The state of a run. Readers hold `lock` while they look, never for long."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.state = State()
        self.version = 1
        self._listeners: list[Callable[[], None]] = []
        self._piece_shown_at = 0.0

    def bump(self) -> None:
        """Raise the version, and tell everybody who waits."""
        with self.changed:
            self.version += 1
            self.changed.notify_all()
            for listener in self._listeners:
                listener()

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` at each new version, in the thread that makes it; it must return at once."""
        with self.lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self.lock:
                self._listeners.remove(listener)

    def show(self, status: Status) -> None:
        """The run has this status from now on."""
        with self.lock:
            self.state.status = status
            self.set_activity(self.state.activity if status in ACTIVE else "")

    def set_activity(self, activity: str) -> None:
        """The run does this from now on."""
        with self.lock:
            self.state.activity = activity
            self._mark(None)

    def set_next_try(self, coming: NextTry | None) -> None:
        """The server accepts no more requests at the moment, and the call is sent again; None where that is over."""
        with self.lock:
            if coming != self.state.next_try:
                self._mark(coming)

    def _mark(self, coming: NextTry | None) -> None:
        """Something else goes on from now on."""
        self.state.next_try, self.state.activity_since = coming, time.monotonic()
        self.bump()

    def add_text(self, text: str) -> None:
        """A piece of the reply that streams."""
        with self.lock:
            self.state.partial_reply += text
            self.state.activity = "writing"
            if time.monotonic() - self._piece_shown_at > _PIECES:
                self._piece_shown_at = time.monotonic()
                self.bump()

    def notice(self, text: str) -> None:
        """The outcome of a command that had to wait."""
        with self.lock:
            self.state.notice = (self.state.notice[0] + 1, text)
            self.bump()

    def wait(self, seconds: float) -> str:
        """Wait until the run is not active, at most so many seconds; returns its status."""
        with self.changed:
            self.changed.wait_for(lambda: self.state.status not in ACTIVE, seconds)
            return self.state.status
