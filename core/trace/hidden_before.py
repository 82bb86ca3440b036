"""How much of the window that a recorded compaction found its transcript does not show."""

from bisect import bisect_left, bisect_right

from core.model.session import NEAR
from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import prompt_falls
from core.trace.trace import Trace


def hidden_before(trace: Trace, k: int) -> int | None:
    """The tokens beside the window that compaction k found; None where they are not known.

    By the agent's own count, where that is of the same window, else by the last recorded prompt. The card of the compaction
    (`sidesOf` of frontend/run/recordedsums.js) says the same.
    """
    event, call = trace.compactions[k], _call_before(trace, k)
    visible, recorded = event.window_before or 0, event.size_before
    if call is None or call.unseen < 0 or (recorded is not None and recorded < visible):
        return None
    if recorded is None or recorded == call.prompt or abs(recorded - visible - call.unseen) > NEAR * recorded:
        return call.unseen
    return recorded - visible


def _call_before(trace: Trace, k: int) -> ModelCall | None:
    """The last call of that window: microcompactions leave it as it is, nearly. None where the window is uncertain."""
    calls = model_calls(trace)
    n = bisect_left(calls, trace.compactions[k].at, key=lambda call: call.at)
    if not n or prompt_falls(trace).uncertain_from(trace.compaction_step(k) - 1) is not None:
        return None
    between = trace.compactions[bisect_right(trace.compaction_ats, calls[n - 1].at) : k]
    return calls[n - 1] if all(event.kind == "microcompaction" for event in between) else None
