"""GitHub Copilot CLI sessions: ~/.copilot/session-state/<id>/events.jsonl, one event a line.

What the model is sent of a person's message is `transformedContent`; a result is in its own event, a reply may be in several
with the same `apiCallId`. Events of a sub-agent stand between those of the session, with its `agentId` (or, in older files,
the call that started it): here they are a child. A skill's text comes as a user message of its own, so the event of its
invocation is counted only. Of a reply only the output is recorded; the input, with what was cached in it, is summed up over
the session when it shuts down.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import label, most_used, string, total
from core.importers._shapes.notes import pluralize, sub_agents, without_call
from core.importers.copilot_cli.parts import Assets, Event, grown, metrics_of
from core.importers.copilot_cli.thread import Thread
from core.model.advice import Advice
from core.model.session import Session, SubAgent, Usage

LABEL = AGENT = "GitHub Copilot CLI"
DOCS = "https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts"
GROUP = "coding agents"
RECORDS_COMPACTIONS = True
KEEPS = Advice(
    "Put it into `.github/copilot-instructions.md`: Copilot adds the file to every request in that repository.",
    "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-custom-instructions",
)

_KINDS = (
    "assistant.turn_start",
    "assistant.message",
    "tool.execution_start",
    "tool.execution_complete",
    "user.message",
)
_DEEPEST = 20
"""Sub-agents of sub-agents are shown up to this depth; those below are children of the session."""


def recognises(head: Head) -> bool:
    """Whether there is the start of a session, or, where its line is damaged, an event as only this log has them."""
    return any(_is_start(r) or _is_event(r) for r in head.records)


def _is_start(record: dict[str, Any]) -> bool:
    data = record.get("data")
    return record.get("type") == "session.start" and isinstance(data, dict) and "sessionId" in data


def _is_event(record: dict[str, Any]) -> bool:
    known = record.get("type") in _KINDS and isinstance(record.get("data"), dict)
    return known and isinstance(record.get("id"), str) and "parentId" in record


def read(source: Source) -> Session:
    """The session, with its sub-agents."""
    return _Reading(source).run().session()


@dataclass
class _Agent:
    """A sub-agent that was started: its id, and what people call it."""

    id: str
    name: str


@dataclass
class _Reading:
    """One pass over the file. Threads go by the call that started them, the main one by the empty text."""

    source: Source
    assets: Assets = field(default_factory=Assets)
    threads: dict[str, Thread] = field(default_factory=dict)
    agents: dict[str, _Agent] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    used: dict[str, Usage | None] = field(default_factory=dict)
    last: dict[str, Usage | None] = field(default_factory=dict)
    title: str = ""
    model: str = ""
    first_parent: str = ""
    records: int = 0
    repeated: list[int] = field(default_factory=list)

    def run(self) -> "_Reading":
        self.threads[""] = Thread(self.assets)
        for line, record in self.source.records():
            self.records += 1
            id, data = string(record.get("id")), record.get("data")
            if id and id in self.seen:
                self.repeated.append(line)
                continue
            self.first_parent = self.first_parent if self.seen else string(record.get("parentId"))
            self.seen.add(id)
            time = string(record.get("timestamp"))
            known = data if isinstance(data, dict) else {}
            self._event(Event(string(record.get("type")), id or f"line-{line}", line, time, known), record)
        return self

    def _event(self, event: Event, record: dict[str, Any]) -> None:
        agent = string(record.get("agentId"))
        if event.kind == "subagent.started":
            self._starts(event, agent)
        elif event.kind == "session.binary_asset":
            self.assets.add(event.data)
        elif self._thread(event, agent).take(event):
            return
        self._about(event)
        self.other[event.kind or "unknown"] += 1

    def _starts(self, event: Event, agent: str) -> None:
        call = string(event.data.get("toolCallId"))
        name = string(event.data.get("agentDisplayName")) or string(event.data.get("agentName"))
        if call or agent:
            self.agents[call or agent] = _Agent(agent or call, name)
            self.keys[agent] = call or agent

    def _thread(self, event: Event, agent: str) -> Thread:
        """Whose event it is: the sub-agent's that is named, by itself or by its call."""
        key = string(event.data.get("parentToolCallId")) or (self.keys.get(agent, agent) if agent else "")
        if key not in self.threads:
            self.threads[key] = Thread(self.assets, sub_agent=True)
        return self.threads[key]

    def _about(self, event: Event) -> None:
        """What an event says of the session itself."""
        data = event.data
        if event.kind in ("session.start", "session.resume"):
            self.about = {**self.about, **{k: v for k, v in data.items() if v is not None}}
            self.model = string(data.get("selectedModel")) or self.model
        elif event.kind == "session.model_change":
            self.model = string(data.get("newModel")) or self.model
        elif event.kind == "session.title_changed":
            self.title = string(data.get("title"))
        elif event.kind == "session.error":
            self.errors.append(string(data.get("message")))
        elif event.kind == "session.shutdown":
            self._shuts(data)

    def _shuts(self, data: dict[str, Any]) -> None:
        """Tokens used, by agent where the file tells them apart."""
        found = data.get("agentMetrics")
        agents = found if isinstance(found, dict) else {}
        by_agent = {id: metrics_of(m.get("modelMetrics")) for id, m in agents.items() if isinstance(m, dict)}
        for id, used in (by_agent if by_agent.get("main") else {"main": metrics_of(data.get("modelMetrics"))}).items():
            self.used[id] = grown(self.used.get(id), self.last.get(id), used)
            self.last[id] = used or self.last.get(id)

    def session(self) -> Session:
        """The main thread, with the others below it."""
        main, damage = self.threads[""], self.source.damage
        context, id = self.about.get("context"), string(self.about.get("sessionId"))
        children = self._children()
        own = self._made(main, id, self.title or main.title, self.used.get("main"), children.get("", []))
        return own.model_copy(
            update={
                "model": own.model or self.model,
                "project": string(context.get("cwd")) if isinstance(context, dict) else "",
                "records": self.records,
                "malformed_lines": damage.malformed_lines,
                "recovered_records": damage.recovered,
                "subagents": len({*self.agents, *filter(None, self.threads)}),
                "other": counted(self.other),
                "notes": (*self._notes(own), *damage.notes()),
                "starts_midway": self.starts_midway and not damage.malformed_lines,
            }
        )

    @property
    def starts_midway(self) -> bool:
        """Whether the first event names one before it that the file does not hold."""
        return self.first_parent != "" and self.first_parent not in self.seen

    def _made(self, thread: Thread, id: str, title: str, used: Usage | None, children: list[SubAgent]) -> Session:
        messages = thread.messages()
        models = Counter(m.model for m in messages if m.model and m.injected != "summary")
        return Session(
            id=id,
            format="copilot-cli",
            title=label(title),
            model=most_used(models),
            messages=messages,
            compactions=tuple(thread.window.compactions),
            children=tuple(children),
            usage=used or total(m.usage for m in messages),
            records=len(messages),
        )

    def _children(self) -> dict[str, list[SubAgent]]:
        """The sub-agents of each thread, deepest first, so that those above can hold them."""
        owner = {call: key for key, thread in self.threads.items() for call in thread.calls}
        depths = {key: self._depth(key, owner) for key in self.threads if key}
        found: dict[str, list[SubAgent]] = {}
        for key in sorted(depths, key=lambda key: -depths[key]):
            thread, above = self.threads[key], owner.get(key, "") if depths[key] > 1 else ""
            agent = self.agents.get(key) or _Agent(key, "")
            session = self._made(
                thread, agent.id, thread.title or agent.name, self.used.get(agent.id), found.pop(key, [])
            )
            if session.messages:
                message = self.threads[above].calls.get(key, ("", ""))[0]
                child = SubAgent(
                    id=agent.id, name=agent.name, message=message, call=key if message else "", session=session
                )
                found.setdefault(above, []).append(child)
        return found

    def _depth(self, key: str, owner: dict[str, str]) -> int:
        """How far below the main thread; 1 for one whose way up goes round in circles, or too far."""
        depth, at = 1, owner.get(key, "")
        while at and depth <= _DEEPEST:
            depth, at = depth + 1, owner.get(at, "")
        return 1 if at else depth

    def _notes(self, own: Session) -> Iterator[str]:
        """Notes on what was skipped and what failed."""
        threads = self.threads.values()
        failed = [reason for thread in threads for reason in thread.window.failed]
        if again := self.repeated:
            yield f"{pluralize(len(again), 'record')} skipped: same id as an earlier one ({places(again)})"
        if repeated := sum(thread.repeated for thread in threads):
            yield f"{pluralize(repeated, 'system message')} skipped: the same as before"
        if orphans := sum(thread.orphans for thread in threads):
            yield without_call(orphans)
        if self.errors:
            first = label(self.errors[0]) or "no reason recorded"
            yield f"{pluralize(len(self.errors), 'error')} recorded, the first one: {first}"
        if failed:
            yield f"{pluralize(len(failed), 'compaction')} failed, the first one: {label(failed[0]) or 'no reason recorded'}"
        if left := sum(thread.window.left for thread in threads):
            yield f"{pluralize(left, 'compaction')} skipped: together they kept too many messages"
        if missing := len(set(self.agents) - set(self.threads)):
            yield sub_agents(missing)
        if not self.used.get("main") and own.usage and not own.usage.prompt:
            yield "usage covers only the output of the replies: the input is recorded when a session shuts down"
