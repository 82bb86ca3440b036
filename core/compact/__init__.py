"""The compaction engine: `compact(window, policy, …) -> Compaction`."""

from core.compact.engine import compact, compact_window

__all__ = ["compact", "compact_window"]
