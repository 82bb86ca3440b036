"""Compactions within a few model calls of each other: each frees too little."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from core.analyse.budget import sizes
from core.analyse.finding import Finding
from core.analyse.window_change import WindowChange, summarizes
from core.trace.compaction import Compaction
from core.trace.denied import denying_prompts
from core.trace.trace import Trace

KINDS = ("thrash",)
FEW = 3  # two compactions with at most this many model calls between them follow too soon
_IDLE = ("not_triggered", "nothing_to_do")


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """A run of compactions, each within three model calls of the one before: one finding, at the first of the run.

    None where the prompts around one of them deny that it freed what its record says.
    """
    if not _soon(trace, index) or (index and _soon(trace, index - 1)):
        return
    last = index + 1
    while _soon(trace, last):
        last += 1
    run = trace.compactions[index : last + 1]
    if any(denying_prompts(trace, k) for k in range(index, last + 1)):  # nobody knows that one freed anything
        return
    if run[0].at < run[-1].at:  # those at one place are tiers or rounds of one attempt
        yield _finding(trace, index, run)


def _soon(trace: Trace, index: int) -> bool:
    """Whether the compaction after this one comes within a few model calls."""
    if index + 1 >= len(trace.compactions):
        return False
    one, next_one = trace.compactions[index], trace.compactions[index + 1]
    return one.status not in _IDLE and next_one.status not in _IDLE and _calls(trace, one.at, next_one.at) <= FEW


def _calls(trace: Trace, start: int, stop: int) -> int:
    """The number of model calls after `start` messages had arrived and before `stop` had."""
    calls = trace.measured.calls
    return bisect_left(calls, stop) - bisect_left(calls, start)


def _finding(trace: Trace, index: int, run: Sequence[Compaction]) -> Finding:
    calls, (before, freed, by) = _calls(trace, run[0].at, run[-1].at), _freed(run)
    share = (200 * freed + before) // (2 * before) if before else 0  # whole numbers: recorded ones may be of any size
    ends = (run[0].summary or next(iter(run[0].added), None), run[-1].summary or next(iter(run[-1].added), None))
    return Finding(
        kind="thrash",
        concern="cost",
        severity="warning" if _summarizes(run) else "info",  # clearing or dropping may be intended at every call
        title=f"{len(run):,} compactions in quick succession",
        text=f"The model was called {_times(calls)} between the first and the last of {len(run):,} compactions. "
        f"{_share(share, freed, by)} {_COST[_summarizes(run)]}",
        messages=tuple(message.id for message in ends if message),
        numbers={
            "compactions": len(run),
            "first": index,
            "last": index + len(run) - 1,
            "calls": calls,
            "before": before,
            "freed": freed,
            "freed_percent": share,
        },
    )


def _freed(run: Sequence[Compaction]) -> tuple[int, int, str]:
    """The sum of the windows before, the sum freed, and the source of the numbers: recorded only if all are."""
    found = [sizes(event) for event in run]
    if len({by for _, _, by in found}) > 1:
        found = [(event.window_before, event.window_after, "by the meter") for event in run]
    before = sum(b for b, _, _ in found)
    return before, before - sum(a for _, a, _ in found), found[0][2]


def _times(calls: int) -> str:
    return ("not once", "once", "twice")[calls] if calls < 3 else f"only {calls:,} times"


def _share(share: int, freed: int, by: str) -> str:
    if freed <= 0:
        return f"Together they freed nothing, {by}."
    return f"Each freed {share or 'less than 1'} % of the window on average, {by}."


def _summarizes(run: Sequence[Compaction]) -> bool:
    """Whether any of them called a model for a summary."""
    return any(c.summary or c.status in ("failed", "inflated") or (summarizes(c) and not c.added) for c in run)


_COST = (
    "Nothing is summarized, so no model call is spent; but each one invalidates the prompt cache.",
    "The room it freed was soon used up. Each summary costs a model call, loses detail and invalidates the prompt cache.",
)
