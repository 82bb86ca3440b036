"""A run as its recorded events left it, so that it can be continued."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.drive.breakpoints import matchers_of
from core.drive.problems import error_line
from core.drive.recorder import line_error
from core.drive.state import FORKED, LEFT_OPEN, Problem, State, end_reason
from core.engine.live_context import LiveContext
from core.meters import meter
from core.model.errors import FoldlineError, RunError
from core.model.session import Message, ToolCall, Usage
from core.policies import policy
from core.trace.breakpoint import Breakpoint
from core.trace.compaction import Compaction, fits
from core.trace.events import (
    AnyEvent,
    Arrived,
    Began,
    BreakpointsChanged,
    Called,
    Changed,
    Compacted,
    Ended,
    Exchanged,
    Failed,
    Pinned,
    Renamed,
    RunSettings,
    ToolBegan,
    Undone,
    Used,
)

_CHANGES = {"policy", "parameters", "max_calls", "model", "base_url", "max_output"}


@dataclass
class Restored:
    """How far a run had come. `open` is whether a turn was under way, `calls` how many model calls that turn had made.

    `reason` is why the last turn ended, "" where it has gone on since, or another has begun.

    `begun_tools` are the calls of tools that ran when the process ended, `ran` those that were done. What a fork has from
    the run it was forked from counts in neither `all_calls` nor `totals`.
    """

    began: Began
    settings: RunSettings
    context: LiveContext
    seq: int = 0
    title: str = ""
    open: bool = False
    calls: int = 0
    all_calls: int = 0
    totals: Usage = field(default_factory=Usage)
    begun_tools: dict[str, ToolCall] = field(default_factory=dict)
    ran: list[ToolCall] = field(default_factory=list)
    breakpoints: tuple[Breakpoint, ...] = ()
    problem: Failed | None = None
    errors: list[str] = field(default_factory=list)
    exchanges: list[Exchanged] = field(default_factory=list)
    reason: str = ""

    @property
    def ran_on(self) -> bool:
        """Whether anything happened that is not inherited from a parent."""
        fork = self.began.fork
        return fork is None or self.seq > self.began.seq + fork.events

    def restore(self, state: State) -> None:
        """Give the state of a run what it was."""
        state.calls, state.totals = self.all_calls, self.totals
        state.add_error(*self.errors)
        if not self.open:
            state.status, state.reason = ("ended", self.reason) if self.reason else ("ready", "")
        elif self.problem:
            found = self.problem
            retry = not found.orphans
            state.status = "failed"
            state.problem = Problem(
                found.error, found.text, found.hint, retry, found.orphans, found.policy, found.reply
            )
        else:
            state.status, state.reason = "stopped", self.reason or (LEFT_OPEN if self.ran_on else FORKED)


def restored(events: Iterable[AnyEvent], file: str = "the run") -> Restored:
    """The run after these events, one a line of `file`.

    Raises RunError where the first one is not `Began`, or one is impossible: it names the line.
    """
    stream = iter(events)
    first = next(stream, None)
    if not isinstance(first, Began):
        raise RunError("the file does not start with the beginning of a run", "open it in the debugger, or delete it")
    with _naming(file, 1):
        run = Restored(first, first.settings, context_for(first.settings), seq=first.seq, title=first.title)
    shared = first.fork.events if first.fork else 0
    breakpoints_line = 1
    for line, event in enumerate(stream, start=2):
        run.seq = event.seq
        breakpoints_line = line if isinstance(event, BreakpointsChanged) else breakpoints_line
        with _naming(file, line):
            _apply(run, event, inherited=event.seq - first.seq <= shared)
    with _naming(file, breakpoints_line):
        matchers_of(run.breakpoints)
    return run


@contextmanager
def _naming(file: str, line: int) -> Iterator[None]:
    """An error about the event of a line names the file and the line."""
    try:
        yield
    except FoldlineError as error:
        raise line_error(file, line, error) from error
    except (LookupError, ValueError) as error:
        raise line_error(file, line, RunError("it names messages that do not exist")) from error


def context_for(settings: RunSettings) -> LiveContext:
    """An empty context with the policy and the meter of a run."""
    rules = policy(settings.policy, **settings.parameters)
    return LiveContext(rules, meter=meter(settings.meter), model=settings.model)


def waiting_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls of the newest reply that have no result yet."""
    done: set[str | None] = set()
    for message in reversed(messages):
        if message.role == "assistant":
            return tuple(call for call in message.tool_calls if call.id not in done)
        if message.role == "tool":
            done.add(message.tool_call_id)
    return ()


def _answered(run: Restored, message: Message) -> None:
    """Keep which call a result answers: as it ran, so that its tool can be brought to where it was."""
    begun = run.begun_tools.pop(message.tool_call_id or "", None) if message.role == "tool" else None
    if begun is not None and not message.is_error:
        run.ran.append(begun)


def _arrived(run: Restored, message: Message, inherited: bool) -> None:
    """A message came: a typed one opens a turn, a reply is one more call of it."""
    run.context.append(message)
    _answered(run, message)
    run.totals += Usage() if inherited else message.usage or Usage()
    run.open = run.open or message.typed
    run.reason = "" if run.open else run.reason
    run.calls = 0 if message.typed else run.calls + (message.role == "assistant")
    run.problem = None


def _called(run: Restored, event: Called) -> None:
    run.all_calls += 1
    if event.purpose == "reply":
        run.context.mark_sent()
        run.reason = "" if run.open else run.reason


def _undone(context: LiveContext, event: Undone) -> None:
    if context.undo().at != event.at:
        raise RunError("it takes back another removal than the newest")


def _compacted(context: LiveContext, compaction: Compaction) -> None:
    if compaction.acted and not fits(compaction, len(context.base.messages), len(context.pool.added)):
        raise RunError("the compaction names messages that do not exist")
    context.restore(compaction)


def _apply(run: Restored, event: AnyEvent, inherited: bool) -> None:
    context = run.context
    if isinstance(event, Arrived):
        _arrived(run, event.message, inherited)
    elif isinstance(event, Called):
        _called(run, event)
    elif isinstance(event, Used) and event.purpose == "summary":  # of replies it is in the message too
        run.totals += event.usage
    elif isinstance(event, Exchanged):
        run.exchanges.append(event)
    elif isinstance(event, ToolBegan):
        run.begun_tools[event.call.id] = event.call
    elif isinstance(event, BreakpointsChanged):
        run.breakpoints = event.points
    elif isinstance(event, Compacted):
        _compacted(context, event.compaction)
    elif isinstance(event, Undone):
        _undone(context, event)
    elif isinstance(event, Changed):
        context.set_policy(policy(event.policy, **event.parameters))
        changed = event.model_dump(include=_CHANGES, exclude_unset=True)
        run.settings = run.settings.model_copy(update=changed)
    elif isinstance(event, Pinned):
        context.pin_only(context.base.place_of(id) for id in event.ids)
    elif isinstance(event, Failed):
        run.problem = event
        run.errors.append(error_line(context, event.text))
    elif isinstance(event, Ended):
        run.open, run.reason = event.why in ("stopped", "failed"), end_reason(event.why, run.settings.max_calls)
    elif isinstance(event, Renamed):
        run.title = event.title
