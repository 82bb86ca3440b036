"""Logs of the Agent Client Protocol, by which editors talk to agents: JSON-RPC, one message a line.

Clients, recorders and agents (Grok keeps its sessions so, as `updates.jsonl`) write what goes over the wire, as it is or
wrapped. It is what the client sees: no system prompt, no tokens of a model call, results as they are shown. A compaction is
an update of the agent's, with what the agent tells of it. A log of several sessions gives one each.

https://agentclientprotocol.com/protocol/prompt-turn, read in November 2026
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import first_typed, label, object_of, string
from core.importers._shapes.notes import pluralize
from core.importers.acp.frames import Frame, frame
from core.importers.acp.timeline import Timeline
from core.model.session import Session

LABEL = "Agent Client Protocol"
DOCS = "https://agentclientprotocol.com/protocol/prompt-turn"
GROUP = "coding agents"
COVERS = "logs of its messages"
RECORDS_COMPACTIONS = True


_LOAD = "session/load"
_BEGINNINGS = ("session/new", _LOAD, "session/resume")


def recognises(head: Head) -> bool:
    """Whether a line holds an update of a session, or a prompt, of the protocol."""
    return any(_is_acp(frame(1, record)) for record in head.records)


def _is_acp(one: Frame) -> bool:
    return bool(string(one.update.get("sessionUpdate"))) or one.prompt is not None


def read(source: Source) -> Iterator[Session]:
    """The sessions of the log, in the order they begin."""
    reading = _Reading()
    for line, record in source.records():
        reading.take(frame(line, record))
    reading.count_handshake()
    sessions = (_session(id, timeline) for id, timeline in reading.sessions.items())
    yield from with_damage_once((session for session in sessions if session.messages), source)


@dataclass
class _Reading:
    """The frames by session; `requests` are those that wait for an answer, by their ids."""

    sessions: dict[str, Timeline] = field(default_factory=dict)
    requests: dict[str, Frame] = field(default_factory=dict)

    def take(self, one: Frame) -> None:
        """The next frame."""
        if one.method in _BEGINNINGS and one.id is not None:
            self.requests[str(one.id)] = one
        request = self.requests.pop(str(one.id), None) if not one.method else None
        id = string(one.params.get("sessionId")) or string(one.result.get("sessionId"))
        id = id or (string(request.params.get("sessionId")) if request else "") or next(reversed(self.sessions), "")
        timeline = self.sessions.setdefault(id, Timeline())
        timeline.records += 1
        self._about(timeline, one, request)
        if one.method == _LOAD and one.id is not None:
            timeline.load()
        elif request and request.method == _LOAD:
            timeline.loaded()
        if (blocks := one.prompt) is not None:
            timeline.prompt(one, blocks)
        elif one.update:
            timeline.update(one, one.update)
        else:
            timeline.other[one.method or "answer"] += 1

    def count_handshake(self) -> None:
        """Count what came before the first session with that session."""
        before = self.sessions.get("", Timeline())
        if len(self.sessions) > 1 and not before.entries:
            self.sessions.pop("", None)
            first = next(iter(self.sessions.values()))
            first.records += before.records
            first.other += before.other

    def _about(self, timeline: Timeline, one: Frame, request: Frame | None) -> None:
        """Where the agent works, and with which model, as far as a frame tells."""
        params: dict[str, Any] = request.params if request else one.params
        timeline.project = timeline.project or string(params.get("cwd"))
        models, meta = object_of(one.result.get("models")), object_of(one.params.get("_meta"))
        timeline.model = timeline.model or string(models.get("currentModelId")) or string(meta.get("modelId"))


def _session(id: str, timeline: Timeline) -> Session:
    messages, compactions = timeline.build()
    return Session(
        id=id,
        format="acp",
        title=label(timeline.title or first_typed(messages)),
        model=timeline.model,
        project=timeline.project,
        messages=tuple(messages),
        compactions=tuple(compactions),
        records=timeline.records,
        other=counted(timeline.other),
        notes=tuple(_notes(timeline.replayed)),
    )


def _notes(replayed: int) -> Iterator[str]:
    if replayed:
        yield f"{pluralize(replayed, 'update')} skipped: sent again when the session was loaded"
