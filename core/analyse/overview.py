"""What happened in a session: the task, the turns, the tools and files, how it ended. Quoted and counted, not judged."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.measure.tool_use import Use, tool_uses
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.trace.trace import Trace

Kind = Literal["reply", "finish", "call", "result", "request", "other"]
_FINISHING = frozenset({"finish", "submit", "attempt_completion", "task_complete"})
"""Tools by which an agent ends its run: of OpenHands, SWE-agent, Cline, Copilot CLI. Nothing follows such a call."""


@dataclass(frozen=True)
class Stretch:
    """A turn: where it begins, the request that began it ("" before the first), and what came of it.

    `calls` counts the tool calls, `errors` the results that the transcript marks as errors, `written` are the files that calls
    wrote, in order, each once.
    """

    at: int
    asked: str
    calls: int
    errors: int
    written: tuple[str, ...]


@dataclass(frozen=True)
class Overview:
    """A session in short. `tools` and `written` come with how often, the most frequent first; `began` and `ended` as recorded.

    `last` is what the newest message is: the model's `reply`, a call of a tool that ends the run (`finish`), a tool `call`
    without its result, a `result` or a `request` that nothing answers. `closing` is the place of the newest message in which
    the model says something, -1 where it never does.
    """

    task: int
    turns: tuple[Stretch, ...]
    tools: tuple[tuple[str, int], ...]
    written: tuple[tuple[str, int], ...]
    began: str
    ended: str
    last: Kind
    closing: int


def overview(trace: Trace) -> Overview:
    """The overview of a trace's session; computed once."""
    return cached(trace.measured, "overview", lambda _: _overview(trace))


def _overview(trace: Trace) -> Overview:
    messages, uses = trace.messages, tool_uses(trace)
    times = [message.timestamp for message in messages if message.timestamp]
    starts = trace.measured.turn_starts
    said = (
        i for i in range(len(messages) - 1, -1, -1) if messages[i].role == "assistant" and messages[i].content.strip()
    )
    return Overview(
        task=starts[0] if starts else -1,
        turns=_turns(messages, uses, starts),
        tools=tuple(Counter(use.call.name for use in uses).most_common()),
        written=tuple(Counter(name for use in uses for name in _written(use)).most_common()),
        began=times[0] if times else "",
        ended=times[-1] if times else "",
        last=_last(messages),
        closing=next(said, -1),
    )


def _turns(messages: Sequence[Message], uses: Sequence[Use], starts: Sequence[int]) -> tuple[Stretch, ...]:
    """The turns; what the model did before the first request is one of its own."""
    first = next((i for i, message in enumerate(messages) if message.role == "assistant"), len(messages))
    begins = [*([0] if first < (starts[0] if starts else len(messages)) else []), *starts]
    calls, errors = Counter[int](), Counter[int]()
    written: dict[int, dict[str, None]] = {}
    for use in uses:
        turn = bisect_right(begins, use.at) - 1
        calls[turn] += 1
        written.setdefault(turn, {}).update(dict.fromkeys(_written(use)))
    for i, message in enumerate(messages):
        errors[bisect_right(begins, i) - 1] += message.role == "tool" and message.is_error
    return tuple(
        Stretch(
            at, own_text(messages[at]) if messages[at].typed else "", calls[k], errors[k], tuple(written.get(k, ()))
        )
        for k, at in enumerate(begins)
    )


def _written(use: Use) -> tuple[str, ...]:
    return use.files if use.does == "write" else ()


def _last(messages: Sequence[Message]) -> Kind:
    """What the newest message that no harness added is."""
    newest = next((message for message in reversed(messages) if not message.injected), None)
    if newest is None:
        return "other"
    if newest.role == "assistant":
        finishes = any(call.name in _FINISHING for call in newest.tool_calls)
        return "finish" if finishes else "call" if newest.tool_calls else "reply"
    return {"tool": "result", "user": "request"}.get(newest.role, "other")  # type: ignore[return-value]
