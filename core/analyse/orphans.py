"""Tool pairs that a compaction broke: one half is still in the window, the other is gone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.analyse.finding import Finding, listed
from core.analyse.window_change import WindowChange
from core.model.tool_pairs import Pair

KINDS = ("orphaned_tool_result", "orphaned_call")


class _Words(NamedTuple):
    """The title and text of one kind, for one pair and for several; {ids} and {where} are filled in."""

    kind: str
    title: str
    titles: str
    text: str
    texts: str


_RESULT = _Words(
    "orphaned_tool_result",
    "Orphaned tool result",
    "orphaned tool results",
    "The result {ids} is still in the window, but the call it answers was {where}.",
    "The results {ids} are still in the window, but the calls they answer were {where}.",
)
_CALL = _Words(
    "orphaned_call",
    "Tool call without its result",
    "tool calls without their results",
    "The call {ids} is still in the window, but its result was {where}.",
    "The calls {ids} are still in the window, but their results were {where}.",
)


def check(change: WindowChange) -> Iterator[Finding]:
    """One finding for the results whose call was removed, and one for the calls whose result was removed."""
    if not change.removed:
        return
    results = [pair for pair in change.pairs if pair.call_at in change.removed and pair.result_at not in change.removed]
    calls = [pair for pair in change.pairs if pair.call_at not in change.removed and pair.result_at in change.removed]
    if results:
        yield _finding(_RESULT, change, results, [(pair.result_at, pair.call_at) for pair in results])
    if calls:
        yield _finding(_CALL, change, calls, [(pair.call_at, pair.result_at) for pair in calls])


def _finding(words: _Words, change: WindowChange, broken: Sequence[Pair], halves: Sequence[tuple[int, int]]) -> Finding:
    """One finding for all pairs. Of each pair it names the half that is left, then the half that is gone."""
    title, text = (words.title, words.text) if len(broken) == 1 else (f"{len(broken)} {words.titles}", words.texts)
    text = text.format(ids=listed([pair.call for pair in broken]), where=change.where)
    return Finding(
        kind=words.kind,
        concern="structure",
        severity="error",
        title=title,
        text=f"{text} A real API rejects this window.",
        messages=tuple(change.before[place].id for both in halves for place in both),
        numbers={"pairs": len(broken)},
    )
