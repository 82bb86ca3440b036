"""The step at which to look first: where what one compaction took was first missed."""

from collections import Counter

from core.measure.misses import misses
from core.measure.prompts import Prompts
from core.measure.standing import standing


def worst_step(prompts: Prompts) -> int | None:
    """The step of the first reply that misses what the compaction that loses most had taken; None without misses.

    A miss is laid to the first compaction that took, or emptied, the newest message to show the name. Of compactions that lose
    the same number of names, the earliest counts.
    """
    missed = misses(prompts).missed
    if not missed:
        return None
    windows = standing(prompts.trace)
    taken_by = [windows.taken_by(use.last) for use in missed]
    lost = Counter(taken_by)
    worst = min(lost, key=lambda k: (-lost[k], k))
    first = missed[taken_by.index(worst)]
    return prompts.trace.message_step(prompts.calls[first.call].at)
