"""Servers that speak OpenAI's Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, LiteLLM and many more.

The default address is Ollama's: https://docs.ollama.com/api/openai-compatibility
"""

from core.llm.line import TIMEOUT, line_to
from core.llm.openai_chat import ChatLLM
from core.llm.provider import Provider

PROVIDER = Provider(
    name="openai-compatible",
    label="Any server like OpenAI's (Ollama, vLLM, llama.cpp, LiteLLM)",
    base_url="http://localhost:11434/v1",
    needs_key=False,
    docs="https://docs.ollama.com/api/openai-compatibility",
    about="no key needed, unless the server wants one; the base URL mostly ends in /v1",
)


def connect(
    model: str,
    key: str = "",
    base_url: str = "",
    max_output: int | None = None,
    timeout: float = TIMEOUT,
    max_retries: int = 2,
) -> ChatLLM:
    """A model to ask, by the name its server knows. Raises ModelError, without having sent anything."""
    return CompatibleLLM(line_to(PROVIDER, model, key, base_url, timeout, max_retries), max_output)


class CompatibleLLM(ChatLLM):
    """A model behind a server that is not OpenAI's."""
