"""What is worked out of a session's messages is kept with them, and carried on when more arrive.

A live run gives a new list of messages at each moment, which begins with those of the list before. All of these lists share
one noun, which has seen the longest; it goes when the messages go.
"""

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Generic, Protocol, TypeVar

from core.model.cached import cached
from core.model.session import Message

_BRANCHES = 4  # sessions that begin with the very same message: a run, and what was forked of it


class Grows(Protocol):
    """What knows the messages it has seen, and can take in those that follow."""

    messages: list[Message]

    def take(self, messages: Sequence[Message]) -> None:
        """Take in the messages that follow."""


_Kind = TypeVar("_Kind", bound=Grows)


def kept(make: Callable[[], _Kind], messages: Sequence[Message]) -> _Kind:
    """What `make` makes, once it has seen these messages, of which there is at least one; it may have seen more."""
    branches: _Branches[_Kind] = cached(messages[0], make, lambda _: _Branches())
    with branches.lock:
        if branches.asked is messages and branches.known and isinstance(messages, tuple):
            return branches.known[0]
        found = next((one for one in branches.known if _agree(one.messages, messages)), None) or make()
        found.take(messages[len(found.messages) :])
        branches.known = [found, *(one for one in branches.known if one is not found)][:_BRANCHES]
        branches.asked = messages
    return found


class _Branches(Generic[_Kind]):
    """What is known of the sessions that begin with a message. It is not written where the message is: it can be made anew."""

    def __init__(self) -> None:
        self.known: list[_Kind] = []
        self.asked: Sequence[Message] = ()  # last, of which the first that is known has seen all
        self.lock = RLock()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return _Branches, ()


def _agree(some: Sequence[Message], others: Sequence[Message]) -> bool:
    """Whether one of the lists begins with the other."""
    both = min(len(some), len(others))
    return list(some[:both]) == list(others[:both])
