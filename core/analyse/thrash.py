"""Compactions that follow each other within a few model calls: each frees too little to last."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from core.analyse.budget import sizes
from core.analyse.finding import Finding, Severity
from core.analyse.seen import Seen
from core.trace import Compaction, Trace

KINDS = ("thrash",)
FEW = 3  # model calls between two compactions, at most, for one to have come too soon after the other
_IDLE = ("not_triggered", "nothing_to_do")


def along(seen: Seen, trace: Trace, index: int) -> Iterator[Finding]:
    """A run of compactions, each within three model calls of the one before: one finding, at the first of the run."""
    if not _soon(trace, index) or (index and _soon(trace, index - 1)):
        return
    last = index + 1
    while _soon(trace, last):
        last += 1
    run = trace.compactions[index : last + 1]
    if run[0].at < run[-1].at:  # all at one place are the tiers or the rounds of one pass
        yield _finding(trace, index, run)


def _soon(trace: Trace, index: int) -> bool:
    """Whether the compaction after this one comes within a few model calls."""
    if index + 1 >= len(trace.compactions):
        return False
    one, next_one = trace.compactions[index], trace.compactions[index + 1]
    return one.status not in _IDLE and next_one.status not in _IDLE and _calls(trace, one.at, next_one.at) <= FEW


def _calls(trace: Trace, start: int, stop: int) -> int:
    """How often the model was called once `start` messages had arrived and before `stop` had."""
    calls = trace.measured.calls
    return bisect_left(calls, stop) - bisect_left(calls, start)


def _finding(trace: Trace, index: int, run: Sequence[Compaction]) -> Finding:
    calls, (before, freed, by) = _calls(trace, run[0].at, run[-1].at), _freed(run)
    share = round(100 * freed / before) if before else 0
    ends = (run[0].summary or next(iter(run[0].added), None), run[-1].summary or next(iter(run[-1].added), None))
    return Finding(
        kind="thrash",
        severity=_severity(run),
        title=f"{len(run):,} compactions in quick succession",
        text=f"Between the first of {len(run):,} compactions and the last the model was called {_times(calls)}. "
        f"{_share(share, freed, by)} {_cost(run)}",
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
    """Tokens of the windows before, added up, those freed, and who says so: recorded only where all are."""
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


def _summarising(run: Sequence[Compaction]) -> bool:
    """Whether any of them had a summary made, and a model called for it."""
    return any(c.summary or c.status in ("failed", "inflated") or (_folds(c) and not c.added) for c in run)


def _folds(event: Compaction) -> bool:
    return any(edit.action == "summarised" for edit in event.edits)


def _severity(run: Sequence[Compaction]) -> Severity:
    """A policy that clears or drops at every call may be meant to: that is good to know, and no more."""
    return "warning" if _summarising(run) else "info"


def _cost(run: Sequence[Compaction]) -> str:
    if _summarising(run):
        return (
            "The room was gone again so soon. Each summary costs a call of its own and leaves something out, and the prompt "
            "cache is lost every time."
        )
    return "Nothing is summarised, so no call is spent; but each one changes the prompt, and the prompt cache is lost."
