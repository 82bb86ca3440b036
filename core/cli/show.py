"""`foldline show FILE`: what a transcript holds, as a summary or message by message."""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from core.cli.terminal import as_json, facts, preview, table
from core.importers import load
from core.meters import Meter, approximate, bound, meter, meter_name
from core.model import Message, Session
from core.replay import replay
from core.trace import Compaction, Trace

DEFAULT_METER = "o200k_base"


class Nothing:
    """Counts nothing: for a replay of which only the shape is wanted."""

    def count(self, message: Message) -> int:
        """Zero."""
        return 0


def session(options: argparse.Namespace) -> int:
    """Print the summary of a transcript; returns 0."""
    loaded = load(options.file)
    found = summary(loaded)
    if options.json:
        as_json(found)
        return 0
    counts, usage = found["counts"], found["usage"] or {}
    facts(
        [
            *((name, found[name]) for name in ("format", "title", "model")),
            *((_words(k), _roles(v) if isinstance(v, dict) else v) for k, v in counts.items() if v or k in _ALWAYS),
            *((f"usage, {_words(name)}", value) for name, value in usage.items()),
            *(("note", note) for note in found["notes"]),
        ]
    )
    for kind in ("compactions", "microcompactions"):
        if found[kind]:
            print(f"\nrecorded {kind}")
            table(COLUMNS, [[_yes(value) for value in row.values()] for row in found[kind]])
    return 0


COLUMNS = ("step", "line", "trigger", "before", "after", "removed", "kept", "summary", "fidelity")
_ALWAYS = ("records", "turns", "compactions", "microcompactions")


def _yes(value: Any) -> Any:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def _words(key: str) -> str:
    return key.replace("_", " ")


def _roles(counted: dict[str, int]) -> str:
    return f"{sum(counted.values()):,} ({', '.join(f'{n:,} {role}' for role, n in counted.items())})"


def summary(loaded: Session) -> dict[str, Any]:
    """What a session holds: format, title, model, counts, recorded usage or None, recorded compactions, notes."""
    trace = replay(loaded, meter=Nothing())
    rows = [(c.kind, recorded(trace, k, c)) for k, c in enumerate(trace.compactions)]
    return {
        "format": loaded.format,
        "title": loaded.title,
        "model": loaded.model,
        "counts": counts(loaded),
        "usage": loaded.usage.model_dump() if loaded.usage else None,
        "compactions": [row for kind, row in rows if kind == "compaction"],
        "microcompactions": [row for kind, row in rows if kind == "microcompaction"],
        "notes": list(loaded.notes),
    }


def counts(loaded: Session) -> dict[str, Any]:
    """How many of everything the transcript holds; messages by role."""
    kinds = Counter(c.kind for c in loaded.compactions)
    return {
        "records": loaded.records,
        "messages": dict(Counter(m.role for m in loaded.messages)),
        "turns": loaded.turns,
        "tool_calls": sum(len(m.tool_calls) for m in loaded.messages),
        "tool_results": sum(m.role == "tool" for m in loaded.messages),
        "compactions": kinds["compaction"],
        "microcompactions": kinds["microcompaction"],
        "subagents": loaded.subagents,
        "malformed_lines": loaded.malformed_lines,
        "recovered_records": loaded.recovered_records,
    }


def recorded(trace: Trace, k: int, compaction: Compaction) -> dict[str, Any]:
    """One recorded compaction: where, why, tokens as recorded, how many messages went and stayed."""
    return {
        "step": trace.compaction_step(k),
        "line": compaction.line,
        "trigger": compaction.trigger,
        "tokens_before": compaction.tokens_before,
        "tokens_after": compaction.tokens_after,
        "removed": len(compaction.removed) or len(compaction.cleared),
        "kept": len(compaction.kept),
        "summary_available": compaction.summary is not None,
        "fidelity": compaction.fidelity,
    }


def messages(options: argparse.Namespace) -> int:
    """Print one row a message; returns 0."""
    loaded = load(options.file)
    counter = bound(meter(options.meter or DEFAULT_METER), loaded)
    found = list(rows(loaded, counter))
    if options.json:
        as_json(found)
        return 0
    heads = ("id", "role", "turn", "tokens", "line", "preview")
    mark = tilde(counter, loaded)
    table(
        heads,
        [[r["id"], r["role"], r["turn"], f"{mark}{r['tokens']:,}", r["line"], r["preview"]] for r in found],
        cut=True,
    )
    print(f"\n{len(found):,} messages, {mark}{sum(r['tokens'] for r in found):,} tokens by {meter_name(counter)}")
    return 0


def rows(loaded: Session, counter: Meter) -> Iterator[dict[str, Any]]:
    """One row a message: id, role, turn (from 1; 0 before the first), tokens, meter, line, preview."""
    turns, name = accumulate(int(m.typed) for m in loaded.messages), meter_name(counter)
    for message, turn in zip(loaded.messages, turns, strict=True):
        yield {
            "id": message.id,
            "role": message.role,
            "turn": turn,
            "tokens": counter.count(message),
            "meter": name,
            "line": message.line,
            "preview": message_preview(message),
        }


def message_preview(message: Message) -> str:
    """The beginning of what a message says, or of what it calls, on one line."""
    called = (f"-> {c.name}({', '.join(f'{k}={v!r}' for k, v in c.arguments.items())})" for c in message.tool_calls)
    said = message.content if message.content.strip() else message.thinking
    return preview(" ".join(part for part in (said[:1000], *called) if part))


def tilde(counter: Meter, session: Session) -> str:
    """What stands before this meter's numbers: "~" where it only guesses at the tokens of the session's model."""
    return "~" if approximate(meter_name(counter), session.model) else ""
