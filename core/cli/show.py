"""`foldline show FILE`: what a transcript contains."""

import argparse
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from core.cli import messages
from core.cli.terminal import print_facts, print_json, print_table
from core.engine.counts import counts as of_session
from core.engine.default_meter import default_meter, meter_error, session_meter
from core.engine.meter_text import meter_text
from core.engine.replay import replay
from core.engine.unseen_parts import unseen_parts
from core.importers import load, load_all
from core.importers._files.text import tells_of_damage
from core.model.agent_windows import AgentWindow, agent_window, agent_windows
from core.model.session import Message, Session
from core.trace.compaction import Compaction
from core.trace.denied import denying_prompts
from core.trace.places import compaction_number, step_name
from core.trace.prompt_falls import prompt_falls
from core.trace.prompt_overhead import unseen
from core.trace.trace import Trace, conversation

MAX_NOTES = 20
"""How many notes on damage are printed for a file of many sessions."""


class ZeroMeter:
    """A meter that counts 0: for a replay whose tokens are not used."""

    def count(self, message: Message) -> int:
        """Zero."""
        return 0


def run(options: argparse.Namespace) -> int:
    """Print the summary of a transcript or of each session in it; with --messages, every message. Returns 0."""
    if options.messages:
        return messages.run(options)
    found = list[dict[str, Any]]()
    for session in (agent_window(one, options.lane).session for one in _sessions(options)):
        trace = replay(session, meter=ZeroMeter())
        found.append(summary(trace))
    if options.json:
        print_json(found[0] if len(found) == 1 else {"format": _formats(found), **damage(found), "sessions": found})
    elif len(found) == 1:
        _print(found[0], trace)
    else:
        _print_sessions(found)
    return 0


def _sessions(options: argparse.Namespace) -> Iterator[Session]:
    """The session that --session names, or all sessions of the file."""
    if options.session is None:
        return load_all(options.file)
    return iter((load(options.file, session=options.session),))


def _formats(found: list[dict[str, Any]]) -> str:
    return ", ".join(dict.fromkeys(str(f["format"]) for f in found))


def damage(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The damage in a file of many sessions: sums over the sessions, and their notes."""
    sums = {key: sum(f["counts"][key] for f in found) for key in ("malformed_lines", "recovered_records")}
    notes = [f"session {n}: {note}" for n, f in enumerate(found) for note in f["notes"] if tells_of_damage(note)]
    return {**sums, "notes": notes}


def _print_sessions(found: list[dict[str, Any]]) -> None:
    wrong = damage(found)
    notes = wrong.pop("notes")
    print_facts(
        [
            ("format", _formats(found)),
            ("sessions", len(found)),
            *((_words(key), number) for key, number in wrong.items() if number),
            *(("note", note) for note in notes[:MAX_NOTES]),
            *((("note", f"and {len(notes) - MAX_NOTES:,} more (--json)"),) if len(notes) > MAX_NOTES else ()),
        ]
    )
    print()
    sizes = [sum(f["counts"]["messages"].values()) - f["counts"].get("added_by_compactions", 0) for f in found]
    rows = [
        [n, f["title"], f["model"], sizes[n], *(f["counts"][name] for name in ("turns", "tokens", "compactions"))]
        for n, f in enumerate(found)
    ]
    print_table(("session", "title", "model", "messages", "turns", "~tokens", "compactions"), rows, cut=True)
    print("\nshow one with --session N")


def _print(found: dict[str, Any], trace: Trace) -> None:
    """Print the summary of a session, which the trace replays."""
    by = meter_text(default_meter(trace.session), trace.session)
    counts, usage, unseen = found["counts"], found["usage"] or {}, found["unseen"]
    added = counts.get("added_by_compactions", 0)
    print_facts(
        [
            *((name, found[name]) for name in ("format", "title", "model", "project")),
            *((_words(k), _count_text(v, by if k == "tokens" else "", added)) for k, v in _shown(counts)),
            *((f"usage, {_words(name)}", value) for name, value in usage.items()),
            *((("cost", f"${found['cost']:,.6f} as recorded"),) if "cost" in found else ()),
            *((("unseen in prompts", _unseen_text(unseen)),) if unseen else ()),
            *((("window", _uncertain_text(unseen, trace)),) if unseen and unseen["uncertain"] else ()),
            *(("note", note) for note in found["notes"]),
        ]
    )
    for kind in ("compactions", "microcompactions", "edits"):
        if found.get(kind):
            print(f"\nrecorded {kind}")
            _print_recorded(found[kind], replay(trace.session, meter=session_meter(None, trace.session)))
    if found["lanes"]:
        print("\nsub-agents (show one with --lane)")
        print_table(
            ("lane", "name", "model", "messages", "started by", "tool call"),
            [[r["lane"], r["name"], r["model"], r["messages"], r["message"], r["call"]] for r in found["lanes"]],
            cut=True,
        )


def _print_recorded(rows: list[dict[str, Any]], trace: Trace) -> None:
    """Print a table of recorded compactions, and what is peculiar to its numbers."""
    print_table(_HEADS, [_cells(row, trace) for row in rows])
    _print_fidelity({row["fidelity"] for row in rows})
    places = [_place(row, trace) for row in rows]
    if any(_unnamed(trace.compactions[k]) for k in places):
        print("?: the file does not say what left the window, or what was cleared")
    if any(_cleared_as_said(trace, k) for k in places):
        print("cleared: as the file says; the prompts around it do not show it")


_FIDELITY = {
    "partial": "the file does not record what stayed, or what the summary says",
    "inferred": "the file records no compactions; this one is inferred from the prompts",
}
"""What a fidelity means, if it is not exact."""


def _print_fidelity(found: set[str]) -> None:
    """Print a line for each fidelity in the table that is not exact."""
    for fidelity in (f for f in _FIDELITY if f in found):
        print(f"{fidelity}: {_FIDELITY[fidelity]}")


def _unseen_text(found: dict[str, Any]) -> str:
    """ "~12,345 tokens at the first model call, ~15,000 in the median of 20, by o200k_base; …"."""
    first, typical = f"~{found['first']:,} tokens at the first model call", f"~{found['typical']:,} in the median"
    text = f"{first}, {typical} of {found['calls']:,}, by {found['meter']}{_parts_text(found)}"
    error = None if found["parts"] else found["error"]  # the parts say it already
    return text if error is None else f"{text}; {_error_text(error)}"


def _error_text(error: float) -> str:
    """How far the count of the messages is from the recorded prompts, in the words of the page."""
    size = abs(100 * error)
    if size < 0.5:
        return "the count agrees with the recorded prompts where they can be compared"
    return f"what arrives between calls is counted {size:.{int(size < 10)}f} % too {'low' if error < 0 else 'high'}"


def _parts_text(found: dict[str, Any]) -> str:
    """ ": ~9,000 not in the transcript, ~1,000 undercounted by the meter"; empty where the parts cannot be told apart."""
    if found["parts"] is None:
        return ""
    missing, less = found["parts"]["not_in_transcript"], found["parts"]["undercounted"]
    return f": ~{missing:,} not in the transcript, ~{abs(less):,} {'over' if less < 0 else 'under'}counted by the meter"


def _uncertain_text(found: dict[str, Any], trace: Trace) -> str:
    """Where the window is uncertain, and why: "uncertain from message 12 to message 40 and from message 55 on: …"."""
    name = partial(step_name, trace)
    said = (f"from {name(a)} {'on' if b is None else f'to {name(b)}'}" for a, b in found["uncertain"])
    return f"uncertain {' and '.join(said)}: the recorded prompt shrank, and no compaction is recorded"


_HEADS = ("#", "message", "line", "trigger", "before", "after", "removed", "kept", "summary", "fidelity")
_KEYS = ("removed", "kept", "summary_available", "fidelity")
_ALWAYS_SHOWN = ("records", "turns", "compactions", "microcompactions")


def _cells(row: dict[str, Any], trace: Trace) -> list[Any]:
    """A recorded compaction as a row, with the sizes that are shown of it; of a summary that nobody can read why that is."""
    k = _place(row, trace)
    event = trace.compactions[k]
    where = [compaction_number(trace, k), event.at or None, row["line"], row["trigger"]]
    told = [row["summary_unreadable"] or _yes_no(row[key]) if key == "summary_available" else row[key] for key in _KEYS]
    return [*where, *_sizes(trace, k), "?" if _unnamed(event) else told[0], *told[1:]]


def _place(row: dict[str, Any], trace: Trace) -> int:
    """Which of the trace's compactions a row is of."""
    return trace.step(row["step"]).compaction or 0


def _unnamed(event: Compaction) -> bool:
    """Whether the file has nothing of what a compaction took or cleared."""
    return event.counted_as != "edit" and not (event.folded or event.removed or event.cleared)


def _sizes(trace: Trace, k: int) -> tuple[int | None, int | str | None]:
    """The sizes of recorded compaction k as its card has them."""
    event, cleared = trace.compactions[k], _cleared_as_said(trace, k)
    return (None, f"{cleared:,} cleared") if cleared else (event.size_before, event.size_after)


def _cleared_as_said(trace: Trace, k: int) -> int:
    """The tokens that a microcompaction says it cleared, where the prompts around it do not show it; else 0.

    `clearedAsSaid` of the browser (frontend/run/recordedsums.js) is the same.
    """
    event = trace.compactions[k]
    if event.kind != "microcompaction" or event.size_before is None or event.size_after is None:
        return 0
    return event.size_before - event.size_after if denying_prompts(trace, k) else 0


def _yes_no(value: Any) -> Any:
    return ("no", "yes")[value] if isinstance(value, bool) else value


def _words(key: str) -> str:
    return key.replace("_", " ")


def _shown(counts: dict[str, Any]) -> list[tuple[str, Any]]:
    """The counts that are printed: what there is none of is left out, but for the most important."""
    own = {name: counted for name, counted in counts.items() if name != "added_by_compactions"}
    return [(name, counted) for name, counted in own.items() if counted or name in _ALWAYS_SHOWN]


def _count_text(counted: int | dict[str, int], by: str, added: int) -> int | str:
    """A number; of messages what compactions added, and how many of each role; of tokens the meter that counted them."""
    if isinstance(counted, int):
        return f"{counted:,} by {by}" if by else counted
    roles = ", ".join(f"{n:,} {role}" for role, n in counted.items())
    more = f" and {added:,} added by compactions" if added else ""
    return f"{sum(counted.values()) - added:,}{more} ({roles})"


def summary(trace: Trace) -> dict[str, Any]:
    """The summary of a replayed session: format, title, model, counts, usage or None, compactions, sub-agents, notes.

    Also its `cost` in US dollars where one is recorded. Of a live run in which a person edited the window, also `edits`:
    they are no compactions.
    """
    session = trace.session
    rows = [(c.counted_as, recorded(trace, k, c)) for k, c in enumerate(trace.compactions)]
    edits = [row for kind, row in rows if kind == "edit"]
    return {
        **_fields(session, "format", "id", "title", "model", "project"),
        "counts": counts(session),
        "usage": session.usage.model_dump(exclude={"cost"}) if session.usage else None,
        **({"cost": session.usage.cost} if session.usage and session.usage.cost is not None else {}),
        "unseen": unseen_tokens(session),
        "compactions": [row for kind, row in rows if kind == "compaction"],
        "microcompactions": [row for kind, row in rows if kind == "microcompaction"],
        **({"edits": edits} if edits else {}),
        "lanes": [_lane(found) for found in agent_windows(session)[1:]],
        "notes": list(session.all_notes),
    }


def _fields(of: object, *names: str) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}


def unseen_tokens(session: Session) -> dict[str, Any] | None:
    """The tokens of recorded prompts beyond those of the messages, by the default meter; None if no usage is recorded.

    `parts` are what is not in the transcript and what the meter undercounts; None where they cannot be told apart.
    `meter_error` is by what share of a prompt the meter's windows are off, at the median and for one in ten. `uncertain` are
    the first and last steps between which less was sent than the messages; the last is None at the end.
    """
    if not any(m.usage for m in session.messages):
        return None
    trace = replay(session, meter=session_meter(None, session))
    found, parts = unseen(trace), unseen_parts(trace)
    if not found.calls:
        return None
    sizes = {"calls": len(found.calls), "first": found.first, "typical": found.typical}
    doubt = [(a, b - 1 if b < len(trace) else None) for a, b in prompt_falls(trace).uncertain]
    split = _fields(parts, "not_in_transcript", "undercounted") if parts else None
    off = meter_error(session, trace.meter)
    right = {"calls": off.calls, "typical": off.typical, "tenth": off.tenth} if off else None
    return {
        **sizes,
        "error": found.error,
        "meter": trace.meter,
        "uncertain": doubt,
        "parts": split,
        "meter_error": right,
    }


def _lane(found: AgentWindow) -> dict[str, Any]:
    """A sub-agent: its lane and name, and the parent's message and call that started it."""
    return {
        "lane": found.name,
        "name": found.title,
        "id": found.session.id,
        "model": found.session.model,
        "messages": len(conversation(found.session)),
        "message": found.message,
        "call": found.call,
    }


def counts(session: Session) -> dict[str, Any]:
    """How many of each kind of thing the session has; messages by role, with those that recorded compactions added, and tokens
    by the default meter."""
    found = of_session(session)
    return {
        "records": session.records,
        "messages": dict(Counter(m.role for m in session.messages)),
        **({"added_by_compactions": found.added} if found.added else {}),
        "tokens": found.tokens,
        "turns": found.turns,
        "tool_calls": sum(len(m.tool_calls) for m in session.messages),
        "tool_results": sum(m.role == "tool" for m in session.messages),
        "compactions": found.compactions,
        "microcompactions": found.microcompactions,
        **({"edits": found.edits} if found.edits else {}),
        **_fields(session, "subagents", "malformed_lines", "recovered_records"),
    }


def recorded(trace: Trace, k: int, compaction: Compaction) -> dict[str, Any]:
    """One recorded compaction: where, why, tokens as recorded, how many messages it removed and kept."""
    return {
        "step": trace.compaction_step(k),
        **_fields(compaction, "line", "trigger", "tokens_before", "tokens_after"),
        "removed": len(compaction.removed) or len(compaction.cleared),
        "kept": len(compaction.kept),
        "summary_available": compaction.summary is not None and not compaction.unreadable,
        "fidelity": compaction.fidelity,
        "tokens_before_from": compaction.before_from,
        "tokens_after_from": compaction.after_from,
        "duration_ms": compaction.duration_ms,
        "summary_unreadable": compaction.unreadable or None,
        "instructions": compaction.instructions or None,
    }
