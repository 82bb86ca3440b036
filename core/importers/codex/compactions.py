"""The compactions of a Codex session, and the window that each left."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string
from core.importers._shapes.responses import Replies, Spot
from core.importers.codex.tokens import Tokens
from core.importers.codex.window import Left, left_by
from core.model.session import Message, RecordedCompaction

_AFTER = "the agent's own count right after (`token_count.total_tokens`)"


@dataclass
class Compactions:
    """`found` are those so far, `windows` what each left, with the place from which on all messages came after it.

    `unsized` is whether the size of the last window may come yet, `uninstructed` whether the instructions will be given again
    by the next turn. In front of `untyped` no message was typed.
    """

    replies: Replies
    found: list[RecordedCompaction] = field(default_factory=list)
    windows: list[tuple[list[Message], int]] = field(default_factory=list)
    unsized: bool = False
    uninstructed: bool = False
    untyped: int = 0

    def record(
        self,
        record: dict[str, Any],
        spot: Spot,
        tokens: Tokens,
        standing: Collection[str],
        known: dict[str, dict[str, Any]],
    ) -> None:
        """One more: the window is what it left, then the summary, then what was put in anew."""
        self.replies.close()
        left, at = left_by(record, self._current(), standing, known), self.replies.arrived
        summary = self._put(spot, role=left.role, content=left.summary, injected="summary", usage=tokens.of_summary())
        self._add(at, spot, left, summary, string(record.get("trigger")), tokens.window)
        self.windows.append(([*left.kept, summary], len(self.replies.messages)))
        self.unsized, self.uninstructed = True, not left.instructed
        for m in left.anew:
            fields = {"role": m.role, "content": m.content, "injected": m.injected, "images": m.images}
            self._put(spot, **fields, tool_calls=m.tool_calls, tool_call_id=m.tool_call_id, name=m.name)

    def _put(self, spot: Spot, **fields: Any) -> Message:
        id = self.replies.name(f"line-{spot.place}")
        return self.replies.put(id=id, line=spot.place, timestamp=spot.time, **fields)

    def _add(self, at: int, spot: Spot, left: Left, summary: Message, trigger: str, window: int | None) -> None:
        self.found.append(
            RecordedCompaction(
                at=at,
                trigger=trigger if trigger in ("auto", "manual") else "",
                summary=summary.id,
                unreadable=left.unreadable,
                lead=left.lead,
                kept=tuple(m.id for m in left.kept),
                fidelity="exact" if left.named and not left.unreadable else "partial",
                line=spot.place,
                timestamp=spot.time,
                context_window=window,
            )
        )

    def _current(self) -> list[Message]:
        """The messages of the window, without those at the front that always stay."""
        if self.windows:
            window, mark = self.windows[-1]
            return [*window, *self.replies.messages[mark:]]
        arrived = self.replies.messages
        return arrived[next((i for i, m in enumerate(arrived) if m.role != "system"), len(arrived)) :]

    def sized(self, size: int) -> None:
        """A size that was counted without a call: that of the window the last compaction left, if no reply came since."""
        after = self.replies.messages[self.windows[-1][1] :] if self.unsized else []
        if self.unsized and not self.replies.going_on and not any(m.role == "assistant" and m.usage for m in after):
            self.found[-1] = self.found[-1].model_copy(update={"tokens_after": size, "after_from": _AFTER})
        self.unsized = False

    def back(self, turns: int) -> list[Message]:
        """The person went back by so many turns: the messages that are no longer in the conversation."""
        self.replies.close()
        cut, left, messages = len(self.replies.messages), turns, self.replies.messages
        for place in range(len(messages) - 1, self.untyped - 1, -1):
            if left and messages[place].typed:
                cut, left = place, left - 1
            if not left:
                break
        else:
            self.untyped = cut
        gone = self.replies.cut(cut)
        ids = {m.id for m in gone}
        while self.found and self.found[-1].summary in ids:
            self.found.pop()
            self.windows.pop()
            self.unsized = False
        return gone
