"""Full-text search over the messages of a session."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.model.session import Message, ToolCall


def find_messages(messages: Sequence[Message], q: str) -> dict[str, Any]:
    """The indexes of the messages that contain `q` in content, thinking, tool names or arguments. Case does not matter.

    White space around `q` is ignored; an empty `q` matches nothing.
    """
    wanted = q.strip().casefold()
    hits = [i for i, message in enumerate(messages) if wanted and _holds(message, wanted)]
    return {"q": q, "total": len(hits), "hits": hits}


def _holds(message: Message, wanted: str) -> bool:
    if _inside(message.content, wanted) or (message.thinking and _inside(message.thinking, wanted)):
        return True
    if message.name and _inside(message.name, wanted):
        return True
    return any(_inside(text, wanted) for call in message.tool_calls for text in _texts(call))


def _inside(text: str, wanted: str) -> bool:
    """Whether a text contains `wanted`. Lower case is fast for ASCII; an ASCII word is first looked for in the bytes."""
    if text.isascii():
        return wanted.isascii() and wanted in text.lower()
    if wanted.isascii() and wanted.encode() in text.encode("utf-8", "surrogatepass").lower():
        return True
    return wanted in text.casefold()


def _texts(call: ToolCall) -> Iterator[str]:
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
