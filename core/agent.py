"""The agent loop: ask the model, do what it calls for, ask again; compact the memory before a call that is too big."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from core.llm.protocol import LLM
from core.memory import Memory
from core.model import Message
from core.tools import Tool, ToolRegistry

UNBOUNDED = 10**9

OnEvent = Callable[[str, object], None]


@dataclass(frozen=True)
class RunResult:
    """How a run ended: its answer ("" if it never came to one), model calls made, summaries, and the memory at the end."""

    answer: str
    turns: int
    summaries: int
    stopped: Literal["answered", "max_turns"]
    memory: Memory

    @property
    def messages(self) -> list[Message]:
        """What is in the memory at the end."""
        return self.memory.messages()


def run_agent(
    goal: str,
    llm: LLM,
    tools: ToolRegistry | Iterable[Tool | Callable[..., object]] = (),
    system: str | None = None,
    max_turns: int = 10,
    memory: Memory | None = None,
    on_event: OnEvent | None = None,
) -> RunResult:
    """Work on a goal until the model answers without a tool call, or `max_turns` model calls are made.

    `memory` None is one without a budget. `on_event(kind, payload)` is told of everything as it happens: "user",
    "assistant", "tool_result" (a Message), "tool_call" (a ToolCall), "final" (the answer) and "compact", a dict of
    `tokens_before`, `tokens_after` and `summary_count`. What the model raises is raised.
    """
    memory = Memory(budget=UNBOUNDED) if memory is None else memory
    run = _Run(llm, tools if isinstance(tools, ToolRegistry) else ToolRegistry(tools), memory, on_event)
    if system and "system" not in {message.role for message in memory.messages()}:
        memory.append(Message(role="system", content=system))
    run.add("user", Message(role="user", content=goal))
    for turn in range(1, max_turns + 1):
        reply = run.turn()
        if not reply.tool_calls:
            run.emit("final", reply.content)
            return RunResult(reply.content, turn, memory.summary_count, "answered", memory)
    return RunResult("", max_turns, memory.summary_count, "max_turns", memory)


class _Run:
    """What a turn works with."""

    def __init__(self, llm: LLM, tools: ToolRegistry, memory: Memory, on_event: OnEvent | None) -> None:
        self.llm, self.tools, self.memory, self.on_event = llm, tools, memory, on_event
        self.specs = tools.specs()

    def emit(self, kind: str, payload: object) -> None:
        if self.on_event is not None:
            self.on_event(kind, payload)

    def add(self, kind: str, message: Message) -> None:
        self.memory.append(message)
        self.emit(kind, message)

    def turn(self) -> Message:
        """One model call and the tools it asked for; returns the reply."""
        self.compact()
        reply = self.llm.complete(self.memory.messages(), self.specs)
        self.add("assistant", reply)
        for call in reply.tool_calls:
            self.emit("tool_call", call)
            self.add("tool_result", self.tools.answer(call))
        return reply

    def compact(self) -> None:
        """Compact before the call, so that the model does not see a window over the budget where that can be helped."""
        if not self.memory.over_budget():
            return
        before = self.memory.tokens()
        if self.memory.compact(self.llm):
            told = {"tokens_before": before, "tokens_after": self.memory.tokens()}
            self.emit("compact", told | {"summary_count": self.memory.summary_count})
