"""What the next prompt of a recorded run would hold: the last recorded prompt, and our count of what arrived since."""

from bisect import bisect_right

from core.trace.model_calls import ModelCall, model_calls
from core.trace.trace import Trace


def next_prompt(trace: Trace, i: int) -> int | None:
    """The tokens of a prompt sent at step i of a replayed run, as far as recorded prompts tell. Raises StepError outside of it.

    The last recorded prompt holds what no message shows, so only what arrived since has to be counted. None before the first
    one, and after a compaction until there is one again.
    """
    step = trace.step(i)
    calls = model_calls(trace) if trace.kind == "replay" else ()
    k = bisect_right(calls, step.messages - 1, key=_place) - 1
    if (
        k < 0 or trace.message_step(calls[k].at) - calls[k].at != i + 1 - step.messages
    ):  # compactions by then, and by now
        return None
    running = trace.measured.running
    return calls[k].prompt + running[step.messages] - running[calls[k].at]


def _place(call: ModelCall) -> int:
    return call.at
