"""What messages think: it stands in a window with them, though nobody searches it for what was told."""

from collections.abc import Iterable

from core.model.cached import cached
from core.model.session import Message

NEAR = 200
"""Messages before a use whose thoughts are looked at."""


def thinks(messages: Iterable[Message], text: str) -> bool:
    """Whether the thoughts of one of the messages have a text, whatever its case."""
    wanted = text.casefold()
    return any(wanted in _thought(message) for message in messages if message.thinking)


def _thought(message: Message) -> str:
    """What a message thinks, whatever its case: asked for once for each name that anybody used."""
    return cached(message, "thought", lambda message: message.thinking.casefold())
