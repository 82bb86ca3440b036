"""A trace as three tables: its messages, its steps and its compactions; as CSV and as Parquet."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from core.exports.columns import WRITERS
from core.exports.form import Form
from core.trace.trace import Trace

Row = dict[str, Any]
Columns = tuple[str, ...]

MESSAGES: Columns = (
    *("message", "id", "step", "turn", "role", "tokens", "meter", "tools", "answers", "line", "timestamp"),
    *("content", "thinking"),
)
STEPS: Columns = ("step", "kind", "messages", "tokens", "meter", "id", "compaction")
_SAME: Columns = (
    *(
        "status",
        "policy",
        "kind",
        "trigger",
        "recorded",
        "fidelity",
        "number",
        "folded",
        "window_before",
        "window_after",
    ),
    *("tokens_before", "tokens_after", "summary_tokens", "reason", "line", "timestamp"),
)
COMPACTIONS: Columns = ("compaction", "step", "messages", *_SAME, "meter", "removed", "cleared", "kept", "summary")

TEXTS = {"id", "role", "meter", "tools", "answers", "timestamp", "content", "thinking", "kind", "status", "policy"}
TEXTS |= {"trigger", "fidelity", "reason", "removed", "cleared", "kept", "summary"}
"""The columns that are texts; `recorded` is true or false, and every other is a whole number."""


def message_rows(trace: Trace) -> Iterator[Row]:
    """A row for each message that arrives: where it stands, its tokens, and its texts whole."""
    turns = accumulate(int(m.typed) for m in trace.messages)
    for i, (message, turn) in enumerate(zip(trace.messages, turns, strict=True)):
        yield {
            "message": i,
            "id": message.id,
            "step": trace.message_step(i),
            "turn": turn,
            "role": message.role,
            "tokens": trace.tokens[i],
            "meter": trace.meter,
            "tools": ", ".join(call.name for call in message.tool_calls),
            "answers": message.tool_call_id or "",
            "line": message.line,
            "timestamp": message.timestamp,
            "content": message.content,
            "thinking": message.thinking,
        }


def step_rows(trace: Trace) -> Iterator[Row]:
    """A row for each step: what happened, and the tokens of the window then."""
    for step in trace.steps:
        yield {
            "step": step.index,
            "kind": step.kind,
            "messages": step.messages,
            "tokens": step.tokens,
            "meter": trace.meter,
            "id": step.message or "",
            "compaction": step.compaction,
        }


def compaction_rows(trace: Trace) -> Iterator[Row]:
    """A row for each compaction: when, why, its sizes, what it took and kept by id, and its summary whole."""
    for k, event in enumerate(trace.compactions):
        yield {
            "compaction": k,
            "step": trace.compaction_step(k),
            "messages": event.at,
            **{name: getattr(event, name) for name in _SAME},
            "tokens_before": event.size_before,
            "tokens_after": event.size_after,
            "summary_tokens": event.known_summary_tokens,
            "meter": trace.meter,
            "removed": " ".join(event.removed),
            "cleared": " ".join(event.cleared),
            "kept": " ".join(event.kept),
            "summary": event.summary.content if event.summary else "",
        }


class Table(NamedTuple):
    """A table: its columns, and what makes its rows."""

    columns: Columns
    rows: Callable[[Trace], Iterator[Row]]


def _in(kind: str, table: Table) -> Callable[[Trace, int | None, Sequence[str]], bytes]:
    columns = {name: bool if name == "recorded" else str if name in TEXTS else int for name in table.columns}
    return lambda trace, step, texts: WRITERS[kind].write(columns, table.rows(trace))


_TABLES = {
    "messages": Table(MESSAGES, message_rows),
    "steps": Table(STEPS, step_rows),
    "compactions": Table(COMPACTIONS, compaction_rows),
}
FORMS = tuple(
    Form(
        f"{name}.{kind}",
        f"table of {name}, as {WRITERS[kind].label}",
        f".{name}.{kind}",
        WRITERS[kind].media,
        _in(kind, table),
    )
    for kind in ("csv", "parquet")
    for name, table in _TABLES.items()
)
