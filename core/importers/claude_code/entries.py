"""The entries of a Claude Code session in order: messages that are still being read, and compactions."""

from dataclasses import dataclass
from typing import Any

from core.importers._shapes.blocks import MessageParts, anthropic_usage
from core.model.session import Message, Role, construct_from


@dataclass(slots=True)
class Draft:
    """A message while its lines are still coming in.

    `edits` are how many tool results, and tokens, the server had left out of the prompt that it answers.
    """

    id: str
    uuid: str
    role: Role
    line: int
    timestamp: str
    parts: MessageParts
    injected: str = ""
    reply_id: str | None = None
    usage: Any = None
    model: str = ""
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool = False
    edits: tuple[int, int] | None = None

    @property
    def typed(self) -> bool:
        """Whether a person typed it."""
        return self.role == "user" and not self.injected

    def message(self) -> Message:
        """The message, once all of its lines are in. Its parts were checked one by one: not again, which takes as long."""
        fields = {
            "id": self.id,
            "role": self.role,
            "content": self.parts.text,
            "tool_calls": tuple(self.parts.calls),
            "tool_call_id": self.tool_call_id,
            "name": self.name,
            "reply_id": self.reply_id,
            "thinking": "\n".join(self.parts.thinking),
            "images": tuple(self.parts.images),
            "usage": anthropic_usage(self.usage),
            "model": self.model,
            "timestamp": self.timestamp,
            "line": self.line,
            "injected": self.injected,
            "is_error": self.is_error,
        }
        return construct_from(Message, fields)


@dataclass(slots=True)
class Boundary:
    """A compaction while its summary is still to come. `parent` is the record before it, `direction` what was summarized."""

    uuid: str
    line: int
    timestamp: str
    kind: str
    data: dict[str, Any]
    parent: str = ""
    summary: str | None = None
    direction: str = ""
