"""Servers that support OpenAI's Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, LiteLLM and many more.

The default address is Ollama's: https://docs.ollama.com/api/openai-compatibility
"""

from core.llm.openai_chat import ChatLLM
from core.llm.provider import Provider

PROVIDER = Provider(
    name="openai-compatible",
    label="Any server like OpenAI's (Ollama, vLLM, llama.cpp, LiteLLM)",
    base_url="http://localhost:11434/v1",
    needs_key=False,
    docs="https://docs.ollama.com/api/openai-compatibility",
    about="no key needed unless the server requires one; the base URL usually ends in /v1",
)


class CompatibleLLM(ChatLLM):
    """A model behind a server that is not OpenAI's."""

    provider = PROVIDER


connect = CompatibleLLM.connect
