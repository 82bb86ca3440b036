"""What one compaction kept and the next one loses, without a summary of it."""

from collections.abc import Iterator

from core.analyse.finding import Finding, counted
from core.analyse.seen import Seen, places
from core.trace import Compaction

KINDS = ("kept_tail_loss",)


def look(seen: Seen) -> Iterator[Finding]:
    """Messages that the compaction before kept, and that are gone now without having been summarised.

    Either they were missing already when this one began, or it left them out of its summary: dropped them beside it, or
    did not say what became of them. A policy that only drops, and never summarises, loses nothing that it promised.
    """
    if seen.previous is None or not (seen.moved or _missing(seen.previous, seen.compaction)):
        return
    kept = _kept(seen.previous)
    missing = {i: name for i, name in kept.items() if i not in seen.before and i not in seen.named}
    beside = _beside(seen) if seen.moved else frozenset()
    lost = {i: name for i, name in kept.items() if i in missing or i in beside}
    if lost:
        yield _finding(list(lost.values()), len(missing))


def _missing(previous: Compaction, event: Compaction) -> bool:
    """Whether the window may have changed between the two: it is not what was left, with messages at its end."""
    left, found = previous.layout_after, event.layout_before
    if left == found[: len(left)] or not left:
        return False
    (a, b), size = left[-1], len(left)
    grown = len(found) >= size and found[size - 1][0] == a and found[size - 1][1] >= b
    return not (grown and left[:-1] == found[: size - 1])


def _kept(previous: Compaction) -> dict[int, str]:
    """The ids of what a compaction left in the window, by place."""
    was, after = set(places(previous.layout_before)), zip(places(previous.layout_after), previous.after, strict=False)
    return {i: message.id for i, message in after if i in was}


def _beside(seen: Seen) -> frozenset[int]:
    """The places of what left beside a summary: dropped, or named by no edit at all."""
    if seen.compaction.summary is None:
        return frozenset()
    dropped = {i for edit in seen.compaction.edits if edit.action == "dropped" for i in places(edit.ranges)}
    return frozenset(i for i in seen.before if i in dropped or (i not in seen.after and i not in seen.named))


def _finding(names: list[str], missing: int) -> Finding:
    lost = len(names)
    were = f"{counted(lost, 'message')} that the compaction before had kept {'is' if lost == 1 else 'are'}"
    return Finding(
        kind="kept_tail_loss",
        severity="warning",
        title="Kept messages lost without a summary",
        text=f"{were} gone from the window, and no summary was made of {'it' if lost == 1 else 'them'}.",
        messages=tuple(names),
        numbers={"lost": lost, "missing_before": missing, "left_out_of_the_summary": lost - missing},
    )
