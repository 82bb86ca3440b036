"""The models of live runs: one interface, the providers that implement it, and a scripted model that needs no network.

Importing this imports no SDK: an adapter does that before its first request.
"""

from core.llm.directory import connect, provider, providers
from core.llm.mock import MockLLM
from core.llm.pairs import BrokenPair, broken_pairs, check_pairs, without_orphans
from core.llm.protocol import LLM, Counts, Shows, Streams, ToolSpec
from core.llm.provider import Provider

__all__ = [
    "LLM",
    "BrokenPair",
    "Counts",
    "MockLLM",
    "Provider",
    "Shows",
    "Streams",
    "ToolSpec",
    "broken_pairs",
    "check_pairs",
    "connect",
    "provider",
    "providers",
    "without_orphans",
]
