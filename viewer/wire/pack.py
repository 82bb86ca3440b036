"""Sessions and traces as the bytes and text the browser gets. The layout is written down in docs/wire.md.

Pure functions: nothing here knows of Streamlit, files or sockets.
"""

import base64
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from core.model.failure import is_failure
from core.model.session import Message
from core.trace.partition_timeline import partition_timeline
from core.trace.trace import Trace
from core.why.advice import advice_to, once_to
from core.window.measured import is_wordless
from viewer.wire.header import NOTE_CHARS, trace_header
from viewer.wire.preview import label, one_line, preview
from viewer.wire.view import ROLES, columns, deltas, eras_of, failed_columns, view_of

TYPED, CALLS, ERROR, INJECTED, THINKING, IMAGES, MODEL_CALL, WORDLESS = 1, 2, 4, 8, 16, 32, 64, 128
BY_STEP = ("tails", "spared")  # columns with an entry for every step


def store_bytes(sid: str, trace: Trace) -> bytes:
    """The session of a trace under its meter, as the bytes of a store; docs/wire.md lays them out."""
    measured = trace.measured
    messages = measured.messages
    texts = [preview(m).encode("utf-8", "replace") for m in messages]
    labels, index = _labels(messages)
    columns = [
        _aligned(json.dumps(trace_header(sid, trace) | {"labels": labels}).encode()),
        _u32(measured.tokens),
        _u32(accumulate(map(len, texts), initial=0)),
        _aligned(_u16(index)),
        bytes(ROLES[m.role] for m in messages),
        bytes(_flags(messages, measured.calls)),
        *texts,
    ]
    return len(columns[0]).to_bytes(4, "little") + b"".join(columns)


def _labels(messages: Sequence[Message]) -> tuple[list[str], list[int]]:
    """The different labels, the empty one first, and the place of each message's among them; the 65,536th is empty."""
    places = {"": 0}
    index = [_place(places, label(m)) for m in messages]
    return list(places), index


def _place(places: dict[str, int], text: str) -> int:
    if text not in places and len(places) < 0xFFFF:
        places[text] = len(places)
    return places.get(text, 0)


def _flags(messages: Sequence[Message], calls: Sequence[int]) -> bytearray:
    flags = bytearray(map(flag_of, messages))
    for i in calls:
        flags[i] |= MODEL_CALL
    return flags


def flag_of(m: Message) -> int:
    """What is known of a message, as a sum of flags; whether a model call was made before it is not among them."""
    return (
        (TYPED if m.typed else 0)
        | (CALLS if m.tool_calls else 0)
        | (ERROR if is_failure(m) else 0)
        | (INJECTED if m.injected and not m.typed else 0)
        | (THINKING if m.thinking else 0)
        | (IMAGES if m.images else 0)
        | (WORDLESS if is_wordless(m) else 0)
    )


def _u32(values: Iterable[int]) -> bytes:
    return _little(array("I", values))


def _u16(values: Iterable[int]) -> bytes:
    return _little(array("H", values))


def _little(values: "array[int]") -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _aligned(data: bytes) -> bytes:
    """The bytes with spaces behind them up to a multiple of four."""
    return data + b" " * (-len(data) % 4)


def view_payload(
    sid: str,
    tid: str,
    trace: Trace,
    address: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """What the view component is sent: the trace, packed into `z`, and what the address bar is to hold."""
    body = view_of_trace(sid, tid, trace, notes)
    return {"sid": sid, "stamp": tid, "z": encoded(body), "address": dict(address)}


def opening_payload(id: str, name: str, size: int, beginning: Sequence[Message]) -> dict[str, Any]:
    """What the view component is sent while a transcript is opened: its first messages, and the text of the first one typed."""
    first = next((m for m in beginning if m.typed), None)
    rows = [[m.role, label(m), preview(m)] for m in beginning]
    return {
        "opening": {
            "id": id,
            "name": name,
            "size": size,
            "rows": rows,
            "first": first.content[:NOTE_CHARS] if first else "",
        }
    }


def encoded(body: Mapping[str, Any]) -> str:
    """A view as text: what `packed` makes of it, in base64."""
    return base64.b64encode(packed(body)).decode("ascii")


def packed(body: Mapping[str, Any]) -> bytes:
    """A view as bytes, compressed by zlib."""
    return zlib.compress(plain(body))


def plain(body: Mapping[str, Any]) -> bytes:
    """The columns of a number a step as bytes, behind them the rest as JSON.

    There is a number for every step of 100,000: as JSON they would be most of what a slider's move sends.
    """
    columns = [_varints(deltas(body[name])) for name in BY_STEP]
    rest = {name: value for name, value in body.items() if name not in BY_STEP}
    text = json.dumps(rest, separators=(",", ":")).encode()
    sizes = b"".join(len(column).to_bytes(4, "little") for column in columns)
    return b"".join((sizes, *columns, text))


def _varints(values: Sequence[int]) -> bytes:
    """Whole numbers in few bytes: the sign last (0, -1, 1, -2 … are 0, 1, 2, 3 …), seven bits a byte, the lowest first.

    Few of the values differ, so each is packed once.
    """
    known = {value: _varint(value) for value in set(values)}
    return b"".join(map(known.__getitem__, values))


def _varint(value: int) -> bytes:
    found, left = bytearray(), value << 1 if value >= 0 else -(value << 1) - 1
    while left > 127:
        found.append(left & 127 | 128)
        left >>= 7
    found.append(left)
    return bytes(found)


def view_of_trace(sid: str, tid: str, trace: Trace, notes: Sequence[str]) -> dict[str, Any]:
    """The view of a trace before it is packed."""
    cuts = partition_timeline(trace)
    return view_of(
        sid,
        tid,
        trace.pool,
        trace.policy,
        trace.compactions,
        kind=trace.kind,
        length=len(trace),
        c=_columns(trace),
        heads=cuts.heads,
        bodies=cuts.bodies,
        tails=cuts.tails,
        spared=cuts.protected,
        failed=failed_columns(trace.failed),
        held=list(trace.pinned),
        eras=eras_of(trace.policy_changes),
        notes=[one_line(note, NOTE_CHARS) for note in (*trace.notes, *notes, *_failure_notes(trace))],
        summarizer=_summarizer(trace),
        advice=advice_to(trace),
        once=once_to(trace),
    )


def _summarizer(trace: Trace) -> dict[str, Any] | None:
    """What wrote the summaries of a simulated run, and whether the transcript has some of its own; None as recorded."""
    if trace.kind != "simulate":
        return None
    return {"by": trace.summarizer, "recorded": any(c.summary and not c.unreadable for c in trace.session.compactions)}


def _failure_notes(trace: Trace) -> Iterator[str]:
    """Notes on the compaction attempts that failed, of those in a row the first: the first dozen that no note names."""
    failed = [found for found in trace.failed if not any(found.reason in note for note in trace.notes)]
    for found in failed[:12]:
        yield f"After message {found.at:,} a compaction attempt failed: {found.reason}"
    if len(failed) > 12:
        yield f"{len(failed) - 12:,} more compaction attempts failed; press x to go to each"


def _columns(trace: Trace) -> dict[str, list[Any]]:
    """The compactions of a trace, with where and how they left the window."""
    found = columns(trace.compactions, _places_of_cleared(trace))
    return {"at": deltas([c.at for c in trace.compactions]), **found}


def _places_of_cleared(trace: Trace) -> dict[str, int]:
    """Where the messages stand whose body a compaction emptied, by id."""
    ids = {m.id for c in trace.compactions for m in c.added if m.injected == "cleared"}
    return {m.id: i for i, m in enumerate(trace.messages) if m.id in ids} if ids else {}
