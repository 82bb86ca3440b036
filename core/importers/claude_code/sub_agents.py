"""The sub-agents of a Claude Code session as a tree, each under the window that started it.

What started one is told by the result of the call, by the progress record, by the file beside the agent's, or by what it was
asked first, which is the call's own prompt.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from core.importers._files.text import Damage
from core.importers._shapes.blocks import label, string
from core.importers._shapes.notes import sub_agents
from core.importers.claude_code.entries import Draft
from core.importers.claude_code.session import session_of
from core.importers.claude_code.window import Reading
from core.model.session import SubAgent, ToolCall

_CALLS = ("Task", "Agent")
_DEEP = 20
"""Sub-agents of sub-agents are followed this far down."""

_REPORTED = "only the progress reports of this sub-agent are recorded"
_OF_HARNESS = re.compile(
    r"a([a-z_]+)-[\w-]+"
)  # "acompact-1f2e": an agent that Claude Code starts for a purpose of its own


@dataclass
class Agent:
    """One sub-agent, as far as it is known: its records, how they came, the call that started it, what it is.

    `starter` is the agent that made the call, None for the session itself; `message` that one's message, "" where not known.
    """

    id: str
    how: Literal["file", "inline", "reported"]
    reading: Reading = field(default_factory=Reading)
    damage: Damage | None = None
    call: str = ""
    flow: str = ""
    kind: str = ""
    title: str = ""
    starter: str | None = None
    message: str = ""

    @property
    def began(self) -> str:
        """When it said its first, as the text that is recorded."""
        return next((e.timestamp for e in self.reading.entries), "")

    @property
    def prompt(self) -> str:
        """What it was asked first."""
        said = (e.message().content for e in self.reading.entries if isinstance(e, Draft) and e.role == "user")
        return next(said, "").strip()

    def name(self, call: ToolCall | None) -> str:
        """What people call it."""
        waiting = string(call.arguments.get("subagent_type")) or string(call.arguments.get("name")) if call else ""
        own = _OF_HARNESS.fullmatch(self.id)
        return waiting or self.kind or self.reading.kind or (own[1] if own else "")


class AgentTree:
    """The agents whose messages are in the files, and the ids of all that the session mentions."""

    def __init__(self, main: Reading, found: dict[str, Agent], ids: set[str]) -> None:
        self.found = found
        self.readings: dict[str | None, Reading] = {None: main, **{a.id: a.reading for a in found.values()}}
        each = [
            (who, reading) for who, reading in reversed(self.readings.items())
        ]  # what the session itself did counts
        self.starts = {id: start for _, r in each for id, start in r.starts.items()}
        self.flows = {id: start for _, r in each for id, start in r.flows.items()}
        self.makers = {call: who for who, r in each for call in r.makers}
        self.ids = {*ids, *found, *self.starts}
        self._link()
        self._without_repeats()
        self._by_prompt()

    @property
    def count(self) -> int:
        """How many sub-agents ran, as far as is known."""
        return len(self.ids)

    def _link(self) -> None:
        """Find what started each by what is recorded of it."""
        for agent in self.found.values():
            start = self.starts.get(agent.id) or self.flows.get(agent.flow)
            call = start.call if start else agent.call or agent.id
            if call in self.makers:
                self._put(agent, self.makers[call], call)
            agent.kind = agent.kind or (start.kind if start else "")

    def _put(self, agent: Agent, who: str | None, call: str) -> None:
        if who != agent.id:
            agent.starter, agent.call, agent.message = who, call, self.readings[who].makers.get(call, "")

    def _without_repeats(self) -> None:
        """One known by its call alone may be known by its id as well: then it is one, and what is at hand of it stays."""
        by_id = {a.call for a in self.found.values() if a.message and a.id != a.call}
        for id in [a.id for a in self.found.values() if a.id in by_id]:
            del self.found[id], self.readings[id]
            self.ids.discard(id)
        by_call = {a.id for a in self.found.values() if a.message and a.id == a.call}
        self.ids -= {id for id, start in self.starts.items() if start.call in by_call}

    def _by_prompt(self) -> None:
        """Find what started the others: a call that started nobody else, and asks for what the agent was asked."""
        linked = {a.call for a in self.found.values() if a.message}
        waiting: defaultdict[str, deque[tuple[str | None, str]]] = defaultdict(deque)
        for who, reading in self.readings.items():
            for call in reading.tools.values():
                if call.name in _CALLS and call.id not in linked:
                    waiting[string(call.arguments.get("prompt")).strip()].append((who, call.id))
        for agent in (a for a in self.found.values() if not a.message):
            prompt = agent.prompt
            if prompt and (calls := waiting.get(prompt)):
                self._put(agent, *calls.popleft())

    def children(self) -> tuple[SubAgent, ...]:
        """The sub-agents of the session, with theirs in them: from the innermost outwards, each in the order they began."""
        below = self._below()
        made: dict[str | None, tuple[SubAgent, ...]] = {}
        places = {call: place for r in self.readings.values() for place, call in enumerate(r.makers)}
        for who in reversed(below):
            began = sorted(below[who], key=lambda agent: (agent.began, places.get(agent.call, len(places))))
            made[who] = tuple(self._made(agent, made.get(agent.id, ())) for agent in began)
        return made[None]

    def _below(self) -> dict[str | None, list[Agent]]:
        """The agents under each, from the session downwards; those that would be under themselves are the session's."""
        under: defaultdict[str | None, list[Agent]] = defaultdict(list)
        for agent in self.found.values():
            under[agent.starter].append(agent)
        found: dict[str | None, list[Agent]] = {}
        level: list[str | None] = [None]
        for _ in range(_DEEP):
            found.update((who, under[who]) for who in level)
            level = [agent.id for who in level for agent in under[who]]
        seen = {agent.id for agents in found.values() for agent in agents}
        lost = [agent for agent in self.found.values() if agent.id not in seen]
        for agent in lost:
            agent.starter, agent.call, agent.message = None, "", ""
        found[None] = [*found[None], *lost]
        return found

    def _made(self, agent: Agent, children: tuple[SubAgent, ...]) -> SubAgent:
        parent = self.readings[agent.starter]
        call, known = parent.tools.get(agent.call), agent.message in parent.message_ids
        title = label(string(call.arguments.get("description"))) if call else ""
        session = session_of(
            agent.reading,
            agent.id,
            title=title or agent.title,
            children=children,
            agents=len(children),
            damage=agent.damage,
            notes=(_REPORTED,) if agent.how == "reported" else (),
        )
        message, made = (agent.message, agent.call) if known else ("", "")
        return SubAgent(id=agent.id, name=agent.name(call), message=message, call=made, session=session)

    def words(self) -> Iterator[str]:
        """Notes on the sub-agents whose messages are not in the files."""
        if unknown := self.count - len(self.found):
            yield sub_agents(unknown)
