"""What becomes of a text that the window has: until when it stays, and where it is then. The end of the answer's sentence."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from core.origins.reworded import Reworded
from core.origins.says import how_said, summary_of
from core.trace.places import step_name
from core.why.fate import Fate
from core.why.lane import State
from core.why.readable import unreadable
from core.why.words import summaries_named

Runs = Sequence[tuple[int, int, State]]
"""The first and last step of each run of steps in one state."""


def with_ahead(found: Fate, title: str, step: int, runs: Runs, again: Sequence[Reworded]) -> str:
    """A title of a step at which the window has it, with what comes next: "… until compaction 1; gone from then on."."""
    here = bisect_right(runs, step, key=itemgetter(0)) - 1
    if found.common or here < 0 or runs[here][2] != "verbatim" or here + 1 == len(runs):
        return title
    start, name = runs[here + 1][0], partial(step_name, found.trace)
    said = title.removesuffix(".")
    until, then = f"{said}{',' * (',' in said)} until {name(start)};", _then(found, runs[here + 1], again)
    back, lost = _back(runs, start), _lost(runs[here + 1 :], again)
    if then in ("gone", "out of sight"):
        return f"{until} then {then} until {name(back)}." if back is not None else f"{until} {then} from then on."
    if lost is None:
        return f"{until} then {then}{'' if back is None else f' until {name(back)}'}."
    return f"{until} then {then}, and gone from {name(lost)} {'on' if back is None else f'to {name(back)}'}."


def _back(runs: Runs, step: int) -> int | None:
    """The first step behind one at which a message says it again."""
    return next((start for start, _, state in runs if start > step and state == "verbatim"), None)


def _lost(runs: Runs, again: Sequence[Reworded]) -> int | None:
    """The step from which nothing says what summaries keep in the first of these runs; None where a message says it first."""
    last, end, _ = runs[0]
    while row := _at(again, last):
        last = row.end + 1
    if runs[0][0] < last <= end:
        return last
    behind = runs[1] if len(runs) > 1 else None
    return behind[0] if behind and behind[2] == "gone" and not _at(again, behind[0]) else None


def _then(found: Fate, run: tuple[int, int, State], again: Sequence[Reworded]) -> str:
    """Where it is from a step on at which no message says it."""
    start, end, state = run
    if state == "summary":
        saying = [event.compaction for event in found.between(start, end) if event.kind == "in_summary"]
        return f"only in {summaries_named(found.trace, saying)}"
    if row := _at(again, start):
        return f"{how_said(row).lower()} in {summary_of(found.trace, row.places[-1])}"
    k = found.trace.compaction_at(start)
    return "out of sight" if k is not None and unreadable(found.trace, k) else "gone"


def _at(again: Sequence[Reworded], step: int) -> Reworded | None:
    return next((row for row in again if row.start <= step <= row.end), None)
