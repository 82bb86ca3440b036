"""What the browser knows of a session beside its messages: the header of a store or of a live run. docs/wire.md lays it out."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from core.engine.counts import counts_of
from core.engine.meter_text import meter_text
from core.engine.unseen_parts import UnseenParts, unseen_parts
from core.importers import agent_of, label_of
from core.meters import approximate, meters
from core.model.session import Message, Session
from core.trace.left_out import left_out
from core.trace.prompt_error import prompt_error
from core.trace.prompt_falls import prompt_falls
from core.trace.prompt_overhead import Unseen, unseen
from core.trace.trace import Trace
from core.window.measured import Measured
from viewer.wire.preview import one_line

VERSION = 1
NOTE_CHARS = 400
UNKNOWN = -1


def header_of(
    sid: str, measured: Measured, meter: str, model: str, notes: Iterable[str], /, **more: Any
) -> dict[str, Any]:
    """A header; `more` takes the place of what holds for a run of which nothing was recorded."""
    return {
        "version": VERSION,
        "sid": sid,
        "session": sid,
        "n": len(measured.messages),
        "model": one_line(model),
        "meter": meter,
        "meterText": meter,
        "how": next((info.how for info in meters() if info.name == meter), "counted"),
        "approximate": approximate(meter, model),
        "total": measured.running[-1],
        "turns": len(measured.turn_starts),
        "notes": [one_line(note, NOTE_CHARS) for note in notes],
        "recordedCompactions": 0,
        "recordedMicrocompactions": 0,
        "recordedEdits": 0,
        "recorded": _nothing_recorded(),
        "unseen": None,
        "tools": 0,
        "marked": {"summary": [], "ack": [], "cleared": []},
        **more,
    }


def _nothing_recorded() -> dict[str, Any]:
    """What a transcript without compactions and prompts records."""
    columns: dict[str, Any] = {
        name: [] for name in ("at", "before", "after", "left", "edits", "micro", "uncertain", "leftOut")
    }
    return {**columns, "prompts": {"at": [], "tokens": []}, "error": None, "typical": None}


def trace_header(sid: str, trace: Trace) -> dict[str, Any]:
    """The header of a trace's session."""
    session, measured = trace.session, trace.measured
    found = counts_of(trace)
    return header_of(
        sid,
        measured,
        trace.meter,
        session.model,
        session.all_notes,
        session=_name(session, measured.messages),
        meterText=meter_text(trace.meter, session),
        title=one_line(session.title),
        format=session.format,
        formatName=label_of(session),
        agent=agent_of(session),
        messages=found.messages + found.added,
        turns=found.turns,
        total=found.tokens,
        recordedCompactions=found.compactions,
        recordedMicrocompactions=found.microcompactions,
        recordedEdits=found.edits,
        marked=_marked(measured.messages),
        tools=session.driven.tools if session.driven else 0,
        startsMidway=session.starts_midway,
        **_recorded(trace),
    )


def _name(session: Session, messages: Sequence[Message]) -> str:
    """What this session is called under every meter: a digest of its format, its id and those of its messages."""
    named = hashlib.sha256("\x00".join((session.format, session.id)).encode("utf-8", "replace"))
    for message in messages:
        named.update(message.id.encode("utf-8", "replace") + b"\x00")
    return named.hexdigest()[:16]


def _recorded(trace: Trace) -> dict[str, Any]:
    """What the transcript says of its own run: its compactions, the size of each prompt that was sent, what is unseen.

    `left` are the tokens that each compaction left in the window, by the meter; `scaled` is what the messages of each prompt
    came to by the learned scale, where it can be trusted; `error` says how far the meter is off on what arrived between calls,
    `typical` on a whole prompt; between the steps of `uncertain` the prompts say that less was sent than the window holds,
    between those of `leftOut` less than the window and the tokens, the third number, that earlier prompts held beside it.
    """
    found = sorted(trace.session.compactions, key=lambda c: c.at)
    sent, parts = unseen(trace), unseen_parts(trace)
    recorded = {
        "at": [c.at for c in found],
        "before": [known(c.size_before) for c in found],
        "after": [known(c.size_after) for c in found],
        "left": [c.window_after for c in trace.compactions],
        "edits": [k for k, c in enumerate(found) if c.counted_as == "edit"],
        "micro": [k for k, c in enumerate(found) if c.counted_as == "microcompaction"],
        "prompts": {
            "at": [c.at for c in sent.calls],
            "tokens": [c.prompt for c in sent.calls],
            **({"scaled": list(parts.scaled)} if parts else {}),
        },
        "error": sent.error,
        "typical": error.typical if (error := prompt_error(trace)) else None,
        "uncertain": list(map(list, prompt_falls(trace).uncertain)),
        "leftOut": [[found.first, found.end, found.beside] for found in left_out(trace).stretches],
    }
    return {"recorded": recorded, "unseen": _unseen(sent, parts) if sent.calls else None}


def _unseen(sent: Unseen, parts: UnseenParts | None) -> dict[str, Any]:
    """What is unseen at the first call and typically, and in what parts the latter falls where they can be told apart."""
    found: dict[str, Any] = {"first": sent.first, "typical": sent.typical}
    if parts:
        found["parts"] = {"missing": parts.not_in_transcript, "undercounted": parts.undercounted}
    return found


def _marked(messages: Sequence[Message]) -> dict[str, list[int]]:
    marked: dict[str, list[int]] = {"summary": [], "ack": [], "cleared": []}
    for i, message in enumerate(messages):
        if message.injected in marked:
            marked[message.injected].append(i)
    return marked


def known(value: int | None) -> int:
    """A number as the wire has it: UNKNOWN for none."""
    return UNKNOWN if value is None else value
