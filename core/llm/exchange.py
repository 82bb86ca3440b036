"""What went over the wire in one model call: the request, every attempt to send it, the reply. Headers are never kept.

Whoever wants to know opens an `Exchange` around the call with `exchanging`; the adapter and its HTTP client note there what
they send and get, also in a thread of their own. All text is masked before it is noted.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Attempt:
    """One HTTP request of a call. `at` is when it began, in seconds of the call, `seconds` how long until the answer began.

    `status` is the HTTP status, None where no answer came; `error` is what was answered instead of a reply, or what failed.
    """

    at: float
    seconds: float
    status: int | None = None
    error: str = ""


@dataclass(frozen=True)
class NextTry:
    """A request that the SDK sends again, as the server accepts no more of them at the moment.

    `wait` is how long the server asks to wait, in seconds, 0 where it does not say; `number` the next attempt, of at most `of`.
    """

    wait: float
    number: int
    of: int


@dataclass
class Exchange:
    """One model call. `url` holds no key; `request` and `reply` are JSON, None where nothing was sent or nothing came.

    `first` is when the first text of the reply came, in seconds of the call. `on_next_try` is called after each response, in
    the thread that sends: with the next try before the SDK waits for it, else with None.
    """

    url: str = ""
    request: Any = None
    reply: Any = None
    attempts: list[Attempt] = field(default_factory=list)
    first: float | None = None
    begun: float = field(default_factory=time.monotonic)
    on_next_try: Callable[[NextTry | None], None] = field(default=lambda coming: None)

    @property
    def seconds(self) -> float:
        """How long the call has taken so far."""
        return time.monotonic() - self.begun

    def note_text(self) -> None:
        """A piece of text has come."""
        if self.first is None:
            self.first = self.seconds


_NOW: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def current() -> Exchange | None:
    """The exchange that is open in this thread, or None."""
    return _NOW.get()


@contextmanager
def exchanging(exchange: Exchange | None) -> Iterator[None]:
    """Have what this thread sends and gets noted in the exchange."""
    token = _NOW.set(exchange)
    try:
        yield
    finally:
        _NOW.reset(token)
