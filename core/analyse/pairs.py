"""Tool calls and the results that answer them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.model import Message


class Pair(NamedTuple):
    """A tool call, the place of the message that made it and that of the one that answers it."""

    call: str
    asked: int
    answered: int


def pairs(messages: Iterable[tuple[int, Message]]) -> Iterator[Pair]:
    """Every call that is answered, of messages with their places; a result answers the newest open call of its id."""
    asked: dict[str, int] = {}
    for place, message in messages:
        if message.role == "tool":
            call = message.tool_call_id or ""
            if call in asked:
                yield Pair(call, asked.pop(call), place)
        elif message.tool_calls:
            asked.update((call.id, place) for call in message.tool_calls)
