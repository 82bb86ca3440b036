"""The texts in a tool call, for searching."""

from collections.abc import Iterator
from typing import Any

from core.model.session import ToolCall


def call_texts(call: ToolCall) -> Iterator[str]:
    """The texts of a call, in order: its name, arguments that did not decode, keys and values of its arguments at any depth."""
    yield call.name
    if call.raw:
        yield call.raw
    waiting: list[Any] = [call.arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(part for key, inner in reversed(value.items()) for part in (inner, key))
        elif isinstance(value, list | tuple):
            waiting.extend(reversed(value))
        elif value is not None:
            yield value if isinstance(value, str) else str(value)
