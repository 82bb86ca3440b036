"""Full-text search over the messages of a session."""

from collections.abc import Sequence
from typing import Any

from core.model.call_texts import call_texts
from core.model.session import Message
from core.trace.trace import Trace


def find_messages(messages: Sequence[Message], q: str) -> dict[str, Any]:
    """The indexes of the messages that contain `q` in content, thinking, tool names or arguments. Case does not matter.

    White space around `q` is ignored; an empty `q` matches nothing.
    """
    wanted = q.strip().casefold()
    hits = [i for i, message in enumerate(messages) if wanted and _holds(message, wanted)]
    return {"q": q, "total": len(hits), "hits": hits}


def find_summaries(trace: Trace, q: str) -> list[int]:
    """The indexes of the compactions that put a message with `q` into the window, such as a summary, recorded ones too."""
    wanted = q.strip().casefold()
    if not wanted:
        return []
    return [k for k, found in enumerate(trace.compactions) if any(_holds(message, wanted) for message in found.added)]


def _holds(message: Message, wanted: str) -> bool:
    if _inside(message.content, wanted) or (message.thinking and _inside(message.thinking, wanted)):
        return True
    if message.name and _inside(message.name, wanted):
        return True
    return any(_inside(text, wanted) for call in message.tool_calls for text in call_texts(call))


def _inside(text: str, wanted: str) -> bool:
    """Whether a text contains `wanted`. Lower case is fast for ASCII; an ASCII word is first looked for in the bytes."""
    if text.isascii():
        return wanted.isascii() and wanted in text.lower()
    if wanted.isascii() and wanted.encode() in text.encode("utf-8", "surrogatepass").lower():
        return True
    return wanted in text.casefold()
