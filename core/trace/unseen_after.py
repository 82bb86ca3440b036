"""How much of the prompt behind a recorded compaction its transcript does not show: what it took may be there."""

from bisect import bisect_left, bisect_right

from core.trace.model_calls import model_calls
from core.trace.prompt_falls import prompt_falls
from core.trace.trace import Trace


def unseen_after(trace: Trace, k: int) -> int:
    """The tokens of the first prompt behind compaction k that no message of its window accounts for.

    0 where none are known: no prompt is recorded up to the next compaction, its window is uncertain, or foldline drove the run
    and knows what it sent. `sidesOf` of the browser (frontend/run/recordedsums.js) tells the same.
    """
    if trace.kind != "replay" or trace.session.driven:
        return 0
    calls, marks = model_calls(trace), trace.compaction_ats
    n = bisect_left(calls, trace.compactions[k].at, key=lambda call: call.at)
    if n == len(calls) or bisect_right(marks, calls[n].at) != k + 1:
        return 0
    uncertain = prompt_falls(trace).uncertain_from(trace.compaction_step(k)) is not None
    return 0 if uncertain else max(0, calls[n].unseen)
