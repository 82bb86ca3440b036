"""What goes stays in its place, emptied or shortened."""

from collections.abc import Iterable

from core.engine.compaction_builder import CompactionBuilder
from core.model.session import Message
from core.policy.vocabulary import Clear, Stage
from core.window.clear_in_place import without_inputs
from core.window.cleared_copy import ClearedCopy
from core.window.measured import Measured
from core.window.partition import partition
from core.window.ranges import ADDED, SPACE, Range, Ranges, joined, replaced, without
from core.window.window import Pool, Window


def clear(draft: CompactionBuilder, stage: Stage) -> bool:
    """Empty what is compactable in its place; whether anything was emptied."""
    window, rule = draft.window, stage.transform
    assert isinstance(rule, Clear)
    cleared, cut = window.pool.cleared_copy_of(stage), partition(window, draft.policy, stage).tail
    least = draft.policy.value(rule.at_least) if rule.at_least else 0
    if least and rule.at_least_is == "enough":
        cut = _enough(draft, stage, cut, least)
    known = len(window.pool.added)
    laid, copies = _laid_out(draft, stage, cut)
    if not any(cleared.touches(a, b) for a, b in without(window.ranges, laid) if a < ADDED):
        window.pool.forget(known)
        return draft.refuse("nothing_to_do", "nothing is left to clear")
    if least and rule.at_least_is == "needed" and _worth(draft, stage, laid) < least:
        window.pool.forget(known)
        return draft.refuse("nothing_to_do", f"it would not free {least:,} tokens")
    changed = list(_changed(draft.seen or window, cleared, laid))
    short = rule.head or rule.tail
    draft.edit("truncated" if short else "cleared", tuple((i, i + 1) for i in changed), "cleared in place")
    draft.added += copies
    draft.counts += [draft.meter.count(m) for m in copies]
    draft.becomes(laid)
    return True


def _worth(draft: CompactionBuilder, stage: Stage, laid: Ranges) -> int:
    """The tokens that are freed, or those of the bodies that are emptied."""
    rule, window = stage.transform, draft.window
    assert isinstance(rule, Clear)
    if rule.at_least_of == "emptied":
        return sum(window.pool.base.tokens[i] for i in _changed(window, window.pool.cleared_copy_of(stage), laid))
    return window.tokens - Window(window.pool, laid).tokens


def _changed(window: Window, cleared: ClearedCopy, laid: Ranges) -> Iterable[int]:
    """The places of the session that were as they came and are no longer, the window being laid out like this."""
    for a, b in without(window.ranges, laid):
        if a < ADDED:
            yield from cleared.touched(a, b)


def _laid_out(draft: CompactionBuilder, stage: Stage, cut: int) -> tuple[Ranges, list[Message]]:
    """The window with everything in front of the cut as its cleared copy, and what had to be made anew for that."""
    window = draft.window
    cleared = window.pool.cleared_copy_of(stage)
    shift = window.pool.space_of(cleared)
    parts = [(a + shift, b + shift) if a < ADDED else (a, b) for a, b in window.cut(0, cut)]
    layout = _with_pinned(joined((*parts, *window.cut(cut, len(window)))), window, shift)
    layout, made = _with_open_inputs(draft, stage, layout, shift, cut)
    return _as_short(layout, cleared, shift), made


def _with_pinned(layout: Ranges, window: Window, shift: int) -> Ranges:
    """The layout with what a person has pinned as it came."""
    spots = sorted(place + shift for place in window.pool.pinned)
    there = [(spot, spot + 1) for spot in spots if without(layout, ((spot, spot + 1),)) != layout]
    for spot in there:
        layout = replaced(layout, [spot], [(spot[0] - shift, spot[1] - shift)])
    return layout


def _as_short(layout: Ranges, cleared: ClearedCopy, shift: int) -> Ranges:
    """The layout with each stretch of the cleared copy ending at the last message that is changed: one layout for one view."""
    parts: list[Range] = []
    for a, b in layout:
        end = cleared.end(a - shift, b - shift) + shift if shift <= a else a
        parts += [(a, end), (end - shift, b - shift)] if shift <= a < shift + SPACE else [(a, b)]
    return joined(tuple(parts))


def _with_open_inputs(
    draft: CompactionBuilder, stage: Stage, layout: Ranges, shift: int, cut: int
) -> tuple[Ranges, list[Message]]:
    """The layout with the replies whose calls are answered on both sides of the cut emptied only as far as it goes."""
    window, base = draft.window, draft.window.pool.base
    rule = stage.transform
    assert isinstance(rule, Clear)
    if not rule.inputs or not draft.policy.settings.get(str(rule.inputs), rule.inputs):
        return layout, []
    end = _place(window, cut)
    made: list[Message] = []
    cleared = window.pool.cleared_copy_of(stage)
    for place in sorted(p for p in _split_at(base, end) if p >= 0 and cleared.touches(p, p + 1)):
        spot = (place + shift, place + shift + 1)
        if without(layout, (spot,)) == layout:
            continue
        put, copy = _partly(window, stage, place, end, spot)
        if copy is not None:
            made.append(copy)
            put = window.pool.add(copy, draft.meter.count(copy))
        layout = replaced(layout, [spot], [put])
    return layout, made


def _place(window: Window, cut: int) -> int:
    """The place in the session in front of which the cut is."""
    return max((min(b, a + cut - first) for first, (a, b) in window.origins() if first < cut), default=0)


def _split_at(base: Measured, end: int) -> set[int]:
    """Where the replies stand that made a call in front of a place which is answered behind it."""
    found = {place for place in base.answered_late if place < end <= base.answers[place][-1]}
    while end < len(base.messages) and base.messages[end].role == "tool":
        found.add(base.call_of[end])
        end += 1
    return found


def _partly(window: Window, stage: Stage, place: int, end: int, spot: Range) -> tuple[Range, Message | None]:
    """Where the reply stands with the inputs of only those calls emptied whose results are in front of a place.

    That is at `spot` where it is so in the cleared copy too. The copy comes with it where the pool has none yet.
    """
    base, cleared = window.pool.base, window.pool.cleared_copy_of(stage)
    behind = {base.messages[i].tool_call_id for i in base.answers[place] if i >= end}
    message, lighter = base.messages[place], cleared.lighter(place)
    pairs = zip(message.tool_calls, lighter.tool_calls, strict=True)
    emptied = {now.id for was, now in pairs if now != was}
    ids = emptied - behind
    if ids == emptied:
        return spot, None
    if not ids and lighter.thinking == message.thinking:
        return (place, place + 1), None
    copy = lighter.model_copy(update={"tool_calls": without_inputs(message.tool_calls, ids)})
    known = _known(window.pool, copy)
    return (known, None) if known else ((place, place + 1), copy)


def _known(pool: Pool, copy: Message) -> Range | None:
    """Where this very copy stands in the pool already: a view of before had it, so it is among the newest."""
    for place in range(len(pool.added) - 1, max(-1, len(pool.added) - 9), -1):
        if pool.added[place] == copy:
            return (ADDED + place, ADDED + place + 1)
    return None


def _enough(draft: CompactionBuilder, stage: Stage, cut: int, least: int) -> int:
    """The first cut, result by result, at which as many tokens are freed; the given one if none does."""
    window = draft.window
    cleared = window.pool.cleared_copy_of(stage)
    for first, (a, b) in window.origins():
        for i in cleared.touched(a, min(b, a + cut - first)):
            here = first + i - a + 1
            if window.pool.base.messages[i].role == "tool" and _freed(draft, stage, here) >= least:
                return here
    return cut


def _freed(draft: CompactionBuilder, stage: Stage, cut: int) -> int:
    pool = draft.window.pool
    added = len(pool.added)
    layout, _ = _laid_out(draft, stage, cut)
    freed = draft.window.tokens - Window(pool, layout).tokens
    pool.forget(added)
    return freed
