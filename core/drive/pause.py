"""Where a live run waits: on request, in step mode, at a breakpoint, when a tool keeps failing.

While it waits, a person's changes are made at once.
"""

import threading
from collections.abc import Callable

from core.drive.breakpoints import NextCall
from core.drive.changes import ChangeQueue
from core.drive.live_run import LiveRun
from core.drive.new_findings import NewFindings
from core.drive.repeats import Repeats
from core.drive.sizes import PromptSizes
from core.model.session import Message, ToolCall
from core.policy.vocabulary import Phase
from core.trace.events import BreakpointsChanged, Paused

_MANUALLY = "paused manually"
ONE_CALL = "one tool call made"


class PauseController:
    """Holds the loop before calls, tools and compactions. Setting the run's `cancel` lets it through: the loop then stops."""

    def __init__(self, run: LiveRun, changes: ChangeQueue, sizes: PromptSizes) -> None:
        self._run, self._changes, self._sizes = run, changes, sizes
        self._released = threading.Event()
        self._requested = ""  # why a person wants the next pause
        self._one_step = self._step_made = False
        self._paused_at: tuple[int, tuple[int, int]] | None = None
        self._repeats = Repeats()
        self._findings = NewFindings(run.context)
        self._in_place: ToolCall | Message | None = None

    def reset(self) -> None:
        """A turn begins or continues: earlier requests to pause or stop hold no longer, but a single step does."""
        self._run.cancel.clear()
        self._released.clear()
        self._requested, self._in_place = "", None

    def request(self, wanted: bool = True) -> None:
        """Pause before the next model call or tool; not `wanted`: take that back."""
        self._requested = _MANUALLY if wanted else ""

    def request_step(self) -> None:
        """Pause before the call that follows the next reply."""
        self._one_step, self._step_made = True, False

    def replied(self) -> None:
        """The model has answered."""
        self._step_made = self._one_step

    def arrived(self, message: Message) -> None:
        """A message has arrived."""
        self._repeats.arrived(message)
        self._run.breakpoints.arrived(message)

    def release(self) -> None:
        """Let a run that waits go on."""
        self._released.set()

    def release_with(self, chosen: ToolCall | Message, pause: str = "") -> None:
        """Let a run that waits before a tool, or begins with one, go on with another call, or with a message that answers it.

        `pause` is why it is to pause again before the next model call or tool, "" to go on.
        """
        self._in_place, self._requested = chosen, pause
        self._released.set()

    def before_call(self) -> bool:
        """Make the waiting changes, then pause if there is a reason to; True where the window may have changed."""
        if self._changes.make_all():
            return True
        self._sizes.update()
        reason = self._reason()
        if not reason:
            return self._keep_pace()
        self._wait(reason)
        return self._changes.make_all()

    def before_compaction(self, phase: Phase) -> None:
        """Pause if a breakpoint waits for what the policy is about to do in this phase; the waiting changes are made first."""
        points, state = self._run.breakpoints, self._run.state
        if not points.want_compactions:
            return
        self._changes.make_all()
        context = self._run.context
        due, repeats = context.due(phase), context.policy.passes > 1
        reason = self._hits(lambda: points.before_compaction(due, repeats)) if due else ""
        if reason and not self._in_place:
            state.before_compaction = True
            self._wait(reason)
            state.before_compaction = False
            self._changes.make_all()

    def before_tool(self, call: ToolCall) -> ToolCall | Message:
        """Pause if a person asked to, or a breakpoint is on this tool; returns the call to run, or what answers it.

        Where that was chosen before the run went on, it does not pause.
        """
        hit = self._hits(lambda: self._run.breakpoints.before_tool(call))
        reason = self._requested or hit
        if reason and not self._in_place:
            self._run.state.waiting_call = call
            self._wait(reason)
            self._run.state.waiting_call = None
        chosen, self._in_place = self._in_place, None
        return chosen or call

    def _hits(self, ask: Callable[[], str]) -> str:
        """Why a breakpoint pauses the run, "" where none does; hits are recorded with the breakpoints."""
        points = self._run.breakpoints
        before = points.all
        reason = ask()
        if points.all != before:
            self._run.journal.write(BreakpointsChanged(points=points.all))
        return reason

    def _reason(self) -> str:
        """Why to pause before the next call, "" for no reason. The same call with the same window pauses only once."""
        state = self._run.state
        here = (state.calls, self._run.context.moment)
        hit = self._hits(lambda: self._run.breakpoints.before_call(self._next_call())) or self._repeats.reason()
        if self._paused_at == here and not self._requested:
            return ""
        self._paused_at = here
        if self._requested:
            return self._requested
        if hit:
            return hit
        steps_on = state.stepping and not self._run.breakpoints.runs_to_target
        return "step mode" if steps_on else "one step made" if self._step_made else ""

    def _next_call(self) -> NextCall:
        context = self._run.context
        found = self._findings.take(look=self._run.breakpoints.want_findings)
        return NextCall(context.tokens(), len(context.base.messages), found)

    def _keep_pace(self) -> bool:
        state = self._run.state
        if state.pace and state.calls:
            self._run.status.set_activity(f"waiting {state.pace:g} s between calls")
            self._run.cancel.wait(state.pace)
        return self._changes.make_all() or bool(self._requested)

    def _wait(self, reason: str) -> None:
        run = self._run
        run.journal.write(Paused(why=reason))
        self._requested, self._one_step, self._step_made = "", False, False
        if run.breakpoints.reached:
            run.breakpoints.forget_target()
        self._released.clear()
        run.state.reason = reason
        self._sizes.count()
        run.status.show("paused")
        self._until_released()
        with run.lock:
            run.state.reason, self._paused_at = "", (run.state.calls, run.context.moment)
        run.status.show("running")

    def _until_released(self) -> None:
        while not self._released.is_set() and not self._run.cancel.is_set():
            self._changes.make_all()
            with self._run.status.changed:
                if not self._released.is_set() and self._changes.is_empty():
                    self._run.status.changed.wait(0.1)
