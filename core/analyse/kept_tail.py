"""Messages that one compaction kept and the next one loses without summarizing them."""

from collections.abc import Iterator

from core.analyse.finding import Finding
from core.analyse.window_change import WindowChange
from core.model.text import counted
from core.trace.compaction import Compaction
from core.window.ranges import Ranges, inside, merged, originals, outside, places

KINDS = ("kept_tail_loss",)


def check(change: WindowChange) -> Iterator[Finding]:
    """Messages that the compaction before kept and that are gone now without having been summarized.

    Either they were missing before this one began, or it left them out of its summary: it dropped them, or no edit names
    them. A policy that only drops never promised a summary, so nothing is reported for it.
    """
    if change.previous is None or (change.continues and not change.moved):
        return
    kept = tuple(inside(originals(change.previous.layout_after), merged(originals(change.previous.layout_before))))
    missing = tuple(outside(kept, merged(originals(change.compaction.layout_before), change.named())))
    lost = merged(missing, inside(kept, _beside(change)))
    if lost:
        yield _finding(_names(change.previous, lost), sum(b - a for a, b in missing))


def _beside(change: WindowChange) -> Ranges:
    """The places of messages that were left out of the summary: dropped, or named by no edit."""
    if change.compaction.summary is None:
        return ()
    gone = tuple(outside(change.stretches, merged(originals(change.compaction.layout_after))))
    return merged(inside(gone, change.named("dropped")), outside(gone, change.named()))


def _names(event: Compaction, lost: Ranges) -> list[str]:
    """The ids of messages that a compaction left in its window."""
    names = {i: m.id for i, m in zip(places(originals(event.layout_after)), event.after, strict=False)}
    return [names[i] for i in places(lost) if i in names]


def _finding(names: list[str], missing: int) -> Finding:
    lost = len(names)
    kept = f"{counted(lost, 'message')} that the previous compaction kept {'is' if lost == 1 else 'are'}"
    return Finding(
        kind="kept_tail_loss",
        concern="lost",
        severity="warning",
        title="Kept messages lost without a summary",
        text=f"{kept} gone from the window and in no summary.",
        messages=tuple(names),
        numbers={"lost": lost, "missing_before": missing, "left_out_of_the_summary": lost - missing},
    )
