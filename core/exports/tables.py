"""A trace as three tables: its messages, its steps and its compactions; as CSV and as Parquet."""

import csv
import io
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from core.exports.form import Form, utf8
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
            **{name: getattr(event, name) for name in _SAME} | {"summary_tokens": event.known_summary_tokens},
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


def _csv(table: Table) -> Callable[[Trace, int], bytes]:
    def write(trace: Trace, step: int) -> bytes:
        out = io.StringIO()
        rows = csv.writer(out)
        rows.writerow(table.columns)
        for row in table.rows(trace):
            rows.writerow([_cell(row[name]) for name in table.columns])
        return utf8(out.getvalue())

    return write


def _cell(value: Any) -> Any:
    """A text that a spreadsheet would run as a formula begins with an apostrophe.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _parquet(table: Table) -> Callable[[Trace, int], bytes]:
    def write(trace: Trace, step: int) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {"recorded": pa.bool_(), **dict.fromkeys(TEXTS, pa.string())}
        schema = pa.schema([(name, kinds.get(name, pa.int64())) for name in table.columns])
        out = pa.BufferOutputStream()
        rows = [_storable(row) for row in table.rows(trace)]
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), out, compression="zstd")
        return bytes(out.getvalue().to_pybytes())

    return write


def _storable(row: Row) -> Row:
    """The row with texts that have UTF-8."""
    return {name: utf8(value).decode() if isinstance(value, str) else value for name, value in row.items()}


_TABLES = {
    "messages": Table(MESSAGES, message_rows),
    "steps": Table(STEPS, step_rows),
    "compactions": Table(COMPACTIONS, compaction_rows),
}
FORMS = tuple(
    Form(f"{name}.{kind}", f"table of {name}, as {label}", f".{name}.{kind}", media, write(table))
    for kind, label, media, write in (
        ("csv", "CSV", "text/csv", _csv),
        ("parquet", "Parquet", "application/vnd.apache.parquet", _parquet),
    )
    for name, table in _TABLES.items()
)
