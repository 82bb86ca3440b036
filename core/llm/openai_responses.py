"""OpenAI's Responses API.

https://developers.openai.com/api/docs/api-reference/responses/create
"""

from collections.abc import Sequence
from typing import Any

from core.llm.adapter import Adapter, Told
from core.llm.failures import coded
from core.llm.line import TIMEOUT, Line, line_to
from core.llm.openai_roles import BASE_URL, BASE_URLS, KEYS, MODELS, openai_client, role_of_instructions
from core.llm.protocol import ToolSpec
from core.llm.provider import Provider
from core.llm.reply import Reply, as_dict, table, words
from core.llm.responses_body import responses_body
from core.llm.responses_reply import ResponsesStream, responses_reply
from core.model import Message

PROVIDER = Provider(
    name="openai-responses",
    label="OpenAI (Responses)",
    models=MODELS,
    key_variables=KEYS,
    base_url_variables=BASE_URLS,
    base_url=BASE_URL,
    docs="https://developers.openai.com/api/docs/api-reference/responses/create",
    about="Responses API; nothing is stored by the server",
)


def connect(
    model: str,
    key: str = "",
    base_url: str = "",
    max_output: int | None = None,
    timeout: float = TIMEOUT,
    max_retries: int = 2,
) -> "ResponsesLLM":
    """A model to ask. `max_output` is in tokens (None: as the server has it), `timeout` in seconds. Raises ModelError."""
    return ResponsesLLM(line_to(PROVIDER, model, key, base_url, timeout, max_retries), max_output)


class ResponsesLLM(Adapter):
    """A model behind the Responses API."""

    leading = ("model", "stream")

    def __init__(self, line: Line, max_output: int | None) -> None:
        super().__init__(line)
        self.max_output = max_output

    def count_tokens(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        """Input tokens of what `complete` would send, by the provider's own endpoint. Raises ModelError."""
        left = ("store", "max_output_tokens")
        body = {key: value for key, value in self.request(messages, tools).items() if key not in left}
        return self._counted(lambda: self._client.responses.input_tokens.count(**body))

    def _connected(self) -> Any:
        return openai_client(self.line)

    def _body(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
        body = responses_body(self.model, messages, tools, role_of_instructions(self.line))
        return body | ({"max_output_tokens": self.max_output} if self.max_output else {})

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        return as_dict(self._client.responses.create(**body), self.line)

    def _events(self, body: dict[str, Any]) -> Any:
        return self._client.responses.create(**body)

    def _told(self) -> Told:
        return ResponsesStream()

    def _read(self, reply: dict[str, Any]) -> Reply:
        """What it says; raises ModelError where an error came in its place (`status` is "failed")."""
        if error := table(reply.get("error")):
            raise coded(self.line, words(error.get("code")) or words(error.get("type")), words(error.get("message")))
        return responses_reply(reply)
