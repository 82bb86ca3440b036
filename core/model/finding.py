"""How a text is found in messages, in Debug and in the Library.

Case does not matter, nor whether quotes are straight or curly, nor how words are parted: a line break is a space, and so are
several. White space around what is looked for is ignored; an empty text is found nowhere.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.model.call_texts import call_texts
from core.model.quotes import straight_quotes
from core.model.session import Message


def wanted_in(query: str) -> str:
    """What is looked for, as `inside` takes it."""
    return " ".join(folded(query).split())


def message_texts(message: Message) -> Iterator[tuple[str, str]]:
    """The texts of a message that are searched, each with the part of it that says it."""
    yield "content", message.content
    if message.thinking:
        yield "thinking", message.thinking
    if message.name:
        yield "name", message.name
    for call in message.tool_calls:
        for text in call_texts(call):
            yield "call", text


def holds(message: Message, wanted: str) -> bool:
    """Whether a message contains what is `wanted`, as `wanted_in` gives it."""
    return any(inside(text, wanted) for _, text in message_texts(message))


def folded(text: str) -> str:
    """A text without case, its quotes straight."""
    return straight_quotes(text.casefold())


@lru_cache(maxsize=16)
def pattern(wanted: str) -> re.Pattern[str]:
    """Finds `wanted` in a folded text."""
    return re.compile(r"\s+".join(map(re.escape, wanted.split(" "))))


def inside(text: str, wanted: str) -> bool:
    """Whether a text contains `wanted`: mostly as it is, else with its words parted otherwise."""
    if _has(text, wanted):
        return True
    words = wanted.split(" ")
    return len(words) > 1 and all(_has(text, word) for word in words) and bool(pattern(wanted).search(folded(text)))


def _has(text: str, wanted: str) -> bool:
    """Whether a text contains it as it is. Lower case is fast for ASCII; an ASCII word is first looked for in the bytes."""
    if text.isascii():
        return wanted.isascii() and wanted in text.lower()
    if wanted.isascii() and wanted.encode() in text.encode("utf-8", "surrogatepass").lower():
        return True
    return wanted in (folded(text) if "'" in wanted or '"' in wanted else text.casefold())
