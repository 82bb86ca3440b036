"""What is unseen at a step, as the browser works it out: the definition that its answers are held to."""

from bisect import bisect_right

from core.trace.left_out import left_out
from core.trace.prompt_falls import prompt_falls
from core.trace.prompt_overhead import ModelCall, unseen
from core.trace.trace import Trace


def unseen_at(trace: Trace, i: int) -> ModelCall | None:
    """The model call that says what is unseen at step i of a replayed run: the one that was sent this very window, unless its
    prompt left something out; else the last one, else the next, with this window.

    Microcompactions leave a window as it is, nearly: where no call lies between two, the last one before them says it. None
    where no other lies between the compactions around the step, and where the window is uncertain.
    Raises StepError outside of the trace.
    """
    step, calls = trace.step(i), unseen(trace).calls
    if prompt_falls(trace).uncertain_from(i) is not None:
        return None
    marks, epoch = trace.compaction_ats, i + 1 - step.messages
    next_one = bisect_right(calls, step.messages - 1, key=lambda call: call.at)
    near = [calls[k] for k in (next_one - 1, next_one) if 0 <= k < len(calls)]
    if len(near) > 1 and near[1].at == step.messages and not _shrinks(trace, i):
        near = near[::-1]
    own = next((call for call in near if bisect_right(marks, call.at) == epoch), None)
    return own or next(
        (
            call
            for call in calls[next_one - 1 : next_one]
            if next_one and _same(trace, bisect_right(marks, call.at), epoch)
        ),
        None,
    )


def _shrinks(trace: Trace, i: int) -> bool:
    """Whether the prompt that is sent at step i left something out, or makes the window uncertain."""
    fewer = any(stretch.first == i + 1 for stretch in left_out(trace).stretches)
    return fewer or prompt_falls(trace).uncertain_from(i + 1) is not None


def _same(trace: Trace, start: int, end: int) -> bool:
    return start <= end and all(event.kind == "microcompaction" for event in trace.compactions[start:end])
