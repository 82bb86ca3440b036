"""Anthropic's Messages API, and servers that support it.

https://platform.claude.com/docs/en/api/messages/create
"""

from typing import Any

from core.llm.adapter import Adapter
from core.llm.anthropic_body import anthropic_body
from core.llm.anthropic_reply import AnthropicStream, anthropic_reply
from core.llm.endpoint import Endpoint
from core.llm.protocol import Messages, Tools
from core.llm.provider import Provider
from core.llm.reply import Reply
from core.meters.context_windows import limits_of

PROVIDER = Provider(
    name="anthropic",
    label="Anthropic",
    models=("claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5-1"),
    key_variables=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    base_url_variables=("ANTHROPIC_BASE_URL",),
    base_url="https://api.anthropic.com",
    docs="https://platform.claude.com/docs/en/api/messages/create",
    about="Messages API; the base URL may be any server that supports it, without /v1 at the end",
)
OUTPUT = 8_192
"""Default limit of a reply in tokens: this API requires one."""


class AnthropicLLM(Adapter):
    """A model behind the Messages API."""

    provider = PROVIDER
    stream_reader = AnthropicStream
    sdk = ("anthropic", "Anthropic")

    def __init__(self, endpoint: Endpoint, max_output: int | None = None) -> None:
        limits = limits_of(endpoint.model)
        super().__init__(endpoint, max_output or min(OUTPUT, limits.output if limits else OUTPUT))

    def count_tokens(self, messages: Messages, tools: Tools = ()) -> int:
        """Input tokens of what `complete` would send, by the provider's own endpoint. Raises ModelError."""
        body = {key: value for key, value in self.request(messages, tools).items() if key != "max_tokens"}
        return self._counted(lambda: self._client.messages.count_tokens(**body))

    def _body(self, messages: Messages, tools: Tools) -> dict[str, Any]:
        return anthropic_body(self.model, messages, tools) | {"max_tokens": self.max_output}

    def _send(self, body: dict[str, Any]) -> Any:
        return self._client.messages.create(**body)

    def _read(self, reply: dict[str, Any]) -> Reply:
        return anthropic_reply(reply)


connect = AnthropicLLM.connect
