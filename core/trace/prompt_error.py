"""How far the windows of a recorded run, as a meter counts them, are from the prompts that were sent."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, quantiles

from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import MARGIN
from core.trace.trace import Trace


@dataclass(frozen=True)
class PromptError:
    """The error of a meter on the prompts of one run; every prompt is predicted from earlier ones alone.

    `windows` are its errors where a prompt is taken as the first one since the last compaction and our count of what arrived
    since then, `nexts` where it is taken as the prompt before and what arrived since, both as shares of the prompt. `growth` is
    the same miss of what arrived from one call to the next, as a share of how much the prompts grew.
    """

    windows: tuple[float, ...]
    nexts: tuple[float, ...]
    growth: float

    @property
    def calls(self) -> int:
        """How many prompts were predicted."""
        return len(self.windows)

    @property
    def typical(self) -> float:
        """The median error of the window."""
        return median(self.windows)

    @property
    def tenth(self) -> float:
        """The error of the window that one prompt in ten exceeds."""
        return ninth_decile(self.windows)


def prompt_error(trace: Trace) -> PromptError | None:
    """The error of the trace's meter on the recorded run; None where no two prompts can be compared.

    Between the two lies no compaction, no change of model, and no prompt that shrank.
    """
    windows, nexts, missed, grew = list[float](), list[float](), 0, 0
    for stretch in _stretches(trace):
        for before, call in pairwise(stretch):
            windows.append(abs(call.unseen - stretch[0].unseen) / call.prompt)
            nexts.append(abs(call.unseen - before.unseen) / call.prompt)
            if call.prompt > before.prompt:
                missed, grew = missed + abs(call.unseen - before.unseen), grew + call.prompt - before.prompt
    return PromptError(tuple(windows), tuple(nexts), missed / grew if grew else 0.0) if windows else None


def _stretches(trace: Trace) -> list[list[ModelCall]]:
    """The calls in stretches of one model and a window that only grew. No meter decides where one ends."""
    marks, messages = [c.at for c in trace.compactions], trace.measured.messages
    found, last = list[list[ModelCall]](), None
    for call in model_calls(trace):
        kind = (bisect_right(marks, call.at), messages[call.at].model)
        if kind != last or call.prompt < (1 - MARGIN) * found[-1][-1].prompt:
            found.append([])
        found[-1].append(call)
        last = kind
    return found


def ninth_decile(values: tuple[float, ...]) -> float:
    """The value that one in ten exceeds."""
    return quantiles(values, n=10, method="inclusive")[8] if len(values) > 1 else values[0]
