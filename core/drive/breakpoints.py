"""Where a live run pauses by itself: after a compaction, above a number of tokens, at a tool, at a text."""

from collections.abc import Iterable
from typing import Literal

from pydantic import model_validator

from core.model.errors import ParameterError
from core.model.session import Frozen, Message

ANY_TOOL = ""


class Breakpoint(Frozen):
    """One reason to pause before the next model call, or before a tool runs.

    `value` is a number of tokens, a tool's name ("" for any), or a text in any case; a compaction needs none.
    """

    kind: Literal["compaction", "tokens", "tool", "text"]
    value: str | int = ""
    on: bool = True
    id: int = 0

    @model_validator(mode="after")
    def _check(self) -> "Breakpoint":
        if self.kind == "tokens" and not (isinstance(self.value, int) and self.value > 0):
            raise ParameterError(f"a breakpoint cannot be at {self.value!r} tokens", "give a whole number above 0")
        if self.kind == "text" and not str(self.value).strip():
            raise ParameterError("a breakpoint on a text needs a text", "give the text to wait for")
        return self


class Breakpoints:
    """The breakpoints of a run, and what happened since the last call: each event pauses it once.

    A breakpoint on tokens pauses the first call above its number, and again only after a call at or below it. `hit` are the
    ids of the breakpoints that the run waits at.
    """

    def __init__(self) -> None:
        self.all: tuple[Breakpoint, ...] = ()
        self.hit: frozenset[int] = frozenset()
        self._compacted = False
        self._tokens = 0  # of the last call
        self._arrived: list[Message] = []

    @property
    def _on(self) -> list[Breakpoint]:
        return [point for point in self.all if point.on]

    def set(self, points: Iterable[Breakpoint]) -> None:
        """Replace the breakpoints. A window that is above a number already counts as having just passed it."""
        self.all, self._tokens = tuple(points), 0

    def arrived(self, message: Message) -> None:
        """A message has arrived."""
        self._arrived.append(message)

    def compacted(self) -> None:
        """The window was rewritten."""
        self._compacted = True

    def before_call(self, tokens: int) -> str:
        """Why to pause before a call with so many tokens, "" for no reason. Ask once for each call."""
        reasons = {point: why for point in self._on if (why := self._reason(point, tokens))}
        self._compacted, self._tokens, self._arrived = False, tokens, []
        self.hit = frozenset(point.id for point in reasons)
        return next(iter(reasons.values()), "")

    def before_tool(self, name: str) -> str:
        """Why to pause before this tool runs, "" for no reason."""
        self.hit = frozenset(p.id for p in self._on if p.kind == "tool" and p.value in (ANY_TOOL, name))
        return f"breakpoint: the model calls {name}" if self.hit else ""

    def _reason(self, point: Breakpoint, tokens: int) -> str:
        if point.kind == "compaction":
            return "breakpoint: the window was compacted" if self._compacted else ""
        if point.kind == "tokens":
            passed = tokens > int(point.value) >= self._tokens
            return f"breakpoint: {tokens:,} tokens > {int(point.value):,}" if passed else ""
        if point.kind == "text":
            wanted = str(point.value).casefold()
            found = any(wanted in _full_text(message).casefold() for message in self._arrived)
            return f"breakpoint: the text {str(point.value)!r} arrived" if found else ""
        return ""


def _full_text(message: Message) -> str:
    """Content, thinking and tool calls of a message."""
    calls = (f"{c.name} {c.raw or c.arguments}" for c in message.tool_calls)
    return "\n".join((message.content, message.thinking, *calls))
