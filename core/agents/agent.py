"""The lesson's agent: `run_agent` works on a goal with a model, tools and a memory that is kept within its budget."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from core.agents.loop import Context, Loop, Watcher
from core.agents.memory import Memory
from core.engine.live_context import LiveContext
from core.llm.protocol import LLM
from core.model.session import Message, ToolCall
from core.policy.vocabulary import Phase
from core.toolbox.tools import Tool, ToolRegistry
from core.trace.compaction import Compaction

UNBOUNDED = 10**9

OnEvent = Callable[[str, object], None]


@dataclass(frozen=True)
class RunResult:
    """How a run ended: its answer ("" if it never came to one), model calls made, summaries, and the memory at the end."""

    answer: str
    turns: int
    summaries: int
    stopped: Literal["answered", "max_turns"]
    memory: Memory | LiveContext

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
    memory: Memory | LiveContext | None = None,
    on_event: OnEvent | None = None,
) -> RunResult:
    """Work on a goal until the model answers without a tool call, or `max_turns` model calls are made.

    `memory` None is one without a budget; a `LiveContext` compacts by its policy, whichever that is. `on_event(kind, payload)`
    is called for everything as it happens: "user", "assistant", "tool_result" (a Message), "tool_call" (a ToolCall), "final"
    (the answer) and "compact", a dict of `tokens_before`, `tokens_after` and `summary_count`. What the model raises is raised.
    """
    memory = Memory(budget=UNBOUNDED) if memory is None else memory
    registry = tools if isinstance(tools, ToolRegistry) else ToolRegistry(tools)
    context = _MemoryContext(memory, llm) if isinstance(memory, Memory) else memory
    watcher = _EventWatcher(memory, on_event or (lambda kind, payload: None))
    if system and "system" not in {message.role for message in memory.messages()}:
        memory.append(Message(role="system", content=system))
    ended = Loop(llm, registry, context, max_turns, watcher).turn(goal)
    if ended.why == "max_calls":
        return RunResult("", ended.calls, memory.summary_count, "max_turns", memory)
    watcher.tell("final", ended.answer)
    return RunResult(ended.answer, ended.calls, memory.summary_count, "answered", memory)


class _MemoryContext(Context):
    """The lesson's memory as a context: it compacts before a call, with the model that the run is driven with."""

    def __init__(self, memory: Memory, llm: LLM) -> None:
        self.memory, self.llm = memory, llm

    def messages(self) -> list[Message]:
        return self.memory.messages()

    def append(self, message: Message) -> Message:
        self.memory.append(message)
        return message

    def maybe_compact(self, phase: Phase) -> Compaction | None:
        done = phase == "before_call" and self.memory.compact(self.llm)
        return self.memory.last_compaction if done else None


class _EventWatcher(Watcher):
    """Passes on what happens under the names of the lesson."""

    def __init__(self, memory: Memory | LiveContext, tell: OnEvent) -> None:
        self.memory, self.tell = memory, tell

    def arrived(self, message: Message) -> None:
        self.tell("tool_result" if message.role == "tool" else message.role, message)

    def before_tool(self, call: ToolCall) -> ToolCall:
        self.tell("tool_call", call)
        return call

    def compacted(self, found: Compaction) -> None:
        if found.acted:
            told = {"tokens_before": found.window_before, "tokens_after": found.window_after}
            self.tell("compact", told | {"summary_count": self.memory.summary_count})
