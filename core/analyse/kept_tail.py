"""What one compaction kept and the next one loses, without a summary of it."""

from collections.abc import Iterator

from core.analyse.finding import Finding, counted
from core.analyse.seen import Seen
from core.analyse.stretches import inside, merged, outside, places, plain
from core.trace import Compaction
from core.window import Ranges

KINDS = ("kept_tail_loss",)


def look(seen: Seen) -> Iterator[Finding]:
    """Messages that the compaction before kept, and that are gone now without having been summarised.

    Either they were missing already when this one began, or it left them out of its summary: dropped them beside it, or
    did not say what became of them. A policy that only drops, and never summarises, loses nothing that it promised.
    """
    if seen.previous is None or (seen.continues and not seen.moved):
        return
    kept = tuple(inside(plain(seen.previous.layout_after), merged(plain(seen.previous.layout_before))))
    missing = tuple(outside(kept, merged(plain(seen.compaction.layout_before), seen.named())))
    lost = merged(missing, inside(kept, _beside(seen)))
    if lost:
        yield _finding(_names(seen.previous, lost), sum(b - a for a, b in missing))


def _beside(seen: Seen) -> Ranges:
    """The places of what left beside a summary: dropped, or named by no edit at all."""
    if seen.compaction.summary is None:
        return ()
    gone = tuple(outside(seen.stretches, merged(plain(seen.compaction.layout_after))))
    return merged(inside(gone, seen.named("dropped")), outside(gone, seen.named()))


def _names(event: Compaction, lost: Ranges) -> list[str]:
    """The ids of messages that a compaction left in its window."""
    names = {i: m.id for i, m in zip(places(plain(event.layout_after)), event.after, strict=False)}
    return [names[i] for i in places(lost) if i in names]


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
