"""The text of a message: what it says, and the values its tool calls are given."""

from collections.abc import Iterator
from typing import Any

from core.model.session import Message

_LONGEST = 14_000  # bits: Python refuses to write a longer whole number


def texts(message: Message) -> Iterator[str]:
    """The content, then the values of each call's arguments, in the order they were written; none is empty.

    Keys, names of tools, thinking and pictures are left out.
    """
    if message.content:
        yield message.content
    yield from argument_texts(message)


def argument_texts(message: Message) -> Iterator[str]:
    """The values of the arguments of each call; those that did not decode are one text."""
    for call in message.tool_calls:
        if call.raw:
            yield call.raw
        yield from values(call.arguments)


def values(value: Any) -> Iterator[str]:
    """The strings and numbers of a value of JSON at any depth, in order; none is empty."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if value:
                yield value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list | tuple):
            waiting.extend(reversed(value))
        elif number := written(value):
            yield number


def written(value: Any) -> str:
    """A number as text; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return "" if isinstance(value, int) and value.bit_length() > _LONGEST else str(value)
