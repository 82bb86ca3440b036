"""Threads that work something out of one session take turns, so that what all share is worked out once."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Turns:
    """One thread at a time. What a person waits for goes before the list of all findings, however long that has waited."""

    def __init__(self) -> None:
        self._changed, self._taken, self._first = Condition(), False, 0

    @property
    def waited_for(self) -> bool:
        """Whether something that a person waits for waits for a turn."""
        return self._first > 0

    @contextmanager
    def first(self) -> Iterator[None]:
        """A turn for what a person waits for: the losses, on the first screen or a later page, and the findings of a card."""
        with self._changed:
            self._first += 1
            self._changed.wait_for(lambda: not self._taken)
            self._first -= 1
            self._taken = True
        with self._given():
            yield

    @contextmanager
    def later(self) -> Iterator[None]:
        """A turn for the list of all findings."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._taken or self._first))
            self._taken = True
        with self._given():
            yield

    @contextmanager
    def _given(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()
