"""Calls that were removed while still open: the result arrives later, and the call it answers is gone.

The window at the cut does not show it: it holds no result yet, so no pair is broken there.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from core.analyse.finding import Finding, listed
from core.analyse.window_change import WindowChange
from core.model.cached import cached
from core.model.text import counted
from core.model.tool_pairs import Pair, tool_pairs
from core.trace.trace import Trace
from core.window.measured import Measured
from core.window.ranges import originals

KINDS = ("orphaned_later",)


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The results that arrive after compaction `index` removed their call, and are sent to the model without it."""
    if not _open_calls(change):
        return
    late = [pair for pair in _late(change, trace) if _sent(trace, index, pair.result_at)]
    if late:
        yield _finding(change, trace, late)


def _open_calls(change: WindowChange) -> bool:
    """Whether a removed message made a call that nothing in the window answers."""
    calling = [i for i in change.removed if change.before[i].tool_calls]
    if not calling:
        return False
    answered = {(pair.call_at, pair.call) for pair in change.pairs}
    return any((i, call.id) not in answered for i in calling for call in change.before[i].tool_calls)


def _late(change: WindowChange, trace: Trace) -> list[Pair]:
    """The pairs of the session whose call was removed now and whose result had not arrived."""
    known: Mapping[int, list[Pair]] = cached(trace.measured, "answers", _answers)  # the same under every policy
    return [p for i in sorted(change.removed) for p in known.get(i, ()) if p.result_at >= change.compaction.at]


def _answers(base: Measured) -> dict[int, list[Pair]]:
    """The pairs of the whole session by the place of the call; a call without a result is in none."""
    found: dict[int, list[Pair]] = {}
    for pair in tool_pairs(enumerate(base.messages)):
        if pair.first:
            found.setdefault(pair.call_at, []).append(pair)
    return found


def _sent(trace: Trace, index: int, result: int) -> bool:
    """Whether a result is still in the window when the model is next called, or when the session ends."""
    calls = trace.measured.calls
    place = bisect_left(calls, result + 1)
    called = calls[place] if place < len(calls) else len(trace.messages)
    for event in trace.compactions[index + 1 :]:
        if event.at > called:
            break
        if event.at > result and not any(a <= result < b for a, b in originals(event.layout_after)):
            return False
    return True


def _finding(change: WindowChange, trace: Trace, late: list[Pair]) -> Finding:
    one, later = len(late) == 1, late[0].result_at - change.compaction.at + 1
    ids, them = listed([pair.call for pair in late]), "it" if one else "them"
    return Finding(
        kind="orphaned_later",
        concern="structure",
        severity="error",
        title="A result arrives after its call is gone"
        if one
        else f"{len(late)} results arrive after their calls are gone",
        text=f"The call{'' if one else 's'} {ids} had no result yet when {'it was' if one else 'they were'} {change.where}. "
        f"{'The result arrives' if one else 'The first result arrives'} {counted(later, 'message')} later, "
        f"without the call{'' if one else 's'} before {them}: a real API rejects that window.",
        messages=tuple(trace.messages[place].id for pair in late for place in (pair.result_at, pair.call_at)),
        numbers={"pairs": len(late), "messages_later": later},
    )
