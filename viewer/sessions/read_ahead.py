"""Reads a long session for summaries before a slider asks for them, while nothing more urgent is done."""

import threading

from core.model.give_way import giving_way
from core.summaries.blocks import read_ahead
from viewer.sessions.registry import Opened, RecentCache
from viewer.sessions.urgent import URGENT

LONG = 2_000
"""Messages: fewer are read in the time of a slider's move."""

_READERS: RecentCache[threading.Thread] = RecentCache(8)


def read_when_idle(session: Opened) -> threading.Thread | None:
    """Begin to read a session by a thread of its own, once for each; None for one that is short. Returns the thread."""
    if len(session.session.messages) < LONG:
        return None
    return _READERS.get_or_make(session.sid, lambda: _reader(session))


def _reader(session: Opened) -> threading.Thread:
    def read() -> None:
        with giving_way(URGENT.wait):
            read_ahead(session.measured.messages)

    thread = threading.Thread(target=read, name="read ahead", daemon=True)
    thread.start()
    return thread
