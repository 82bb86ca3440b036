"""The entries of a Claude Code session in order: messages as they are read, and compactions."""

from dataclasses import dataclass
from sys import intern
from typing import Any

from core.importers._shapes.blocks import MessageParts, anthropic_usage
from core.model.session import QUEUED, Message, Role, Usage, construct_from


@dataclass(slots=True)
class Draft:
    """A message while its lines are coming in: open, with its parts, or made of them, which are let go then.

    A large session would be held twice otherwise. A late line opens its message again. `edits` are how many tool results, and
    tokens, the server had left out of the prompt that it answers. `attached` is whether the harness attached it by itself.
    """

    id: str
    uuid: str
    role: Role
    line: int
    timestamp: str
    parts: MessageParts | None
    injected: str = ""
    reply_id: str | None = None
    usage: Any = None
    model: str = ""
    tool_call_id: str | None = None
    name: str | None = None
    is_error: bool = False
    attached: bool = False
    edits: tuple[int, int] | None = None
    made: Message | None = None

    @property
    def typed(self) -> bool:
        """Whether a person typed it."""
        return self.role == "user" and self.injected in ("", QUEUED)

    @property
    def ends_added(self) -> bool:
        """Whether it ends what the harness adds behind a compaction or a command: it is the agent's, or a person typed it."""
        return self.role == "assistant" or not self.injected or self.typed

    def open(self) -> MessageParts:
        """The parts, to add a line to."""
        if self.parts is None:
            done = self.message()
            self.parts = MessageParts(
                texts=[done.content] if done.content else [],
                thinking=[done.thinking] if done.thinking else [],
                calls=list(done.tool_calls),
                images=list(done.images),
            )
            self.usage, self.made = done.usage, None
        return self.parts

    def message(self) -> Message:
        """The message as far as its lines are in. Its parts were checked one by one: not again, which takes as long."""
        if self.made is None:
            self.made = construct_from(Message, self._fields(self.open()))
            self.parts = self.usage = None
        return self.made

    def _fields(self, parts: MessageParts) -> dict[str, Any]:
        return {
            "id": self.id,
            "role": self.role,
            "content": parts.text,
            "tool_calls": tuple(parts.calls),
            "tool_call_id": self.tool_call_id,
            "name": self.name,
            "reply_id": self.reply_id,
            "thinking": "\n".join(parts.thinking),
            "images": tuple(parts.images),
            "usage": self.usage if isinstance(self.usage, Usage) else anthropic_usage(self.usage),
            "model": intern(self.model),
            "timestamp": self.timestamp,
            "line": self.line,
            "injected": self.injected,
            "is_error": self.is_error,
        }


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
