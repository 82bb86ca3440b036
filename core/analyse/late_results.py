"""Calls that were still open when they left: the result arrives later, and the call it answers is gone.

It takes two looks to see: in the window at the cut there is no result yet, so no pair is broken there.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from core.analyse.cached import cached
from core.analyse.finding import Finding, listed
from core.analyse.pairs import Pair, pairs
from core.analyse.seen import Seen
from core.analyse.stretches import plain
from core.trace import Trace

KINDS = ("orphaned_later",)


def along(seen: Seen, trace: Trace, index: int) -> Iterator[Finding]:
    """The results that arrive after compaction `index` took their call, and are sent to the model without it."""
    if not _open_calls(seen):
        return
    late = [pair for pair in _late(seen, trace) if _sent(trace, index, pair.answered)]
    if late:
        yield _finding(seen, trace, late)


def _open_calls(seen: Seen) -> bool:
    """Whether a message that left had made a call which nothing in the window answers."""
    asked = [i for i in seen.removed if seen.before[i].tool_calls]
    if not asked:
        return False
    answered = {(pair.asked, pair.call) for pair in seen.pairs}
    return any((i, call.id) not in answered for i in asked for call in seen.before[i].tool_calls)


def _late(seen: Seen, trace: Trace) -> list[Pair]:
    """The pairs of the session whose call left now and whose result had not arrived."""
    known: Mapping[int, list[Pair]] = cached(trace, "answers", _answers)
    return [p for i in sorted(seen.removed) for p in known.get(i, ()) if p.answered >= seen.compaction.at]


def _answers(trace: Trace) -> dict[int, list[Pair]]:
    """The pairs of the whole session by the place of the call; a call without a result is in none."""
    found: dict[int, list[Pair]] = {}
    for pair in pairs(enumerate(trace.messages)):
        found.setdefault(pair.asked, []).append(pair)
    return found


def _sent(trace: Trace, index: int, result: int) -> bool:
    """Whether a result is still in the window when the model is next called, or when the session ends."""
    calls = trace.measured.calls
    place = bisect_left(calls, result + 1)
    called = calls[place] if place < len(calls) else len(trace.messages)
    for event in trace.compactions[index + 1 :]:
        if event.at > called:
            break
        if event.at > result and not any(a <= result < b for a, b in plain(event.layout_after)):
            return False
    return True


def _finding(seen: Seen, trace: Trace, late: list[Pair]) -> Finding:
    one, later = len(late) == 1, late[0].answered - seen.compaction.at + 1
    ids, them = listed([pair.call for pair in late]), "it" if one else "them"
    return Finding(
        kind="orphaned_later",
        severity="error",
        title="A result arrives after its call is gone"
        if one
        else f"{len(late)} results arrive after their calls are gone",
        text=f"The call{'' if one else 's'} {ids} had no result yet when {'it was' if one else 'they were'} {seen.where}. "
        f"{'The result arrives' if one else 'The first result arrives'} {later:,} message{'' if later == 1 else 's'} later, "
        f"with nothing before {them} that asked for {them}: a real API rejects that window.",
        messages=tuple(trace.messages[place].id for pair in late for place in (pair.answered, pair.asked)),
        numbers={"pairs": len(late), "messages_later": later},
    )
