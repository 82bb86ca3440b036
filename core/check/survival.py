"""Whether a text survives every compaction: word for word, or by a name of it in a summary."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from core.entities.entity import Entity
from core.entities.kinds import entities_of
from core.measure.misses import added_names
from core.trace.trace import Trace
from core.why.fate import Fate
from core.window.ranges import ADDED, SPACE

How = Literal["verbatim", "summary", "name", "gone"]


class Survival(NamedTuple):
    """What compaction k (from 0) left of a text: a message that has it, a summary that says it or a name of it, or nothing."""

    k: int
    how: How
    names: tuple[str, ...] = ()


def survivals(found: Fate) -> Iterator[Survival]:
    """What each compaction left of a text, from the first one on after it was said."""
    trace, names = found.trace, frozenset(entities_of(found.text))
    for k in range(len(trace.compactions)):
        state = found.lane.state(trace.compaction_step(k))
        if state == "verbatim" or state == "summary":
            yield Survival(k, state)
        elif state == "gone":
            kept = sorted(name.key for name in names & names_in_summaries(trace, k))
            yield Survival(k, "name" if kept else "gone", tuple(kept))


def names_in_summaries(trace: Trace, k: int) -> frozenset[Entity]:
    """The names that the summaries show which compaction k left in the window."""
    layout = trace.compactions[k].layout_after
    added = (place - ADDED for a, b in layout if ADDED <= a < SPACE for place in range(a, b))
    return frozenset().union(*(added_names(trace, place) for place in added))
