"""Models a run can talk to: one protocol, and a scripted model that needs no network."""

from core.llm.mock import MockLLM
from core.llm.protocol import LLM, ToolSpec

__all__ = ["LLM", "MockLLM", "ToolSpec"]
