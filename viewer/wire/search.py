"""Full-text search over the messages of a session, and over those that the compactions of a trace put into the window.

Case does not matter, nor whether quotes are straight or curly. White space around what is looked for is ignored; an empty text
is found nowhere.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from core.model.call_texts import call_texts
from core.model.quotes import straight_quotes
from core.model.session import Message
from core.model.text import cut
from core.trace.trace import Trace

BEFORE, AFTER = 40, 160
"""At most so many characters of a text stand before and after what was found in it, cut at a word."""


def find_messages(messages: Sequence[Message], q: str) -> dict[str, Any]:
    """The indexes of the messages that contain `q` in content, thinking, tool names or arguments."""
    wanted = _folded(q.strip())
    hits = [i for i, message in enumerate(messages) if wanted and _holds(message, wanted)]
    return {"q": q, "total": len(hits), "hits": hits}


def find_added(trace: Trace, q: str) -> list[tuple[int, int]]:
    """The messages put into the window that contain `q`, such as summaries, by compaction and their place in what it added."""
    wanted = _folded(q.strip())
    if not wanted:
        return []
    added = ((k, m, message) for k, found in enumerate(trace.compactions) for m, message in enumerate(found.added))
    return [(k, m) for k, m, message in added if _holds(message, wanted)]


def snippet(message: Message, q: str) -> dict[str, str] | None:
    """The first place in a message that contains `q`: in which part of it, the text there, and what stands before and after."""
    wanted = _folded(q.strip())
    found = next(((part, text) for part, text in _texts(message) if wanted and _inside(text, wanted)), None)
    if found is None:
        return None
    part, text = found
    a, b = _span(text, wanted)
    before = cut(text[max(0, a - BEFORE - 1) : a][::-1], BEFORE)[::-1]
    return {"part": part, "before": before, "match": text[a:b], "after": cut(text[b : b + AFTER + 1], AFTER)}


def _texts(message: Message) -> Iterator[tuple[str, str]]:
    """The texts of a message, each with the part of it that says it."""
    yield "content", message.content
    if message.thinking:
        yield "thinking", message.thinking
    if message.name:
        yield "name", message.name
    for call in message.tool_calls:
        for text in call_texts(call):
            yield "call", text


def _holds(message: Message, wanted: str) -> bool:
    return any(_inside(text, wanted) for _, text in _texts(message))


def _folded(text: str) -> str:
    return straight_quotes(text.casefold())


def _inside(text: str, wanted: str) -> bool:
    """Whether a text contains `wanted`. Lower case is fast for ASCII; an ASCII word is first looked for in the bytes."""
    if text.isascii():
        return wanted.isascii() and wanted in text.lower()
    if wanted.isascii() and wanted.encode() in text.encode("utf-8", "surrogatepass").lower():
        return True
    return wanted in (_folded(text) if "'" in wanted or '"' in wanted else text.casefold())


def _span(text: str, wanted: str) -> tuple[int, int]:
    """From where to where a text that contains `wanted` first does: without case it may be longer ("ß" is "ss")."""
    at = _folded(text).index(wanted)
    lengths = range(len(text) + 1)
    begin = bisect_right(lengths, at, key=lambda k: len(text[:k].casefold())) - 1
    return begin, bisect_left(lengths, at + len(wanted), key=lambda k: len(text[:k].casefold()))
