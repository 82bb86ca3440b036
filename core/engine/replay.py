"""What the transcript itself recorded, as a trace: `replay(session) -> Trace`."""

from collections.abc import Iterator, Sequence

from core.engine.policies_used import policies_used
from core.meters import Meter, bound, measured, meter_name, notes_of
from core.meters import meter as meter_called
from core.model.session import Message, RecordedCompaction, Session
from core.trace.compaction import Action, Compaction, Edit
from core.trace.trace import Trace
from core.window.heads import leading_systems
from core.window.measured import Measured
from core.window.ranges import ADDED, Range, Ranges, joined, single, without
from core.window.window import Pool, Window

CLEARED = "[cleared]"
_AS_RECORDED = (
    *("at", "kind", "trigger", "fidelity", "line", "timestamp"),
    *(
        "before_from",
        "after_from",
        "unreadable",
        "tokens_before",
        "tokens_after",
        "prompt_before",
        "prompt_after",
        "duration_ms",
        "context_window",
        "instructions",
    ),
)


def replay(session: Session, *, meter: Meter | None = None) -> Trace:
    """The run as recorded: its compactions are steps, with the tokens the transcript gives for them.

    A run that foldline drove is under the policies it was driven with; any other is under none.

    `meter` (None: o200k_base) counts what is visible; the recorded numbers stand beside it and are never mixed with it.
    """
    meter = bound(meter or meter_called("o200k_base"), session)
    base, used = measured(session, meter), policies_used(session)
    return Trace.model_construct(
        kind="replay",
        session=session,
        meter=meter_name(meter),
        tokens=base.counts,
        policy=used[-1].policy if used else None,
        policy_changes=used if len(used) > 1 else (),
        pinned=_pinned(session, base) if used else (),
        compactions=tuple(_compactions(session, base, meter)),
        notes=notes_of(session, meter),
    ).attach(base)


def _pinned(session: Session, base: Measured) -> tuple[int, ...]:
    """The places of the messages that a person pinned in a driven run."""
    ids = session.driven.pinned if session.driven else ()
    return tuple(sorted(base.places[id] for id in ids if id in base.places))


def _compactions(session: Session, base: Measured, meter: Meter) -> Iterator[Compaction]:
    by_id = {m.id: m for m in session.messages}
    position = {m.id: i for i, m in enumerate(base.messages)}
    window, at, number = Window(Pool(base), ()), 0, 0
    for recorded in sorted(session.compactions, key=lambda c: c.at):
        grown = window.grown(at, recorded.at)
        number += recorded.kind == "compaction" and (bool(recorded.summary) or not recorded.window_known)
        if recorded.window_known:
            found = _as_listed(grown, recorded, by_id, meter, number)
        elif recorded.kind == "microcompaction":
            found = _cleared(grown, recorded, position, meter)
        else:
            found = _compacted(grown, recorded, by_id, meter, number)
        yield found
        window, at = Window(window.pool, found.layout_after), recorded.at


def _as_listed(
    window: Window, recorded: RecordedCompaction, by_id: dict[str, Message], meter: Meter, number: int
) -> Compaction:
    """A compaction of which the whole new window is recorded, message by message."""
    stood = {m.id: part for m, part in zip(window.messages, single(window.ranges), strict=True)}
    added = [by_id[id] for id in recorded.added]
    left = [m for m in recorded.left if m.id not in stood or m != window.pool.message(stood[m.id][0])]
    put = {m.id: window.pool.add(m, _tokens(m, recorded, meter)) for m in (*added, *left)}
    layout = joined(tuple(put.get(id) or stood.get(id) or _elsewhere(window.pool, id) for id in recorded.window))
    there = set(recorded.window)
    gone = joined(tuple(part for id, part in stood.items() if id not in there))
    emptied = joined(tuple(stood[m.id] for m in left if m.id in stood))
    gone_as: Action = "summarised" if recorded.edit == "summarised" else "dropped"
    pairs: list[tuple[Action, Ranges]] = [(gone_as, gone), ("cleared", emptied)]
    edits = tuple(Edit(action=action, ranges=ranges, reason="recorded") for action, ranges in pairs if ranges)
    found = _event(window, recorded, layout, edits, (*added, *left), meter)
    summed = {"number": number, "folded": sum(b - a for a, b in gone)} if recorded.summary else {}
    return found.model_copy(update={**summed, "policy": recorded.policy}).attach(window.pool)


def _elsewhere(pool: Pool, id: str) -> Range:
    """Where a message stands that had left the window: a view may bring it back."""
    place = pool.base.places.get(id)
    if place is None:
        known = (k for k in range(len(pool.added) - 1, -1, -1) if pool.added[k].id == id)
        place = ADDED + next(known)
    return (place, place + 1)


def _compacted(
    window: Window, recorded: RecordedCompaction, by_id: dict[str, Message], meter: Meter, number: int
) -> Compaction:
    """The window replaced by the recorded summary and what was kept verbatim; system messages at the front stay.

    What else the agent put in stands behind that.
    """
    head, names = leading_systems(window), set(recorded.kept)
    body = enumerate(window.messages[head:], start=head)
    stayed = [(m.id, part) for k, m in body if m.id in names for part in window.cut(k, k + 1)]
    front = set(recorded.kept[: recorded.lead])
    lead, rest = [p for id, p in stayed if id in front], [p for id, p in stayed if id not in front]
    kept = joined(tuple(part for _, part in stayed))
    summary = by_id.get(recorded.summary or "")
    summed, more = (summary,) if summary else (), tuple(by_id[id] for id in recorded.added if id in by_id)
    put, back = (tuple(window.pool.add(m, _tokens(m, recorded, meter)) for m in some) for some in (summed, more))
    layout = joined((*window.cut(0, head), *lead, *put, *rest, *back))
    gone = without(window.cut(head, len(window)), kept)
    action = "summarised" if summary else recorded.edit
    edits = (Edit(action=action, ranges=gone, reason="recorded"),) if gone else ()
    return _event(window, recorded, layout, edits, (*summed, *more), meter).model_copy(
        update={"number": number, "folded": sum(b - a for a, b in gone)}
    )


def _cleared(window: Window, recorded: RecordedCompaction, position: dict[str, int], meter: Meter) -> Compaction:
    """The window with the bodies of the named messages emptied."""
    spots = sorted(position[i] for i in recorded.cleared if i in position)
    inside = [i for i in spots if any(a <= i < b for a, b in window.ranges)]
    emptied = tuple(
        window.pool.base.messages[i].model_copy(update={"content": CLEARED, "injected": "cleared"}) for i in inside
    )
    put = {i: window.pool.add(m, meter.count(m)) for i, m in zip(inside, emptied, strict=True)}
    layout = joined(tuple(part for r in window.ranges for part in _swapped(r, put)))
    edits = (Edit(action="cleared", ranges=joined(tuple((i, i + 1) for i in inside)), reason="recorded"),)
    return _event(window, recorded, layout, edits if inside else (), emptied, meter)


def _swapped(part: Range, put: dict[int, Range]) -> Iterator[Range]:
    """One range with the messages in `put` replaced by theirs."""
    start = part[0]
    for spot in sorted(i for i in put if part[0] <= i < part[1]):
        yield (start, spot)
        yield put[spot]
        start = spot + 1
    yield (start, part[1])


def _event(
    window: Window,
    recorded: RecordedCompaction,
    layout: Ranges,
    edits: tuple[Edit, ...],
    added: Sequence[Message],
    meter: Meter,
) -> Compaction:
    return Compaction(
        status="compacted",
        reason=_reason(recorded),
        recorded=True,
        **{name: getattr(recorded, name) for name in _AS_RECORDED},
        layout_before=window.ranges,
        layout_after=layout,
        edits=edits,
        added=tuple(added),
        added_tokens=tuple(_tokens(m, recorded, meter) for m in added),
        window_before=window.tokens,
        window_after=Window(window.pool, layout).tokens,
    ).attach(window.pool)


def _tokens(message: Message, recorded: RecordedCompaction, meter: Meter) -> int:
    """Tokens of a message by the meter; none of a summary that nobody can read, whose size is unknown."""
    return 0 if recorded.unreadable and message.id == recorded.summary else meter.count(message)


def _reason(recorded: RecordedCompaction) -> str:
    if recorded.fidelity == "inferred":
        return "not recorded: inferred from the later prompts"
    if recorded.reason:
        return f"recorded: {recorded.reason}"
    return f"recorded: {recorded.trigger or 'trigger not recorded'}"
