"""The breakpoints of a live run: which of them its next model call, tool or compaction hits, how often, and where to run to."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from core.analyse import Finding
from core.model.call_texts import call_texts
from core.model.failure import is_failure
from core.model.session import Message, ToolCall
from core.model.text import cut
from core.toolbox.patterns import Matches, matcher
from core.trace.breakpoint import Breakpoint, BreakpointKind
from core.trace.compaction import Compaction

LONGEST_TEXT = 1 << 20
"""Characters of a message, or of an argument, in which a breakpoint looks for its text."""

Conditions = Callable[[Breakpoint], str | None]


class NextCall(NamedTuple):
    """What the next model call is sent: its tokens; how many messages have arrived; findings since the call before."""

    tokens: int
    messages: int = 0
    findings: Sequence[Finding] = ()


class Breakpoints:
    """The breakpoints of a run, and what happened since the last call: each event is one hit.

    A breakpoint on tokens is hit by the first call above its number, and again only after a call at or below it. `hit` are
    the ids of the breakpoints that the run waits at. While it runs to somewhere, `target` is where: a breakpoint that holds
    until the run has reached it, None for the end of the turn. `reached` is whether the next call, tool or compaction hits it.
    """

    def __init__(self) -> None:
        self.all: tuple[Breakpoint, ...] = ()
        self.hit: frozenset[int] = frozenset()
        self.target: Breakpoint | None = None
        self.runs_to_target = self.reached = False
        self._matchers: dict[str, Matches] = {}
        self._before = NextCall(0)
        self._fresh: frozenset[int] = frozenset()  # ids of breakpoints that no call has met yet
        self._forget_events()

    def _forget_events(self) -> None:
        self._arrived: list[Message] = []
        self._compactions: list[Compaction] = []

    def set(self, points: Iterable[Breakpoint]) -> None:
        """Replace the breakpoints. Of a new one, a window that is above its number counts as having just passed it.

        One that was there before keeps its hits. Raises ParameterError for a pattern that is no RE2 expression.
        """
        points = tuple(points)
        self._matchers = matchers_of(points)
        hits = {point.condition: point.hits for point in self.all}
        self._fresh = frozenset(point.id for point in points if point.condition not in hits)
        self.all = tuple(p.model_copy(update={"hits": hits.get(p.condition, 0)}) for p in points)

    def restore(self, points: Iterable[Breakpoint], before: NextCall) -> None:
        """Take over the breakpoints that a file holds, with their hits; `before` is the window it left."""
        self.set(points)
        self.all, self._fresh, self._before = tuple(points), frozenset(), before

    def run_to(self, target: Breakpoint | None) -> None:
        """Have the run go on to this condition, None for the end of the turn. Raises ParameterError as `set` does."""
        self._matchers |= matchers_of([target] if target else [])
        self.target = target.model_copy(update={"hits": 0}) if target else None
        self.runs_to_target, self.reached = True, False

    def forget_target(self) -> None:
        """The run is there, or a person cancels it: it runs to nowhere any more."""
        self.target, self.runs_to_target, self.reached = None, False, False

    def arrived(self, message: Message) -> None:
        """A message has arrived."""
        self._arrived.append(message)

    def compacted(self, found: Compaction) -> None:
        """The window was rewritten, or an attempt to do so failed."""
        self._compactions.append(found)

    @property
    def want_findings(self) -> bool:
        """Whether a breakpoint is on findings, which take some time to look for."""
        return self._wants("finding")

    @property
    def want_compactions(self) -> bool:
        """Whether a breakpoint is on what a policy is about to do, which takes some time to work out."""
        return self._wants("before_compaction")

    def _wants(self, kind: BreakpointKind) -> bool:
        return any(point.kind == kind for point in (*self._on, *([self.target] if self.target else [])))

    @property
    def _on(self) -> list[Breakpoint]:
        return [point for point in self.all if point.on]

    def before_call(self, call: NextCall) -> str:
        """Why to pause before this call, "" for no reason. Ask once for each call."""
        why = self._hits(lambda point: self._call_hits(point, call))
        self._before, self._fresh = call, frozenset()
        self._forget_events()
        return why

    def before_compaction(self, due: Compaction, at_least: bool = False) -> str:
        """Why to pause before the policy attempts this compaction, "" for no reason. Ask once for each attempt.

        `at_least` is whether it may take more than that, in further passes.
        """
        more = "at least " if at_least else ""
        return self._hits(lambda point: _what_goes(due, more) if point.kind == "before_compaction" else None)

    def before_tool(self, call: ToolCall) -> str:
        """Why to pause before this tool runs, "" for no reason. Ask once for each tool call."""
        return self._hits(lambda point: self._tool_hits(point, call))

    def _hits(self, detail_of: Conditions) -> str:
        """Count a hit of each breakpoint that has something to tell; why to pause, "" for no reason."""
        told = {point.id: detail for point in self._on if (detail := detail_of(point)) is not None}
        self.all = tuple(p.model_copy(update={"hits": p.hits + 1}) if p.id in told else p for p in self.all)
        stops = [point for point in self.all if point.id in told and point.hits >= point.from_hit]
        self.hit = frozenset(point.id for point in stops)
        ran = self._ran_to(detail_of)
        if stops:
            return f"breakpoint: {stops[0].words}{_in_brackets(told[stops[0].id])}, hit {stops[0].hits:,}"
        return ran

    def _ran_to(self, detail_of: Conditions) -> str:
        """Count a hit of the target; why to pause there, "" where it is not reached."""
        target, self.reached = self.target if self.runs_to_target else None, False
        detail = detail_of(target) if target else None
        if not target or detail is None:
            return ""
        self.reached = target.hits + 1 >= target.from_hit
        if not self.reached:
            self.target = target.model_copy(update={"hits": target.hits + 1})
            return ""
        hit = f", hit {target.from_hit:,}" if target.from_hit > 1 else ""
        return f"ran to {target.words}{_in_brackets(detail)}{hit}"

    # What each kind of breakpoint waits for: a detail that its words do not say, "" for none, None where it is not hit

    def _call_hits(self, point: Breakpoint, call: NextCall) -> str | None:
        if point.kind == "compaction":
            return "" if any(found.acted for found in self._compactions) else None
        if point.kind == "tokens":
            passed = call.tokens > int(point.value) and (
                point.id in self._fresh or self._before.tokens <= int(point.value)
            )
            return f"{call.tokens:,}" if passed else None
        if point.kind == "messages":
            return "" if call.messages >= int(point.value) and not point.hits else None
        if point.kind == "text":
            return "" if any(self._holds_text(point, message) for message in self._arrived) else None
        if point.kind == "finding":
            kinds = (found.title for found in call.findings if point.value in ("", found.kind))
            return next(kinds, None)
        return self._first_error(str(point.value)) if point.kind == "error" else None

    def _tool_hits(self, point: Breakpoint, call: ToolCall) -> str | None:
        if point.kind != "tool" or point.value not in ("", call.name):
            return None
        if point.pattern and not any(map(self._matchers[point.pattern], _arguments(point, call))):
            return None
        return "" if point.value else call.name

    def _holds_text(self, point: Breakpoint, message: Message) -> bool:
        if point.role not in ("", message.role):
            return False
        wanted, text = str(point.value), _full_text(message)[:LONGEST_TEXT]
        return self._matchers[wanted](text) if point.regex else wanted.casefold() in text.casefold()

    def _first_error(self, kind: str) -> str | None:
        tools = [_named(m) for m in self._arrived if m.role == "tool" and is_failure(m)]
        failed = [found.reason for found in self._compactions if found.status in ("failed", "inflated")]
        told = {"tool": tools, "compaction": failed}.get(kind, [*tools, *failed])
        return cut(told[0], 120) if told else None


def _named(error: Message) -> str:
    """A tool's error with the tool's name in front, once."""
    name, text = error.name or "a tool", error.content.removeprefix("error: ")
    return text if text.startswith(f"{name}:") else f"{name}: {text}"


def _what_goes(due: Compaction, more: str) -> str:
    """What a compaction removes and clears: "removes 56, clears 3 of 65 messages"."""
    does = {"removes": len(due.removed), "clears": len(due.cleared)}
    parts = [f"{verb} {more}{count:,}" for verb, count in does.items() if count]
    return f"{', '.join(parts)} of {sum(b - a for a, b in due.layout_before):,} messages" if parts else ""


def matchers_of(points: Iterable[Breakpoint]) -> dict[str, Matches]:
    """What each pattern of the breakpoints matches. Raises ParameterError for one that is no RE2 expression."""
    return {text: matcher(text) for point in points for text in _patterns(point)}


def _patterns(point: Breakpoint) -> list[str]:
    """The RE2 expressions of a breakpoint."""
    if point.kind == "tool":
        return [point.pattern] if point.pattern else []
    return [str(point.value)] if point.kind == "text" and point.regex else []


def _arguments(point: Breakpoint, call: ToolCall) -> list[str]:
    """The arguments in which a breakpoint looks, as text."""
    if call.raw is not None:
        return [call.raw[:LONGEST_TEXT]]
    chosen = [value for name, value in call.arguments.items() if point.argument in ("", name)]
    return [_text_of(value)[:LONGEST_TEXT] for value in chosen]


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _in_brackets(detail: str) -> str:
    return f" ({detail})" if detail else ""


def _full_text(message: Message) -> str:
    """Content, thinking and tool calls of a message."""
    calls = (text for call in message.tool_calls for text in call_texts(call))
    return "\n".join((message.content, message.thinking, *calls))
