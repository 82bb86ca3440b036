"""Live runs of foldline: JSON Lines, one event a line, as core/trace/events.py has them and core/drive/recorder.py writes them.

Nothing of a run has to be guessed: every compaction names the window it left, message by message. Where a line is lost, the
compactions behind it speak of places that are not known any more: those are noted, and left out.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from core.importers._files.source import Head, Source
from core.importers._files.text import places
from core.importers._shapes.blocks import first_typed, label
from core.importers._shapes.notes import pluralize
from core.model.errors import FoldlineError, ParameterError
from core.model.session import Driven, Message, PolicyUsed, RecordedCompaction, Session, Usage
from core.policies import policy
from core.trace.compaction import Compaction, fits
from core.trace.events import (
    ANY_EVENT,
    RUN_VERSION,
    AnyEvent,
    Arrived,
    Began,
    Called,
    Changed,
    Compacted,
    Pinned,
    Renamed,
    RunSettings,
    Undone,
    Used,
)
from core.trace.recorded import recorded_of
from core.trace.taken_back import without_step
from core.window.measured import Measured
from core.window.window import Pool

LABEL = "foldline run"
AGENT = "foldline's agent"
DOCS = "core/trace/events.py"
GROUP = "foldline"
RECORDS_COMPACTIONS = True

_KINDS = (
    "began",
    "message",
    "call",
    "usage",
    "exchange",
    "tool",
    "phase",
    "compaction",
    "undone",
    "changed",
    "pinned",
    "paused",
    "error",
)


def recognises(head: Head) -> bool:
    """Whether there is the beginning of a run, or, where its line is damaged, an event with its place in one."""
    return any(_is_beginning(r) or _is_event(r) for r in head.records)


def _is_beginning(record: dict[str, Any]) -> bool:
    return record.get("kind") == "began" and record.get("foldline") == "run"


def _is_event(record: dict[str, Any]) -> bool:
    return record.get("kind") in _KINDS and isinstance(record.get("seq"), int) and isinstance(record.get("time"), str)


def read(source: Source) -> Session:
    """The run as a session. Raises TranscriptError for one of a version from the future."""
    reading = _Reading(source)
    for number, record in source.records():
        reading.take(number, record)
    return reading.session()


@dataclass
class _Reading:
    """One pass over the events. `pool` holds the messages in order and what compactions added, `put_at` when each of those was.

    Among those are messages that had arrived and were cut short: they keep their id, and are no messages of their own.
    """

    source: Source
    id: str = ""
    title: str = ""
    settings: RunSettings = field(default_factory=RunSettings)
    arrived: list[Message] = field(default_factory=list)
    put_at: list[int] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    policies: list[PolicyUsed] = field(default_factory=list)
    ungoverned: bool = False
    pinned: tuple[str, ...] = ()
    tools: int = 0
    usage: Usage | None = None
    records: int = 0
    other: Counter[str] = field(default_factory=Counter)
    strange: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pool = Pool(Measured(self.arrived, ()))

    def take(self, number: int, record: dict[str, Any]) -> None:
        """One record."""
        self.records += 1
        version = record.get("version")
        if _is_beginning(record) and isinstance(version, int) and version > RUN_VERSION:
            newer = version if version < 1_000_000 else "over a million"
            raise self.source.fail(
                f"is a run of version {newer}; this one reads up to {RUN_VERSION}", "update foldline"
            )
        try:
            event: AnyEvent = ANY_EVENT.validate_python(record)
        except (ValidationError, ParameterError):
            self.strange.append(number)
            return
        self._event(number, event)

    def _event(self, number: int, event: AnyEvent) -> None:
        if isinstance(event, Began):
            self.id, self.title, self.settings = event.id, event.title, event.settings
            self._governed(event.settings.policy, event.settings.parameters)
        elif isinstance(event, Arrived):
            self._arrived(number, event)
        elif isinstance(event, Compacted):
            self._compacted(number, event)
        elif isinstance(event, Used):
            self.usage = (self.usage or Usage()) + event.usage
        elif isinstance(event, Renamed):
            self.title = event.title
        else:
            self._kept(event)
            self.other[event.kind] += 1

    def _kept(self, event: AnyEvent) -> None:
        """What an event says of how the run was driven."""
        if isinstance(event, Changed):
            self._governed(event.policy, event.parameters)
        elif isinstance(event, Pinned):
            self.pinned = event.ids
        elif isinstance(event, Undone):
            self._undone(event)
        elif isinstance(event, Called) and event.purpose == "reply":
            self.tools = event.tools

    def _governed(self, name: str, parameters: dict[str, Any]) -> None:
        """A policy is in force: the step the run has come to is shown under it already (`LiveContext.set_policy`)."""
        try:
            policy(name, **parameters)
        except FoldlineError:
            self.ungoverned = True
            return
        since = max(0, len(self.arrived) + len(self.compactions) - 1)
        last = self.policies[-1] if self.policies else None
        if last is None or (last.name, last.parameters) != (name, parameters):
            earlier = [used for used in self.policies if used.since < since]
            self.policies = [*earlier, PolicyUsed(since=since, name=name, parameters=parameters)]

    def _arrived(self, number: int, event: Arrived) -> None:
        stamped = {"line": number, "timestamp": event.message.timestamp or event.time}
        message = event.message.model_copy(update=stamped)
        if message.id in self.ids:
            message = message.model_copy(update={"id": f"{message.id}~line{number}"})
        self.ids.add(message.id)
        self.own.add(message.id)
        self.arrived.append(message)

    def _compacted(self, number: int, event: Compacted) -> None:
        found = event.compaction
        if not found.acted:
            self.other["failed compaction attempt"] += 1
            return
        if not self._fits(found):
            self.lost.append(number)
            return
        self.pool.added += found.added
        self.put_at += [found.at] * len(found.added)
        self.ids.update(m.id for m in found.added)
        self.compactions.append(self._recorded(number, event))

    def _undone(self, event: Undone) -> None:
        """The newest removal is taken back; where its line is lost, there is none to take back."""
        last = self.compactions[-1] if self.compactions else None
        if last is not None and last.by_hand and last.at == event.at:
            self.compactions.pop()
            self.policies = without_step(self.policies, last.at + len(self.compactions))

    def _fits(self, found: Compaction) -> bool:
        """Whether all that it speaks of is there: its places are those of the messages that had arrived."""
        new = {m.id for m in found.added}
        there = fits(found, len(self.arrived), len(self.pool.added))
        return there and len(new) == len(found.added) and not new & (self.ids - self.own)

    def _recorded(self, number: int, event: Compacted) -> RecordedCompaction:
        found = event.compaction.attach(self.pool)
        put_in = (m for m in found.added if m.id not in self.own)
        left = (m for m in event.left if m.id in self.ids)
        return recorded_of(found, self.pool, put_in, left, self.settings.meter, line=number, timestamp=event.time)

    def session(self) -> Session:
        """What the events come to."""
        messages = self._in_order()
        damage = self.source.damage
        return Session(
            id=self.id,
            format="foldline-run",
            title=self.title or label(first_typed(messages)),
            model=self.settings.model or self.settings.provider,
            project=self.settings.folder,
            messages=tuple(messages),
            compactions=tuple(self.compactions),
            usage=self.usage,
            records=self.records,
            malformed_lines=damage.malformed_lines + len(self.strange),
            recovered_records=damage.recovered,
            other=dict(sorted(self.other.items())),
            notes=tuple(self._notes()),
            driven=self._driven(),
        )

    def _driven(self) -> Driven | None:
        """How the run was driven; None where the line with its settings is lost, or a policy is not known here."""
        if not self.policies or not self.id or self.ungoverned:
            return None
        used = tuple(self.policies)
        return Driven(meter=self.settings.meter, policies=used, pinned=self.pinned, tools=max(0, self.tools))

    def _in_order(self) -> list[Message]:
        messages: list[Message] = []
        at = 0
        for place, message in zip(self.put_at, self.pool.added, strict=True):
            if message.id not in self.own:
                messages += [*self.arrived[at:place], message]
                at = max(at, place)
        return messages + self.arrived[at:]

    def _notes(self) -> list[str]:
        notes = list(self.source.damage.notes())
        if self.strange:
            notes.append(f"{pluralize(len(self.strange), 'event')} could not be understood: {places(self.strange)}")
        if self.lost:
            what = pluralize(len(self.lost), "compaction")
            notes.append(f"{what} left out, because earlier records are missing: {places(self.lost)}")
        return notes
