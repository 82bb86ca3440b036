"""The compaction engine: `compact(window, policy, …) -> Compaction`."""

from core.compact.due import Past
from core.compact.engine import compact, compact_window, pool_over

__all__ = ["Past", "compact", "compact_window", "pool_over"]
