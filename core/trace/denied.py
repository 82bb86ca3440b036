"""Whether the prompts around a recorded compaction deny what it says it saved."""

from bisect import bisect_left

from core.trace.model_calls import model_calls
from core.trace.trace import Trace


def denying_prompts(trace: Trace, k: int) -> tuple[int, int] | None:
    """The tokens of the prompts before and after recorded compaction k, where they did not shrink though it says that it did.

    Its own sizes cannot be believed then. `deniedBy` of the browser (frontend/run/recordedsums.js) is the same.
    """
    event = trace.compactions[k]
    before, after = event.size_before, event.size_after
    if not event.recorded or before is None or after is None or after >= before:
        return None
    calls = model_calls(trace)
    following = bisect_left(calls, event.at, key=lambda call: call.at)
    if not 0 < following < len(calls):
        return None
    was, became = calls[following - 1].prompt, calls[following].prompt
    return (was, became) if became >= was else None
