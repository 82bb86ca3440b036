"""Full-text search over the messages of a session, and over those that the compactions of a trace put into the window."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from core.model.finding import folded, holds, inside, message_texts, pattern, wanted_in
from core.model.session import Message
from core.model.text import cut
from core.trace.trace import Trace

BEFORE, AFTER = 40, 160
"""At most so many characters of a text stand before and after what was found in it, cut at a word."""


def find_messages(messages: Sequence[Message], q: str) -> dict[str, Any]:
    """The indexes of the messages that contain `q` in content, thinking, tool names or arguments."""
    wanted = wanted_in(q)
    hits = [i for i, message in enumerate(messages) if wanted and holds(message, wanted)]
    return {"q": q, "total": len(hits), "hits": hits}


def find_added(trace: Trace, q: str) -> list[tuple[int, int]]:
    """The messages put into the window that contain `q`, such as summaries, by compaction and their place in what it added."""
    wanted = wanted_in(q)
    if not wanted:
        return []
    added = ((k, m, message) for k, found in enumerate(trace.compactions) for m, message in enumerate(found.added))
    return [(k, m) for k, m, message in added if holds(message, wanted)]


def snippet(message: Message, q: str) -> dict[str, str] | None:
    """The first place in a message that contains `q`: in which part of it, the text there, and what stands before and after."""
    wanted = wanted_in(q)
    found = next(((part, text) for part, text in message_texts(message) if wanted and inside(text, wanted)), None)
    if found is None:
        return None
    part, text = found
    a, b = _span(text, wanted)
    before = cut(text[max(0, a - BEFORE - 1) : a][::-1], BEFORE)[::-1]
    return {"part": part, "before": before, "match": text[a:b], "after": cut(text[b : b + AFTER + 1], AFTER)}


def _span(text: str, wanted: str) -> tuple[int, int]:
    """From where to where a text that contains `wanted` first does: without case it may be longer ("ß" is "ss")."""
    found = pattern(wanted).search(folded(text))
    start, end = found.span() if found else (0, 0)
    lengths = range(len(text) + 1)
    begin = bisect_right(lengths, start, key=lambda k: len(text[:k].casefold())) - 1
    return begin, bisect_left(lengths, end, key=lambda k: len(text[:k].casefold()))
