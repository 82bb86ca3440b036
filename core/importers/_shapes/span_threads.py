"""Model calls as windows: each call continues the conversation that its prompt repeats, or begins a new one.

Where the calls of a run repeat nothing, though they belong together (the provider keeps the history, or the tracer records
the newest message only), each prompt adds to what there was, and the results of tools are taken from their own spans.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.importers._shapes.loose import both
from core.importers._shapes.loose_blocks import Pieces, result_of
from core.importers._shapes.prompts import Prompts
from core.importers._shapes.prompts_match import alike
from core.importers._shapes.spans import Span, SpanPlaces, moment
from core.importers._shapes.written_compactions import write_down, written_or_flagged
from core.model.session import Message, ToolCall, construct_unchecked

_LOOKED_AT = 16
"""Of many conversations only so many, the newest, are looked at for each prompt."""

_LONG = 6
"""A window of so many messages is a run: a prompt that repeats but its system prompt is a compaction of it. One of fewer is,
where the trace tells of a compaction."""


@dataclass(eq=False)
class Thread:
    """One conversation: its messages, the tool run that contains it, and its calls."""

    first: Span
    tool: Span | None
    prompts: Prompts = field(default_factory=Prompts)
    calls: list[Span] = field(default_factory=list)
    system: str = ""
    deltas: bool = False

    @property
    def open(self) -> list[ToolCall]:
        """The calls of the last reply, and of those in a row with it, that have no result yet."""
        found: list[ToolCall] = []
        answered: set[str | None] = set()
        for message in reversed(self.prompts.messages):
            if message.role not in ("assistant", "tool") or message.injected:
                break
            answered.add(message.tool_call_id)
            found = [*(call for call in message.tool_calls if call.id not in answered), *found]
        return found


@dataclass
class Threads:
    """Reads model calls in order of time. `written` are the compactions that no call came after yet, by their ends."""

    spans: SpanPlaces
    tools: dict[Span | None, deque[Span]] = field(default_factory=dict)
    found: list[Thread] = field(default_factory=list)
    silent: int = 0
    errors: list[str] = field(default_factory=list)
    written: dict[Span | None, list[Span]] = field(default_factory=dict)
    unseen: int = 0
    _latest: dict[Span | None, list[Thread]] = field(default_factory=dict)
    _repeats: dict[Span | None, bool] = field(default_factory=dict)
    _order: dict[Span, int] = field(default_factory=dict)

    def read(self, spans: Sequence[Span]) -> "Threads":
        """All windows of a conversation's spans."""
        calls = [s for s in spans if s.kind == "llm" and s not in self.spans.wrappers and not self._is_wrapped(s)]
        for span in spans:
            if span.kind == "tool":
                self.tools.setdefault(self.spans.places[span].tool, deque()).append(span)
            elif span.compaction is not None:
                self.written.setdefault(self.spans.places[span].tool, []).append(span)
        for written in self.written.values():
            written.sort(key=_end)
        for span in calls:
            self._call(span, calls)
        for thread in self.found:
            self._answer(thread, None)
        return self

    def _is_wrapped(self, span: Span) -> bool:
        """Whether a call holds no messages, and lies in one that tells them: ADK's tracer makes two spans of each."""
        around = self.spans.places[span].around
        return not span.holds and around is not None and around.holds

    def _call(self, span: Span, calls: Sequence[Span]) -> None:
        if span.failed:
            self.errors.append(span.failed)
        sent, answered = span.messages(span) if span.holds else ([], [])
        if not sent and not answered:
            self.silent += not span.failed
            return
        scope = self.spans.places[span].tool
        thread = self._thread(span, scope, sent, calls)
        thread.calls.append(span)
        before = len(thread.prompts.compactions)
        self._send(thread, span, sent)
        at = thread.prompts.arrived
        for message in _replies(span, sent, answered):
            thread.prompts.reply(message)
        self._write_down(thread, before, at)
        latest = self._latest.setdefault(scope, [])
        latest[:] = [*(t for t in latest if t is not thread), thread][-_LOOKED_AT:]

    def _send(self, thread: Thread, span: Span, sent: Sequence[Message]) -> None:
        messages, where = [m for m in sent if m.role != "system"], (span.line, moment(span.start))
        if thread.calls[1:] and (thread.deltas or _goes_on(thread, messages)):
            self._answer(thread, span)
            results = any(m.role == "tool" for m in messages)
            answered = {m.tool_call_id for m in thread.prompts.messages if m.role == "tool"} if results else set()
            thread.prompts.more([m for m in messages if m.role != "tool" or m.tool_call_id not in answered], *where)
        else:
            thread.prompts.prompt(sent, *where)

    def _write_down(self, thread: Thread, before: int, at: int) -> None:
        """Put to a conversation the compactions that were written down since its call before this one."""
        *earlier, span = thread.calls
        if not earlier:
            return
        past = self._take_since(thread, span)
        changed = len(thread.prompts.compactions) > before
        flagged = span.compacted and (changed or not (earlier[-1].compacted or thread.prompts.compactions))
        found = written_or_flagged((one.compaction for one in past if one.compaction), flagged)
        self.unseen += write_down(thread.prompts, before, at, found)

    def _take_since(self, thread: Thread, span: Span) -> list[Span]:
        """Take out the compactions that were written down since a conversation began, before this call, in order of time."""
        written, since = self.written.get(thread.tool, []), self._since(thread, span)
        past = written[since]
        del written[since]
        return sorted(past, key=lambda one: (one.start, -one.end))

    def _since(self, thread: Thread, span: Span) -> slice:
        """Where they stand. There may be many, and those before a conversation stay: they are not gone through each time."""
        written = self.written.get(thread.tool, [])
        start, end = (bisect_right(written, at, key=_end) for at in (thread.calls[0].start, span.start))
        return slice(start, max(start, end))

    def _thread(self, span: Span, scope: Span | None, sent: Sequence[Message], calls: Sequence[Span]) -> Thread:
        """The conversation that a prompt goes on with, or a new one."""
        known, system = self._latest.get(scope, []), _system(sent)
        last = known[-1] if known else None
        if last and (last.deltas or _goes_on(last, [m for m in sent if m.role != "system"])):
            return last
        shared, best = max(((_shared(t, system, sent), i) for i, t in enumerate(known)), default=(0, 0))
        if shared:
            return known[best]
        if last and not self._repeat(scope, calls):
            last.deltas = True
            return last
        same = [t for t in known if t.system == system and self._compacted(t, span, sent, calls)]
        if same:
            return same[-1]
        self.found.append(Thread(span, scope, system=system))
        return self.found[-1]

    def _compacted(self, thread: Thread, span: Span, sent: Sequence[Message], calls: Sequence[Span]) -> bool:
        """Whether a prompt that repeats nothing of a long run is what was left of it: it comes after, and is smaller.

        Without a system prompt to tell by, the agent has to be the same, and nothing may go back to the run as it was: a call
        that makes a title stands beside it.
        """
        last, size = thread.calls[-1], sum(1 for m in sent if m.role != "system")
        since = self._since(thread, span)
        is_told = span.compacted or since.stop > since.start
        short = len(thread.prompts.messages) < _LONG and not is_told
        if short or size >= thread.prompts.size or span.start < last.end:
            return False
        places = self.spans.places
        bound = thread.system or (places[span].agent is places[last].agent and span.trace == last.trace)
        return bool(bound) and not self._taken_up(thread, span, calls)

    def _taken_up(self, thread: Thread, span: Span, calls: Sequence[Span]) -> bool:
        """Whether one of the calls that follow repeats most of a conversation as it is now."""
        if not self._order:
            self._order = {call: n for n, call in enumerate(calls, 1)}
        here = self._order[span]
        later = (c for c in calls[here : here + _LOOKED_AT] if c.holds)
        scope = self.spans.places[span].tool
        prompts = (c.messages(c)[0] for c in later if self.spans.places[c].tool is scope)
        return any(2 * thread.prompts.shared(prompt) > thread.prompts.size for prompt in prompts)

    def _repeat(self, scope: Span | None, calls: Sequence[Span]) -> bool:
        """Whether prompts repeat what was said; where none does, the calls are still apart if nothing binds them."""
        if scope not in self._repeats:
            own = [call for call in calls if call.holds and self.spans.places[call].tool is scope]
            self._repeats[scope] = any(m.role in ("assistant", "tool") for call in own for m in call.messages(call)[0])
            bound = len({call.trace for call in own}) > 1 or any(m.tool_calls for c in own for m in c.messages(c)[1])
            self._repeats[scope] = self._repeats[scope] or not bound
        return self._repeats[scope]

    def _answer(self, thread: Thread, before: Span | None) -> None:
        """Give the open calls of a window their results from the spans of the tools, up to a call of the model."""
        runs = self.tools.get(thread.tool)
        if not runs:
            return
        for call in thread.open:
            run = next((r for r in runs if _ran(r, call) and (before is None or r.start <= before.start)), None)
            if run is not None:
                runs.remove(run)
                if run.result is not None or run.failed:
                    thread.prompts.more([result(run, call.id)])


def _end(span: Span) -> int:
    return span.end


def _ran(run: Span, call: ToolCall) -> bool:
    return run.call == call.id if run.call and call.id else run.name == call.name


def _goes_on(thread: Thread, messages: Sequence[Message]) -> bool:
    """Whether a prompt begins with the result of an open call that it does not repeat: the provider keeps the history."""
    first = messages[0] if messages else None
    if first is None or first.role != "tool" or first.tool_call_id is None:
        return False
    return any(call.id == first.tool_call_id for call in thread.open)


def _shared(thread: Thread, system: str, sent: Sequence[Message]) -> int:
    """How much a prompt has of a conversation; under another system prompt it must be most of it."""
    shared = thread.prompts.shared(sent)
    same = not system or not thread.system or system == thread.system or alike(system, thread.system)
    return shared if same or (shared > 1 and 2 * shared > thread.prompts.size) else 0


def _system(sent: Sequence[Message]) -> str:
    return "\n".join(m.content for m in sent if m.role == "system")


def _replies(span: Span, sent: Sequence[Message], answered: Sequence[Message]) -> list[Message]:
    """What the model answered: one message, with what the span records of it; results of tools it ran itself behind it."""
    own = list(answered)
    if len(own) > len(sent) > 0 and [m.content for m in own[: len(sent)]] == [m.content for m in sent]:
        own = own[len(sent) :]
    replies = [m for m in own if m.role == "assistant"]
    summaries = [m.model_copy(update={"line": span.line}) for m in own if m.injected == "summary"]
    if not replies:
        return summaries
    reply = replies[0]
    for more in replies[1:]:
        reply = both(reply, more)
    known = {"id": span.id, "reply_id": span.id or None, "usage": span.usage, "model": span.model, "line": span.line}
    answer = reply.model_copy(update={**known, "timestamp": moment(span.end or span.start)})
    return [*summaries, answer, *_results(own)]


def _results(own: Iterable[Message]) -> list[Message]:
    return [m for m in own if m.role == "tool"]


def result(run: Span, call: str) -> Message:
    """The result of a tool, as the message that answers a call."""
    pieces = result_of({"output": run.result}).pieces if run.result is not None else Pieces()
    return construct_unchecked(
        Message,
        id=run.id,
        role="tool",
        content=pieces.text or run.failed,
        tool_call_id=call,
        name=run.name or None,
        images=tuple(pieces.images),
        timestamp=moment(run.end or run.start),
        line=run.line,
        is_error=bool(run.failed),
    )
