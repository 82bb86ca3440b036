"""A removal that a person took back: what the steps and the events of a run are without it."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from core.model.session import PolicyUsed
from core.trace.events import AnyEvent, Compacted, Undone
from core.trace.trace import PolicyChange

Change = TypeVar("Change", PolicyChange, PolicyUsed)


def without_step(changes: Sequence[Change], step: int) -> list[Change]:
    """The policies of a run once this step is gone: what was in force from it on is so from the step before."""
    moved: list[Change] = [
        c if c.since < step else c.model_copy(update={"since": max(0, c.since - 1)}) for c in changes
    ]
    ends = [*(c.since for c in moved[1:]), None]
    return [c for c, end in zip(moved, ends, strict=True) if c.since != end]


def without_undone(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The events without the removals that were taken back, and without the taking back."""
    kept = list[AnyEvent]()
    for event in events:
        if isinstance(event, Undone):
            del kept[max(i for i, one in enumerate(kept) if _is_removal(one))]
        else:
            kept.append(event)
    return kept


def _is_removal(event: AnyEvent) -> bool:
    return isinstance(event, Compacted) and event.compaction.by_hand
