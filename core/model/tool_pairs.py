"""Tool calls and the results that answer them: which message answers which, as messages arrive."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.model.session import Message


class Pair(NamedTuple):
    """A tool call by its id, and the places of its message and of a result; `first` unless it was answered before."""

    call: str
    call_at: int
    result_at: int
    first: bool


class PairFinder:
    """Is given messages in order, and knows the calls so far. A result answers the newest call of its id."""

    def __init__(self) -> None:
        self._calls: dict[str, int] = {}
        self._answered: set[tuple[int, str]] = set()

    def take(self, place: int, message: Message) -> Pair | None:
        """A message arrives; returns the pair that it completes."""
        if message.role != "tool":
            for made in message.tool_calls:
                self._calls[made.id] = place
            return None
        call = message.tool_call_id or ""
        if call not in self._calls:
            return None
        start = self._calls[call]
        first = (start, call) not in self._answered
        self._answered.add((start, call))
        return Pair(call, start, place, first)


def tool_pairs(messages: Iterable[tuple[int, Message]]) -> Iterator[Pair]:
    """Every pair among messages with their places, in the order of the results."""
    finder = PairFinder()
    for place, message in messages:
        if (pair := finder.take(place, message)) is not None:
            yield pair
