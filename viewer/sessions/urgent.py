"""What a person waits for goes first: while the answer to a slider is made, findings are not worked out.

Both are Python, of which one thread runs at a time: beside long work, an answer would take twice as long, and so would what
sends it to the browser.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

SENDING = 0.05
"""Seconds that an answer takes to be on its way, once it is made."""

LONGEST = 1.0
"""Seconds that long work waits for one answer: should that wait for the work, both go on."""

_PAUSE = 0.005


class Urgent:
    """Counts the answers that are being made."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock, self._sleep, self._lock = clock, sleep, Lock()
        self._made, self._begun, self._free = 0, 0.0, 0.0

    @contextmanager
    def first(self) -> Iterator[None]:
        """What is done inside goes first."""
        with self._lock:
            self._begun = self._begun if self._made else self._clock()
            self._made += 1
        try:
            yield
        finally:
            with self._lock:
                self._made -= 1
                self._free = self._clock() + SENDING

    def wait(self) -> None:
        """Return once no answer is being made, or is on its way."""
        while self._goes_first():
            self._sleep(_PAUSE)

    def _goes_first(self) -> bool:
        if self._made:
            return self._clock() < self._begun + LONGEST
        return self._clock() < self._free


URGENT = Urgent()
