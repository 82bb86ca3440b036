"""Tool calls and the results that answer them: which message answers which, as messages arrive."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.model.session import Message


class Pair(NamedTuple):
    """A tool call, the place of the message that made it and that of one that answers it; `first` unless it was answered."""

    call: str
    asked: int
    answered: int
    first: bool


class PairFinder:
    """Is given messages in order, and knows the calls so far. A result answers the newest call of its id."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._answered: set[tuple[int, str]] = set()

    def take(self, place: int, message: Message) -> Pair | None:
        """A message arrives; returns the pair that it completes."""
        if message.role != "tool":
            self._asked.update((call.id, place) for call in message.tool_calls)
            return None
        call = message.tool_call_id or ""
        if call not in self._asked:
            return None
        start = self._asked[call]
        first = (start, call) not in self._answered
        self._answered.add((start, call))
        return Pair(call, start, place, first)


def tool_pairs(messages: Iterable[tuple[int, Message]]) -> Iterator[Pair]:
    """Every pair among messages with their places, in the order of the results."""
    finder = PairFinder()
    found = (finder.take(place, message) for place, message in messages)
    return (pair for pair in found if pair is not None)
