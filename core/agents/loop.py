"""The agent loop, shared by all agents here: ask the model, run the tools it calls, ask again.

It works on a *context*: the lesson's `Memory`, the chat agent's own, or a `LiveContext` under any policy. In the phases
that a policy can name, the context may rewrite its window. Right before each call and each tool, a watcher may pause the loop.
"""

from typing import Literal, NamedTuple, Protocol

from core.agents.by_hand import told_of_edit
from core.llm.protocol import LLM, Streams, ToolSpec
from core.model.errors import RunCancelledError
from core.model.session import Message, ToolCall
from core.policy.vocabulary import Phase
from core.toolbox.tools import ToolRegistry
from core.trace.compaction import Compaction

AT_TURN_END: tuple[Phase, ...] = ("turn_end", "on_write")
AT_TURN_START: tuple[Phase, ...] = ("turn_start",)
BEFORE_CALL: tuple[Phase, ...] = ("turn_begun", "after_tools", "before_call", "on_read")


class Context(Protocol):
    """What a loop works on: the window the next call is sent, and who may rewrite it."""

    def messages(self) -> list[Message]:
        """What the next model call is sent."""
        ...

    def append(self, message: Message) -> Message:
        """A message arrives; returns it as it is kept."""
        ...

    def maybe_compact(self, phase: Phase) -> Compaction | None:
        """Rewrite the window if that is due in this phase: what was done, or how the attempt failed; None if it is not due."""
        ...


class Watcher:
    """Is called as things happen, and does nothing; subclasses override what they need."""

    def arrived(self, message: Message) -> None:
        """A message has arrived."""

    def before_compaction(self, phase: Phase) -> None:
        """The context may rewrite its window now; may wait."""

    def compacted(self, found: Compaction) -> None:
        """The context has rewritten its window, or an attempt to do so failed."""

    def before_call(self, messages: list[Message], tools: list[ToolSpec]) -> bool:
        """The model is about to be sent these; may wait. True where the window was changed meanwhile: it is read again."""
        return False

    def calling(self, messages: list[Message]) -> None:
        """The model is called now."""

    def on_text(self, text: str) -> None:
        """A piece of the reply, while it is written."""

    def before_tool(self, call: ToolCall) -> ToolCall | Message:
        """A tool is about to run; may wait. Returns the call to run in its place, or the message that answers it."""
        return call

    def cancelled(self) -> bool:
        """Whether the loop is to stop."""
        return False


class Outcome(NamedTuple):
    """How a turn ended: why, what the last reply said, and how many model calls were made."""

    why: Literal["answered", "max_calls"]
    answer: str
    calls: int


class Loop:
    """A model, its tools and a context; `most` model calls for each turn."""

    def __init__(
        self, llm: LLM, tools: ToolRegistry, context: Context, most: int, watcher: Watcher | None = None
    ) -> None:
        self.llm, self.tools, self.context, self.most = llm, tools, context, most
        self.watcher = watcher or Watcher()
        self.calls = 0

    def turn(self, text: str) -> Outcome:
        """Work on what a person typed until the model answers without a tool call, or `most` calls are made.

        What the model raises is raised, the context as it was then: `go_on` takes it up from there. Raises
        RunCancelledError where the watcher says to stop.
        """
        self.calls = 0
        self.maybe_compact(AT_TURN_START)
        self.add(Message(role="user", content=text))
        return self.go_on()

    def go_on(self, waiting: tuple[ToolCall, ...] = ()) -> Outcome:
        """The rest of a turn, from where its messages leave off; calls that still wait for a result are done first."""
        self._answer(waiting)
        answer = ""
        while self.calls < self.most:
            reply = self._call()
            if not reply.tool_calls:
                self.maybe_compact(AT_TURN_END)
                return Outcome("answered", reply.content, self.calls)
            answer = reply.content
            self._answer(reply.tool_calls)
        return Outcome("max_calls", answer, self.calls)

    def add(self, message: Message) -> Message:
        """Let a message arrive."""
        kept = self.context.append(message)
        self.watcher.arrived(kept)
        return kept

    def maybe_compact(self, phases: tuple[Phase, ...]) -> None:
        """Let the context act in each of these phases."""
        for phase in phases:
            self.watcher.before_compaction(phase)
            self._stop_if_asked()
            found = self.context.maybe_compact(phase)
            if found is not None:
                self.watcher.compacted(found)
            self._stop_if_asked()

    def _call(self) -> Message:
        specs = self.tools.specs()
        self.maybe_compact(self._phases())
        while self.watcher.before_call(self.context.messages(), specs):
            self._stop_if_asked()
            self.maybe_compact(("before_call", "on_read"))
        self._stop_if_asked()
        messages = self.context.messages()
        self.watcher.calling(messages)
        reply = self._ask(messages, specs)
        self.calls += 1
        return self.add(reply)

    def _phases(self) -> tuple[Phase, ...]:
        """The moments that come before this call: a turn begins only once, and tools answered only where they did."""
        newest = self.context.messages()[-1:]
        answered = bool(newest) and newest[0].role == "tool"
        moot = {"turn_begun" if self.calls else "", "" if answered else "after_tools"}
        return tuple(phase for phase in BEFORE_CALL if phase not in moot)

    def _ask(self, messages: list[Message], specs: list[ToolSpec]) -> Message:
        if isinstance(self.llm, Streams):
            return self.llm.stream(messages, specs, self.watcher.on_text, self.watcher.cancelled)
        return self.llm.complete(messages, specs)

    def _answer(self, calls: tuple[ToolCall, ...]) -> None:
        for call in calls:
            chosen = self.watcher.before_tool(call)
            self._stop_if_asked()
            self.add(chosen if isinstance(chosen, Message) else self._result(call, chosen))

    def _result(self, call: ToolCall, chosen: ToolCall) -> Message:
        result = self.tools.answer(chosen)
        return result if chosen == call else told_of_edit(result, chosen)

    def _stop_if_asked(self) -> None:
        if self.watcher.cancelled():
            raise RunCancelledError
