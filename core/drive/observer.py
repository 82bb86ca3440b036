"""Records what the loop of a live run does, before the next thing is done, and shows it in the run's status."""

from dataclasses import replace
from typing import Any

from core.agents.loop import Watcher
from core.drive.live_run import LiveRun
from core.drive.pause import PauseController
from core.drive.sizes import PromptSizes
from core.drive.state import PromptSize
from core.llm.protocol import ToolSpec
from core.model.errors import RunError
from core.model.session import Message, ToolCall, Usage
from core.policy.vocabulary import Phase
from core.trace.compaction import Compaction
from core.trace.events import (
    Arrived,
    Called,
    Compacted,
    CompactionPhase,
    Phased,
    Purpose,
    ToolAnswered,
    ToolBegan,
    Used,
)


class RunObserver(Watcher):
    """Watches the loop: writes every event, keeps the status up to date, and lets the pause controller hold the loop."""

    def __init__(self, run: LiveRun, pause: PauseController, sizes: PromptSizes) -> None:
        self._run, self._pause, self._sizes = run, pause, sizes
        self._phases: set[str] = set()
        self._sent = PromptSize(0, 0)

    def arrived(self, message: Message) -> None:
        """Record a message, with its cost where it is a reply."""
        run = self._run
        run.journal.write(Arrived(message=message, tokens=run.context.base.tokens[-1]))
        self._pause.arrived(message)
        if message.role == "assistant":
            self._replied(message)
        with run.lock:
            run.state.partial_reply = ""
            run.status.bump()

    def _replied(self, message: Message) -> None:
        self._pause.replied()
        self._run.status.set_activity("")
        if message.usage:
            self._used(message.usage, message.model, "reply")
            self._run.state.last_prompt = replace(self._sent, usage=message.usage)

    def _used(self, usage: Usage, model: str, purpose: Purpose) -> None:
        state = self._run.state
        self._run.journal.write(Used(number=state.calls, purpose=purpose, usage=usage, model=model))
        with self._run.lock:
            state.totals += usage

    def before_compaction(self, phase: Phase) -> None:
        """Pause where the policy is about to compact and a breakpoint waits for that."""
        self._pause.before_compaction(phase)

    def begin_compaction(self) -> None:
        """A person asked for a compaction; none of its phases is recorded yet."""
        self._phases.clear()
        self._run.status.set_activity("compacting")

    def compacted(self, found: Compaction) -> None:
        """Record what was done to the window, with the messages it left cleared."""
        if self._run.cancel.is_set() and not found.acted:
            return
        if "trigger" not in self._phases:
            self.phase("trigger", {"reason": found.reason})
        if found.acted:
            self.phase("splice", {"before": found.window_before, "after": found.window_after})
        self._run.breakpoints.compacted(found)
        self._run.journal.write(Compacted(compaction=found, left=found.left))
        self._phases.clear()
        self._run.status.set_activity("")
        if found.status == "failed" and found.reason.endswith("and the run ends"):
            raise RunError(found.reason, "try again, or choose another policy")

    def phase(self, phase: CompactionPhase, details: dict[str, Any]) -> None:
        """Record that a compaction has reached this phase."""
        if phase == "partition":
            context = self._run.context
            self.phase("trigger", {"tokens": context.tokens(), "limit": context.policy.limit})
            self._run.status.set_activity(f"summarizing {details['messages']:,} messages")
        self._phases.add(phase)
        self._run.journal.write(Phased(phase=phase, told=details))

    def before_call(self, messages: list[Message], tools: list[ToolSpec]) -> bool:
        """Pause where there is a reason to; True where the window may have changed."""
        return self._pause.before_call()

    def calling(self, messages: list[Message]) -> None:
        """Record a call before it is made, with the size of its prompt by every count there is."""
        self._sent = size = self._sizes.count()
        counts = {"estimate": size.estimate + size.tools, "tools": size.tools, "counted": size.counted}
        self._run.journal.write(Called(number=self._next_number(), messages=size.messages, **counts))
        self._run.context.mark_sent()
        self._run.journal.sync()
        self._run.status.set_activity("waiting for the model")

    def _next_number(self) -> int:
        with self._run.lock:
            self._run.state.calls += 1
            return self._run.state.calls

    def on_text(self, text: str) -> None:
        """Show a piece of the reply; it is not recorded."""
        self._run.status.add_text(text)

    def before_tool(self, call: ToolCall) -> ToolCall | Message:
        """Pause where there is a reason to, then record that the tool runs, or that a person answers in its place."""
        chosen = self._pause.before_tool(call)
        if self.cancelled():
            return call
        if isinstance(chosen, Message):
            self._run.journal.write(ToolAnswered(call=call))
            return chosen
        self._run.journal.write(ToolBegan(call=chosen, written=None if chosen == call else call))
        self._run.status.set_activity(f"tool: {call.name}")
        return chosen

    def cancelled(self) -> bool:
        """Whether a person asked to stop."""
        return self._run.cancel.is_set()

    def summary_requested(self, request: Message) -> None:
        """Record that the model is asked for a summary."""
        estimate = self._run.context.meter.count(request)
        self._run.journal.write(Called(number=self._next_number(), purpose="summary", messages=1, estimate=estimate))

    def summary_written(self, reply: Message) -> None:
        """Record what the summary cost."""
        if reply.usage:
            self._used(reply.usage, reply.model, "summary")
