"""The texts in a tool call, for searching."""

from collections.abc import Iterator
from typing import Any

from core.model.session import ToolCall


def call_texts(call: ToolCall) -> Iterator[str]:
    """Every text in a call: its name, the keys and values of its arguments at any depth, arguments that did not decode."""
    yield call.name
    if call.raw:
        yield call.raw
    waiting: list[Any] = [call.arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.keys())
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)
        elif value is not None:
            yield value if isinstance(value, str) else str(value)
