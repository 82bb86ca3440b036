"""Where a lost text outlived its message: an earlier compaction took the message, and its summary still said all of it."""

from core.measure.standing import standing
from core.origins.reworded import Reworded, reworded
from core.trace.trace import Trace
from core.why.fate import fate
from core.window.ranges import ADDED


def carried_at(trace: Trace, text: str, place: int, k: int) -> int | None:
    """The step of the compaction before k that took the message of a text, if from then on only a summary said the text."""
    j = standing(trace).taken_by(place)
    if not 0 <= j < k:
        return None
    found, step = fate(trace, text), trace.compaction_step(j)
    state = found.lane.at(step).state
    told = state == "gone" and any(one.start <= step <= one.end and _says_all(one) for one in reworded(found))
    return step if state == "summary" or told else None


def _says_all(one: Reworded) -> bool:
    """Whether a summary, not a message, says it in other words: one that has a part of it has lost the rest."""
    return one.places[-1] >= ADDED and not one.words
