"""What the loop tells of a live run: written down before the next thing is done, and shown."""

from dataclasses import replace
from typing import Any

from core.course import Course
from core.drive.board import Board
from core.drive.gate import Gate
from core.drive.journal import Journal
from core.drive.sizes import Sizes
from core.drive.state import Sized
from core.errors import RunError
from core.events import Arrived, Called, Compacted, CompactionPhase, Phased, Purpose, ToolBegan, Used
from core.llm.protocol import ToolSpec
from core.loop import Watcher
from core.model import Message, ToolCall, Usage
from core.trace import Compaction


class Telling(Watcher):
    """Watches the loop: writes every event, keeps the board true, and has the gate hold it up."""

    def __init__(self, board: Board, journal: Journal, course: Course, gate: Gate, sizes: Sizes) -> None:
        self._board, self._journal, self._course = board, journal, course
        self._gate, self._sizes = gate, sizes
        self._told: set[str] = set()
        self._sent = Sized(0, 0)

    def arrived(self, message: Message) -> None:
        """A message is written down, with what it cost where it is a reply."""
        self._journal.write(Arrived(message=message, tokens=self._course.base.tokens[-1]))
        self._gate.breakpoints.arrived(message)
        if message.role == "assistant":
            self._replied(message)
        with self._board.lock:
            self._board.state.partial = ""
            self._board.bump()

    def _replied(self, message: Message) -> None:
        self._gate.replied()
        self._board.doing("")
        if message.usage:
            self._used(message.usage, message.model, "reply")
            self._board.state.last = replace(self._sent, usage=message.usage)

    def _used(self, usage: Usage, model: str, purpose: Purpose) -> None:
        number = self._board.state.calls
        self._journal.write(Used(number=number, purpose=purpose, usage=usage, model=model))
        with self._board.lock:
            self._board.state.totals += usage

    def begin_compaction(self) -> None:
        """One is asked for by hand: nothing was told of it yet."""
        self._told.clear()
        self._board.doing("compacting")

    def compacted(self, found: Compaction) -> None:
        """What was done to the window is written down, with the messages it left emptied."""
        if self._gate.cancel.is_set() and not found.acted:
            return
        if "trigger" not in self._told:
            self.phase("trigger", {"reason": found.reason})
        if found.acted:
            self.phase("splice", {"before": found.window_before, "after": found.window_after})
            self._gate.breakpoints.compacted()
        self._journal.write(Compacted(compaction=found, left=found.left))
        self._told.clear()
        self._board.doing("")
        if found.status == "failed" and found.reason.endswith("and the run ends"):
            raise RunError(found.reason, "try again, or take another policy")

    def phase(self, phase: CompactionPhase, told: dict[str, Any]) -> None:
        """A compaction under way has come so far."""
        if phase == "partition":
            self.phase("trigger", {"tokens": self._course.tokens(), "limit": self._course.policy.limit})
            self._board.doing(f"writing a summary of {told['messages']:,} messages")
        self._told.add(phase)
        self._journal.write(Phased(phase=phase, told=told))

    def before_call(self, messages: list[Message], tools: list[ToolSpec]) -> bool:
        """Wait at the gate; True where the window may be another one now."""
        return self._gate.before_call()

    def calling(self, messages: list[Message]) -> None:
        """The call is written down before it is made, with what it sends by every count there is."""
        self._sent = sized = self._sizes.count()
        counts = {"estimate": sized.estimate + sized.tools, "counted": sized.counted}
        self._journal.write(Called(number=self._next_number(), messages=sized.messages, **counts))
        self._journal.sync()
        self._board.doing("waiting for the model")

    def _next_number(self) -> int:
        with self._board.lock:
            self._board.state.calls += 1
            return self._board.state.calls

    def heard(self, text: str) -> None:
        """A piece of the reply: shown, not written down."""
        self._board.heard(text)

    def before_tool(self, call: ToolCall) -> None:
        """Wait at the gate, then write down that the tool runs."""
        self._gate.before_tool(call.name)
        self._journal.write(ToolBegan(call=call))
        self._board.doing(f"tool: {call.name}")

    def cancelled(self) -> bool:
        """Whether somebody asked to stop."""
        return self._gate.cancel.is_set()

    def summary_asked(self, request: Message) -> None:
        """The model is asked for a summary."""
        estimate = self._course.meter.count(request)
        self._journal.write(Called(number=self._next_number(), purpose="summary", messages=1, estimate=estimate))

    def summary_answered(self, reply: Message) -> None:
        """The model has written one."""
        if reply.usage:
            self._used(reply.usage, reply.model, "summary")
