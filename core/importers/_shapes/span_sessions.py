"""The sessions of a trace: one for each conversation, with the windows that its tool runs and other calls had as children."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.importers._files.source import Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import first_typed, label, most_used, tool_call, total
from core.importers._shapes.notes import failed, pluralize, without_call
from core.importers._shapes.prompts_match import key
from core.importers._shapes.span_threads import Thread, Threads, result
from core.importers._shapes.spans import Span, SpanPlaces, moment, unique
from core.model.session import Message, Session, SubAgent, ToolCall, construct_unchecked

OFF = "its spans contain no messages: content recording was off"
HINT = "tracers record content only when configured to (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)"


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
    index = SpanPlaces(spans)
    groups: dict[str, list[Span]] = {}
    for span in spans:
        groups.setdefault(index.places[span].conversation, []).append(span)
    notes = [f"{pluralize(twice, 'span')} appeared twice in the file"] if twice else []
    noted = False
    for name, found in groups.items():
        session = _session(name, found, index, reading.format)
        if session is not None:
            yield session if noted else _with(session, reading, notes)
            noted = True
    if not noted:
        raise source.fail(OFF if spans else "contains no spans", HINT if spans else "is it the beginning of an export?")


def _with(session: Session, reading: Reading, notes: Sequence[str]) -> Session:
    """The session with the damage of its file."""
    return session.model_copy(
        update={
            "malformed_lines": reading.malformed,
            "recovered_records": reading.recovered,
            "notes": (*session.notes, *notes, *reading.notes),
        }
    )


def _session(name: str, spans: Sequence[Span], index: SpanPlaces, format: str) -> Session | None:
    threads = Threads(index).read(spans)
    found = (
        _Tree(threads, index, format).of(None, name) if threads.found else _without_calls(name, spans, index, format)
    )
    if found is None:
        return None
    notes = list(_notes(threads)) if threads.found else _tools_only(spans)
    return found.model_copy(
        update={
            "records": len(spans),
            "other": counted(Counter(f"span/{s.what or 'other'}" for s in spans if not s.kind)),
            "notes": tuple(notes),
        }
    )


class _Tree:
    """The windows of one conversation, each below the one whose tool run it lies in."""

    def __init__(self, threads: Threads, index: SpanPlaces, format: str) -> None:
        self.index, self.format = index, format
        self.by_tool: dict[Span | None, list[Thread]] = {}
        for thread in threads.found:
            self.by_tool.setdefault(thread.tool, []).append(thread)
        top = self.by_tool.get(None) or threads.found[:1]
        self.main = min(top, key=lambda t: (index.places[t.first].agents, -len(t.prompts.messages)))
        self.below: dict[int, list[tuple[Thread, str, str]]] = {}
        for thread in threads.found:
            if thread is not self.main:
                parent, message, call = self._parent(thread)
                self.below.setdefault(id(parent), []).append((thread, message, call))

    def _parent(self, thread: Thread) -> tuple[Thread, str, str]:
        """The window that called the tool a window lies in, with the message and the call; else the main one."""
        tool = thread.tool
        while tool is not None:
            above = self.index.places[tool].tool
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
        agent = self.index.places[thread.first].agent
        own = agent is not None and (thread.tool is None or self.index.places[agent].tool is thread.tool)
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


def _without_calls(name: str, spans: Sequence[Span], index: SpanPlaces, format: str) -> Session | None:
    """What is known where no model call holds messages: what agents were asked and answered, and what tools did."""
    top = [s for s in spans if index.places[s].tool is None]
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
        for when, found in zip((span.start, span.end), span.messages(span), strict=True):
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
    asked = construct_unchecked(
        Message, id=f"{span.id}-call", role="assistant", content="", tool_calls=(call,), **known
    )
    return [asked, result(span, call.id)]


def _tools_only(spans: Sequence[Span]) -> list[str]:
    calls = sum(1 for s in spans if s.kind == "llm")
    what = (
        f"the spans of {pluralize(calls, 'model call')} hold" if calls else "there are no spans of model calls, and so"
    )
    return [f"{what} no messages (content recording was off): the records of agents and tools are shown instead"]


def _notes(threads: Threads) -> Iterator[str]:
    """Notes on what was skipped, or is not as it was sent."""
    prompts = [thread.prompts for thread in threads.found]
    if threads.silent:
        yield f"{pluralize(threads.silent, 'model call')} skipped: no messages recorded"
    if any(thread.deltas for thread in threads.found):
        yield "prompts contain only new messages, not the history; the model may have been sent less than shown"
    if again := sum(len(p.retried) for p in prompts):
        yield f"{pluralize(again, 'reply') if again == 1 else f'{again:,} replies'} skipped: the model was called again"
    if other := sum(p.rewritten for p in prompts):
        yield f"{pluralize(other, 'message')} changed slightly in later prompts: shown as first sent"
    lost = sum(_orphans(p.messages) for p in prompts)
    if lost:
        yield without_call(lost)
    if threads.unseen:
        yield f"{pluralize(threads.unseen, 'compaction')} changed nothing that the next prompt shows"
    if left := sum(map(len, threads.written.values())):
        yield f"{pluralize(left, 'compaction')} with no later model call: what stayed is not recorded"
    if threads.errors:
        yield failed(threads.errors)


def _orphans(messages: Sequence[Message]) -> int:
    known: set[str | None] = set()
    count = 0
    for message in messages:
        known |= {call.id for call in message.tool_calls}
        count += message.role == "tool" and message.tool_call_id not in known
    return count
