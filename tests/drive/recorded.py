"""A course whose every change is told as events, as a drive does it, without threads: what tests of both read."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from core import Message, Policy, policies
from core.course import Course
from core.drive.restore import course_of
from core.events import Arrived, Began, Changed, Compacted, Event, Pinned, RunSettings
from core.loop import AT_TURN_END, AT_TURN_START, BEFORE_CALL
from core.recorder import Nowhere, line_of
from core.trace import Compaction
from core.vocabulary import Phase
from tests.support import tight


def loosely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have policies made by their names take settings as small as the tests need them."""
    known = {chosen.name: tight(chosen) for chosen in policies()}

    def named(name: str, **settings: Any) -> Policy:
        return known[name].with_settings(settings)

    monkeypatch.setattr("core.drive.restore.policy", named)


def written(events: Iterable[Event]) -> bytes:
    """The events as a run's file has them."""
    return "".join(f"{line_of(event)}\n" for event in events).encode()


def same_bodies(one: Sequence[Message], other: Sequence[Message]) -> bool:
    """Whether two windows hold the same messages with the same in them."""
    return [_body(m) for m in one] == [_body(m) for m in other]


def _body(m: Message) -> tuple[Any, ...]:
    return (m.id, m.role, m.content, m.thinking, [(c.id, c.name, c.arguments) for c in m.tool_calls])


class Told:
    """A course under way, the events that tell of it, and what a person does to it."""

    def __init__(self, policy: Policy, meter: str = "agentkit") -> None:
        self.settings = RunSettings(
            provider="scripted",
            policy=policy.name,
            parameters=dict(policy.settings),
            meter=meter,
            summaries="structural",
        )
        self.course: Course = course_of(self.settings)
        self.recorder, self.events = Nowhere(), list[Event]()
        self._write(Began(id="r", settings=self.settings))

    def _write(self, event: Event) -> None:
        self.events.append(self.recorder.write(event))

    def arrive(self, message: Message) -> None:
        """A message arrives, the policy looked at in the phases that come round before it."""
        self.look(phases_before(message, self.course.base.messages))
        kept = self.course.append(message)
        self._write(Arrived(message=kept, tokens=self.course.base.tokens[-1]))

    def look(self, phases: Iterable[Phase]) -> None:
        """Let the policy act."""
        for phase in phases:
            if (found := self.course.look(phase)) is not None:
                self._compacted(found)

    def compact(self) -> None:
        """Compact now."""
        found = self.course.compact()
        if found.acted:
            self._compacted(found)

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> None:
        """Take messages out."""
        self._compacted(self.course.drop(places, added))

    def _compacted(self, found: Compaction) -> None:
        self._write(Compacted(compaction=found, left=found.left))

    def pin(self, places: Iterable[int], on: bool = True) -> None:
        """Pin, or let go."""
        held = self.course.pin(places, on)
        self._write(Pinned(ids=tuple(self.course.base.messages[place].id for place in sorted(held))))

    def govern(self, policy: Policy) -> None:
        """Another policy from now on."""
        if self.course.govern(policy):
            self._write(Changed(policy=policy.name, parameters=dict(policy.settings), max_calls=50))


def phases_before(message: Message, arrived: list[Message]) -> Iterator[Phase]:
    """The phases a loop comes through in front of this message."""
    last = arrived[-1] if arrived else None
    if message.typed:
        yield from AT_TURN_END if last is not None and last.role == "assistant" and not last.tool_calls else ()
        yield from AT_TURN_START
    elif message.role == "assistant":
        yield from BEFORE_CALL if last is not None and last.typed else BEFORE_CALL[1:]
