"""OpenAI's Responses API.

https://developers.openai.com/api/docs/api-reference/responses/create
"""

from typing import Any

from core.llm.adapter import Adapter
from core.llm.failures import coded
from core.llm.openai_roles import OPENAI, role_of_instructions
from core.llm.protocol import Messages, Tools
from core.llm.provider import Provider
from core.llm.reply import Reply, table, text_of
from core.llm.responses_body import responses_body
from core.llm.responses_reply import ResponsesStream, responses_reply

PROVIDER = Provider(
    name="openai-responses",
    label="OpenAI (Responses)",
    **OPENAI,
    docs="https://developers.openai.com/api/docs/api-reference/responses/create",
    about="Responses API; the server stores nothing",
)


class ResponsesLLM(Adapter):
    """A model behind the Responses API."""

    provider = PROVIDER
    stream_reader = ResponsesStream
    leading = ("model", "stream")

    def count_tokens(self, messages: Messages, tools: Tools = ()) -> int:
        """Input tokens of what `complete` would send, by the provider's own endpoint. Raises ModelError."""
        left = ("store", "max_output_tokens")
        body = {key: value for key, value in self.request(messages, tools).items() if key not in left}
        return self._counted(lambda: self._client.responses.input_tokens.count(**body))

    def _body(self, messages: Messages, tools: Tools) -> dict[str, Any]:
        body = responses_body(self.model, messages, tools, role_of_instructions(self.endpoint))
        return body | ({"max_output_tokens": self.max_output} if self.max_output else {})

    def _send(self, body: dict[str, Any]) -> Any:
        return self._client.responses.create(**body)

    def _read(self, reply: dict[str, Any]) -> Reply:
        """The reply. Raises ModelError where it is an error (`status` is "failed")."""
        if error := table(reply.get("error")):
            raise coded(
                self.endpoint, text_of(error.get("code")) or text_of(error.get("type")), text_of(error.get("message"))
            )
        return responses_reply(reply)


connect = ResponsesLLM.connect
