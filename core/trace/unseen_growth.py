"""By how much more of the prompt behind a recorded compaction its transcript does not show than of earlier ones.

What no transcript shows was mostly there from the start: system prompt and tools. Only what grew can be put back. A window that
a compaction leaves is held against the first prompts of those before it, the smallest: later ones hold what arrived unseen, and
what our count misses. A microcompaction leaves the window as it is, and is held against the prompt before it.
"""

from bisect import bisect_left, bisect_right
from itertools import groupby

from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import margin_of
from core.trace.trace import Trace
from core.trace.unseen_after import call_after, unseen_after


def unseen_growth(trace: Trace, k: int) -> int:
    """By how many tokens more is unseen behind compaction k than before; 0 where that may be an error of our count.

    All that is unseen, where no earlier prompt is known to have held the same, or earlier messages were part of it.
    """
    after, call = unseen_after(trace, k), call_after(trace, k)
    if not after or call is None:
        return 0
    grown = after - _before(trace, k)
    return grown if grown > margin_of(trace) * call.prompt else 0


def _before(trace: Trace, k: int) -> int:
    """What is known to have been unseen before compaction k; 0 where nothing is."""
    calls = model_calls(trace)
    earlier = calls[: bisect_left(calls, trace.compactions[k].at, key=lambda call: call.at)]
    if trace.compactions[k].kind == "microcompaction":
        return max(0, earlier[-1].unseen) if earlier else 0
    return max(0, min((call.unseen for call in _firsts(trace, earlier)), default=0))


def _firsts(trace: Trace, calls: tuple[ModelCall, ...]) -> list[ModelCall]:
    """The first call of each window; not of the first, where a session begins in the middle: it held what came before."""
    marks = [event.at for event in trace.compactions if event.kind == "compaction"]
    windows = [(epoch, next(some)) for epoch, some in groupby(calls, key=lambda call: bisect_right(marks, call.at))]
    return [call for epoch, call in windows if epoch or not trace.session.starts_midway]
