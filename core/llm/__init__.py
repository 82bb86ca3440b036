"""Models a run can talk to: one protocol, and a scripted model that needs no network."""

from core.llm.mock import MockLLM
from core.llm.protocol import LLM, Counts, Shows, Streams, ToolSpec

__all__ = ["LLM", "Counts", "MockLLM", "Shows", "Streams", "ToolSpec"]
