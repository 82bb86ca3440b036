"""How long work lets more urgent work of another thread go first: it asks, between two of its pieces, and is kept waiting."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WAIT: ContextVar[Callable[[], None] | None] = ContextVar("wait", default=None)


@contextmanager
def giving_way(wait: Callable[[], None]) -> Iterator[None]:
    """What this thread does meanwhile calls `wait` between its pieces: it returns once nothing is more urgent."""
    token = _WAIT.set(wait)
    try:
        yield
    finally:
        _WAIT.reset(token)


def give_way() -> None:
    """Wait while something else is more urgent, in a thread that gives way."""
    wait = _WAIT.get()
    if wait is not None:
        wait()
