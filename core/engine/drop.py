"""What goes is gone."""

from core.engine.compaction_builder import CompactionBuilder
from core.policy.vocabulary import Drop, Stage
from core.window.context import CutContext
from core.window.grouped import size
from core.window.partition import Partition, goes, partition
from core.window.ranges import Ranges, joined, without
from core.window.window import Window


def drop(draft: CompactionBuilder, stage: Stage) -> bool:
    """Take out what is compactable; whether there was any."""
    window = draft.window
    parts = partition(window, draft.policy, stage)
    taken = goes(window, stage, parts)
    if not taken:
        return draft.refuse("nothing_to_do", "everything in the window is pinned")
    draft.edit("dropped", taken, "dropped")
    draft.folded = sum(b - a for a, b in taken)
    marker = _marker(draft, stage, parts, size(Window(window.pool, taken), draft.policy.grouping))
    behind = without(window.cut(parts.head, len(window)), taken)
    draft.becomes(joined((*window.cut(0, parts.head), *marker, *behind)))
    return True


def _marker(draft: CompactionBuilder, stage: Stage, parts: Partition, count: int) -> Ranges:
    """The message that says how many went, where the policy leaves one."""
    place = stage.placement
    if place is None or not isinstance(stage.transform, Drop):
        return ()
    if place.marker:
        text = place.marker(CutContext(draft.window, draft.policy, stage, parts.head, parts.body))
    else:
        text = place.template.format(n=0, k=count, text="")
    return (draft.put(draft.injected(place.role, text, "marker")),)
