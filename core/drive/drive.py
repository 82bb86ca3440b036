"""A live run: an agent under way that can be paused, looked into, changed and gone on with, and is on disk as it goes.

One thread of its own drives; it alone changes the run. Whoever commands puts the command in its way and returns: what may be
done at once is done, the rest before the next model call. Readers hold `lock` while they look, and it is never held for long.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from core.course import Course
from core.drive.breakpoints import Breakpoint, Breakpoints
from core.drive.restore import Restored, course_of, waiting_calls
from core.drive.state import Problem, Sized, State
from core.drive.summaries import BY_MODEL, ByModel, Phased
from core.errors import BrokenPairError, FoldlineError, ModelError, RunCancelledError, RunError
from core.events import (
    Arrived,
    Began,
    Called,
    Changed,
    Compacted,
    Ended,
    Event,
    Failed,
    Paused,
    Pinned,
    Renamed,
    RunSettings,
    ToolBegan,
    Used,
)
from core.events import Phased as PhaseEvent
from core.llm.protocol import LLM, Counts, Shows, ToolSpec
from core.loop import AT_TURN_END, Loop, Outcome, Watcher
from core.meters import meter_name
from core.model import Message, ToolCall, Usage
from core.policy import Policy
from core.summarizers import summarizer
from core.tools import ToolRegistry
from core.trace import Compaction

AT_ONCE = 0.25
"""Seconds a command is waited for, before it is said that it will act later."""

STOPPED_TOOL = "error: stopped before this ran"
INTERRUPTED_TOOL = "error: foldline stopped while this ran; whether it was done is not known"

Job = Callable[[], None]


class Writer(Protocol):
    """What keeps the events of a run; `seq` is how many it has kept."""

    seq: int

    def write(self, event: Event) -> Event:
        """The event as it was kept."""
        ...

    def sync(self) -> None:
        """Have them outlive the machine."""
        ...

    def close(self) -> None:
        """Keep no more."""
        ...


class Drive(Watcher):
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
        self.lock = threading.RLock()
        self.course: Course = before.course if before else course_of(settings)
        self.course.guard = self.lock
        self.state = State()
        self.breakpoints = Breakpoints()
        self.version = 1
        self._changed = threading.Condition(self.lock)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._edits: SimpleQueue[Job] = SimpleQueue()
        self._go, self._cancel = threading.Event(), threading.Event()
        self._pause_asked = self._one_step = False
        self._shown: tuple[int, int] | None = None
        self._told: set[str] = set()
        self._heard_at = 0.0
        self._schemas = -1
        self._sent = Sized(0, 0)
        self._counted: tuple[int, int | None] | None = None
        self._loop = Loop(llm, tools, self.course, settings.max_calls, self)
        self.course.summarizer = self._summarizer()
        self._begun_tools: set[str] = set()
        self._thread: threading.Thread | None = None
        self._unwritten: list[Event] = []
        self._end_due = False
        self._take_up(before) if before else self._begin()

    # Beginning, and going on

    def _begin(self) -> None:
        """The beginning is written with the first thing that happens: a run nobody told anything leaves no file."""
        self._unwritten.append(Began(id=self.id, title=self.title, settings=self.settings))
        if self.settings.system:
            kept = self.course.append(Message(role="system", content=self.settings.system))
            self._unwritten.append(Arrived(message=kept, tokens=self.course.base.tokens[-1]))
        self._size_next()

    def _take_up(self, before: Restored) -> None:
        state = self.state
        state.calls, state.totals, self._begun_tools = before.all_calls, before.totals, before.begun_tools
        self._loop.calls = before.calls
        self._size_next()
        self._end_due = before.open and not self._unfinished()
        if self._end_due:
            state.status, state.why = "ended", "answered"
        elif not before.open:
            state.status, state.why = ("ended", before.why) if before.why else ("ready", "")
        elif before.problem:
            found = before.problem
            state.status = "failed"
            state.problem = Problem(found.error, found.text, found.hint, orphans=())
        else:
            state.status, state.why = "stopped", "foldline ended here; continue to go on from the last recorded step"

    def _summarizer(self) -> Phased:
        if self.settings.summaries == BY_MODEL:
            asked = ByModel(self.llm, self.cancelled, self._summary_asked, self._summary_answered)
            return Phased(asked, self._phase)
        return Phased(summarizer(self.settings.summaries), self._phase)

    # Commands: each may be given by any thread

    def say(self, text: str) -> None:
        """A person typed this. Raises RunError while the agent is at work."""
        with self.lock:
            self._idle("say something")
            self._start(lambda: self._turn(text))

    def go_on(self) -> None:
        """Continue: from a pause, after a stop or an error, or with more calls. Raises RunError if there is nothing to do."""
        with self._changed:
            if self.state.status == "paused":
                self._go.set()
                self._show("running")
            elif self.state.status in ("pausing", "running"):
                self._pause_asked = False
                self._show("running")
            elif self._unfinished():
                self._start(self._rest)
            else:
                raise RunError("there is nothing to go on with", "type what the agent is to do")

    def step(self) -> None:
        """Make one model call and run its tools, then pause before the next."""
        self._one_step = True
        self.go_on()

    def run_free(self) -> None:
        """Leave step mode and continue."""
        with self.lock:
            self.state.stepping = False
            self._bump()
        self.go_on()

    def pause(self) -> None:
        """Pause before the next model call or tool."""
        if self.state.status == "running":
            self._pause_asked = True
            self._show("pausing")

    def stop(self) -> None:
        """Stop the turn, and the model call under way with it. What had arrived stays; `go_on` takes it up from there."""
        with self._changed:
            if self.state.status in ("running", "pausing", "paused"):
                self._cancel.set()
                self._go.set()
                self._show("running")
                self._doing("stopping")

    def compact(self) -> bool:
        """Compact now, or before the next call where one is under way; whether it was done at once."""
        return self._edit(self._compact_now)

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> bool:
        """Take messages out of the window. Raises RunError where none of them is in it."""
        places, added = tuple(places), tuple(added)
        return self._edit(lambda: self._compacted_by_hand(self.course.drop(places, added)))

    def pin(self, places: Iterable[int], on: bool = True) -> bool:
        """Pin messages, or let them go. Raises RunError for a place where there is none."""
        places = tuple(places)
        return self._edit(lambda: self._pin(places, on))

    def govern(self, policy: Policy) -> bool:
        """Let this policy act from the next model call on."""
        return self._edit(lambda: self._govern(policy))

    def allow(self, calls: int) -> bool:
        """Allow so many model calls for each typed message."""
        return self._edit(lambda: self._allow(calls))

    def without_orphans(self) -> bool:
        """Take the halves of broken tool pairs out of the window and go on."""
        problem = self.state.problem
        if problem is None or not problem.orphans:
            raise RunError("no tool pair is broken", "go on")
        ids = problem.orphans
        done = self._edit(lambda: self._compacted_by_hand(self.course.drop(*self._places(ids))))
        self.go_on()
        return done

    def rename(self, title: str) -> None:
        """Give the run a name."""
        with self.lock:
            self.title = title
            self._write(Renamed(title=title))
            self._bump()

    def set(self, *, stepping: bool | None = None, pace: float | None = None) -> None:
        """Step mode, and the seconds to wait before each model call."""
        with self.lock:
            self.state.stepping = self.state.stepping if stepping is None else stepping
            self.state.pace = self.state.pace if pace is None else min(60.0, max(0.0, pace))
            self._bump()

    def break_on(self, points: Iterable[Breakpoint]) -> None:
        """These are the breakpoints from now on."""
        with self.lock:
            self.breakpoints.all = tuple(points)
            self._bump()

    def close(self, wait: float = 5.0) -> None:
        """Stop driving, and let go of the file and of what the tools hold."""
        self.stop()
        self._jobs.put(None)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(wait)
        if self.recorder.seq:  # a run nobody told anything leaves no file
            with suppress(FoldlineError):
                self._write_rest()
        self.recorder.close()
        self._closing()

    def wait(self, seconds: float = 60.0) -> str:
        """Wait until the run is not at work any more, or that long; returns its status."""
        until = time.monotonic() + seconds
        with self._changed:
            while self.state.status in ("running", "pausing") and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            return self.state.status

    def newer(self, version: int, seconds: float) -> int:
        """Wait until something is newer than this version, or that long; returns the version now."""
        with self._changed:
            if self.version == version:
                self._changed.wait(seconds)
            return self.version

    def request(self) -> dict[str, Any]:
        """The JSON body that the next model call would send, as the provider gets it. Raises ModelError."""
        with self.lock:
            messages, specs = self.course.messages(), self.tools.specs()
        if isinstance(self.llm, Shows):
            return self.llm.request(messages, specs)
        return {"messages": [m.model_dump(exclude_defaults=True) for m in messages], "tools": specs}

    # The thread

    def _idle(self, what: str) -> None:
        if self.state.status in ("running", "pausing", "paused"):
            raise RunError(
                f"the agent is at work: it cannot be made to {what}", "stop it first, or wait for its answer"
            )

    def _unfinished(self) -> bool:
        messages = self.course.base.messages
        return bool(messages) and (messages[-1].role in ("user", "tool") or bool(waiting_calls(messages)))

    def _start(self, work: Callable[[], Outcome]) -> None:
        self._cancel.clear()
        self._go.clear()
        self._pause_asked = False
        with self.lock:
            self.state.problem, self.state.why = None, ""
        self._show("running")
        self._put(lambda: self._run(work))

    def _put(self, job: Job) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=f"foldline-{self.id}", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _run(self, work: Callable[[], Outcome]) -> None:
        try:
            self._drain()
            self._worked(work)
        except Exception as error:  # whatever it is, the person is told, and the run can be gone on with
            self._fail(error)

    def _worked(self, work: Callable[[], Outcome]) -> None:
        try:
            ended = work()
            self._end(ended.why, ended.answer)
        except RunCancelledError:
            self._settle(waiting_calls(self.course.base.messages), STOPPED_TOOL)
            self._end("stopped", "")

    def _turn(self, text: str) -> Outcome:
        self._settle(self._still_waiting(), STOPPED_TOOL)
        if self._end_due:  # the process ended between the answer and the end of the turn
            self._end_due = False
            self._loop.look(AT_TURN_END)
        return self._loop.turn(text)

    def _rest(self) -> Outcome:
        """The rest of the turn; one that had used up its calls is given as many again."""
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

    def _end(self, why: str, answer: str) -> None:
        self._write(Ended(why=why, answer=answer))
        said = {"answered": "answered", "stopped": "stopped by hand"}
        words = said.get(why, f"{self._loop.calls} model calls made, the most a typed message may cost")
        with self.lock:
            self.state.why, self.state.partial = words, ""
            self._size_next()
        self._show("stopped" if why == "stopped" else "ended")

    def _fail(self, error: Exception) -> None:
        problem = self._problem(error)
        with suppress(Exception):  # where the file cannot be written, that is the problem; it is written later
            self._write(Failed(error=problem.kind, text=problem.text, hint=problem.hint, doing=self.state.doing))
        with self.lock:
            self.state.problem, self.state.partial = problem, ""
        self._show("failed")

    def _problem(self, error: Exception) -> Problem:
        if isinstance(error, BrokenPairError):
            by = self._who_broke(error)
            text = f"{by} broke a tool pair: {error}" if by else str(error)
            return Problem(error.kind, text, error.hint, orphans=error.message_ids, policy=by)
        if isinstance(error, ModelError):
            return Problem(error.kind, str(error), error.hint)
        if isinstance(error, FoldlineError):
            return Problem("error", str(error), error.hint)
        return Problem("bug", f"{type(error).__name__}: {error}", "try again; if it comes back, please report it")

    def _who_broke(self, error: BrokenPairError) -> str:
        """The policy that took the other half of a pair out of the window: the last one that took anything of it."""
        base = self.course.base
        places = {place for id in error.message_ids for place in self._pair(id)}
        for found in reversed(self.course.compactions):
            gone = (i for edit in found.edits for a, b in edit.ranges for i in range(a, min(b, len(base.messages))))
            if places & set(gone):
                return found.policy
        return ""

    def _pair(self, id: str) -> list[int]:
        try:
            return self.course.pair_of(self.course.base.place_of(id))
        except KeyError:
            return []

    def _places(self, ids: Iterable[str]) -> tuple[list[int], list[int]]:
        """Where messages stand, by their ids: places of the session, and of what compactions added."""
        own: list[int] = []
        added: list[int] = []
        names = {m.id: k for k, m in enumerate(self.course.added)}
        for id in ids:
            try:
                own.append(self.course.base.place_of(id))
            except KeyError:
                added += [names[id]] if id in names else []
        return own, added

    # Edits: done by the thread that drives, between two calls, or by the commander where nothing is under way

    def _edit(self, change: Job) -> bool:
        done, late = Future[None](), threading.Event()

        def job() -> None:
            try:
                change()
                done.set_result(None)
            except BaseException as error:
                done.set_exception(error)
                if late.is_set():
                    self._notice(str(error))
            with self.lock:
                self._size_next()
                self._bump()

        self._edits.put(job)
        self._go_round()
        try:
            done.result(AT_ONCE)
        except TimeoutError:
            late.set()
            return False
        return True

    def _notice(self, text: str) -> None:
        with self.lock:
            self.state.notice = (self.state.notice[0] + 1, text)

    def _go_round(self) -> None:
        """Have the edits done: by a job where the thread is idle, else by the thread where it waits or comes by."""
        with self._changed:
            idle = self.state.status not in ("running", "pausing", "paused")
            self._changed.notify_all()
        if idle:
            self._put(self._drain_alone)

    def _drain_alone(self) -> None:
        self._cancel.clear()
        self._drain()

    def _drain(self) -> bool:
        """Do the edits that wait; whether there were any."""
        any_done = False
        while True:
            try:
                job = self._edits.get_nowait()
            except Empty:
                return any_done
            job()
            any_done = True

    def _compact_now(self) -> None:
        self._told.clear()
        self._doing("compacting")
        found = self.course.compact()
        if not found.acted:
            self._doing("")
            raise RunError(f"nothing was compacted: {found.reason}", "there must be something that is not pinned")
        self.compacted(found)

    def _compacted_by_hand(self, found: Compaction) -> None:
        self._write(Compacted(compaction=found))
        self._bump()

    def _pin(self, places: Sequence[int], on: bool) -> None:
        held = self.course.pin(places, on)
        self._write(Pinned(ids=tuple(self.course.base.messages[place].id for place in sorted(held))))

    def _govern(self, policy: Policy) -> None:
        if self.course.govern(policy):
            chosen = {"policy": policy.name, "parameters": dict(policy.settings)}
            self.settings = self.settings.model_copy(update=chosen)
            self._write(Changed(**chosen, max_calls=self.settings.max_calls))

    def _allow(self, calls: int) -> None:
        self._loop.most = max(1, calls)
        self.settings = self.settings.model_copy(update={"max_calls": self._loop.most})
        now = {"policy": self.settings.policy, "parameters": self.settings.parameters}
        self._write(Changed(**now, max_calls=self._loop.most))

    # What the loop tells

    def arrived(self, message: Message) -> None:
        """A message is written down, with what it cost where it is a reply."""
        tokens = self.course.base.tokens[-1]
        self._write(Arrived(message=message, tokens=tokens))
        self.breakpoints.arrived(message)
        if message.role == "assistant":
            self._replied(message)
        with self.lock:
            self.state.partial = ""
            self._bump()

    def _replied(self, message: Message) -> None:
        self._doing("")
        if not message.usage:
            return
        self._write(Used(number=self.state.calls, usage=message.usage, model=message.model))
        with self.lock:
            self.state.totals += message.usage
            self.state.last = replace(self._sent, usage=message.usage)

    def compacted(self, found: Compaction) -> None:
        """What was done to the window is written down, with the messages it left emptied."""
        if self._cancel.is_set() and not found.acted:
            return
        if "trigger" not in self._told:
            self._phase("trigger", {"reason": found.reason})
        if found.acted:
            self._phase("splice", {"before": found.window_before, "after": found.window_after})
            self.breakpoints.compacted()
        self._write(Compacted(compaction=found, left=found.left))
        self._told.clear()
        self._doing("")
        if found.status == "failed" and found.reason.endswith("and the run ends"):
            raise RunError(found.reason, "try again, or take another policy")

    def _phase(self, phase: str, told: dict[str, Any]) -> None:
        if phase == "partition":
            self._phase("trigger", {"tokens": self.course.tokens(), "limit": self.course.policy.limit})
            self._doing(f"writing a summary of {told['messages']:,} messages")
        self._told.add(phase)
        self._write(PhaseEvent(phase=phase, told=told))

    def before_call(self, messages: list[Message], tools: list[ToolSpec]) -> bool:
        """Do what waits to be done, then pause if there is a reason to; True where the window may be another one now."""
        if self._drain():
            return True
        with self.lock:
            self._size_next()
        why = self._reason()
        if not why:
            return self._keep_pace()
        self._wait(why)
        return self._drain()

    def _reason(self) -> str:
        """Why to pause before the call that comes next; each call and window is paused at once."""
        here = (self.state.calls, self.course.steps)
        hit = self.breakpoints.before_call(self.course.tokens())
        if self._shown == here and not self._pause_asked:
            return ""
        self._shown = here
        if self._pause_asked:
            return "paused by hand"
        return hit or ("step mode" if self.state.stepping else "one step made" if self._one_step else "")

    def _keep_pace(self) -> bool:
        if self.state.pace and self.state.calls:
            self._doing("waiting, as the pace wants it")
            self._cancel.wait(self.state.pace)
        return self._drain() or self._pause_asked

    def _wait(self, why: str) -> None:
        self._write(Paused(why=why))
        self._pause_asked = self._one_step = False
        self._go.clear()
        with self.lock:
            self.state.why = why
            self._doing("")
        self._count_next()
        self._show("paused")
        while not self._go.is_set() and not self._cancel.is_set():
            self._drain()
            with self._changed:
                if not self._go.is_set() and self._edits.empty():
                    self._changed.wait(0.1)
        with self.lock:
            self.state.why, self._shown = "", (self.state.calls, self.course.steps)
        self._show("running")

    def calling(self, messages: list[Message]) -> None:
        """The call is written down before it is made, with what it sends by every count there is."""
        self._count_next()
        with self.lock:
            self.state.calls += 1
            self._sent = sized = self.state.next or Sized(0, 0)
        self._write(
            Called(
                number=self.state.calls,
                messages=sized.messages,
                estimate=sized.estimate + sized.tools,
                counted=sized.counted,
            )
        )
        self.recorder.sync()
        self._doing("waiting for the model")

    def heard(self, text: str) -> None:
        """A piece of the reply: shown, not written down."""
        with self.lock:
            self.state.partial += text
            self.state.doing = "writing"
            if time.monotonic() - self._heard_at > 0.05:
                self._heard_at = time.monotonic()
                self._bump()

    def before_tool(self, call: ToolCall) -> None:
        """Pause if a breakpoint says so, then write down that the tool runs."""
        why = "paused by hand" if self._pause_asked else self.breakpoints.before_tool(call.name)
        if why:
            self._wait(why)
        self._write(ToolBegan(call=call))
        self._doing(f"tool: {call.name}")

    def cancelled(self) -> bool:
        """Whether somebody asked to stop."""
        return self._cancel.is_set()

    def _summary_asked(self, request: Message) -> None:
        estimate = self.course.meter.count(request)
        with self.lock:
            self.state.calls += 1
        self._write(Called(number=self.state.calls, purpose="summary", messages=1, estimate=estimate))

    def _summary_answered(self, reply: Message) -> None:
        if reply.usage:
            self._write(Used(number=self.state.calls, purpose="summary", usage=reply.usage, model=reply.model))
            with self.lock:
                self.state.totals += reply.usage

    # What is shown

    def _write(self, event: Event) -> None:
        """Have the event written, behind those that could not be so far: none is left out, none comes before its time."""
        with self.lock:
            self._unwritten.append(event)
            self._write_rest()

    def _write_rest(self) -> None:
        while self._unwritten:
            self.recorder.write(self._unwritten[0])
            del self._unwritten[0]

    def _doing(self, what: str) -> None:
        with self.lock:
            self.state.doing, self.state.since = what, time.monotonic()
            self._bump()

    def _show(self, status: str) -> None:
        with self.lock:
            self.state.status = status  # type: ignore[assignment]
            if status not in ("running", "pausing"):
                self.state.doing = ""
            self.state.since = time.monotonic()
            self._bump()

    def _bump(self) -> None:
        with self._changed:
            self.version += 1
            self._changed.notify_all()

    def _size_next(self) -> None:
        """How large the next prompt is, by the run's meter."""
        known = self._counted and self._counted[0] == self.course.steps
        counted = self._counted[1] if known and self._counted else None
        self.state.next = Sized(len(self.course), self.course.tokens(), self._tool_tokens(), counted)

    def _tool_tokens(self) -> int:
        if self._schemas < 0:
            texts = (json.dumps(spec, ensure_ascii=False) for spec in self.tools.specs())
            count = self.course.meter.count
            self._schemas = sum(count(Message(role="system", content=text)) for text in texts)
        return self._schemas

    def _count_next(self) -> None:
        """How large the provider says it is, where that was asked for; an answer that fails to come is no reason to stop."""
        with self.lock:
            self._size_next()
        if not (self.settings.count_first and isinstance(self.llm, Counts)):
            return
        if self._counted is None or self._counted[0] != self.course.steps:
            self._doing("counting")
            self._counted = (self.course.steps, self._count(self.llm))
        with self.lock:
            self._size_next()

    def _count(self, llm: Counts) -> int | None:
        try:
            return llm.count_tokens(self.course.messages(), self.tools.specs())
        except FoldlineError:
            return None

    @property
    def turn_calls(self) -> int:
        """How many model calls of this turn were answered."""
        return self._loop.calls

    def places_of(self, ids: Iterable[str]) -> list[int]:
        """Where messages of the session stand, by their ids."""
        return self._places(ids)[0]

    @property
    def meter(self) -> str:
        """The name of the meter the run is counted by."""
        return meter_name(self.course.meter)

    @property
    def usage(self) -> Usage:
        """All that was read and written so far, as the provider says."""
        return self.state.totals
