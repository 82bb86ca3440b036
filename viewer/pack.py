"""Sessions and traces as the bytes and text the browser gets. The layout is written down in docs/wire.md.

Pure functions: nothing here knows of Streamlit, files or sockets.
"""

import base64
import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import Any, get_args

from core.bands import bands
from core.compact.due import WORDS
from core.heads import header
from core.importers import formats
from core.measured import Measured
from core.meters import approximate, meters
from core.model import Message, Session
from core.policy import Bound, Policy
from core.shadow import SPACE, Shadow
from core.trace import IN_PLACE, Compaction, Trace
from core.unseen import unseen
from core.vocabulary import Clear, Placement, Status
from core.window import Pool, Ranges
from viewer.preview import label, one_line, preview

VERSION = 1
NOTE_CHARS = 400
MOST_FAILED = 200
ROLES = {"system": 0, "user": 1, "assistant": 2, "tool": 3}
TYPED, CALLS, ERROR, INJECTED, THINKING, IMAGES, MODEL_CALL = 1, 2, 4, 8, 16, 32, 64
UNKNOWN = -1
BY_STEP = ("tails", "spared")  # columns with an entry for every step
STATUSES = list(get_args(Status))


def store_bytes(sid: str, trace: Trace) -> bytes:
    """The session of a trace under its meter, as the bytes of a store; docs/wire.md lays them out."""
    measured = trace.measured
    messages = measured.messages
    texts = [preview(m).encode("utf-8", "replace") for m in messages]
    labels, index = _labels(messages)
    columns = [
        _aligned(json.dumps(_header(sid, trace) | {"labels": labels}).encode()),
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


def _header(sid: str, trace: Trace) -> dict[str, Any]:
    session, measured = trace.session, trace.measured
    return {
        "version": VERSION,
        "sid": sid,
        "session": _name(session, measured.messages),
        "n": len(measured.messages),
        "title": one_line(session.title),
        "format": session.format,
        "formatName": next((info.label for info in formats() if info.name == session.format), session.format),
        "model": one_line(session.model),
        **meter_facts(trace.meter, session.model),
        "total": measured.running[-1],
        "turns": len(measured.turn_starts),
        "notes": [one_line(note, NOTE_CHARS) for note in session.notes],
        "recordedCompactions": len(session.compactions),
        **_recorded(trace),
        "marked": _marked(measured.messages),
    }


def _name(session: Session, messages: Sequence[Message]) -> str:
    """What this session is called under every meter: a digest of its format, its id and those of its messages."""
    named = hashlib.sha256("\x00".join((session.format, session.id)).encode("utf-8", "replace"))
    for message in messages:
        named.update(message.id.encode("utf-8", "replace") + b"\x00")
    return named.hexdigest()[:16]


def meter_facts(name: str, model: str) -> dict[str, Any]:
    """The meter, how it gets its numbers, and whether they are a guess for this model."""
    how = next((info.how for info in meters() if info.name == name), "counted")
    return {"meter": name, "how": how, "approximate": approximate(name, model)}


def _recorded(trace: Trace) -> dict[str, Any]:
    """What the transcript says of its own run: its compactions, the size of each prompt that was sent, what is unseen.

    `left` are the tokens that each compaction left in the window, by the meter; `error` says how far the meter is off.
    """
    found = sorted(trace.session.compactions, key=lambda c: c.at)
    sent = unseen(trace)
    recorded = {
        "at": [c.at for c in found],
        "before": [_known(c.tokens_before) for c in found],
        "after": [_known(c.tokens_after) for c in found],
        "left": [c.window_after for c in trace.compactions],
        "prompts": {"at": [c.at for c in sent.calls], "tokens": [c.prompt for c in sent.calls]},
        "error": sent.error,
    }
    return {"recorded": recorded, "unseen": {"first": sent.first, "typical": sent.typical} if sent.calls else None}


def _marked(messages: Sequence[Message]) -> dict[str, list[int]]:
    marked: dict[str, list[int]] = {"summary": [], "ack": [], "cleared": []}
    for i, message in enumerate(messages):
        if message.injected in marked:
            marked[message.injected].append(i)
    return marked


def _flags(messages: Sequence[Message], calls: Sequence[int]) -> bytearray:
    flags = bytearray(map(flag_of, messages))
    for i in calls:
        flags[i] |= MODEL_CALL
    return flags


def flag_of(m: Message) -> int:
    """What is known of a message, as a sum of flags; whether a model call was made before it is not among them."""
    return (
        (TYPED if m.role == "user" and not m.injected else 0)
        | (CALLS if m.tool_calls else 0)
        | (ERROR if m.is_error else 0)
        | (INJECTED if m.injected else 0)
        | (THINKING if m.thinking else 0)
        | (IMAGES if m.images else 0)
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
    body = _view(sid, tid, trace, notes)
    return {"sid": sid, "stamp": tid, "z": encoded(body), "address": dict(address)}


def encoded(body: Mapping[str, Any]) -> str:
    """The columns of a number a step as bytes, behind them the rest as JSON, compressed by zlib, in base64.

    There is a number for every step of 100,000: as JSON they would be most of what a slider's move sends.
    """
    columns = [_varints(_deltas(body[name])) for name in BY_STEP]
    rest = {name: value for name, value in body.items() if name not in BY_STEP}
    text = json.dumps(rest, separators=(",", ":")).encode()
    sizes = b"".join(len(column).to_bytes(4, "little") for column in columns)
    return base64.b64encode(zlib.compress(b"".join((sizes, *columns, text)), 9)).decode("ascii")


def _varints(values: Sequence[int]) -> bytes:
    """Whole numbers in few bytes: the sign last (0, -1, 1, -2 … are 0, 1, 2, 3 …), seven bits a byte, the lowest first."""
    found = bytearray()
    for value in values:
        left = value << 1 if value >= 0 else -(value << 1) - 1
        while left > 127:
            found.append(left & 127 | 128)
            left >>= 7
        found.append(left)
    return bytes(found)


def _view(sid: str, tid: str, trace: Trace, notes: Sequence[str]) -> dict[str, Any]:
    cuts = bands(trace)
    return {
        "version": VERSION,
        "sid": sid,
        "tid": tid,
        "stamp": tid,
        "kind": trace.kind,
        "length": len(trace),
        "policy": policy_facts(trace.policy) if trace.policy else None,
        "statuses": STATUSES,
        "c": _columns(trace),
        "heads": cuts.heads,
        "bodies": cuts.bodies,
        "tails": cuts.tails,
        "spared": cuts.spared,
        "pins": pins_of(trace.policy, trace.window_of(0).pool if len(trace) else None),
        "shadows": [shadow_columns(shadow) for shadow in trace.shadows],
        "worded": _worded(trace),
        "typicalSummary": typical(trace.compactions),
        "failed": failed_columns(trace.failed),
        "notes": [one_line(note, NOTE_CHARS) for note in (*trace.notes, *notes, *_told(trace))],
    }


def failed_columns(found: Sequence[Compaction]) -> dict[str, list[Any]]:
    """The passes that came to nothing, the first of each run: after how many messages, how, why."""
    shown = found[:MOST_FAILED]
    return {
        "at": _deltas([c.at for c in shown]),
        "status": [STATUSES.index(c.status) for c in shown],
        "reason": [one_line(c.reason, NOTE_CHARS) for c in shown],
        "times": [c.times for c in shown],
    }


def _told(trace: Trace) -> Iterator[str]:
    """The passes that came to nothing, of those in a row the first, for a reader: the first dozen that no note tells of."""
    failed = [found for found in trace.failed if not any(found.reason in note for note in trace.notes)]
    for found in failed[:12]:
        yield f"After message {found.at:,} a pass came to nothing: {found.reason}"
    if len(failed) > 12:
        yield f"{len(failed) - 12:,} more passes came to nothing; the key x goes to each"


def policy_facts(policy: Policy) -> dict[str, Any]:
    """What the page says of the policy that is shown."""
    return {
        "name": policy.name,
        "title": policy.title,
        "fidelity": policy.fidelity,
        "about": policy.about,
        "limit": policy.limit,
        "ceiling": policy.ceiling,
        "limitName": limit_name(policy) or "the limit",
        "counts": policy.trigger.counts,
        "phase": policy.trigger.phase,
        "family": policy.family,
        "effect": policy.effect,
        "kind": policy.transform.kind,
        "tailAsText": bool(policy.placement and policy.placement.tail_as_text),
        "when": _when(policy),
    }


def limit_name(policy: Policy) -> str:
    """The parameter whose value is the limit, or "": one that is not set, or is higher than another limit, is not it."""
    name = policy.limit_name
    return name if policy.trigger.given or policy.settings.get(name) == policy.ceiling else ""


def _when(policy: Policy) -> str:
    """When the policy acts, in words: "messages > 40 or tokens ≥ 160,000", "always"; "" where only when it is asked.

    Of tiers each with its name, "tokens > 5,000 (clear results), then tokens > 8,000"; one that never acts is left out.
    """
    tiers = [(_clauses(policy.bounds(s.when)), s.name.replace("_", " ")) for s in policy.tiers if s.when is not None]
    said = {text: name for text, name in reversed([*tiers, (_clauses(policy.clauses), "")]) if text}
    parts = [f"{text} ({name})" if name and len(said) > 1 else text for text, name in reversed(said.items())]
    return ", then ".join(parts)


def _clauses(clauses: Sequence[Sequence[Bound]]) -> str:
    if not all(clauses):
        return "always"
    told = (clause for clause in clauses if not any(_moot(clause, other) for other in clauses))
    return " or ".join(dict.fromkeys(" and ".join(f"{WORDS[b.of]} {b.said}" for b in clause) for clause in told))


def _moot(clause: Sequence[Bound], other: Sequence[Bound]) -> bool:
    """Whether the other is met wherever this one is, and sooner: "tokens > 9" where there is "tokens > 5"."""
    sooner = len(other) < len(clause) or any(mine.above > its.above for mine, its in zip(clause, other, strict=False))
    return sooner and all(any(mine.of == its.of and mine.above >= its.above for mine in clause) for its in other)


def pins_of(policy: Policy | None, pool: Pool | None) -> dict[str, Any]:
    """What is pinned among the compactable for what it is: system messages, or all that could not be emptied."""
    if policy is None:
        return {"systems": False, "emptied": None}
    clears = isinstance(policy.transform, Clear) and pool is not None
    emptied = _deltas(pool.shadow_of(policy.main).places) if clears and pool else None
    return {"systems": policy.scope.keep_systems, "emptied": emptied}


def shadow_columns(shadow: Shadow) -> dict[str, Any]:
    """The messages that a stage has emptied in some window, and their tokens then."""
    known = sorted(shadow.known.items())
    rule = shadow.rule if isinstance(shadow.rule, Clear) else Clear()
    return {
        "places": _deltas([place for place, _ in known]),
        "tokens": [tokens for _, tokens in known],
        "short": int(bool(rule.head or rule.tail)),
        "thinking": int(thinking_alone(rule)),
    }


def thinking_alone(rule: Clear) -> bool:
    """Whether nothing but thinking is left out: the text of a message stays."""
    return rule.thinking and not rule.results and not rule.inputs


def _columns(trace: Trace) -> dict[str, list[Any]]:
    """The compactions of a trace, with where and how they left the window."""
    found = columns(trace.compactions, _places_of_cleared(trace))
    layout = [_layout(c.layout_after, len(trace.messages)) for c in trace.compactions]
    return {"at": _deltas([c.at for c in trace.compactions]), **found, "layout": layout}


def columns(found: Sequence[Compaction], places: Mapping[str, int]) -> dict[str, list[Any]]:
    """Compactions, a list for each thing that is known of them; `places` of messages that were emptied, by id."""
    return {
        "before": [c.window_before for c in found],
        "after": [c.window_after for c in found],
        "folded": [c.folded for c in found],
        "number": [_known(c.number) for c in found],
        "summaryTokens": [c.summary_tokens for c in found],
        "removedTokens": [_removed(c) for c in found],
        "status": [STATUSES.index(c.status) for c in found],
        "recordedBefore": [_known(c.tokens_before if c.recorded else None) for c in found],
        "recordedAfter": [_known(c.tokens_after if c.recorded else None) for c in found],
        "micro": [int(c.kind == "microcompaction") for c in found],
        "added": [_added(c, places) for c in found],
        "tiers": [list(c.tiers) for c in found] if any(c.tiers for c in found) else [],
        "emptied": [sum(b - a for e in c.edits if e.action in IN_PLACE for a, b in e.ranges) for c in found],
    }


def _layout(ranges: Ranges, size: int) -> list[int]:
    """The ranges, flat; one that goes on from the session's messages to what was added is two."""
    return [end for a, b in ranges for end in ((a, size, size, b) if a < size < b < SPACE else (a, b))]


def _removed(compaction: Compaction) -> int:
    """Tokens that left the window: what the sizes and the summary tell, unless something was emptied in place."""
    if any(edit.action in IN_PLACE for edit in compaction.edits):
        return compaction.removed_tokens
    return compaction.window_before - compaction.window_after + compaction.summary_tokens


def _added(compaction: Compaction, places: Mapping[str, int]) -> list[list[Any]]:
    pairs = zip(compaction.added, compaction.added_tokens, strict=True)
    return [[ROLES[m.role], m.injected, t, preview(m), places.get(m.id, UNKNOWN)] for m, t in pairs]


def _places_of_cleared(trace: Trace) -> dict[str, int]:
    """Where the messages stand whose body a compaction emptied, by id."""
    ids = {m.id for c in trace.compactions for m in c.added if m.injected == "cleared"}
    return {m.id: i for i, m in enumerate(trace.messages) if m.id in ids} if ids else {}


def _worded(trace: Trace) -> list[int]:
    place = trace.policy.placement if trace.policy else None
    return worded(trace.measured, place) if place else []


def worded(measured: Measured, placement: Placement) -> list[int]:
    """The messages of the transcript that are written in the words of this placement, as its own summaries are."""
    words, messages = header(placement), measured.messages
    if words is None:
        return []
    asked: Iterable[int] = range(len(messages))
    if placement.role in ("system", "user"):
        asked = measured.systems if placement.role == "system" else measured.turn_starts
    found = (i for i in asked if words.match(messages[i].content))
    return [i for i in found if messages[i].role == placement.role and not messages[i].injected]


def typical(compactions: Sequence[Compaction]) -> int:
    """The middle size of a summary, or -1 where there is none."""
    sizes = sorted(c.summary_tokens for c in compactions if c.summary)
    return sizes[len(sizes) // 2] if sizes else UNKNOWN


def _known(value: int | None) -> int:
    return UNKNOWN if value is None else value


def _deltas(values: Sequence[int]) -> list[int]:
    """The first value, then each one's difference to the one before it."""
    return [*values[:1], *map(sub, values[1:], values)]
