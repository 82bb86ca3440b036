"""A run of OpenHands as a session: its events read in order, delegates as children, and what there is to say of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.text import counted, places
from core.importers._shapes.blocks import first_typed, label, list_of, most_used, object_of, string, total
from core.importers._shapes.notes import failed, pluralize, sub_agents, without_call
from core.importers.openhands.events import Event, event_of, flat, is_new, is_old, litellm_usage
from core.importers.openhands.run import Run
from core.importers.openhands.v0 import read_old
from core.importers.openhands.v1 import read_new
from core.model.session import Message, Session, SubAgent, Usage, construct_unchecked

_DEEP = 20
"""How deep delegates may lie in delegates: those beyond are told with the one they are in."""


@dataclass
class _Reading:
    """Runs in runs: the events between a delegation and its report are the delegate's (V0).

    `copies` and `strangers` are the places of what was left out, lines or numbers from 1; `unit` is what they count.
    """

    runs: list[Run] = field(default_factory=lambda: [Run()])
    began: list[Event] = field(default_factory=list)
    seen: dict[str, Any] = field(default_factory=dict)
    records: int = 0
    copies: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    unit: str = "event"

    def take(self, place: int, data: Any) -> None:
        """Read one event; a copy of an earlier one is left out."""
        self.records += 1
        if not isinstance(data, dict) or not (is_old(data) or is_new(data)):
            self.unknown.append(place)
            return
        event = event_of(place, data)
        if self.seen.setdefault(event.id, data) is not data and self.seen[event.id] == data:
            self.copies.append(place)
        elif is_old(data):
            self._old(event)
        else:
            read_new(self.runs[-1], event)

    def _old(self, event: Event) -> None:
        if event.data.get("observation") == "delegate" and self.began:
            self._close()
        read_old(self.runs[-1], event)
        if event.data.get("action") == "delegate" and len(self.runs) < _DEEP:
            self.began.append(event)
            self.runs.append(Run(task=True))

    def _close(self) -> None:
        run, event = self.runs.pop(), self.began.pop()
        if not run.messages:
            return
        parent, args = self.runs[-1], object_of(event.data.get("args"))
        call = parent.acted.get(event.id, "")
        spot = parent.calls.get(call)
        started = parent.messages[spot]["id"] if spot is not None else ""
        task = string(object_of(args.get("inputs")).get("task"))
        session = session_of(run, id=f"delegate-{event.id}", title=task)
        name = string(args.get("agent"))
        parent.children.append(SubAgent(id=event.id, name=name, message=started, call=call, session=session))

    def run(self) -> Run:
        """The run as a whole."""
        while self.began:
            self._close()
        return self.runs[0]

    def notes(self) -> Iterator[str]:
        """What was left out."""
        if copies := self.copies:
            yield f"{pluralize(len(copies), 'event')} skipped: copies of earlier ones ({places(copies, self.unit)})"
        if odd := self.unknown:
            yield f"{pluralize(len(odd), 'record')} skipped: not events of OpenHands ({places(odd, self.unit)})"


def session(
    events: Iterable[tuple[int, Any]],
    state: dict[str, Any] | None = None,
    task: bool = False,
    agents: Sequence[Session] = (),
    lost: int = 0,
    unit: str = "event",
    **known: Any,
) -> Session:
    """The session of events, each with its place. `state` is what a file beside them tells of the conversation, `agents`
    are the sub-agents that lie beside them, `lost` is how many events could not be read, `unit` what the places count."""
    reading = _Reading(runs=[Run(task=task)], unit=unit)
    for place, item in events:
        for data in flat([item]):
            reading.take(place, data)
    run = reading.run()
    run.state |= {key: value for key, value in (state or {}).items() if value}
    run.children += _started(run, agents)
    notes = (*reading.notes(), *known.pop("notes", ()))
    return session_of(run, records=reading.records, malformed=len(reading.unknown) + lost, notes=notes, **known)


def _started(run: Run, agents: Sequence[Session]) -> Iterator[SubAgent]:
    """The sub-agents, each with the call whose prompt is its task."""
    made = [(m["id"], call) for m in run.messages if agents for call in m.get("tool_calls", ())]
    by_task = {string(call.arguments.get("prompt")): (id, call) for id, call in reversed(made)}
    for session in agents:
        task = next((m.content for m in session.messages if m.injected == "task"), "")
        id, call = by_task.get(task, ("", None)) if task else ("", None)
        name = string(call.arguments.get("subagent_type")) if call else ""
        yield SubAgent(id=session.id, name=name, message=id, call=call.id if call else "", session=session)


def session_of(
    run: Run,
    id: str = "",
    title: str = "",
    records: int = 0,
    malformed: int = 0,
    notes: Iterable[str] = (),
    ended_with: str = "",
) -> Session:
    """The session of a run that was read to its end."""
    usages = _usages(run.state)
    messages = tuple(_messages(run, usages))
    models = Counter(m.model for m in messages if m.model)
    agent, place = object_of(run.state.get("agent")), object_of(run.state.get("workspace"))
    return Session(
        id=id or string(run.state.get("id")),
        format="openhands",
        title=label(title or first_typed(messages)),
        model=most_used(models) or string(object_of(agent.get("llm")).get("model")),
        project=string(place.get("working_dir")) or run.project,
        messages=messages,
        compactions=tuple(run.compactions),
        children=tuple(run.children),
        usage=_used(run.state) or total(m.usage for m in messages),
        records=records or len(messages),
        malformed_lines=malformed,
        subagents=max(run.agents, len(run.children)),
        other=counted(+run.other),
        notes=(*_notes(run), *notes),
        ended_with=ended_with or run.ended_with,
    )


def _messages(run: Run, usages: dict[str, dict[str, Any]]) -> Iterator[Message]:
    """The messages; where the statistics tell what a response used, its reply says so."""
    spent: set[str] = set()
    for fields in run.messages:
        key = fields.get("reply_id") or ""
        if key in usages and key not in spent and fields.get("usage") is None:
            spent.add(key)
            model = fields.get("model") or string(usages[key].get("model"))
            fields |= {"usage": litellm_usage(usages[key]), "model": model}
        calls = tuple(fields.get("tool_calls", ()))
        yield construct_unchecked(Message, **{**fields, "tool_calls": calls})


def _metrics(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics of each use of a model: that of the agent, that of the condenser."""
    stats = object_of(state.get("stats"))
    uses = object_of(stats.get("usage_to_metrics")) or object_of(stats.get("service_to_metrics"))
    return [found for found in uses.values() if isinstance(found, dict)] or [object_of(state.get("metrics"))]


def _usages(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What each response used, by its id."""
    uses = [use for metrics in _metrics(state) for use in list_of(metrics.get("token_usages"))]
    return {string(use.get("response_id")): use for use in uses if isinstance(use, dict) and use.get("response_id")}


def _used(state: dict[str, Any]) -> Usage | None:
    """The recorded total."""
    return total(litellm_usage(metrics.get("accumulated_token_usage")) for metrics in _metrics(state))


def _notes(run: Run) -> Iterator[str]:
    """Notes on a run."""
    if run.agents > len(run.children):
        yield sub_agents(run.agents - len(run.children))
    if run.orphans:
        yield without_call(run.orphans)
    if run.skipped:
        yield f"{pluralize(run.skipped, 'condensation')} skipped: too many to follow"
    if len(run.errors) > bool(run.ended_with):
        yield failed(run.errors)
