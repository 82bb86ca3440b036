"""The compaction engine: `compact(window, policy, …) -> Compaction`."""

from core.compact.engine import Summarizer, compact, compact_window

__all__ = ["Summarizer", "compact", "compact_window"]
