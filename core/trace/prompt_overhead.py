"""What the model was sent and the transcript does not show: recorded prompt sizes against our count of the visible messages.

A prompt holds more than messages: the system prompt, the schemas of tools, what the harness put in. A transcript rarely
keeps those, but the provider counted them. The difference is *unseen*: a fact about the transcript as long as our count is
right, so the error of that count is measured on the same run: from one model call to the next the prompt grows by what
arrived between, which the transcript does show.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from core.model.cached import cached
from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import prompt_falls
from core.trace.trace import Trace


@dataclass(frozen=True)
class Unseen:
    """The model calls of a recorded run, and how far our count is off.

    `error` is by how much our count of what arrived between calls differs from how much the prompts grew, as a share of
    that (-0.1: we count a tenth too little); None where no two calls can be compared. `certain` are the calls that were sent
    our window, as far as is known: those before a prompt shrank without a compaction, and after it was made good.
    """

    calls: tuple[ModelCall, ...]
    error: float | None
    certain: tuple[ModelCall, ...]

    @property
    def typical(self) -> int:
        """The median of what is unseen where the window is certain; 0 without calls."""
        return int(median(call.unseen for call in self.certain)) if self.certain else 0

    @property
    def first(self) -> int:
        """What is unseen at the first call: before any error of our count can add up. 0 without calls."""
        return self.calls[0].unseen if self.calls else 0


def unseen(trace: Trace) -> Unseen:
    """What a replayed run does not show of its prompts, call by call; no calls where no usage is recorded. Worked out once."""
    return cached(trace, "unseen", _unseen)


def _unseen(trace: Trace) -> Unseen:
    calls, falls = model_calls(trace), prompt_falls(trace)
    certain = (call for call in calls if falls.uncertain_from(trace.message_step(call.at)) is None)
    return Unseen(calls, _error(calls, trace), tuple(certain))


def _error(calls: tuple[ModelCall, ...], trace: Trace) -> float | None:
    """Over calls that follow one another with no compaction between: those whose prompt did grow."""
    marks = trace.compaction_ats
    near = [(a, b) for a, b in pairwise(calls) if bisect_right(marks, a.at) == bisect_right(marks, b.at)]
    grown = [(b.prompt - a.prompt, b.seen - a.seen) for a, b in near if b.prompt > a.prompt]
    recorded, counted = sum(g for g, _ in grown), sum(c for _, c in grown)
    return counted / recorded - 1 if recorded else None
