"""OpenAI's Chat Completions, and the servers that support them.

https://developers.openai.com/api/docs/api-reference/chat/create
There is no endpoint that counts a prompt before it is sent: this model has no `count_tokens`.
"""

from typing import Any, ClassVar

from core.llm.adapter import Adapter
from core.llm.chat_body import chat_body
from core.llm.chat_reply import ChatStream, chat_reply
from core.llm.openai_roles import OPENAI, is_openai, role_of_instructions
from core.llm.protocol import Messages, Tools
from core.llm.provider import Provider
from core.llm.reply import Reply

PROVIDER = Provider(
    name="openai-chat",
    label="OpenAI (Chat Completions)",
    **OPENAI,
    docs="https://developers.openai.com/api/docs/api-reference/chat/create",
    about="Chat Completions; cannot count tokens before a call",
)


class ChatLLM(Adapter):
    """A model behind Chat Completions."""

    provider = PROVIDER
    stream_reader = ChatStream
    leading = ("model", "stream", "messages")
    streaming: ClassVar[dict[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}

    def _body(self, messages: Messages, tools: Tools) -> dict[str, Any]:
        """OpenAI has renamed the limit, and its reasoning models refuse the old name; other servers know only the old one."""
        limit = "max_completion_tokens" if is_openai(self.endpoint) else "max_tokens"
        body = chat_body(self.model, messages, tools, role_of_instructions(self.endpoint))
        return body | ({limit: self.max_output} if self.max_output else {})

    def _send(self, body: dict[str, Any]) -> Any:
        return self._client.chat.completions.create(**body)

    def _read(self, reply: dict[str, Any]) -> Reply:
        return chat_reply(reply)


connect = ChatLLM.connect
