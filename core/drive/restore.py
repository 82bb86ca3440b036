"""A run as its events left it, so that it can be gone on with: the fold over what the recorder wrote."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.course import Course
from core.errors import RunError
from core.events import (
    AnyEvent,
    Arrived,
    Began,
    Called,
    Changed,
    Compacted,
    Ended,
    Failed,
    Pinned,
    Renamed,
    RunSettings,
    ToolBegan,
    Used,
)
from core.meters import meter
from core.model import Message, ToolCall, Usage
from core.policies import policy

_CHANGES = {"policy", "parameters", "max_calls", "model", "base_url", "max_output"}


@dataclass
class Restored:
    """How far a run had come. `open` is whether a turn was under way, `calls` how many model calls it had made.

    `note` is what whoever takes it up has to say of it; nothing in the file says it.
    """

    began: Began
    settings: RunSettings
    course: Course
    seq: int = 0
    title: str = ""
    open: bool = False
    calls: int = 0
    all_calls: int = 0
    totals: Usage = field(default_factory=Usage)
    begun_tools: set[str] = field(default_factory=set)
    problem: Failed | None = None
    past: list[str] = field(default_factory=list)
    why: str = ""
    note: str = ""

    @property
    def waiting(self) -> tuple[ToolCall, ...]:
        """The calls of the newest reply that have no result yet."""
        return waiting_calls(self.course.base.messages)


def restored(events: Iterable[AnyEvent]) -> Restored:
    """The run after these events. Raises RunError where they do not begin with a beginning, or cannot be."""
    stream = iter(events)
    first = next(stream, None)
    if not isinstance(first, Began):
        raise RunError("the file does not begin with the beginning of a run", "open it in the debugger, or delete it")
    run = Restored(first, first.settings, course_of(first.settings), seq=first.seq, title=first.title)
    for event in stream:
        run.seq = event.seq
        _take(run, event)
    return run


def course_of(settings: RunSettings) -> Course:
    """A course under the policy and the meter of a run, without a message."""
    rules = policy(settings.policy, **settings.parameters)
    return Course(rules, meter=meter(settings.meter), model=settings.model)


def waiting_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls of the newest reply that have no result yet; what was before that reply is not looked at."""
    done: set[str | None] = set()
    for message in reversed(messages):
        if message.role == "assistant":
            return tuple(call for call in message.tool_calls if call.id not in done)
        if message.role == "tool":
            done.add(message.tool_call_id)
    return ()


def _take(run: Restored, event: AnyEvent) -> None:
    course = run.course
    if isinstance(event, Arrived):
        course.append(event.message)
        run.begun_tools.discard(event.message.tool_call_id or "")
        run.totals += event.message.usage or Usage()
        run.open = run.open or event.message.typed
        run.calls = 0 if event.message.typed else run.calls + (event.message.role == "assistant")
        run.problem = None
    elif isinstance(event, Called):
        run.all_calls += 1
    elif isinstance(event, Used) and event.purpose == "summary":  # of replies it is in the message too
        run.totals += event.usage
    elif isinstance(event, ToolBegan):
        run.begun_tools.add(event.call.id)
    elif isinstance(event, Compacted):
        course.again(event.compaction)
    elif isinstance(event, Changed):
        course.govern(policy(event.policy, **event.parameters))
        changed = event.model_dump(include=_CHANGES, exclude_unset=True)
        run.settings = run.settings.model_copy(update=changed)
    elif isinstance(event, Pinned):
        course.hold(course.base.place_of(id) for id in event.ids)
    elif isinstance(event, Failed):
        run.problem = event
        run.past.append(f"after {len(course.base.messages):,} messages: {event.text}")
    elif isinstance(event, Ended):
        run.open, run.why = event.why in ("stopped", "failed"), event.why
    elif isinstance(event, Renamed):
        run.title = event.title
