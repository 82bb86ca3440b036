"""The sessions of a trace: one for each conversation, with the windows that its tool runs and other calls had as children."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.importers._blocks import first_typed, label, most_used, tool_call, total
from core.importers._prompts_match import key
from core.importers._source import Source
from core.importers._span_threads import Thread, Threads, result
from core.importers._spans import Kin, Span, moment, unique
from core.importers._text import counted
from core.importers._words import failed, many
from core.model import Message, Session, SubAgent, ToolCall, built

OFF = "its spans hold no messages: content recording was off when it was traced"
HINT = "tracers leave out what was said unless told otherwise (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)"


@dataclass
class Reading:
    """What a format says of a file beside its spans: the first session tells it. `notes` come last, with the damage."""

    format: str
    malformed: int = 0
    recovered: int = 0
    notes: tuple[str, ...] = ()


def sessions(source: Source, given: Sequence[Span], reading: Reading) -> Iterator[Session]:
    """One session for each conversation that holds messages. Raises TranscriptError where none does."""
    spans, twice = unique(given)
    kin = Kin(spans)
    groups: dict[str, list[Span]] = {}
    for span in spans:
        groups.setdefault(kin.places[span].conversation, []).append(span)
    notes = [f"{many(twice, 'span')} stood twice in the file"] if twice else []
    told = False
    for name, found in groups.items():
        session = _session(name, found, kin, reading.format)
        if session is not None:
            yield session if told else _with(session, reading, notes)
            told = True
    if not told:
        raise source.fail(OFF if spans else "holds no spans", HINT if spans else "is it the beginning of an export?")


def _with(session: Session, reading: Reading, notes: Sequence[str]) -> Session:
    """The session with what was wrong with the file."""
    return session.model_copy(
        update={
            "malformed_lines": reading.malformed,
            "recovered_records": reading.recovered,
            "notes": (*session.notes, *notes, *reading.notes),
        }
    )


def _session(name: str, spans: Sequence[Span], kin: Kin, format: str) -> Session | None:
    threads = Threads(kin).read(spans)
    found = _Tree(threads, kin, format).of(None, name) if threads.found else _without_calls(name, spans, kin, format)
    if found is None:
        return None
    said = list(_notes(threads)) if threads.found else _tools_only(spans)
    return found.model_copy(
        update={
            "records": len(spans),
            "other": counted(Counter(f"span/{s.what or 'other'}" for s in spans if not s.kind)),
            "notes": tuple(said),
        }
    )


class _Tree:
    """The windows of one conversation, each below the one whose tool run it lies in."""

    def __init__(self, threads: Threads, kin: Kin, format: str) -> None:
        self.kin, self.format = kin, format
        self.by_tool: dict[Span | None, list[Thread]] = {}
        for thread in threads.found:
            self.by_tool.setdefault(thread.tool, []).append(thread)
        top = self.by_tool.get(None) or threads.found[:1]
        self.main = min(top, key=lambda t: (kin.places[t.first].agents, -len(t.prompts.messages)))
        self.below: dict[int, list[tuple[Thread, str, str]]] = {}
        for thread in threads.found:
            if thread is not self.main:
                parent, message, call = self._parent(thread)
                self.below.setdefault(id(parent), []).append((thread, message, call))

    def _parent(self, thread: Thread) -> tuple[Thread, str, str]:
        """The window that called the tool a window lies in, with the message and the call; else the main one."""
        tool = thread.tool
        while tool is not None:
            above = self.kin.places[tool].tool
            for parent in self.by_tool.get(above, []):
                found = _called(parent, tool) if parent is not thread else None
                if found:
                    return parent, *found
            tool = above
        return self.main, "", ""

    def of(self, window: Thread | None, name: str) -> Session:
        """The session of a window, or of the main one."""
        thread = window or self.main
        prompts = thread.prompts
        children = tuple(self._child(*found) for found in self.below.get(id(thread), []))
        messages = tuple(_task(m) for m in prompts.messages) if thread.tool else tuple(prompts.messages)
        models = Counter(m.model for m in messages if m.model)
        first = next((m.content for m in messages if m.role == "user" and m.content.strip()), "")
        return Session(
            id=name,
            format=self.format,
            title=label(first),
            model=most_used(models),
            messages=messages,
            compactions=tuple(prompts.compactions),
            children=children,
            usage=total(m.usage for m in (*messages, *prompts.retried)),
            records=len(thread.calls),
            subagents=len(children) + sum(child.session.subagents for child in children),
        )

    def _child(self, thread: Thread, message: str, call: str) -> SubAgent:
        agent = self.kin.places[thread.first].agent
        own = agent is not None and (thread.tool is None or self.kin.places[agent].tool is thread.tool)
        named = agent if own else thread.tool
        session = self.of(thread, thread.first.id)
        name = (named.name if named else "") or thread.first.name
        return SubAgent(id=thread.first.id, name=name, message=message, call=call, session=session)


def _task(message: Message) -> Message:
    """In a sub-agent's window nobody typed: the agent above asked."""
    asked = message.role == "user" and not message.injected
    return message.model_copy(update={"injected": "task"}) if asked else message


def _called(parent: Thread, tool: Span) -> tuple[str, str] | None:
    """The message and the call in a window that started a tool run: by the call's id, else the last of its name before."""
    time, found = moment(tool.start), None
    for message in parent.prompts.messages:
        for call in message.tool_calls:
            if tool.call and call.id == tool.call:
                return message.id, call.id
            if not tool.call and call.name == tool.name and message.timestamp <= time:
                found = message.id, call.id
    return found


def _without_calls(name: str, spans: Sequence[Span], kin: Kin, format: str) -> Session | None:
    """What is known where no model call holds messages: what agents were asked and answered, and what tools did."""
    top = [s for s in spans if kin.places[s].tool is None]
    events = sorted((found for span in top for found in _events(span)), key=lambda event: event[0])
    messages = list(_once(m for _, found in events for m in found))
    if not messages:
        return None
    agent = next((s.name for s in spans if s.kind == "agent"), "")
    models = Counter(s.model for s in spans if s.model)
    return Session(
        id=name,
        format=format,
        title=label(first_typed(messages) or agent),
        model=most_used(models),
        messages=tuple(messages),
        usage=total(s.usage for s in spans if s.kind == "llm"),
    )


def _events(span: Span) -> Iterator[tuple[int, list[Message]]]:
    """(when, messages) of what an agent was asked and what it answered, or of a tool run."""
    if span.kind == "tool" and (span.result is not None or span.arguments is not None):
        yield span.start, _run(span)
    elif span.kind == "agent" and span.holds:
        for when, found in zip((span.start, span.end), span.said(span), strict=True):
            known = {"timestamp": moment(when), "line": span.line}
            yield when, [m.model_copy(update={**known, "id": f"{span.id}-{m.role}-{n}"}) for n, m in enumerate(found)]


def _once(found: Iterator[Message]) -> Iterator[Message]:
    """Without what was said before: agents' spans may repeat the history, and the runs of their tools."""
    met: set[Any] = set()
    for message in found:
        mine: set[Any] = {("call", call.id) for call in message.tool_calls} or {key(message)}
        if message.role == "tool":
            mine = {("result", message.tool_call_id)}
        if not mine <= met:
            yield message
        met |= mine


def _run(span: Span) -> list[Message]:
    call: ToolCall = tool_call(span.call or span.id, span.name, span.arguments)
    known: dict[str, Any] = {"timestamp": moment(span.start), "line": span.line, "model": span.model}
    asked = built(Message, id=f"{span.id}-call", role="assistant", content="", tool_calls=(call,), **known)
    return [asked, result(span, call.id)]


def _tools_only(spans: Sequence[Span]) -> list[str]:
    calls = sum(1 for s in spans if s.kind == "llm")
    what = f"the spans of {many(calls, 'model call')} hold" if calls else "no span of a model call is here to hold"
    return [f"{what} no messages (content recording was off): what agents and tools recorded is shown"]


def _notes(threads: Threads) -> Iterator[str]:
    """What was left out, or is not as it was sent, in words."""
    prompts = [thread.prompts for thread in threads.found]
    if threads.silent:
        yield f"{many(threads.silent, 'model call')} left out: no messages recorded"
    if any(thread.deltas for thread in threads.found):
        yield "prompts hold only what was new, not the history: what the model was sent may be less than is shown"
    if again := sum(len(p.retried) for p in prompts):
        yield f"{many(again, 'reply') if again == 1 else f'{again:,} replies'} left out: asked for again"
    if other := sum(p.rewritten for p in prompts):
        yield f"{many(other, 'message')} came back a little otherwise in later prompts: shown as first sent"
    lost = sum(_orphans(p.messages) for p in prompts)
    if lost:
        yield f"{many(lost, 'tool result')} to no call that is recorded"
    if threads.errors:
        yield failed(threads.errors)


def _orphans(messages: Sequence[Message]) -> int:
    known: set[str | None] = set()
    count = 0
    for message in messages:
        known |= {call.id for call in message.tool_calls}
        count += message.role == "tool" and message.tool_call_id not in known
    return count
