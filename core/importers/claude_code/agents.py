"""The records of a Claude Code session's sub-agents.

Three ways: records among those of the session, marked as a side chain; files of their own; and, where neither is at hand,
progress records, which repeat what the agent said while it ran. An agent there in two ways is one, and the fuller is taken.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from core.importers._files.source import Source
from core.importers._shapes.blocks import label, string
from core.importers.claude_code.files import files_of, flow_of, name_of
from core.importers.claude_code.sub_agents import Agent, AgentTree
from core.importers.claude_code.window import Reading
from core.model.errors import TranscriptError


@dataclass
class Agents:
    """Takes in what a session's file holds of its sub-agents."""

    inline: dict[str, Agent] = field(default_factory=dict)
    reported: dict[str, Agent] = field(default_factory=dict)
    chains: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def take(self, line: int, record: dict[str, Any]) -> None:
        """A record of a side chain: known by its agent, in older files by where its chain begins."""
        uuid, key = string(record.get("uuid")), string(record.get("agentId"))
        if not key:
            key = self.chains.get(string(record.get("parentUuid"))) or self._chain(line, uuid, record)
            self.chains |= {uuid: key} if uuid else {}
        self.inline.setdefault(key, Agent(key, "inline")).reading.take(line, record)

    def _chain(self, line: int, uuid: str, record: dict[str, Any]) -> str:
        """A new chain; what only lost its parent with a damaged line goes on with the latest one."""
        latest = next(reversed(self.chains.values()), "")
        lost = bool(record.get("parentUuid")) and (record.get("type") != "user" or "toolUseResult" in record)
        return latest if latest and lost else uuid or f"line-{line}"

    def report(self, line: int, record: dict[str, Any]) -> None:
        """A progress record: a message of a sub-agent's, where it holds one."""
        data = record.get("data")
        if not isinstance(data, dict) or data.get("type") != "agent_progress":
            return
        call, message = string(record.get("parentToolUseID")), data.get("message")
        key = string(data.get("agentId")) or call or f"line-{line}"
        agent = self.reported.setdefault(key, Agent(key, "reported", call=call))
        if isinstance(message, dict):
            agent.reading.take(line, message)

    def family(self, main: Reading, source: Source) -> AgentTree:
        """Every sub-agent that is at hand, each with what started it."""
        found: dict[str, Agent] = {}
        for agent in chain(self.reported.values(), self.inline.values(), self._filed(main, source)):
            if agent.reading.messages:
                found[agent.id] = _fuller(found.get(agent.id, agent), agent)
        return AgentTree(main, found, {*self.inline, *self.reported})

    def _filed(self, main: Reading, source: Source) -> Iterator[Agent]:
        """Those with files of their own; each file is read once."""
        files = files_of(source, main.sessions)
        descriptions = {name_of(f).removesuffix(".meta.json"): f for f in files if f.name.endswith(".meta.json")}
        for file in (f for f in files if not f.name.endswith(".meta.json")):
            stem = name_of(file).partition(".jsonl")[0]
            try:
                agent = _read(file, stem)
            except TranscriptError as error:
                self.notes.append(f"a file of a sub-agent was skipped: {error}")
                continue
            _described(agent, descriptions.get(stem))
            yield agent


def _fuller(one: Agent, other: Agent) -> Agent:
    """Of an agent that is there in two ways the one to take, with what the other knows of it besides."""
    best = max(other, one, key=lambda a: (a.how != "reported", len(a.reading.entries)))
    for agent in (one, other):
        best.call, best.kind, best.title = best.call or agent.call, best.kind or agent.kind, best.title or agent.title
    return best


def _read(file: Source, stem: str) -> Agent:
    reading = Reading()
    for line, record in file.records():
        reading.take(line, record)
    id = reading.agent or stem.removeprefix("agent-")
    return Agent(id, "file", reading, file.damage, flow=flow_of(file))


def _described(agent: Agent, file: Source | None) -> None:
    """Put to an agent what the file beside its own says: what it is, what it is for, the call that started it."""
    try:
        description = file.parsed() if file else None
    except TranscriptError:
        return
    if isinstance(description, dict):
        agent.kind, agent.title = string(description.get("agentType")), label(string(description.get("description")))
        agent.call = string(description.get("toolUseId"))
