"""Messages typed while Claude Code worked: each waits in a queue until the agent reads it or the person removes it.

What is taken becomes a message, a record of its own or an attachment. What was removed may be in no message at all. A
removal names its text in newer versions only; in older ones it is that of the oldest.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string
from core.importers.claude_code.entries import Boundary, Draft
from core.importers.claude_code.text import as_title, injected_kind

_MOST = 1000
"""So many wait at most: the queue is searched for what is removed."""


@dataclass
class Queue:
    """`waiting` are (line, text) in order, the text empty where nobody typed it; `removed` those that were typed."""

    waiting: list[tuple[int, str]] = field(default_factory=list)
    removed: list[tuple[int, str]] = field(default_factory=list)

    def take(self, line: int, record: dict[str, Any]) -> None:
        """The record of an operation."""
        kind, text = record.get("operation"), string(record.get("content")).strip()
        if kind == "enqueue" and len(self.waiting) < _MOST:
            self.waiting.append((line, text if _typed(text) else ""))
        elif kind == "dequeue":
            self._next(typed_first=True)
        elif kind == "popAll":
            self.waiting.clear()
        elif kind == "remove" and (not text or _typed(text)):
            found = self._named(text) if text else self._next()
            self.removed += [found] if found and found[1] else []

    def _named(self, text: str) -> tuple[int, str] | None:
        place = next((n for n, (_, waits) in enumerate(self.waiting) if waits == text), None)
        return None if place is None else self.waiting.pop(place)

    def _next(self, typed_first: bool = False) -> tuple[int, str] | None:
        """The oldest, out of the queue; what a person typed goes before what the harness has to tell."""
        place = next((n for n, (_, waits) in enumerate(self.waiting) if waits), 0) if typed_first else 0
        return self.waiting.pop(place) if self.waiting else None

    def unmatched(self, entries: Iterable[Draft | Boundary]) -> Iterator[int]:
        """The lines of what was typed, was removed, and stands in no message."""
        if not self.removed:
            return
        typed_parts = (e.parts for e in entries if isinstance(e, Draft) and e.role == "user")
        texts = {text.strip() for p in typed_parts for text in (*p.texts, p.text, as_title(p.text))}
        yield from (line for line, text in self.removed if text not in texts)


def _typed(text: str) -> bool:
    """Whether a text in the queue is a person's: the harness puts its own in, as tags or as an object of a task."""
    if not text.startswith("{"):
        return bool(text) and not injected_kind({}, [text])
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return True
    return not (isinstance(found, dict) and "task_id" in found)
