"""The compactions of a Codex session, and the window that each left."""

from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string
from core.importers._shapes.responses import Replies, Spot
from core.importers.codex.tokens import Tokens
from core.importers.codex.window import Left, left_by
from core.model.session import Message, RecordedCompaction

_AFTER = "the agent's own count right after (`token_count.total_tokens`)"

_PUT_IN = ("role", "content", "injected", "images", "tool_calls", "tool_call_id", "name")
"""What a message is made of that a compaction put in."""


@dataclass
class Compactions:
    """`found` are those so far, `windows` what each left, with the place from which on all messages came after it.

    `base` is the id of the instructions that every request has in front of its history. `unsized` is whether the size of the
    last window may come yet. In front of `untyped` no message was typed.
    """

    replies: Replies
    base: str = ""
    found: list[RecordedCompaction] = field(default_factory=list)
    windows: list[tuple[list[Message], int]] = field(default_factory=list)
    unsized: bool = False
    untyped: int = 0

    def record(self, record: dict[str, Any], spot: Spot, tokens: Tokens, known: dict[str, dict[str, Any]]) -> None:
        """One more: the window is what it left, with the summary in its place."""
        self.replies.close()
        left, at = left_by(record, self._current(), known), self.replies.arrived
        usage = tokens.of_summary()
        summary = self._put(spot, role=left.role, content=left.summary, injected="summary", usage=usage)
        window = [*self._placed(left.before, spot), summary, *self._placed(left.behind, spot)]
        self.windows.append((window, len(self.replies.messages)))
        self.unsized = True
        trigger = string(record.get("trigger"))
        self.found.append(
            RecordedCompaction(
                at=at,
                trigger=trigger if trigger in ("auto", "manual") else "",
                **_told_by(left, window, summary, self.base),
                line=spot.place,
                timestamp=spot.time,
                context_window=tokens.window,
            )
        )

    def _placed(self, stayed: list[Message], spot: Spot) -> list[Message]:
        """Messages that it left; those without an id become messages of the session."""
        return [m if m.id else self._put(spot, **{name: getattr(m, name) for name in _PUT_IN}) for m in stayed]

    def _put(self, spot: Spot, **fields: Any) -> Message:
        """A message that no turn brought: a compaction put it in."""
        id = self.replies.name(f"line-{spot.place}")
        self.replies.put_in.add(id)
        return self.replies.put(id=id, line=spot.place, timestamp=spot.time, **fields)

    def _current(self) -> list[Message]:
        """The messages of the window, without the instructions in front of the history."""
        window, mark = self.windows[-1] if self.windows else ([], 0)
        return [*window, *(m for m in self.replies.messages[mark:] if m.id != self.base)]

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


def _told_by(left: Left, window: list[Message], summary: Message, base: str) -> dict[str, Any]:
    """What a compaction says of the window it left: all of it, in order, where the record names it."""
    kept = {m.id: None for m in (*left.before, *left.behind) if m.id}
    known: dict[str, Any] = {"summary": summary.id, "unreadable": left.unreadable, "kept": tuple(kept)}
    if not left.named:
        return {**known, "lead": len(kept)}
    return {
        **known,
        "lead": sum(bool(m.id) for m in left.before),
        "window": (*([base] if base else []), *(m.id for m in window)),
        "added": tuple(m.id for m in window if m.id not in kept),
        "fidelity": "partial" if left.unreadable else "exact",
    }
