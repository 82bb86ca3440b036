"""The model calls of a run whose prompts were recorded, each beside our count of the window it was sent."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from core.model.cached import cached
from core.trace.trace import Trace


class ModelCall(NamedTuple):
    """One model call with a recorded prompt: `at` messages had arrived; `prompt` tokens as recorded, `seen` by our count."""

    at: int
    prompt: int
    seen: int

    @property
    def unseen(self) -> int:
        """Tokens of the prompt that no message accounts for; below 0 where our count is too high, or more had left."""
        return self.prompt - self.seen


def model_calls(trace: Trace) -> tuple[ModelCall, ...]:
    """The calls of a replayed run in order, without those whose usage is not recorded. Worked out once for a trace."""
    return cached(trace, "model calls", lambda trace: tuple(_model_calls(trace)))


def _model_calls(trace: Trace) -> Iterator[ModelCall]:
    marks, base = [c.at for c in trace.compactions], trace.measured
    for i in base.calls:
        usage, done = base.messages[i].usage, bisect_right(marks, i)
        if usage is not None and usage.prompt > 0:
            before = trace.compactions[done - 1].window_after - base.running[marks[done - 1]] if done else 0
            yield ModelCall(i, usage.prompt, before + base.running[i])
