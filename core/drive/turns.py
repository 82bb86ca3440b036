"""The turns of a live run: begun with a typed message or continued, until the model answers, something fails or a stop."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from core.agents.loop import AT_TURN_END, Loop, Outcome
from core.drive.changes import ChangeQueue
from core.drive.live_run import LiveRun
from core.drive.observer import RunObserver
from core.drive.problems import error_line, problem_of
from core.drive.restore import Restored, waiting_calls
from core.drive.sizes import PromptSizes
from core.drive.state import end_reason
from core.drive.stoppable import StoppableTools
from core.llm.protocol import LLM
from core.model.errors import RunCancelledError
from core.model.session import Message, ToolCall
from core.trace.events import Ended, Failed, Why

STOPPED_TOOL = "error: stopped before this ran"
INTERRUPTED_TOOL = "error: foldline stopped while this ran; it may or may not have finished"

Work = Callable[[], Outcome]


class Turns:
    """Runs the agent loop turn by turn, in the thread of the run, and records how each turn ends."""

    def __init__(
        self, run: LiveRun, observer: RunObserver, sizes: PromptSizes, before: Restored | None, model: LLM
    ) -> None:
        self._run, self._sizes = run, sizes
        tools = StoppableTools(run.tools, run.cancel.is_set)
        self.loop = Loop(model, tools, run.context, run.settings.max_calls, observer)
        self.loop.calls = before.calls if before else 0
        self._begun_tools = set(before.begun_tools) if before else set[str]()
        self._end_due = False
        self._end_due = bool(before and before.open) and not self.unfinished

    @property
    def unfinished(self) -> bool:
        """Whether there is a turn to continue: the model has not answered, or the end of the turn was not dealt with."""
        messages = self._run.context.base.messages
        unanswered = bool(messages) and messages[-1].role in ("user", "tool")
        return self._end_due or unanswered or bool(waiting_calls(messages))

    @property
    def next_tool(self) -> ToolCall | None:
        """The call that runs first where the turn is continued: one that ran when the process ended does not run again."""
        waiting = waiting_calls(self._run.context.base.messages)
        return next((call for call in waiting if call.id not in self._begun_tools), None)

    def run(self, work: Work, changes: ChangeQueue) -> None:
        """Do one turn, or the rest of one; errors are recorded and shown, and the turn can be continued."""
        try:
            changes.make_all()
            self._run_to_end(work)
        except Exception as error:
            self._fail(error)
        changes.make_all()  # asked for during the last call; the status already says that the run is idle

    def _run_to_end(self, work: Work) -> None:
        try:
            ended = work()
            self._end(ended.why, ended.answer)
        except RunCancelledError:
            self._answer(waiting_calls(self._run.context.base.messages), STOPPED_TOOL)
            self._end("stopped", "")

    def start(self, text: str) -> Outcome:
        """Begin a turn with what a person typed. It arrives also where the run ends before: at a compaction in front of it."""
        self._answer(self._waiting(), STOPPED_TOOL)
        before = len(self._run.context.base.messages)
        try:
            self._finish_end()
            return self.loop.turn(text)
        except Exception:
            if len(self._run.context.base.messages) == before:
                self.loop.calls = 0
                self.loop.add(Message(role="user", content=text))
            raise

    def resume(self) -> Outcome:
        """The rest of the turn. One that had reached its limit of calls gets as many again."""
        if self._finish_end():
            return Outcome("answered", self._run.context.base.messages[-1].content, self.loop.calls)
        if self.loop.calls >= self.loop.most:
            self.loop.calls = 0
        return self.loop.go_on(self._waiting())

    def _finish_end(self) -> bool:
        """Deal with the end of a turn if the process ended right after the answer; whether it did."""
        due, self._end_due = self._end_due, False
        if due:
            self.loop.maybe_compact(AT_TURN_END)
        return due

    def _waiting(self) -> tuple[ToolCall, ...]:
        """The calls that wait for a result. Calls that ran when the process ended are answered with that error first."""
        waiting = waiting_calls(self._run.context.base.messages)
        interrupted = tuple(call for call in waiting if call.id in self._begun_tools)
        self._begun_tools = set()
        self._answer(interrupted, INTERRUPTED_TOOL)
        return tuple(call for call in waiting if call not in interrupted)

    def _answer(self, calls: Sequence[ToolCall], text: str) -> None:
        for call in calls:
            self.loop.add(Message(role="tool", content=text, tool_call_id=call.id, name=call.name, is_error=True))

    def _end(self, why: Why, answer: str) -> None:
        run = self._run
        run.journal.write(Ended(why=why, answer=answer))
        with run.lock:
            if why == "answered":
                run.breakpoints.forget_target()
            run.state.reason = end_reason(why, self.loop.most)
            run.state.partial_reply = ""
        self._sizes.update()
        run.status.show("stopped" if why == "stopped" else "ended")

    def _fail(self, error: Exception) -> None:
        run = self._run
        problem = replace(problem_of(error, run.context), reply=run.state.partial_reply)
        with suppress(Exception):  # an error of the file itself; the journal writes the event later
            more = {"doing": run.state.activity, "orphans": problem.orphans, "policy": problem.policy}
            run.journal.write(
                Failed(error=problem.kind, text=problem.text, hint=problem.hint, reply=problem.reply, **more)
            )
        with run.lock:
            run.state.problem, run.state.partial_reply = problem, ""
            run.state.add_error(error_line(run.context, problem.text))
        run.status.show("failed")
