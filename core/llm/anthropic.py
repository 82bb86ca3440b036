"""Anthropic's Messages API, and servers that speak it.

https://platform.claude.com/docs/en/api/messages/create
"""

from collections.abc import Sequence
from typing import Any

from core.context_windows import limits_of
from core.llm.adapter import Adapter, Told
from core.llm.anthropic_body import anthropic_body
from core.llm.anthropic_reply import AnthropicStream, anthropic_reply
from core.llm.line import TIMEOUT, Line, line_to
from core.llm.protocol import ToolSpec
from core.llm.provider import Provider
from core.llm.reply import Reply, as_dict
from core.model import Message

PROVIDER = Provider(
    name="anthropic",
    label="Anthropic",
    models=("claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5-1"),
    key_variables=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    base_url_variables=("ANTHROPIC_BASE_URL",),
    base_url="https://api.anthropic.com",
    docs="https://platform.claude.com/docs/en/api/messages/create",
    about="Messages API; the base URL of any server that speaks it will do, without /v1 at its end",
)
OUTPUT = 8_192
"""Tokens of the longest reply, where nobody says otherwise: this API wants a number."""


def connect(
    model: str,
    key: str = "",
    base_url: str = "",
    max_output: int | None = None,
    timeout: float = TIMEOUT,
    max_retries: int = 2,
) -> "AnthropicLLM":
    """A model to ask. `max_output` is in tokens, `timeout` in seconds. Raises ModelError, without having sent anything."""
    line = line_to(PROVIDER, model, key, base_url, timeout, max_retries)
    limits = limits_of(line.model)
    return AnthropicLLM(line, max_output or min(OUTPUT, limits.output if limits else OUTPUT))


class AnthropicLLM(Adapter):
    """A model behind the Messages API."""

    def __init__(self, line: Line, max_output: int) -> None:
        super().__init__(line)
        self.max_output = max_output

    def count_tokens(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        """Input tokens of what `complete` would send, by the provider's own endpoint. Raises ModelError."""
        body = {key: value for key, value in self.request(messages, tools).items() if key != "max_tokens"}
        return self._counted(lambda: self._client.messages.count_tokens(**body))

    def _connected(self) -> Any:
        import anthropic

        return self.line.client(anthropic, "Anthropic")

    def _body(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
        return anthropic_body(self.model, messages, tools) | {"max_tokens": self.max_output}

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        return as_dict(self._client.messages.create(**body), self.line)

    def _events(self, body: dict[str, Any]) -> Any:
        return self._client.messages.create(**body)

    def _told(self) -> Told:
        return AnthropicStream()

    def _read(self, reply: dict[str, Any]) -> Reply:
        return anthropic_reply(reply)
