"""How much of a transcript is read: kept by the reader, looked at by another thread while it waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Progress:
    """How many bytes of a file are read. What is read twice counts once."""

    read: int = 0

    def reach(self, byte: int) -> None:
        """The file is read up to this byte."""
        self.read = max(self.read, byte)


_WATCHED: ContextVar[Progress | None] = ContextVar("progress", default=None)


@contextmanager
def watched(progress: Progress) -> Iterator[None]:
    """What this thread reads meanwhile is kept there."""
    token = _WATCHED.set(progress)
    try:
        yield
    finally:
        _WATCHED.reset(token)


def progress() -> Progress:
    """Where to keep what is read now."""
    return _WATCHED.get() or Progress()
