"""OpenAI's Chat Completions, and the servers that speak them.

https://developers.openai.com/api/docs/api-reference/chat/create
There is no endpoint that counts a prompt before it is sent: this model has no `count_tokens`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from core.llm.adapter import Adapter, Told
from core.llm.chat_body import chat_body
from core.llm.chat_reply import ChatStream, chat_reply
from core.llm.line import TIMEOUT, Line, line_to
from core.llm.openai_roles import BASE_URL, BASE_URLS, KEYS, MODELS, is_openai, openai_client, role_of_instructions
from core.llm.protocol import ToolSpec
from core.llm.provider import Provider
from core.llm.reply import Reply, as_dict
from core.model import Message

PROVIDER = Provider(
    name="openai-chat",
    label="OpenAI (Chat Completions)",
    models=MODELS,
    key_variables=KEYS,
    base_url_variables=BASE_URLS,
    base_url=BASE_URL,
    docs="https://developers.openai.com/api/docs/api-reference/chat/create",
    about="Chat Completions: no count of tokens before a call",
)


def connect(
    model: str,
    key: str = "",
    base_url: str = "",
    max_output: int | None = None,
    timeout: float = TIMEOUT,
    max_retries: int = 2,
) -> "ChatLLM":
    """A model to ask. `max_output` is in tokens (None: as the server has it), `timeout` in seconds. Raises ModelError."""
    return ChatLLM(line_to(PROVIDER, model, key, base_url, timeout, max_retries), max_output)


class ChatLLM(Adapter):
    """A model behind Chat Completions."""

    leading = ("model", "stream", "messages")
    streaming: ClassVar[dict[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}

    def __init__(self, line: Line, max_output: int | None) -> None:
        super().__init__(line)
        self.max_output = max_output

    def _connected(self) -> Any:
        return openai_client(self.line)

    def _body(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
        """The limit has a new name at OpenAI, where the old one is refused by models that reason; others know the old one."""
        limit = "max_completion_tokens" if is_openai(self.line) else "max_tokens"
        body = chat_body(self.model, messages, tools, role_of_instructions(self.line))
        return body | ({limit: self.max_output} if self.max_output else {})

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        return as_dict(self._client.chat.completions.create(**body), self.line)

    def _events(self, body: dict[str, Any]) -> Any:
        return self._client.chat.completions.create(**body)

    def _told(self) -> Told:
        return ChatStream()

    def _read(self, reply: dict[str, Any]) -> Reply:
        return chat_reply(reply)
