"""What a model is to everything else: one method, and what else it may be able to do."""

from collections.abc import Callable, Sequence
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


@runtime_checkable
class Streams(Protocol):
    """A model that tells its reply while it writes it, and can be stopped."""

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        heard: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Message:
        """Like `complete`; `heard` is given each piece of text. Raises RunCancelledError soon after `cancelled()` is true."""
        ...


@runtime_checkable
class Counts(Protocol):
    """A model whose provider counts a prompt before it is sent."""

    def count_tokens(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
        """Input tokens of what `complete` would send, by the provider's own endpoint. Raises ModelError."""
        ...


@runtime_checkable
class Shows(Protocol):
    """A model whose request can be looked at before it is sent."""

    def request(self, messages: Sequence[Message], tools: Sequence[ToolSpec], streamed: bool = False) -> dict[str, Any]:
        """The JSON body that `complete` would send, or `stream` if `streamed`: no headers, and so no key."""
        ...
