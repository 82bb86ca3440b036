"""The tokens that a Codex rollout counts: events that repeat, and belong to the reply before them."""

from dataclasses import dataclass
from typing import Any

from core.importers._shapes.blocks import whole_number
from core.importers._shapes.responses import Replies
from core.importers._shapes.responses_items import usage_of
from core.model.session import Usage


@dataclass
class Tokens:
    """`window` is the context window that Codex gives the model. `loose` are the tokens of a call that left no reply
    here yet. Of `lost` calls there are no replies; `extra` is what they used.
    """

    loose: Usage | None = None
    extra: Usage | None = None
    lost: int = 0
    total: Any = None
    window: int | None = None

    def read(self, info: Any, replies: Replies) -> int | None:
        """One event. Limits that change repeat it: the total tells. Where nothing was called, the size of the window."""
        last = info.get("last_token_usage") if isinstance(info, dict) else None
        if isinstance(info, dict):
            self.window = whole_number(info.get("model_context_window")) or self.window
        usage = usage_of(last)
        if usage is None or not isinstance(last, dict):
            return None
        total = info.get("total_token_usage") or last
        if not usage.prompt and not usage.output:
            return whole_number(last.get("total_tokens")) or None
        if total != self.total:
            self.total, replies.counted = total, True
            if not replies.used(usage):
                self.lose(usage)
        return None

    def lose(self, usage: Usage | None) -> None:
        """A call left no reply here; if a compaction comes next, it wrote the summary."""
        if self.loose is not None:
            self.lost += 1
            self.extra = self.loose if self.extra is None else self.extra + self.loose
        self.loose = usage

    def of_summary(self) -> Usage | None:
        """The tokens of the call that wrote the summary of the compaction that comes now."""
        found, self.loose = self.loose, None
        return found
