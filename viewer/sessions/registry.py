"""The sessions and traces that this server keeps in memory, shared by the pages and the API.

Both caches are bounded; the page makes again what was dropped. Keys are digests of what they name.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from core import Session, Trace, meter, replay
from core.engine.default_meter import default_meter
from core.model.gc_pause import gc_paused
from core.window.measured import Measured
from viewer.wire.lists import started_here
from viewer.wire.pack import store_bytes

T = TypeVar("T")


@dataclass
class _Turn:
    """The lock of a value that is being made, and how many threads make it or wait for it."""

    lock: "threading.RLock" = field(default_factory=threading.RLock)
    threads: int = 0


class RecentCache(Generic[T]):
    """A cache of the `size` most recently used values, by key."""

    def __init__(self, size: int) -> None:
        self._size, self._values, self._lock = size, OrderedDict[str, T](), threading.Lock()
        self._turns: dict[str, _Turn] = {}

    def get(self, key: str) -> T | None:
        """The value of a key, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def get_or_make(self, key: str, make: Callable[[], T]) -> T:
        """The value of a key; `make` makes a missing one, in one thread: others wait for it, and make it if that failed."""
        found = self.get(key)
        if found is not None:
            return found
        with self._turn(key):
            found = self.get(key)
            return self.put(key, make()) if found is None else found

    @contextmanager
    def _turn(self, key: str) -> Iterator[None]:
        """One thread at a time for each key."""
        with self._lock:
            turn = self._turns.setdefault(key, _Turn())
            turn.threads += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.threads -= 1
                if not turn.threads:
                    del self._turns[key]

    def put(self, key: str, value: T) -> T:
        """Keep the value, and drop the least recently used beyond the size; returns the value."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value

    def drop(self, key: str) -> None:
        """Forget the value of a key."""
        with self._lock:
            self._values.pop(key, None)


@dataclass(frozen=True)
class Opened:
    """A session counted by one meter. `sid` names it in addresses of the API."""

    sid: str
    session: Session
    recorded: Trace

    @property
    def measured(self) -> Measured:
        """The session's messages with their tokens."""
        return self.recorded.measured

    @cached_property
    def started(self) -> dict[str, list[tuple[int, str, int]]]:
        """The sub-agents that each message started, by message id."""
        return started_here(self.session)

    @cached_property
    def packed(self) -> bytes:
        """The store of docs/wire.md."""
        return store_bytes(self.sid, self.recorded)


OPENED: RecentCache[Opened] = RecentCache(8)
TRACES: RecentCache[Trace] = RecentCache(64)
_DEFAULT_METERS: RecentCache[str] = RecentCache(64)


def opened(source_key: str, session: Session, meter_name: str = "") -> Opened:
    """The session counted by the meter, or by its default one, and packed; from the cache if possible.

    Raises what the meter raises.
    """
    name = meter_name or _DEFAULT_METERS.get_or_make(source_key, lambda: default_meter(session))
    sid = digest(source_key, name)
    return OPENED.get_or_make(sid, lambda: _open(sid, session, name))


def _open(sid: str, session: Session, meter_name: str) -> Opened:
    with gc_paused():
        made = Opened(sid, session, replay(session, meter=meter(meter_name)))
        _ = made.packed
    return made


def digest(*parts: str) -> str:
    """A short, stable name for these texts."""
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
