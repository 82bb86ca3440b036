"""A live run with its commands: an agent that can be paused, inspected, changed and continued, and is on disk as it runs."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any

from core.agents.by_hand import given_result
from core.agents.loop import Outcome
from core.drive.breakpoints import NextCall
from core.drive.call_files import CallFiles, KeptCall
from core.drive.changes import Change, ChangeQueue
from core.drive.journal import Writer
from core.drive.live_run import LiveRun
from core.drive.observer import RunObserver
from core.drive.pause import ONE_CALL, PauseController
from core.drive.problems import places_of
from core.drive.recorded_model import RecordedModel
from core.drive.restore import Restored, context_for
from core.drive.servers import RunServers
from core.drive.sizes import PromptSizes
from core.drive.status import ACTIVE, BUSY
from core.drive.summaries import summarizer_of
from core.drive.turns import Turns, Work
from core.drive.window_edits import WindowEdits
from core.drive.worker import Worker
from core.llm.protocol import LLM
from core.model.errors import RunError
from core.model.session import Message, ToolCall
from core.policy.policy import Policy
from core.toolbox.argument_check import check_arguments
from core.toolbox.tools import ToolRegistry
from core.trace.breakpoint import Breakpoint
from core.trace.events import Arrived, Began, BreakpointsChanged, Changed, Renamed, RunSettings

AT_ONCE = 0.25
"""Seconds a command waits for its change to be made, before it returns that the change comes later."""


class Drive(LiveRun):
    """A run of an agent that takes commands. Any thread may give them; the run's own thread carries them out.

    Commands that change the window return whether they were carried out at once; if not, they are before the next call.
    """

    def __init__(
        self,
        settings: RunSettings,
        llm: LLM,
        tools: ToolRegistry,
        recorder: Writer,
        *,
        id: str = "run",
        title: str = "",
        before: Restored | None = None,
        on_close: Callable[[], None] = lambda: None,
        calls: CallFiles | None = None,
        servers: RunServers | None = None,
    ) -> None:
        context = before.context if before else context_for(settings)
        super().__init__(settings, llm, tools, recorder, context, id, title)
        self._changes, self._sizes = ChangeQueue(), PromptSizes(self)
        self._pause = PauseController(self, self._changes, self._sizes)
        observer = RunObserver(self, self._pause, self._sizes)
        model = RecordedModel(self, calls)
        self.context.summarizer = summarizer_of(self, observer, model)
        self._turns = Turns(self, observer, self._sizes, before, model)
        self._edits = WindowEdits(self, observer)
        self._worker, self._on_close = Worker(f"foldline-{id}"), on_close
        self._calls, self.servers = calls, servers or RunServers()
        if before:
            self.exchanges = before.exchanges
            before.restore(self.state)
            self.fork = before.began.fork
            here = NextCall(self.context.tokens(), len(self.context.base.messages))
            self.breakpoints.restore(before.breakpoints, here)
        else:
            self._begin()
        self._sizes.update()

    def _begin(self) -> None:
        self.journal.put_off(Began(id=self.id, title=self.title, settings=self.settings))
        if self.settings.system:
            kept = self.context.append(Message(role="system", content=self.settings.system))
            self.journal.put_off(Arrived(message=kept, tokens=self.context.base.tokens[-1]))

    @property
    def turn_calls(self) -> int:
        """How many model calls of this turn were answered."""
        return self._turns.loop.calls

    @property
    def unfinished(self) -> bool:
        """Whether there is a turn to continue."""
        return self._turns.unfinished

    @property
    def next_tool(self) -> ToolCall | None:
        """The tool call that the run waits before, or that runs first once a stopped run is continued, or None."""
        return self._turns.next_tool if self.state.status == "stopped" else self.state.waiting_call

    def kept_call(self, number: int) -> KeptCall:
        """The request and the reply of a model call, as they were sent. Raises RunError where they are not kept."""
        if self._calls is None:
            raise RunError("this run does not keep its requests", "start a run that is saved")
        return self._calls.read(number)

    # The agent

    def send(self, text: str, *, one_step: bool = False) -> None:
        """Begin a turn with what a person typed; `one_step`: pause after one model call and its tools.

        Raises RunError while the agent is running.
        """
        with self.lock:
            if self.state.status in BUSY:
                raise RunError("the agent is running", "stop it, or wait for its answer")
            self._start(lambda: self._turns.start(text))
            if one_step:
                self._pause.request_step()

    def resume(self) -> None:
        """Continue after a pause, a stop or an error, or with more calls. Raises RunError if there is nothing to continue."""
        with self.lock:
            if self.state.status == "paused":
                self._pause.release()
                self.status.show("running")
            elif self.state.status in ACTIVE:
                self._pause.request(False)
                self.status.show("running")
            elif self.unfinished:
                self._start(self._turns.resume)
            else:
                raise RunError("there is nothing to continue", "send a message first")

    def step(self) -> None:
        """Make one model call and run its tools, then pause before the next."""
        with self.lock:
            self.resume()
            self._pause.request_step()

    def run_to(self, target: Breakpoint | None) -> None:
        """Continue to this condition, or to the end of the turn (None): step mode does not pause the run on its way.

        Breakpoints do, and a person who pauses it: `resume` goes on to the condition, until it is reached, until
        `cancel_run_to`, or until the agent has answered. Raises as `resume` does.
        """
        with self.lock:
            self.breakpoints.run_to(target)
            try:
                self.resume()
            except RunError:
                self.breakpoints.forget_target()
                raise

    def cancel_run_to(self) -> None:
        """Run to nowhere in particular any more: a run that waits still waits, one that runs goes on."""
        with self.lock:
            self.breakpoints.forget_target()
            self.status.bump()

    def pause(self) -> None:
        """Pause before the next model call or tool."""
        with self.lock:
            if self.state.status == "running":
                self._pause.request()
                self.status.show("pausing")

    def stop(self) -> None:
        """Stop the turn, and the model call under way. What had arrived stays; `resume` continues from there."""
        with self.lock:
            if self.state.status in BUSY:
                self.cancel.set()
                self._pause.release()
                self.status.show("running")
                self.status.set_activity("stopping")

    # The tool call that it waits before

    def edit_call(self, id: str, arguments: Mapping[str, Any], *, then_pause: bool = False) -> None:
        """Run the tool with these arguments, and go on. The call in the window stays as the model wrote it; its result says so.

        `then_pause`: pause again before the next model call or tool. Raises RunError where the run does not wait before this
        call, ParameterError where the arguments break the schema.
        """
        with self.lock:
            call = self._waiting_call(id)
            if call.name in self.tools:
                check_arguments(self.tools.get(call.name).spec(), arguments)
            self._release_with(ToolCall(id=call.id, name=call.name, arguments=dict(arguments)), then_pause)

    def answer_call(self, id: str, text: str, is_error: bool = False, *, then_pause: bool = False) -> None:
        """Answer the call in the tool's place, and go on: the tool does not run, and the result says so.

        `then_pause` as in `edit_call`. Raises RunError.
        """
        with self.lock:
            self._release_with(given_result(self._waiting_call(id), text, is_error), then_pause)

    def _release_with(self, chosen: ToolCall | Message, then_pause: bool) -> None:
        pause = ONE_CALL if then_pause else ""
        if self.state.status == "stopped":
            self._start(lambda: self._resume_with(chosen, pause))
        else:
            self._pause.release_with(chosen, pause)
            self.status.show("running")

    def _resume_with(self, chosen: ToolCall | Message, pause: str) -> Outcome:
        self._pause.release_with(chosen, pause)
        return self._turns.resume()

    def _waiting_call(self, id: str) -> ToolCall:
        call = self.next_tool
        if self.state.status not in ("paused", "stopped") or call is None or call.id != id:
            raise RunError("the run no longer waits before this tool call", "pause before the next one")
        return call

    def _start(self, work: Work) -> None:
        self._pause.reset()
        self.state.problem, self.state.reason = None, ""
        self.status.show("running")
        self._worker.put(lambda: self._turns.run(work, self._changes))

    # The window

    def compact(self) -> bool:
        """Compact now. The run is shown as running meanwhile, and can be stopped."""
        return self._change(self._edits.compact, self._make_changes_as_running)

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> bool:
        """Take messages out of the window: places of the session, and of what compactions added. Raises RunError."""
        own, others = tuple(places), tuple(added)
        return self._change(lambda: self._edits.drop(own, others))

    def undo(self) -> bool:
        """Take back the newest removal, which no model call was sent yet. Raises RunError where there is none."""
        return self._change(self._edits.undo)

    def pin(self, places: Iterable[int], on: bool = True) -> bool:
        """Pin messages, or unpin them. Raises RunError for a place where there is no message."""
        own = tuple(places)
        return self._change(lambda: self._edits.pin(own, on))

    def drop_orphans(self) -> bool:
        """Take the halves of broken tool pairs out of the window and continue."""
        problem = self.state.problem
        if problem is None or not problem.orphans:
            raise RunError("no tool pair is broken", "continue")
        done = self.drop(*places_of(problem.orphans, self.context))
        self.resume()
        return done

    def set_policy(self, policy: Policy) -> bool:
        """Use this policy from the next model call on."""
        return self._change(lambda: self._set_policy(policy))

    def _set_policy(self, policy: Policy) -> None:
        if self.context.set_policy(policy):
            self._update_settings({"policy": policy.name, "parameters": dict(policy.settings)})

    # The run

    def reconnect(self, llm: LLM, **changed: Any) -> bool:
        """Use this model from the next call on; `changed` are its settings: model, base_url, max_output."""
        return self._change(lambda: self._reconnect(llm, changed))

    def _reconnect(self, llm: LLM, changed: dict[str, Any]) -> None:
        self.llm = llm
        if any(getattr(self.settings, name) != value for name, value in changed.items()):
            self._update_settings(changed)

    def _update_settings(self, changed: dict[str, Any]) -> None:
        self.settings = now = self.settings.model_copy(update=changed)
        self.journal.keep(Changed.model_validate(now.model_dump(include=set(Changed.model_fields))))

    def rename(self, title: str) -> None:
        """Give the run a title."""
        self.title = title
        self.journal.keep(Renamed(title=title))
        self.status.bump()

    def set_pace(self, *, stepping: bool | None = None, seconds: float | None = None) -> None:
        """Whether to pause before every model call, and how many seconds to wait before each; None leaves it unchanged."""
        with self.lock:
            self.state.stepping = self.state.stepping if stepping is None else stepping
            self.state.pace = self.state.pace if seconds is None else min(60.0, max(0.0, seconds))
            self.status.bump()

    def set_breakpoints(self, points: Iterable[Breakpoint]) -> None:
        """Replace the breakpoints. Raises ParameterError for one that could never be hit."""
        with self.lock:
            self.breakpoints.set(points)
            self.journal.keep(BreakpointsChanged(points=self.breakpoints.all))
            self.status.bump()

    def close(self, wait: float = 5.0) -> None:
        """Stop the agent, and let go of the file and of what the tools hold."""
        self.stop()
        self._worker.close(wait)
        self.journal.close()
        self._on_close()
        self.status.bump()

    # Changes wait for the thread

    def _change(self, change: Change, make: Callable[[], object] | None = None) -> bool:
        """Have a change made: at once where the run is idle or paused, else before the next call; whether it was at once."""
        done = self._changes.put(lambda: self._then_update(change))
        with self.status.changed:
            idle = self.state.status not in BUSY
            self.status.changed.notify_all()
        if idle:
            self._worker.put(make or self._changes.make_all)
        try:
            done.result(AT_ONCE)
        except TimeoutError:
            done.add_done_callback(self._notice_error)
            return False
        return True

    def _then_update(self, change: Change) -> None:
        try:
            change()
        finally:
            self._sizes.update()
            self.status.bump()

    def _notice_error(self, done: "Future[None]") -> None:
        if error := done.exception():
            self.status.notice(str(error))

    def _make_changes_as_running(self) -> None:
        with self.lock:
            before = self.state.status
            self._pause.reset()
            self.status.show("running")
        self._changes.make_all()
        self.status.show(before)
