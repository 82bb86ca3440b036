"""A context whose changes are recorded as events, as a drive does it, but without threads."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from core import Message, Policy, policies
from core.agents.loop import AT_TURN_END, AT_TURN_START, BEFORE_CALL
from core.drive.recorder import Nowhere, line_of
from core.drive.restore import context_for
from core.engine.live_context import LiveContext
from core.policy.vocabulary import Phase
from core.trace.compaction import Compaction
from core.trace.events import Arrived, Began, Changed, Compacted, Event, Pinned, RunSettings, Undone
from tests.support import tight


def loosely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have policies made by their names take settings as small as the tests need them."""
    known = {chosen.name: tight(chosen) for chosen in policies()}

    def named(name: str, **settings: Any) -> Policy:
        return known[name].with_settings(settings)

    monkeypatch.setattr("core.drive.restore.policy", named)
    monkeypatch.setattr("core.importers.foldline_run.policy", named)
    monkeypatch.setattr("core.engine.policies_used.policy_called", named)


def written(events: Iterable[Event]) -> bytes:
    """The events as a run's file has them."""
    return "".join(f"{line_of(event)}\n" for event in events).encode()


def same_bodies(one: Sequence[Message], other: Sequence[Message]) -> bool:
    """Whether two windows hold the same messages with the same in them."""
    return [_body(m) for m in one] == [_body(m) for m in other]


def _body(m: Message) -> tuple[Any, ...]:
    return (m.id, m.role, m.content, m.thinking, [(c.id, c.name, c.arguments) for c in m.tool_calls])


class RecordedContext:
    """A context, the events that record it, and what a person does to it."""

    def __init__(self, policy: Policy, meter: str = "agentkit") -> None:
        self.settings = RunSettings(
            provider="scripted",
            policy=policy.name,
            parameters=dict(policy.settings),
            meter=meter,
            summaries="structural",
        )
        self.context: LiveContext = context_for(self.settings)
        self.recorder, self.events = Nowhere(), list[Event]()
        self._write(Began(id="r", settings=self.settings))

    def _write(self, event: Event) -> None:
        self.events.append(self.recorder.write(event))

    def arrive(self, message: Message) -> None:
        """A message arrives, the policy looked at in the phases that come round before it."""
        self.look(phases_before(message, self.context.base.messages))
        kept = self.context.append(message)
        self._write(Arrived(message=kept, tokens=self.context.base.tokens[-1]))

    def look(self, phases: Iterable[Phase]) -> None:
        """Let the policy act."""
        for phase in phases:
            if (found := self.context.maybe_compact(phase)) is not None:
                self._compacted(found)

    def compact(self) -> None:
        """Compact now."""
        found = self.context.compact()
        if found.acted:
            self._compacted(found)

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> None:
        """Take messages out."""
        self._compacted(self.context.drop(places, added))

    def undo(self) -> None:
        """Take the newest removal back."""
        self._write(Undone(at=self.context.undo().at))

    def _compacted(self, found: Compaction) -> None:
        self._write(Compacted(compaction=found, left=found.left))

    def pin(self, places: Iterable[int], on: bool = True) -> None:
        """Pin, or let go."""
        held = self.context.pin(places, on)
        self._write(Pinned(ids=tuple(self.context.base.messages[place].id for place in sorted(held))))

    def set_policy(self, policy: Policy) -> None:
        """Another policy from now on."""
        if self.context.set_policy(policy):
            self._write(Changed(policy=policy.name, parameters=dict(policy.settings), max_calls=50))


def phases_before(message: Message, arrived: list[Message]) -> Iterator[Phase]:
    """The phases a loop comes through in front of this message."""
    last = arrived[-1] if arrived else None
    if message.typed:
        yield from AT_TURN_END if last is not None and last.role == "assistant" and not last.tool_calls else ()
        yield from AT_TURN_START
    elif message.role == "assistant":
        yield from BEFORE_CALL if last is not None and last.typed else BEFORE_CALL[1:]
