"""Whether the prompts around a recorded compaction deny what it says of its sizes.

They do where a microcompaction counts clearly fewer tokens before it than the last prompt held: it does not count the whole
window. And where the prompt after it is no smaller than the one before, and what arrived between the two does not hide a
fall: of what the record says was saved not a quarter (LEAST) is missing. A quarter, as our count of what arrived may be off.
A prompt from in front of an earlier compaction was of another window, and denies nothing.
"""

from bisect import bisect_left

from core.model.session import agree
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
    if first.at < _window_begins(trace, k):
        return None
    if event.kind == "microcompaction" and before < first.prompt and not agree(before, first.prompt):
        return first.prompt, second.prompt
    arrived = trace.measured.running[second.at] - trace.measured.running[first.at]
    missing = first.prompt + arrived - second.prompt
    denied = second.prompt >= first.prompt and missing < LEAST * (before - after)
    return (first.prompt, second.prompt) if denied else None


def _window_begins(trace: Trace, k: int) -> int:
    """How many messages had arrived when the newest compaction before k began a new window."""
    earlier = (event for event in reversed(trace.compactions[:k]) if event.kind == "compaction")
    return next((event.at for event in earlier), 0)
