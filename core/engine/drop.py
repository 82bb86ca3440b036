"""What goes is gone."""

from core.compact.draft import Draft
from core.partition import goes, partition
from core.vocabulary import Drop, Stage
from core.window import Ranges, joined, without


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
    behind = without(window.cut(parts.head, len(window)), taken)
    draft.becomes(joined((*window.cut(0, parts.head), *marker, *behind)))
    return True


def _marker(draft: Draft, stage: Stage, folded: int) -> Ranges:
    """The message that says so, where the policy leaves one."""
    place = stage.placement
    if place is None or not isinstance(stage.transform, Drop):
        return ()
    return (draft.put(draft.said(place.role, place.template.format(n=0, k=folded, text=""), "marker")),)
