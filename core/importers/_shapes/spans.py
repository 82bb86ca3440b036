"""The spans of a trace: model calls, tool runs and agents, and how they are nested.

A trace format makes `Span`s of its records; `span_threads.py` makes windows of them, and `span_sessions.py` sessions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from core.importers._shapes.written_compactions import WrittenCompaction
from core.model.session import Message, Usage

Kind = Literal["llm", "tool", "agent", ""]
PromptAndReply = tuple[list[Message], list[Message]]


@dataclass(slots=True, eq=False)
class Span:
    """One span. `messages` reads what a model call was sent and what it answered, each time anew: together they are too much.

    `holds` is whether there is anything to read, `start` and `end` are nanoseconds since 1970 (0: not known). Of a tool run
    there are `call`, `arguments` and `result`; `failed` is the error it ended with. `what` is what the format calls its kind.
    `compacted` is whether a model call says that it was sent a compacted conversation, `compaction` what a span tells that is
    a compaction itself.
    """

    id: str
    messages: Callable[["Span"], PromptAndReply]
    raw: Any = None
    parent: str = ""
    trace: str = ""
    conversation: str = ""
    kind: Kind = ""
    what: str = ""
    name: str = ""
    start: int = 0
    end: int = 0
    line: int | None = None
    holds: bool = False
    usage: Usage | None = None
    model: str = ""
    call: str = ""
    arguments: Any = None
    result: Any = None
    failed: str = ""
    compacted: bool = False
    compaction: WrittenCompaction | None = None


@dataclass(slots=True)
class Place:
    """Where a span lies: in which tool run, agent and model call, below how many agents, and in which conversation."""

    tool: Span | None = None
    agent: Span | None = None
    around: Span | None = None
    agents: int = 0
    conversation: str = ""


@dataclass
class SpanPlaces:
    """The spans of a trace by id, and where each is nested."""

    spans: Sequence[Span]
    places: dict[Span, Place] = field(default_factory=dict)
    wrappers: set[Span] = field(default_factory=set)

    def __post_init__(self) -> None:
        known = {(span.trace, span.id): span for span in self.spans}
        for span in self.spans:
            for one, above in reversed(list(self._unplaced(span, known))):
                self.places[one] = (
                    self._below(above, one) if above is not None else Place(conversation=one.conversation)
                )
        self._name_the_rest()
        self.wrappers = {place.around for span, place in self.places.items() if _speaks(span) and place.around}

    def _unplaced(self, span: Span, known: dict[tuple[str, str], Span]) -> Iterator[tuple[Span, Span | None]]:
        """A span and those above it that have no place yet, each with its parent; a ring is cut where it closes."""
        met: set[Span] = set()
        here: Span | None = span
        while here is not None and here not in self.places:
            met.add(here)
            above = known.get((here.trace, here.parent)) if here.parent else None
            above = None if above in met else above
            yield here, above
            here = above

    def _below(self, above: Span, span: Span) -> Place:
        """The conversation is that of the topmost span that names one."""
        place = self.places[above]
        return Place(
            tool=above if above.kind == "tool" else place.tool,
            agent=above if above.kind == "agent" else place.agent,
            around=above if above.kind == "llm" else None if above.kind == "tool" else place.around,
            agents=place.agents + (above.kind == "agent"),
            conversation=place.conversation or span.conversation,
        )

    def _name_the_rest(self) -> None:
        """A span without a conversation belongs to the only one of its trace, or to the trace itself."""
        named: dict[str, set[str]] = {}
        for span, place in self.places.items():
            named.setdefault(span.trace, set()).update({place.conversation} - {""})
        for span, place in self.places.items():
            of_trace = named[span.trace]
            place.conversation = place.conversation or (next(iter(of_trace)) if len(of_trace) == 1 else span.trace)


def _speaks(span: Span) -> bool:
    return span.kind == "llm" and span.holds


def unique(spans: Iterable[Span]) -> tuple[list[Span], int]:
    """The spans in order of time, each with an id, and how many stood twice: of those the last is taken."""
    found: dict[Any, Span] = {}
    count = 0
    for span in spans:
        count += 1
        name, span.id = span.id, span.id or f"span-{count}"
        found[(span.trace, name) if name else count] = span
    return sorted(found.values(), key=lambda span: (span.start, -span.end)), count - len(found)


def moment(nanoseconds: int) -> str:
    """A time as text, in UTC; empty where there is none, or none that a calendar has."""
    try:
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return ""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z") if nanoseconds else ""
