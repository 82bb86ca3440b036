"""What is done now while a file is made, for whoever waits for it."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_LISTENER: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


class Counted(Sized, Iterable[T_co], Protocol[T_co]):
    """Things whose number is known."""


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Within this, the listener hears what is done."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def tell(what: str) -> None:
    """Say what is done now."""
    if listener := _LISTENER.get():
        listener(what)


def counted(things: Counted[T], what: str) -> Iterator[T]:
    """The things, each told before it is given: "Simulating settings, 12 of 48"."""
    for number, thing in enumerate(things, 1):
        tell(f"{what}, {number:,} of {len(things):,}")
        yield thing
