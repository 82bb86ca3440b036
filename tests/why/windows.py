"""The fate of a text looked up the slow way: in the window of each step, message by message."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.entities.search import Match, Wanted, says
from core.trace.trace import Trace
from core.why.fate import Fate
from core.why.readable import unreadable_ids

SUMMARIES = ("summary", "ack")


def how_it_matches(trace: Trace, text: str) -> Match:
    """How the text is found: as written if a message that arrives has it so, else ignoring case; then so in what was put in."""
    ways: tuple[Match, ...] = ("exact", "case")
    unknown = unreadable_ids(trace)
    left = [m for i in range(len(trace)) for m in trace.window(i) if m.id not in unknown]
    for group in (trace.messages, [m for m in trace.pool.added if m.id not in unknown], left):
        for match in ways:
            if any(says(m, Wanted(text, match)) for m in group):
                return match
    return "none"


def looked_at(trace: Trace, text: str, match: Match, i: int, before: bool) -> tuple[str, list[str]]:
    """State and messages at a step; `before`: nothing has said it up to the step before."""
    unknown = unreadable_ids(trace)
    has = [m for m in trace.window(i) if says(m, Wanted(text, match)) and m.id not in unknown]
    if any(m.injected not in SUMMARIES for m in has):
        return "verbatim", [m.id for m in has]
    return "summary" if has else "before" if before else "gone", [m.id for m in has]


def every_step(trace: Trace, text: str, match: Match) -> Iterator[tuple[str, list[str]]]:
    """State and messages at each step."""
    before = True
    for i in range(len(trace)):
        found = looked_at(trace, text, match, i, before)
        before = before and not found[1]
        yield found


def runs_of(steps: Sequence[tuple[str, list[str]]]) -> list[dict[str, Any]]:
    """The longest runs of steps that are alike."""
    lane: list[dict[str, Any]] = []
    for i, (state, messages) in enumerate(steps):
        if lane and (lane[-1]["state"], lane[-1]["messages"]) == (state, messages):
            lane[-1]["to"] = i
        else:
            lane.append({"from": i, "to": i, "state": state, "messages": messages})
    return lane


def lane_of(fate: Fate) -> list[dict[str, Any]]:
    """The lane in the same form."""
    return [{"from": s.start, "to": s.end, "state": s.state, "messages": s.messages} for s in fate.lane]


def taken_at(steps: Sequence[tuple[str, list[str]]], i: int) -> set[str]:
    """The messages that had the text at the step before, and have it no more."""
    return set(steps[i - 1][1]) - set(steps[i][1]) if i else set()
