"""A live run: an agent under way that can be paused, looked into, changed and gone on with, and is on disk as it goes.

One thread of its own drives; it alone changes the run. Whoever commands puts the command in its way and returns: what may be
done at once is done, the rest before the next model call. Readers hold `lock` while they look, and it is never held for long.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from core.course import Course
from core.drive.board import AT_WORK, BUSY, Board
from core.drive.breakpoints import Breakpoint, Breakpoints
from core.drive.edits import Change, Edits
from core.drive.gate import Gate
from core.drive.journal import Journal, Writer
from core.drive.problems import places_of, problem_of
from core.drive.restore import Restored, course_of, waiting_calls
from core.drive.sizes import Sizes
from core.drive.state import Problem, State
from core.drive.stoppable import StoppableTools
from core.drive.summaries import BY_MODEL, ByModel, Phased
from core.drive.telling import Telling
from core.errors import RunCancelledError, RunError
from core.events import Arrived, Began, Changed, Compacted, Ended, Failed, Pinned, Renamed, RunSettings, Why
from core.llm.protocol import LLM, Shows, Streams
from core.loop import AT_TURN_END, Loop, Outcome
from core.meters import meter_name
from core.model import Message, ToolCall
from core.policy import Policy
from core.summarizers import summarizer
from core.tools import ToolRegistry
from core.trace import Compaction

MOST_PAST = 50
"""Errors of before that are kept to be shown."""

AT_ONCE = 0.25
"""Seconds a command is waited for, before it is said that it will act later."""

STOPPED_TOOL = "error: stopped before this ran"
INTERRUPTED_TOOL = "error: foldline stopped while this ran; whether it was done is not known"


class Drive:
    """A run of an agent: settings, a model, its tools, the course of its window, and the thread that drives."""

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
        closing: Callable[[], None] = lambda: None,
    ) -> None:
        self.settings, self.llm, self.tools, self.recorder = settings, llm, tools, recorder
        self.id, self.title, self._closing = id, title, closing
        self.note = ""  # what a person should know of how it was taken up
        self.course: Course = before.course if before else course_of(settings)
        self._board, self._journal, self._edits = Board(), Journal(recorder), Edits()
        self.course.guard = self.lock
        self._cancel = threading.Event()
        stopped = self._cancel.is_set
        self._sizes = Sizes(self._board, self.course, llm, tools, settings.count_first, stopped)
        self._gate = Gate(self._board, self._journal, self.course, self._edits, self._sizes, self._cancel)
        self._telling = Telling(self._board, self._journal, self.course, self._gate, self._sizes)
        self._loop = Loop(llm, StoppableTools(tools, stopped), self.course, settings.max_calls, self._telling)
        self.course.summarizer = self._summarizer()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._begun_tools: set[str] = set()
        self._end_due = self._closed = False
        self._take_up(before) if before else self._begin()

    # Beginning

    def _begin(self) -> None:
        self._journal.put_off(Began(id=self.id, title=self.title, settings=self.settings))
        if self.settings.system:
            kept = self.course.append(Message(role="system", content=self.settings.system))
            self._journal.put_off(Arrived(message=kept, tokens=self.course.base.tokens[-1]))
        self._sizes.look()

    def _take_up(self, before: Restored) -> None:
        state = self.state
        state.calls, state.totals, self._begun_tools = before.all_calls, before.totals, before.begun_tools
        state.past = tuple(before.past[-MOST_PAST:])
        self._loop.calls = before.calls
        self._sizes.look()
        self._end_due = before.open and not self.unfinished
        if not before.open:
            state.status, state.why = ("ended", before.why) if before.why else ("ready", "")
        elif before.problem:
            found = before.problem
            state.status = "failed"
            state.problem = Problem(
                found.error,
                found.text,
                found.hint,
                retry=not found.orphans,
                orphans=found.orphans,
                policy=found.policy,
            )
        else:
            state.status, state.why = "stopped", "foldline ended here; continue to go on from the last recorded step"

    def _summarizer(self) -> Phased:
        telling = self._telling
        if self.settings.summaries == BY_MODEL:
            asked = ByModel(self.llm, telling.cancelled, telling.summary_asked, telling.summary_answered)
            return Phased(asked, telling.phase)
        return Phased(summarizer(self.settings.summaries), telling.phase)

    # Commands: each may be given by any thread

    def say(self, text: str) -> None:
        """A person typed this. Raises RunError while the agent is at work."""
        with self.lock:
            if self.state.status in BUSY:
                hint = "stop it first, or wait for its answer"
                raise RunError("the agent is at work: it cannot be told something new", hint)
            self._start(lambda: self._turn(text))

    def go_on(self) -> None:
        """Continue: from a pause, after a stop or an error, or with more calls. Raises RunError if there is nothing to do."""
        with self.lock:
            if self.state.status == "paused":
                self._gate.open()
                self._board.show("running")
            elif self.state.status in AT_WORK:
                self._gate.take_back()
                self._board.show("running")
            elif self.unfinished:
                self._start(self._rest)
            else:
                raise RunError("there is nothing to go on with", "type what the agent is to do")

    def step(self) -> None:
        """Make one model call and run its tools, then pause before the next."""
        with self.lock:
            self.go_on()
            self._gate.one_step()

    def pause(self) -> None:
        """Pause before the next model call or tool."""
        with self.lock:
            if self.state.status == "running":
                self._gate.ask()
                self._board.show("pausing")

    def stop(self) -> None:
        """Stop the turn, and the model call under way with it. What had arrived stays; `go_on` takes it up from there."""
        with self.lock:
            if self.state.status in BUSY:
                self._gate.cancel.set()
                self._gate.open()
                self._board.show("running")
                self._board.doing("stopping")

    def compact(self) -> bool:
        """Compact now, or before the next call where one is under way; whether it was done at once."""
        return self._edit(self._compact_now, shown=True)

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> bool:
        """Take messages out of the window. Raises RunError where none of them is in it."""
        places, added = tuple(places), tuple(added)
        return self._edit(lambda: self._drop(places, added))

    def pin(self, places: Iterable[int], on: bool = True) -> bool:
        """Pin messages, or let them go. Raises RunError for a place where there is none."""
        places = tuple(places)
        return self._edit(lambda: self._pin(places, on))

    def govern(self, policy: Policy) -> bool:
        """Let this policy act from the next model call on."""
        return self._edit(lambda: self._govern(policy))

    def reconnect(self, llm: LLM, **changed: Any) -> bool:
        """Have this model answer from the next call on; `changed` of the settings: model, base_url, max_output."""
        return self._edit(lambda: self._reconnect(llm, changed))

    def without_orphans(self) -> bool:
        """Take the halves of broken tool pairs out of the window and go on."""
        problem = self.state.problem
        if problem is None or not problem.orphans:
            raise RunError("no tool pair is broken", "go on")
        own, added = places_of(problem.orphans, self.course)
        done = self._edit(lambda: self._by_hand(self.course.drop(own, added)))
        self.go_on()
        return done

    def rename(self, title: str) -> None:
        """Give the run a name."""
        self.title = title
        self._journal.keep(Renamed(title=title))
        self._board.bump()

    def set(self, *, stepping: bool | None = None, pace: float | None = None) -> None:
        """Step mode, and the seconds to wait before each model call."""
        with self.lock:
            self.state.stepping = self.state.stepping if stepping is None else stepping
            self.state.pace = self.state.pace if pace is None else min(60.0, max(0.0, pace))
            self._board.bump()

    def break_on(self, points: Iterable[Breakpoint]) -> None:
        """These are the breakpoints from now on."""
        with self.lock:
            self.breakpoints.set(points)
            self._board.bump()

    def close(self, wait: float = 5.0) -> None:
        """Stop driving, and let go of the file and of what the tools hold."""
        self.stop()
        self._closed = True
        self._jobs.put(None)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(wait)
        self._journal.close()
        self._closing()

    # What there is to see

    @property
    def lock(self) -> threading.RLock:
        """Held while something of the run is read or changed, never for long."""
        return self._board.lock

    @property
    def state(self) -> State:
        """What the run is doing."""
        return self._board.state

    @property
    def version(self) -> int:
        """Rises with everything that is new."""
        return self._board.version

    @property
    def breakpoints(self) -> Breakpoints:
        """Where the run is to pause."""
        return self._gate.breakpoints

    @property
    def turn_calls(self) -> int:
        """How many model calls of this turn were answered."""
        return self._loop.calls

    @property
    def meter(self) -> str:
        """The name of the meter the run is counted by."""
        return meter_name(self.course.meter)

    def wait(self, seconds: float = 60.0) -> str:
        """Wait until the run is not at work any more, or that long; returns its status."""
        return self._board.wait(seconds)

    def request(self) -> dict[str, Any]:
        """The JSON body that the next model call would send, as the provider gets it. Raises ModelError."""
        if isinstance(self.llm, Shows):
            with self.lock:
                messages, specs = self.course.messages(), self.tools.specs()
            return self.llm.request(messages, specs, streamed=isinstance(self.llm, Streams))
        return self.window_as_json()

    def window_as_json(self) -> dict[str, Any]:
        """The window and the tools in foldline's own words: what a request is made of."""
        with self.lock:
            messages, specs = self.course.messages(), self.tools.specs()
        return {"messages": [m.model_dump(exclude_defaults=True) for m in messages], "tools": specs}

    # The thread

    @property
    def unfinished(self) -> bool:
        """Whether there is a turn that could be gone on with: its last word is not the model's, or its end was not seen to."""
        messages = self.course.base.messages
        asked = bool(messages) and messages[-1].role in ("user", "tool")
        return self._end_due or asked or bool(waiting_calls(messages))

    def _start(self, work: Callable[[], Outcome]) -> None:
        self._gate.reset()
        self.state.problem, self.state.why = None, ""
        self._board.show("running")
        self._put(lambda: self._run(work))

    def _put(self, job: Callable[[], None]) -> None:
        with self.lock:
            if self._closed:
                raise RunError("this run was closed", "open it again from Runs…")
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=f"foldline-{self.id}", daemon=True)
                self._thread.start()
        self._jobs.put(job)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _run(self, work: Callable[[], Outcome]) -> None:
        try:
            self._edits.make()
            self._worked(work)
        except Exception as error:  # whatever it is, the person is told, and the run can be gone on with
            self._fail(error)
        self._edits.make()  # asked for during the last call: whoever asks now sees that nothing is under way

    def _worked(self, work: Callable[[], Outcome]) -> None:
        try:
            ended = work()
            self._end(ended.why, ended.answer)
        except RunCancelledError:
            self._settle(waiting_calls(self.course.base.messages), STOPPED_TOOL)
            self._end("stopped", "")

    def _turn(self, text: str) -> Outcome:
        self._settle(self._still_waiting(), STOPPED_TOOL)
        self._see_to_the_end()
        return self._loop.turn(text)

    def _see_to_the_end(self) -> bool:
        """What belongs to the end of a turn, where the process ended between the answer and that; whether it did."""
        due, self._end_due = self._end_due, False
        if due:
            self._loop.look(AT_TURN_END)
        return due

    def _rest(self) -> Outcome:
        """The rest of the turn; one that had used up its calls is given as many again."""
        if self._see_to_the_end():
            return Outcome("answered", self.course.base.messages[-1].content, self._loop.calls)
        if self._loop.calls >= self._loop.most:
            self._loop.calls = 0
        return self._loop.go_on(self._still_waiting())

    def _still_waiting(self) -> tuple[ToolCall, ...]:
        """The calls that wait for a result; those that were begun before the process ended are answered with that."""
        waiting = waiting_calls(self.course.base.messages)
        cut_off = tuple(call for call in waiting if call.id in self._begun_tools)
        self._begun_tools = set()
        self._settle(cut_off, INTERRUPTED_TOOL)
        return tuple(call for call in waiting if call not in cut_off)

    def _settle(self, calls: Sequence[ToolCall], text: str) -> None:
        for call in calls:
            answer = Message(role="tool", content=text, tool_call_id=call.id, name=call.name, is_error=True)
            self._loop.add(answer)

    def _end(self, why: Why, answer: str) -> None:
        self._journal.write(Ended(why=why, answer=answer))
        said = {"answered": "answered", "stopped": "stopped by hand"}
        words = said.get(why, f"{self._loop.calls} model calls made, the most a typed message may cost")
        with self.lock:
            self.state.why, self.state.partial = words, ""
        self._sizes.look()
        self._board.show("stopped" if why == "stopped" else "ended")

    def _fail(self, error: Exception) -> None:
        problem = problem_of(error, self.course)
        with suppress(Exception):  # where the file cannot be written, that is the problem; it is written later
            more = {"doing": self.state.doing, "orphans": problem.orphans, "policy": problem.policy}
            self._journal.write(Failed(error=problem.kind, text=problem.text, hint=problem.hint, **more))
        with self.lock:
            self.state.problem, self.state.partial = problem, ""
            self.state.past = (*self.state.past, self._told_of(problem))[-MOST_PAST:]
        self._board.show("failed")

    def _told_of(self, problem: Problem) -> str:
        return f"after {len(self.course.base.messages):,} messages: {problem.text}"

    # Edits: made by the thread that drives

    def _edit(self, change: Change, shown: bool = False) -> bool:
        """Have a change made: at once where nothing is under way, else before the next call; whether it was at once.

        `shown` is one that may take a while: meanwhile the run is at work, and can be stopped.
        """
        done = self._edits.put(lambda: self._changed(change))
        with self._board.changed:
            idle = self.state.status not in BUSY
            self._board.changed.notify_all()
        if idle:
            self._put(self._edit_shown if shown else self._edit_quietly)
        try:
            done.result(AT_ONCE)
        except TimeoutError:
            done.add_done_callback(self._came_late)
            return False
        return True

    def _came_late(self, done: "Future[None]") -> None:
        if error := done.exception():
            self._board.notice(str(error))

    def _edit_quietly(self) -> None:
        self._edits.make()

    def _edit_shown(self) -> None:
        with self.lock:
            before = self.state.status
            self._gate.reset()
            self._board.show("running")
        self._edits.make()
        self._board.show(before)

    def _changed(self, change: Change) -> None:
        try:
            change()
        finally:
            self._sizes.look()
            self._board.bump()

    def _compact_now(self) -> None:
        self._refuse_while_a_tool_runs(range(len(self.course.base.messages)))
        self._telling.begin_compaction()
        found = self.course.compact()
        if found.acted or found.status in ("failed", "inflated"):
            self._telling.compacted(found)
        self._board.doing("")
        if not found.acted:
            pinned = found.status == "nothing_to_do"
            hint = "there must be something that is not pinned" if pinned else "try again, or take another policy"
            raise RunError(f"nothing was compacted: {found.reason}", hint)

    def _refuse_while_a_tool_runs(self, places: Iterable[int]) -> None:
        """A call that waits for its result stays, whoever wants it out: the result would stand alone."""
        messages = self.course.base.messages
        waiting = {call.id for call in waiting_calls(messages)}
        if any(call.id in waiting for place in places for call in messages[place].tool_calls):
            raise RunError("a tool has not answered yet", "let it run first, or stop the turn")

    def _drop(self, places: Sequence[int], added: Sequence[int]) -> None:
        known = [place for place in places if place < len(self.course.base.messages)]
        self._refuse_while_a_tool_runs(known)
        self._by_hand(self.course.drop(places, added))

    def _by_hand(self, found: Compaction) -> None:
        self._journal.write(Compacted(compaction=found))

    def _pin(self, places: Sequence[int], on: bool) -> None:
        held = self.course.pin(places, on)
        self._journal.keep(Pinned(ids=tuple(self.course.base.messages[place].id for place in sorted(held))))

    def _govern(self, policy: Policy) -> None:
        if self.course.govern(policy):
            self._now({"policy": policy.name, "parameters": dict(policy.settings)})

    def _reconnect(self, llm: LLM, changed: dict[str, Any]) -> None:
        self.llm = self._loop.llm = self._sizes.llm = llm
        self.course.summarizer = self._summarizer()
        if any(getattr(self.settings, name) != value for name, value in changed.items()):
            self._now(changed)

    def _now(self, changed: dict[str, Any]) -> None:
        """The settings are these from now on."""
        self.settings = now = self.settings.model_copy(update=changed)
        self._journal.keep(Changed.model_validate(now.model_dump(include=set(Changed.model_fields))))
