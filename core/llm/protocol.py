"""What a model is to everything else: one method."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from core.model import Message

ToolSpec = dict[str, Any]
"""One tool as a model is told of it: `name`, `description` and `parameters`, a JSON schema."""


@runtime_checkable
class LLM(Protocol):
    """A model. Any provider's adapter, and any fake, is one object with this method."""

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        """The model's reply to a window: text, tool calls or both. `tools` empty: text alone can come back."""
        ...
