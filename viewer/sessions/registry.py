"""What this server process holds open: sessions counted by a meter, and traces. The page and the API share it.

Both are bounded; what falls out is made again when the page next asks. Keys are digests of what they name.
"""

import gc
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from core import Session, Trace, meter, replay
from core.measured import Measured
from viewer.lists import started_here
from viewer.pack import store_bytes

T = TypeVar("T")


class Recent(Generic[T]):
    """The newest things made, by key: at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size, self._held, self._lock = size, OrderedDict[str, T](), threading.Lock()

    def get(self, key: str) -> T | None:
        """What is held under the key, or None."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def take(self, key: str, make: Callable[[], T]) -> T:
        """What is held under the key, made first if need be."""
        found = self.get(key)
        return self.put(key, make()) if found is None else found

    def put(self, key: str, value: T) -> T:
        """Hold the value, forgetting the least used beyond the size; returns it."""
        with self._lock:
            self._held[key] = value
            self._held.move_to_end(key)
            while len(self._held) > self._size:
                self._held.popitem(last=False)
        return value


@dataclass(frozen=True)
class Opened:
    """A session under one meter: what the browser is sent once. `sid` names it in addresses of the API."""

    sid: str
    session: Session
    recorded: Trace

    @property
    def measured(self) -> Measured:
        """The session's messages with their tokens."""
        return self.recorded.measured

    @cached_property
    def started(self) -> dict[str, list[tuple[int, str, int]]]:
        """The sub-agents that each message started, by its id."""
        return started_here(self.session)

    @cached_property
    def packed(self) -> bytes:
        """The store of docs/wire.md."""
        return store_bytes(self.sid, self.recorded)


OPENED: Recent[Opened] = Recent(8)
TRACES: Recent[Trace] = Recent(64)


def opened(source_key: str, session: Session, meter_name: str) -> Opened:
    """The session counted by the meter, from the registry if it is there. Raises what the meter raises."""
    sid = digest(source_key, meter_name)
    found = OPENED.take(sid, lambda: Opened(sid, session, replay(session, meter=meter(meter_name))))
    settle(sid)
    return found


def settle(key: str) -> None:
    """Once for each key: what was made until now is left out of every later search for rings of objects.

    Streamlit has all objects searched after every run of the script (ScriptRunner calls `gc.collect(2)`): with a session of
    100,000 messages in memory that takes longer than a slider's move may. Sessions hold no rings, and are freed all the
    same when they are let go. https://docs.python.org/3/library/gc.html#gc.freeze
    """
    if _settled.get(key) is None:
        _settled.put(key, True)
        gc.freeze()


_settled: Recent[bool] = Recent(64)


def digest(*parts: str) -> str:
    """A short name for these texts, the same every time."""
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
