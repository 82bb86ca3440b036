"""The window of one Copilot CLI agent, and the compactions, truncations and clearings that changed it.

A compaction in the background begins with one event and ends with another: what came between them stays. In sessions whose
counts are recorded, everything else was replaced by the summary. Tokens are those of the conversation, without the prompt
and the tools (https://github.com/github/copilot-cli/issues/4441).
"""

from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.importers._shapes.compaction_tokens import own_count
from core.importers.copilot_cli.parts import Event, usage_of
from core.model.session import Message, RecordedCompaction, construct_unchecked

MOST_KEPT = 2_000_000
"""The most ids that the compactions of an agent may name together: a damaged file must not fill the memory."""

_MISSING = "[the summary is not recorded]"


@dataclass
class Window:
    """`ids` are those in the window, without the system messages at its start."""

    ids: list[str] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: int = 0
    _late: set[str] = field(default_factory=set)
    _start: dict[str, Any] | None = None
    _since: int = 0
    _arrived: int = 0
    _named: int = 0

    def arrive(self, id: str, system: bool = False) -> None:
        """A message that is no summary."""
        self._arrived += 1
        if system and self.ids:
            self._late.add(id)
        if self.ids or not system:
            self.ids.append(id)

    def start(self, event: Event) -> None:
        """A compaction begins: it sums up what is there now."""
        self._start, self._since = event.data, len(self.ids)

    def compact(self, event: Event) -> Message | None:
        """A compaction is done: its summary; None where it failed."""
        data, start = event.data, self._start or {}
        since = self._since if self._start is not None else len(self.ids)
        text, self._start = string(data.get("summaryContent")), None
        if data.get("success") is False or not (text or data.get("success") is True):
            self.failed.append(string(data.get("error")))
            return None
        before, source = _first((data, "preCompactionTokens"), (start, "currentTokens"))
        after, target = _first((data, "postCompactionTokens"))
        known = self._record(
            event,
            since,
            trigger=string(data.get("trigger")) or string(start.get("trigger")),
            tokens_before=before,
            before_from=source,
            tokens_after=after,
            after_from=target,
            summary=event.id,
            unreadable="" if text else "not recorded",
            fidelity="exact" if _all_replaced(data) else "partial",
        )
        return self._summary(event, text or _MISSING) if known else None

    def _summary(self, event: Event, text: str) -> Message:
        used = event.data.get("compactionTokensUsed")
        self.ids.insert(0, event.id)
        return construct_unchecked(
            Message,
            id=event.id,
            role="user",
            content=text,
            injected="summary",
            usage=usage_of(used),
            model=string(used.get("model")) if isinstance(used, dict) else "",
            timestamp=event.time,
            line=event.line,
        )

    def truncate(self, event: Event) -> None:
        """The oldest messages were dropped: how many is recorded, which ones is not."""
        data, number = event.data, whole_number(event.data.get("messagesRemovedDuringTruncation"))
        before, source = _first((data, "preTruncationTokensInMessages"))
        after, target = _first((data, "postTruncationTokensInMessages"))
        if number:
            self._record(
                event,
                number,
                trigger="truncation",
                tokens_before=before,
                before_from=source,
                tokens_after=after,
                after_from=target,
                edit="dropped",
            )

    def clear(self, event: Event) -> None:
        """The whole conversation was dropped."""
        self._record(event, len(self.ids), trigger="cleared", edit="dropped", fidelity="exact")

    def _record(self, event: Event, gone: int, **known: Any) -> bool:
        """Note that the first of the window are gone, but for system messages; False where too much was named already."""
        self._named += max(len(self.ids) - gone, 0)
        if self._named > MOST_KEPT:
            self.left += 1
            return False
        kept = [*(id for id in self.ids[:gone] if id in self._late), *self.ids[gone:]]
        made = RecordedCompaction(at=self._arrived, kept=tuple(kept), line=event.line, timestamp=event.time, **known)
        self.compactions.append(made)
        self.ids = kept
        return True


def _first(*places: tuple[dict[str, Any], str]) -> tuple[int | None, str]:
    """The first number recorded, and where."""
    found = ((whole_number(data[key]), own_count(key)) for data, key in places if whole_number(data.get(key)))
    return next(found, (None, ""))


def _all_replaced(data: dict[str, Any]) -> bool:
    """Whether the counts say that nothing but the summary was left."""
    number, removed = whole_number(data.get("preCompactionMessagesLength")), whole_number(data.get("messagesRemoved"))
    return bool(removed) and number - removed in (0, 1)
