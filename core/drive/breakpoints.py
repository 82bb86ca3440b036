"""Where a live run is to stop and wait: on a compaction, on tokens over a number, on a tool, on a text."""

from collections.abc import Iterable
from typing import Literal

from pydantic import model_validator

from core.errors import ParameterError
from core.model import Frozen, Message

ANY_TOOL = ""


class Breakpoint(Frozen):
    """One reason to pause before the next model call, or, of a tool, before it runs.

    `value` is a number of tokens, a tool's name (empty: any), or a text, in whatever case; a compaction needs none.
    """

    kind: Literal["compaction", "tokens", "tool", "text"]
    value: str | int = ""
    on: bool = True
    id: int = 0

    @model_validator(mode="after")
    def _sound(self) -> "Breakpoint":
        if self.kind == "tokens" and not (isinstance(self.value, int) and self.value > 0):
            raise ParameterError(f"a breakpoint on {self.value!r} tokens will not do", "give a number above 0")
        if self.kind == "text" and not str(self.value).strip():
            raise ParameterError("a breakpoint on no text at all will not do", "give the text to wait for")
        return self


class Breakpoints:
    """The breakpoints of a run, and what happened since it last paused: each event stops it once.

    `hit` are the ids of those for which it waits now.
    """

    def __init__(self, given: Iterable[Breakpoint] = ()) -> None:
        self.all: tuple[Breakpoint, ...] = tuple(given)
        self.hit: frozenset[int] = frozenset()
        self._compacted = 0
        self._tokens = 0
        self._arrived: list[Message] = []

    @property
    def _on(self) -> list[Breakpoint]:
        return [point for point in self.all if point.on]

    def set(self, points: Iterable[Breakpoint]) -> None:
        """These from now on; what is above a number already counts as having just passed it."""
        self.all, self._tokens = tuple(points), 0

    def arrived(self, message: Message) -> None:
        """A message has arrived."""
        self._arrived.append(message)

    def compacted(self) -> None:
        """The window was rewritten."""
        self._compacted += 1

    def before_call(self, tokens: int) -> str:
        """Why to pause before a call that would send so many tokens; "" for no reason. Asked once a call."""
        said = {point: why for point in self._on if (why := self._reason(point, tokens))}
        self._compacted, self._tokens, self._arrived = 0, tokens, []
        self.hit = frozenset(point.id for point in said)
        return next(iter(said.values()), "")

    def before_tool(self, name: str) -> str:
        """Why to pause before this tool runs; "" for no reason."""
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
            found = any(wanted in _said(message).casefold() for message in self._arrived)
            return f"breakpoint: the text {str(point.value)!r} arrived" if found else ""
        return ""


def _said(message: Message) -> str:
    calls = (f"{c.name} {c.raw or c.arguments}" for c in message.tool_calls)
    return "\n".join((message.content, message.thinking, *calls))
