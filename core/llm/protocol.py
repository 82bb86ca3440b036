"""The interface of a model: one method, and three more that a model may have."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from core.model.session import Message

ToolSpec = dict[str, Any]
"""One tool as it is described to a model: `name`, `description` and `parameters`, a JSON schema."""

Messages = Sequence[Message]
Tools = Sequence[ToolSpec]
OnText = Callable[[str], None]
Cancelled = Callable[[], bool]


@runtime_checkable
class LLM(Protocol):
    """A model: any object with this method, such as a provider's adapter or a fake."""

    def complete(self, messages: Messages, tools: Tools) -> Message:
        """The model's reply to a window: text, tool calls or both; only text without `tools`."""
        ...


@runtime_checkable
class Streams(Protocol):
    """A model that can stream its reply, and can be stopped."""

    def stream(self, messages: Messages, tools: Tools, on_text: OnText, cancelled: Cancelled) -> Message:
        """Like `complete`; `on_text` gets each piece of text. Raises RunCancelledError soon after `cancelled()` is true."""
        ...


@runtime_checkable
class Counts(Protocol):
    """A model whose provider counts a prompt before it is sent."""

    def count_tokens(self, messages: Messages, tools: Tools) -> int:
        """Input tokens of what `complete` would send, by the provider's own endpoint. Raises ModelError."""
        ...


@runtime_checkable
class Shows(Protocol):
    """A model whose request can be inspected before it is sent."""

    def request(self, messages: Messages, tools: Tools, streamed: bool = False) -> dict[str, Any]:
        """The JSON body that `complete` would send, or `stream` if `streamed`: no headers, and so no key."""
        ...
