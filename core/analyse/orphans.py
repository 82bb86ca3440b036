"""Tool calls and results that a compaction cut apart: of each pair one half is still there, the other is gone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.analyse.finding import Finding, listed
from core.analyse.pairs import Pair
from core.analyse.seen import Seen

KINDS = ("orphaned_tool_result", "orphaned_call")


class _Words(NamedTuple):
    """How one kind is told, for one pair and for several; {ids} and {where} are filled in."""

    kind: str
    title: str
    titles: str
    text: str
    texts: str


_RESULT = _Words(
    "orphaned_tool_result",
    "Orphaned tool result",
    "orphaned tool results",
    "The result {ids} was kept, the call it answers was {where}.",
    "The results {ids} were kept, the calls they answer were {where}.",
)
_CALL = _Words(
    "orphaned_call",
    "Tool call without its result",
    "tool calls without their results",
    "The call {ids} was kept, its result was {where}.",
    "The calls {ids} were kept, their results were {where}.",
)


def look(seen: Seen) -> Iterator[Finding]:
    """The results whose call left, as one finding, and the calls whose result left, as another."""
    if not seen.removed:
        return
    results = [pair for pair in seen.pairs if pair.asked in seen.removed and pair.answered not in seen.removed]
    calls = [pair for pair in seen.pairs if pair.asked not in seen.removed and pair.answered in seen.removed]
    if results:
        yield _finding(_RESULT, seen, results, [(pair.answered, pair.asked) for pair in results])
    if calls:
        yield _finding(_CALL, seen, calls, [(pair.asked, pair.answered) for pair in calls])


def _finding(words: _Words, seen: Seen, parted: Sequence[Pair], halves: Sequence[tuple[int, int]]) -> Finding:
    """One finding over all pairs; of each the half that is left is named first, then the half that is gone."""
    title, text = (words.title, words.text) if len(parted) == 1 else (f"{len(parted)} {words.titles}", words.texts)
    said = text.format(ids=listed([pair.call for pair in parted]), where=seen.where)
    return Finding(
        kind=words.kind,
        severity="error",
        title=title,
        text=f"{said} A real API rejects this window.",
        messages=tuple(seen.before[place].id for both in halves for place in both),
        numbers={"pairs": len(parted)},
    )
