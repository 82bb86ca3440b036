"""Whether the prompts around a recorded compaction deny what it says it saved.

They do where the prompt after it is no smaller than the one before, and what arrived between the two does not hide a fall: of
what the record says was saved not a quarter (LEAST) is missing. A quarter, as our count of what arrived may be off.
"""

from bisect import bisect_left

from core.trace.model_calls import model_calls
from core.trace.trace import Trace

LEAST = 0.25
"""The share of what is said to be saved that must be missing from the next prompt."""


def denying_prompts(trace: Trace, k: int) -> tuple[int, int] | None:
    """The tokens of the prompts before and after recorded compaction k, where they deny its sizes; None where they do not.

    `deniedBy` of the browser (frontend/run/recordedsums.js) is the same.
    """
    event = trace.compactions[k]
    before, after = event.size_before, event.size_after
    if not event.recorded or before is None or after is None or after >= before:
        return None
    calls = model_calls(trace)
    following = bisect_left(calls, event.at, key=lambda call: call.at)
    if not 0 < following < len(calls):
        return None
    first, second = calls[following - 1], calls[following]
    arrived = trace.measured.running[second.at] - trace.measured.running[first.at]
    missing = first.prompt + arrived - second.prompt
    denied = second.prompt >= first.prompt and missing < LEAST * (before - after)
    return (first.prompt, second.prompt) if denied else None
