"""Messages typed while Claude Code worked: each waits in a queue until the agent reads it or the person removes it.

What is taken at the end of a turn becomes a record of its own. What is taken during one is put behind the newest tool
results, as a reminder in the same request: some versions write an attachment then, others no more than the operation,
`remove`, with the `reason` "absorbed_mid_turn" in the newest (https://github.com/giulio333/ClaudeLens/issues/245). So what was
removed, stands in no message, and came before a reply of the model stood in the window in front of that reply: but for a
command such as /config, which Claude Code ran itself. A removal names its text in newer versions only; in older ones it is
that of the oldest a person typed, else of the oldest.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, string
from core.importers.claude_code.entries import Boundary, Draft
from core.importers.claude_code.text import as_title, injected_kind
from core.model.session import QUEUED
from core.model.text import is_bare_command

_MOST = 1000
"""So many wait at most: the queue is searched for what is removed."""


@dataclass(slots=True, eq=False)
class QueuedText:
    """A text in the queue, empty where nobody typed it. `reply` is the first one after it was taken out, where there is one."""

    line: int
    text: str
    timestamp: str = ""
    reply: Draft | None = None

    def draft(self) -> Draft:
        """The message it was, in front of the reply: left behind with that, where the person went back from there."""
        uuid = self.reply.uuid if self.reply else ""
        parts = MessageParts(texts=[self.text])
        return Draft(f"line-{self.line}", uuid, "user", self.line, self.timestamp, parts, injected=QUEUED)


@dataclass
class Queue:
    """`waiting` are in order, `removed` those that a person typed; `recent` of them came after the last reply.

    `lines` are where a user's message says, as a whole or as a part of it, what had been put in before.
    """

    waiting: list[QueuedText] = field(default_factory=list)
    removed: list[QueuedText] = field(default_factory=list)
    recent: list[QueuedText] = field(default_factory=list)
    lines: dict[str, list[int]] = field(default_factory=dict)

    def take(self, line: int, record: dict[str, Any]) -> None:
        """The record of an operation."""
        kind, text = record.get("operation"), string(record.get("content")).strip()
        if kind == "enqueue" and len(self.waiting) < _MOST:
            self.waiting.append(QueuedText(line, text if _typed(text) else "", string(record.get("timestamp"))))
            self.lines.setdefault(text, [])
        elif kind == "dequeue":
            self._next()
        elif kind == "popAll":
            self.waiting.clear()
        elif kind == "remove" and (not text or _typed(text)):
            found = self._named(text) if text else self._next()
            if found and found.text:
                self.removed.append(found)
                if record.get("reason", _ABSORBED) == _ABSORBED and not is_bare_command(found.text):
                    self.recent.append(found)

    def note_message(self, line: int, parts: MessageParts) -> None:
        """A user's message says this."""
        if self.lines:
            for text in {said.strip() for said in (*parts.texts, parts.text, as_title(parts.text))} & self.lines.keys():
                self.lines[text].append(line)

    def replied(self, reply: Draft) -> None:
        """The model was called: it was sent what had been removed since its last reply."""
        for found in self.recent:
            found.reply = reply
        self.recent.clear()

    def passed(self) -> None:
        """Something else was sent, or the window was compacted: what was removed before is in no prompt we know of."""
        self.recent.clear()

    def _named(self, text: str) -> QueuedText | None:
        place = next((n for n, one in enumerate(self.waiting) if one.text == text), None)
        return None if place is None else self.waiting.pop(place)

    def _next(self) -> QueuedText | None:
        """The oldest, out of the queue; what a person typed goes before what the harness has to tell."""
        place = next((n for n, one in enumerate(self.waiting) if one.text), 0)
        return self.waiting.pop(place) if self.waiting else None

    def unmatched(self) -> Iterator[QueuedText]:
        """What was typed, was removed, and stands in no message that came between it and the reply."""
        lines = {found.text: list(self.lines[found.text]) for found in self.removed}
        for found in self.removed:
            end = found.reply.line if found.reply else None
            known = lines[found.text]
            place = next((n for n, line in enumerate(known) if line > found.line and (end is None or line < end)), None)
            if place is None:
                yield found
            else:
                known.pop(place)


_ABSORBED = "absorbed_mid_turn"


def with_queued(entries: list[Draft | Boundary], queued: Iterable[QueuedText]) -> list[Draft | Boundary]:
    """The entries with what only the queue holds, in front of the reply that was sent it."""
    before: dict[str, list[Draft]] = {}
    for found in queued:
        if found.reply is not None:
            before.setdefault(found.reply.id, []).append(found.draft())
    return [one for entry in entries for one in (*_in_front(entry, before), entry)] if before else entries


def _in_front(entry: Draft | Boundary, before: dict[str, list[Draft]]) -> list[Draft]:
    return before.get(entry.id, []) if isinstance(entry, Draft) and entry.role == "assistant" else []


def _typed(text: str) -> bool:
    """Whether a text in the queue is a person's: the harness puts its own in, as tags or as an object of a task."""
    if not text.startswith("{"):
        return bool(text) and not injected_kind({}, [text])
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return True
    return not (isinstance(found, dict) and "task_id" in found)
