"""The compactions of a session: each an entity with an id that later updates patch, in the place where it was first named.

`compaction_update` and `compaction_summary_chunk` are the protocol's own. Adapters for clients without them send a tool call
with `_meta.contextCompaction`, which since its version 1 tells what started it, tokens and time.

https://agentclientprotocol.com/rfds/session-compaction
https://github.com/agentclientprotocol/claude-agent-acp/pull/991 · https://github.com/agentclientprotocol/codex-acp/pull/396
"""

from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import list_of, object_of, string, whole_number
from core.importers._shapes.compaction_tokens import own_count
from core.importers.acp.content import text_of
from core.model.session import RecordedCompaction

UPDATES = ("compaction_update", "compaction_summary_chunk")


@dataclass
class Cut:
    """A compaction while its updates come in. What an update does not name stays as it was."""

    id: str
    line: int
    time: str
    status: str = "in_progress"
    summary: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def take(self, update: dict[str, Any]) -> None:
        """The next update: a piece of the summary, or a patch."""
        if update.get("sessionUpdate") == UPDATES[1]:
            self.summary.append(text_of(update.get("content")))
            return
        self.status = string(update.get("status")) or self.status
        if "summary" in update:
            self.summary = [text_of(block) for block in list_of(update["summary"])]
        self.facts |= object_of(mark_of(update))

    @property
    def text(self) -> str:
        """The summary, as far as a person may see it."""
        return "".join(self.summary).strip()

    def recorded(self, at: int) -> RecordedCompaction:
        """The compaction, after so many messages; what stayed beside the summary is not recorded."""
        before, after = self._number("preTokens"), self._number("postTokens")
        return RecordedCompaction(
            at=at,
            trigger=string(self.facts.get("trigger")),
            tokens_before=before,
            tokens_after=after,
            before_from=own_count("contextCompaction.preTokens") if before else "",
            after_from=own_count("contextCompaction.postTokens") if after else "",
            duration_ms=self._number("durationMs"),
            summary=self.id if self.text else None,
            unreadable="" if self.text else "not recorded",
            line=self.line,
            timestamp=self.time,
        )

    def _number(self, key: str) -> int | None:
        return whole_number(self.facts.get(key)) or None


def mark_of(update: dict[str, Any]) -> Any:
    """What marks a tool call as a compaction: facts, or `true` before version 1; None for any other call."""
    meta = object_of(update.get("_meta"))
    air = object_of(object_of(meta.get("jetbrains")).get("air"))
    return meta.get("contextCompaction") or air.get("contextCompaction") or None
