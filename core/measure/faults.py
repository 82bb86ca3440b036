"""Tool calls that had to ask again, as the answer they had before no longer stood in the window."""

from typing import NamedTuple

from core.measure.prompts import Prompts
from core.measure.standing import standing
from core.measure.tool_use import Repeat, repeats, tool_uses


class Faults(NamedTuple):
    """The tool calls of a run, how many repeat an earlier one, and which of these had no answer in their window.

    Repeats are the same for every policy: how often this agent asks again anyway. Faults are a lower bound: what the agent did
    not need to ask again, having it, is on no tape; writes by a shell are not seen. `rework_tokens` are those of the results
    that faults brought again.
    """

    tool_calls: int
    repeats: int
    faults: tuple[Repeat, ...]
    rework_tokens: int


def faults(prompts: Prompts) -> Faults:
    """The repeats none of whose sources' results stands whole in the window they were asked from."""
    trace, windows = prompts.trace, standing(prompts.trace)
    again = repeats(trace)
    found = tuple(r for r in again if not any(windows.stands(place, r.use.reply) for place in reversed(r.sources)))
    brought = sum(trace.tokens[r.use.result] for r in found if r.use.result >= 0)
    return Faults(len(tool_uses(trace)), len(again), found, brought)
