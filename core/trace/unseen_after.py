"""How much of the prompt behind a recorded compaction its transcript does not show: what it took may be there."""

from bisect import bisect_left, bisect_right

from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import prompt_falls
from core.trace.trace import Trace


def unseen_after(trace: Trace, k: int) -> int:
    """The tokens of the first prompt behind compaction k that no message of its window accounts for.

    Microcompactions leave a window as it is, nearly: where no prompt is recorded up to the next compaction, the last one before
    such says it. 0 where none are known: no such prompt is recorded, the window is uncertain, or foldline drove the run and
    knows what it sent. `sidesOf` of the browser (frontend/run/recordedsums.js) tells the same.
    """
    if trace.kind != "replay" or trace.session.driven:
        return 0
    if prompt_falls(trace).uncertain_from(trace.compaction_step(k)) is not None:
        return 0
    call = call_after(trace, k)
    return max(0, call.unseen) if call else 0


def call_after(trace: Trace, k: int) -> ModelCall | None:
    """The model call that says what is unseen behind compaction k; None where none does."""
    calls, marks = model_calls(trace), trace.compaction_ats
    n = bisect_left(calls, trace.compactions[k].at, key=lambda call: call.at)
    if n < len(calls) and bisect_right(marks, calls[n].at) == k + 1:
        return calls[n]
    between = trace.compactions[bisect_right(marks, calls[n - 1].at) : k + 1] if n else ()
    return calls[n - 1] if between and all(event.kind == "microcompaction" for event in between) else None
