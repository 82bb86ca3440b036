"""The events of an Inspect sample: model calls with what they were sent, told apart by who made them, and compactions.

An event happened in a span; spans lie in spans. Until 2025 there were steps that begin and end, and a tool's event held the
events of the agent behind it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string
from core.importers.inspect.messages import Reader, usage_of
from core.model.session import Message, Usage

_DEEP = 20
_MOST = 4_000_000
"""So many messages of prompts are looked at: a prompt that names what it holds may be far longer than its record."""

_TWICE = 2
"""No prompt holds all messages of the pool more often than this."""

Event = dict[str, Any]


@dataclass(frozen=True)
class Scope:
    """Where an event happened: in which agent's span (none: the main one), behind which tool, and whether to score."""

    owner: str = ""
    name: str = ""
    tool: str = ""
    scores: bool = False


@dataclass
class Call:
    """One model call: what it was sent (messages, or their places in the pool) and what came of it."""

    place: int
    scope: Scope
    event: Event
    sent: list[Message] | list[tuple[int, int]]
    reply: tuple[Message, ...]
    usage: Usage | None
    error: str


@dataclass
class Compaction:
    """A compaction that was written down."""

    place: int
    scope: Scope
    event: Event


@dataclass
class Events:
    """Takes in the events of a sample. `results` are those of tools, by the id of the call."""

    reader: Reader
    pool: list[tuple[Message, ...]]
    calls: list[Call] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    results: dict[str, Event] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    count: int = 0
    cut: int = 0
    _scopes: dict[str, Scope] = field(default_factory=dict)
    _steps: list[Scope] = field(default_factory=list)
    _by_agent: dict[str, str] = field(default_factory=dict)
    _tools: defaultdict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    _spans: defaultdict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    _by_tool: dict[str, str] | None = None
    _looked: int = 0

    def take(self, events: Any, within: Scope | None = None, depth: int = 0) -> "Events":
        """All events of a list, in order, with those inside of them."""
        for event in events if isinstance(events, list) else ():
            self.count += 1
            kind = string(event.get("event")) if isinstance(event, dict) else ""
            self.other[f"event/{kind or 'unknown'}"] += 1
            if kind:
                self._event(kind, event, within, depth)
        return self

    def _event(self, kind: str, event: Event, within: Scope | None, depth: int) -> None:
        scope = self._scope(event, within)
        if kind == "model":
            self.calls.append(self._call(event, scope))
        elif kind == "compaction":
            self.compactions.append(Compaction(self.count, scope, event))
        elif kind == "span_begin":
            self._span(event, within)
        elif kind == "step":
            self._step(event, scope)
        elif kind in ("tool", "subtask"):
            self._tool(kind, event, scope, depth)

    def _scope(self, event: Event, within: Scope | None) -> Scope:
        known = self._scopes.get(string(event.get("span_id")))
        return known or within or (self._steps[-1] if self._steps else Scope())

    def _span(self, event: Event, within: Scope | None) -> None:
        id, kind, name = string(event.get("id")), string(event.get("type")), string(event.get("name"))
        parent = string(event.get("parent_id"))
        above = self._scopes.get(parent) or within or Scope()
        own = kind in ("agent", "tool")
        self._spans[parent, name] += [id] if kind == "tool" else []
        self._scopes[id] = Scope(
            owner=id if own else above.owner,
            name=name if own else above.name,
            tool=id if kind == "tool" else above.tool,
            scores=above.scores or kind in ("scorer", "scorers"),
        )

    def _step(self, event: Event, scope: Scope) -> None:
        if event.get("action") == "end":
            self._steps[-1:] = []
        else:
            self._steps.append(
                Scope(scope.owner, scope.name, scope.tool, scope.scores or event.get("type") == "scorer")
            )

    def _tool(self, kind: str, event: Event, scope: Scope, depth: int) -> None:
        call, name = string(event.get("id")), string(event.get("function")) or string(event.get("name"))
        if kind == "tool":
            self.results[call] = event
            self._tools[string(event.get("span_id")), name].append(call)
            if string(event.get("agent_span_id")):
                self._by_agent[event["agent_span_id"]] = call
        if isinstance(event.get("events"), list) and depth < _DEEP:
            inside = f"{kind}-{self.count}"
            self._by_agent[inside] = call
            self.take(
                event["events"], Scope(inside, string(event.get("agent")) or name, inside, scope.scores), depth + 1
            )

    def _call(self, event: Event, scope: Scope) -> Call:
        output = event["output"] if isinstance(event.get("output"), dict) else {}
        choices = output.get("choices")
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        return Call(
            place=self.count,
            scope=scope,
            event=event,
            sent=self._sent(event),
            reply=self.reader.sent(first["message"]) if isinstance(first.get("message"), dict) else (),
            usage=usage_of(output.get("usage")),
            error=string(event.get("error")) or string(output.get("error")),
        )

    def _sent(self, event: Event) -> list[Message] | list[tuple[int, int]]:
        given, refs = event.get("input"), event.get("input_refs")
        if isinstance(given, list) and given:
            return [message for raw in given for message in self.reader.sent(raw)]
        found = [self._range(ref) for ref in refs] if isinstance(refs, list) else []
        size = sum(end - start for start, end in found)
        self._looked += min(size, _MOST)
        if self._looked > _MOST or size > _TWICE * len(self.pool):
            self.cut += 1
            return []
        return found

    def _range(self, ref: Any) -> tuple[int, int]:
        """The places in the pool that a reference names: from one up to another, or one alone."""
        first, last = ref if isinstance(ref, list) and len(ref) == 2 else (ref, None)
        if not isinstance(first, int) or first < 0:
            return 0, 0
        last = last if isinstance(last, int) else first + 1
        return min(first, len(self.pool)), max(min(last, len(self.pool)), min(first, len(self.pool)))

    def sent(self, call: Call) -> list[Message]:
        """What a model call was sent."""
        return list(self._expanded(call))

    def _expanded(self, call: Call) -> Iterator[Message]:
        for item in call.sent:
            if isinstance(item, tuple):
                for made in self.pool[item[0] : item[1]]:
                    yield from made
            else:
                yield item

    def started_by(self, scope: Scope) -> str:
        """The id of the tool call that an agent was started by; empty where it is not known."""
        if scope.owner in self._by_agent:
            return self._by_agent[scope.owner]
        if self._by_tool is None:
            self._by_tool = self._pairs()
        return self._by_tool.get(scope.tool, "")

    def _pairs(self) -> dict[str, str]:
        """The call behind each span of a tool: the first span of that name in a span is that of the first call there."""
        pairs = ((spans, self._tools.get(where, [])) for where, spans in self._spans.items())
        return {span: call for spans, calls in pairs for span, call in zip(spans, calls, strict=False)}
