"""A call that failed, and is made again in the same way once its failure is gone."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.measure.standing import standing
from core.measure.tool_use import key_of, tool_uses
from core.model.cached import cached
from core.model.give_way import give_way
from core.model.session import Message
from core.model.text import counted
from core.summaries.outcomes import outcome_of
from core.trace.trace import Trace

KINDS = ("failed_again",)

_BEGINNING = 200  # characters of an answer that are compared: times and numbers behind them may differ


class _Again(NamedTuple):
    """A call that was answered twice in the same way: the tool, and the places of both calls and of both answers."""

    name: str
    first: int
    failure: int
    again: int
    answer: int


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The calls that failed, failed in the same way again, and whose failure compaction `index` took from the window."""
    known: Mapping[int, list[_Again]] = cached(trace, "failed again", _by_compaction)
    if some := known.get(index):
        yield _finding(change, trace, some)


def _by_compaction(trace: Trace) -> dict[int, list[_Again]]:
    """The repeated failures by the compaction that took the newest failure before."""
    found: dict[int, list[_Again]] = {}
    if not trace.compactions:
        return found
    windows = standing(trace)
    for one in cached(trace.measured, "answered alike", lambda _: tuple(_alike(trace))):
        gone = not windows.stands(one.failure, one.again)
        if gone and _failed(trace.messages[one.failure]) and _failed(trace.messages[one.answer]):
            found.setdefault(windows.taken_by(one.failure), []).append(one)
    return found


def _alike(trace: Trace) -> Iterator[_Again]:
    """The calls that were answered as the same call before them was, whatever was taken between."""
    made = dict[str, tuple[int, int]]()
    for use in tool_uses(trace):
        give_way()
        if use.may_write:
            made.clear()  # what is changed may make it work
        if use.result < 0:
            continue
        key = key_of(use.call)
        at, answer = made.get(key, (use.at, use.result))
        if answer < use.at and _beginning(trace, answer) == _beginning(trace, use.result):
            yield _Again(use.call.name, at, answer, use.at, use.result)
        made[key] = use.at, use.result


def _failed(answer: Message) -> bool:
    """Whether an answer is recorded as an error, or says that a command failed."""
    return answer.is_error or cached(answer, "failed", lambda m: outcome_of(m).failed)


def _beginning(trace: Trace, place: int) -> str:
    return " ".join(trace.messages[place].content[:_BEGINNING].split())


def _finding(change: WindowChange, trace: Trace, some: list[_Again]) -> Finding:
    first = some[0]
    step = trace.message_step(first.again)
    return Finding(
        kind="failed_again",
        concern="lost",
        severity="warning",
        title="The same call fails again",
        text=f"{counted(len(some), 'call')} failed as before, when the failure had been {change.where}. "
        f"The first is {first.name} at message {first.again + 1:,}: {quoted(trace.messages[first.failure].content)}.",
        messages=tuple(
            dict.fromkeys(trace.messages[place].id for one in some[:6] for place in (one.first, one.failure, one.again))
        ),
        numbers={"calls": len(some), "step": step},
    )
