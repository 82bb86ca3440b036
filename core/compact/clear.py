"""What goes stays in its place, emptied or shortened; or is dropped; or becomes a line of text for each tool group."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from core.compact.draft import Draft
from core.lighten import without_inputs
from core.measured import Measured
from core.model import Message
from core.partition import goes, partition
from core.shadow import SPACE, Shadow
from core.vocabulary import Clear, Digest, Drop, Stage
from core.window import Pool, Range, Ranges, Window, joined, without


def clear(draft: Draft, stage: Stage) -> bool:
    """Empty what is compactable in its place; whether anything was emptied."""
    window, rule = draft.window, stage.transform
    assert isinstance(rule, Clear)
    shadow, cut = window.pool.shadow_of(stage), partition(window, draft.policy, stage).tail
    least = draft.policy.value(rule.at_least) if rule.at_least else 0
    if least and rule.at_least_is == "enough":
        cut = _enough(draft, stage, cut, least)
    known, size = len(window.pool.added), len(window.pool.base.messages)
    laid, copies = _laid_out(draft, stage, cut)
    if not any(shadow.touches(a, min(b, size)) for a, b in without(window.ranges, laid) if a < size):
        window.pool.forget(known)
        return draft.refuse("nothing_to_do", "nothing is left that could be emptied")
    if least and rule.at_least_is == "needed" and _worth(draft, stage, laid) < least:
        window.pool.forget(known)
        return draft.refuse("nothing_to_do", f"it would not free {least:,} tokens")
    changed = list(_changed(draft.seen or window, shadow, laid))
    short = rule.head or rule.tail
    draft.edit("truncated" if short else "cleared", tuple((i, i + 1) for i in changed), "emptied in place")
    draft.added += copies
    draft.counts += [draft.meter.count(m) for m in copies]
    draft.becomes(laid)
    return True


def _worth(draft: Draft, stage: Stage, laid: Ranges) -> int:
    """The tokens that are freed, or those of the bodies that are emptied."""
    rule, window = stage.transform, draft.window
    assert isinstance(rule, Clear)
    if rule.at_least_of == "emptied":
        return sum(window.pool.base.tokens[i] for i in _changed(window, window.pool.shadow_of(stage), laid))
    return window.tokens - Window(window.pool, laid).tokens


def _changed(window: Window, shadow: Shadow, laid: Ranges) -> Iterable[int]:
    """The places of the session that were as they came and are no longer, the window being laid out like this."""
    base = len(window.pool.base.messages)
    for a, b in without(window.ranges, laid):
        if a < base:
            yield from shadow.touched(a, min(b, base))


def _laid_out(draft: Draft, stage: Stage, cut: int) -> tuple[Ranges, list[Message]]:
    """The window with everything in front of the cut as its shadow, and what had to be made anew for that."""
    window = draft.window
    shadow = window.pool.shadow_of(stage)
    shift, size = window.pool.space_of(shadow), len(window.pool.base.messages)
    parts = [(a + shift, b + shift) if b <= size else (a, b) for a, b in window.cut(0, cut)]
    layout = joined((*parts, *window.cut(cut, len(window))))
    layout, made = _with_open_inputs(draft, stage, layout, shift, cut)
    return _as_short(layout, shadow, shift), made


def _as_short(layout: Ranges, shadow: Shadow, shift: int) -> Ranges:
    """The layout with each stretch of the shadow ending at the last message that is changed: one layout for one view."""
    parts: list[Range] = []
    for a, b in layout:
        end = shadow.end(a - shift, b - shift) + shift if shift <= a else a
        parts += [(a, end), (end - shift, b - shift)] if shift <= a < shift + SPACE else [(a, b)]
    return joined(tuple(parts))


def _with_open_inputs(draft: Draft, stage: Stage, layout: Ranges, shift: int, cut: int) -> tuple[Ranges, list[Message]]:
    """The layout with the replies whose calls are answered on both sides of the cut emptied only as far as it goes."""
    window, base = draft.window, draft.window.pool.base
    rule = stage.transform
    assert isinstance(rule, Clear)
    if not rule.inputs or not draft.policy.settings.get(str(rule.inputs), rule.inputs):
        return layout, []
    end = _place(window, cut)
    made: list[Message] = []
    shadow = window.pool.shadow_of(stage)
    for place in sorted(p for p in _split_at(base, end) if p >= 0 and shadow.touches(p, p + 1)):
        spot = (place + shift, place + shift + 1)
        if without(layout, (spot,)) == layout:
            continue
        put, copy = _partly(window, stage, place, end, spot)
        if copy is not None:
            made.append(copy)
            put = window.pool.add(copy, draft.meter.count(copy))
        layout = _swap(layout, spot, put)
    return layout, made


def _place(window: Window, cut: int) -> int:
    """The place in the session in front of which the cut is."""
    return max((min(b, a + cut - first) for first, (a, b) in window.origins() if first < cut), default=0)


def _split_at(base: Measured, end: int) -> set[int]:
    """Where the replies stand that made a call in front of a place which is answered behind it."""
    found = {place for place in base.answered_late if place < end <= base.answers[place][-1]}
    while end < len(base.messages) and base.messages[end].role == "tool":
        found.add(base.asked[end])
        end += 1
    return found


def _partly(window: Window, stage: Stage, place: int, end: int, spot: Range) -> tuple[Range, Message | None]:
    """Where the reply stands with the inputs of only those calls emptied whose results are in front of a place.

    That is at `spot` where it is so in the shadow too. The copy comes with it where the pool has none yet.
    """
    base, shadow = window.pool.base, window.pool.shadow_of(stage)
    behind = {base.messages[i].tool_call_id for i in base.answers[place] if i >= end}
    message, lighter = base.messages[place], shadow.lighter(place)
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
            return (len(pool.base.messages) + place, len(pool.base.messages) + place + 1)
    return None


def _swap(layout: Ranges, spot: Range, put: Range) -> Ranges:
    parts: list[Range] = []
    for a, b in layout:
        if a <= spot[0] and spot[1] <= b:
            parts += [(a, spot[0]), put, (spot[1], b)]
        else:
            parts.append((a, b))
    return joined(tuple(part for part in parts if part[0] < part[1]))


def _enough(draft: Draft, stage: Stage, cut: int, least: int) -> int:
    """The first cut, result by result, at which as many tokens are freed; the given one if none does."""
    window = draft.window
    shadow = window.pool.shadow_of(stage)
    for first, (a, b) in window.origins():
        for i in shadow.touched(a, min(b, a + cut - first)):
            here = first + i - a + 1
            if window.pool.base.messages[i].role == "tool" and _freed(draft, stage, here) >= least:
                return here
    return cut


def _freed(draft: Draft, stage: Stage, cut: int) -> int:
    pool = draft.window.pool
    added = len(pool.added)
    layout, _ = _laid_out(draft, stage, cut)
    freed = draft.window.tokens - Window(pool, layout).tokens
    pool.forget(added)
    return freed


def drop(draft: Draft, stage: Stage) -> bool:
    """Take out what is compactable; whether there was any."""
    window = draft.window
    parts = partition(window, draft.policy, stage)
    taken = goes(window, stage, parts)
    if not taken:
        return draft.refuse("nothing_to_do", "everything in the window is pinned")
    draft.edit("dropped", taken, "dropped")
    draft.folded = sum(b - a for a, b in taken)
    marker = _marker(draft, stage, draft.folded)
    left = without(window.ranges, taken)
    draft.becomes(joined((*window.cut(0, parts.head), *marker, *_behind(left, window.cut(0, parts.head)))))
    return True


def _behind(ranges: Ranges, head: Ranges) -> Ranges:
    return without(ranges, head) if head else ranges


def _marker(draft: Draft, stage: Stage, folded: int) -> Ranges:
    """The message that says so, where the policy leaves one."""
    place = stage.placement
    if place is None or not isinstance(stage.transform, Drop):
        return ()
    return (draft.put(draft.said(place.role, place.template.format(n=0, k=folded, text=""), "marker")),)


def digest(draft: Draft, stage: Stage) -> bool:
    """Put one message of text in the place of each tool group that goes; whether there was any."""
    window, rule = draft.window, stage.transform
    assert isinstance(rule, Digest)
    cut = partition(window, draft.policy, stage).tail
    groups = list(_groups(window, cut))
    if not groups:
        return draft.refuse("nothing_to_do", "no tool group is old enough to go")
    put = [draft.put(_digested(draft, window.pool.slice(group), rule)) for group in groups]
    draft.edit("summarised", joined(tuple(groups)), "tool calls and results put down as text")
    freed = sum(map(window.pool.tokens, groups)) - sum(map(window.pool.tokens, put))
    draft.becomes(_replaced(window.ranges, groups, put), window.tokens - freed)
    return True


def _digested(draft: Draft, group: Sequence[Message], rule: Digest) -> Message:
    return draft.said("assistant", _told(group, rule.most), "digest")


def _replaced(layout: Ranges, groups: Sequence[Range], put: Sequence[Range]) -> Ranges:
    """The layout with each group, in the order of the layout, replaced by what was put in for it."""
    parts, k = list[Range](), 0
    for part in layout:
        a, b = part
        while k < len(groups) and a <= groups[k][0] < b:
            parts += [(a, groups[k][0]), put[k]]
            a, k = groups[k][1], k + 1
        parts.append(part if a == part[0] else (a, b))
    return joined(tuple(part for part in parts if part[0] < part[1]))


def _groups(window: Window, cut: int) -> Iterator[Range]:
    """The tool groups in front of the cut: a reply that calls tools, and the results that follow it."""
    base = window.pool.base
    for first, (a, b) in window.origins():
        stop = min(b, a + cut - first)
        for i in base.groups[bisect_left(base.groups, a) : bisect_left(base.groups, stop)] if a < stop else ():
            end = i + 1
            while end < b and base.messages[end].role == "tool":
                end += 1
            yield (i, end)


def _told(group: Sequence[Message], most: int) -> str:
    """A tool group as text: "[Tool results: read: …; grep: …]"."""
    called = {c.id: c.name for c in group[0].tool_calls}
    told = [_result(m, called.get(m.tool_call_id or "", "")) for m in group[1:]]
    text = "; ".join(told) or "no results"
    return f"[Tool results: {text if len(text) <= most else text[:most].rstrip() + '... [truncated]'}]"


def _result(message: Message, name: str) -> str:
    named = message.name or name
    return f"{named}: {message.content.strip()}" if named else message.content.strip()
