"""What writes a summary without a model."""

from collections.abc import Sequence

from core.model import Message


def structural(messages: Sequence[Message], prior: str | None) -> str:
    """A summary made of what the messages say."""
    return f"{len(messages)} messages"
