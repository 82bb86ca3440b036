"""What a live run shows of itself: its state under one lock, with a version that whoever looks can wait for."""

import threading
import time

from core.drive.state import State, Status

AT_WORK: tuple[Status, ...] = ("running", "pausing")
BUSY: tuple[Status, ...] = (*AT_WORK, "paused")

_HEARD = 0.05
"""Seconds between two versions while a reply is written: each piece of it is too many."""


class Board:
    """The state of a run. Readers hold `lock` while they look; it is never held for long."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.state = State()
        self.version = 1
        self._heard_at = 0.0

    def bump(self) -> None:
        """Something is new."""
        with self.changed:
            self.version += 1
            self.changed.notify_all()

    def show(self, status: Status) -> None:
        """The lamp."""
        with self.lock:
            self.state.status = status
            if status not in AT_WORK:
                self.state.doing = ""
            self.state.since = time.monotonic()
            self.bump()

    def doing(self, what: str) -> None:
        """What it is at, from now on."""
        with self.lock:
            self.state.doing, self.state.since = what, time.monotonic()
            self.bump()

    def heard(self, text: str) -> None:
        """A piece of the reply that is being written."""
        with self.lock:
            self.state.partial += text
            self.state.doing = "writing"
            if time.monotonic() - self._heard_at > _HEARD:
                self._heard_at = time.monotonic()
                self.bump()

    def notice(self, text: str) -> None:
        """What became of a command that could not be answered at once."""
        with self.lock:
            self.state.notice = (self.state.notice[0] + 1, text)
            self.bump()

    def wait(self, seconds: float) -> str:
        """Wait until the run is not at work any more, or that long; returns its status."""
        until = time.monotonic() + seconds
        with self.changed:
            while self.state.status in AT_WORK and (left := until - time.monotonic()) > 0:
                self.changed.wait(left)
            return self.state.status
