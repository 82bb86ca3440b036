"""The messages of a session as *Find* looks at them, small enough to keep: they say in how many it will find a text."""

import zlib
from collections.abc import Iterable, Iterator

from core.model.finding import folded, message_texts, wanted_in
from core.model.session import Message
from core.trace.trace import Trace

_MESSAGE, _TEXT = "\x1e", "\x1f"  # what parts the messages, and the texts of one
_AS_SPACES = str.maketrans(dict.fromkeys(_MESSAGE + _TEXT, " "))


def searched(trace: Trace) -> Iterator[Message]:
    """The messages of a trace, and those that its compactions put in beside copies of these."""
    yield from trace.measured.messages
    for event in trace.compactions:
        yield from (message for message in event.added if message.id not in trace.measured.places)


def packed(messages: Iterable[Message]) -> bytes:
    """The texts of messages, for `holding`."""
    bodies = (_TEXT.join(_plain(text) for _, text in message_texts(message)) for message in messages)
    return zlib.compress(_MESSAGE.join(bodies).encode("utf-8", "surrogatepass"), 1)


def holding(bodies: bytes, query: str) -> int:
    """How many of the messages hold the text of a query."""
    wanted = wanted_in(query)
    text = zlib.decompress(bodies).decode("utf-8", "surrogatepass")
    return sum(wanted in body for body in text.split(_MESSAGE)) if wanted and wanted in text else 0


def _plain(text: str) -> str:
    return " ".join(folded(text).translate(_AS_SPACES).split())
