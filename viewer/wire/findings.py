"""The findings of a trace as a list with the steps to jump to, and as marks on the timeline; docs/wire.md."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from core.analyse import Finding, call_findings, failed_findings, trace_findings
from core.analyse.finding import CONCERNS, SEVERITIES, weight
from core.analyse.too_long import not_looked_for
from core.model.cached import cached
from core.trace.trace import Trace
from viewer.wire.card import finding_body, places_of

PAGE = 200  # rows in one answer
NAMED = 12  # messages that a row names
TITLES = 3  # titles that a mark names


class Row(NamedTuple):
    """A finding that compactions in a row have in common, with the first and the last of them and their steps.

    `first` and `last` are indexes of compactions; with `failed`, of compaction attempts that failed; with `call` there is
    one model call, and they are the place of its reply.
    """

    finding: Finding
    failed: bool
    first: int
    last: int
    step: int
    last_step: int
    call: bool = False


def finding_list(trace: Trace, kind: str = "", start: int = 0, most: int = PAGE) -> dict[str, Any]:
    """The findings of the trace by concern, then by severity, then in order of time, with the step to jump to.

    At most `most` rows from `start` on, of one kind if `kind` names one; `matching` counts those of each concern. `total`,
    `counts`, by severity, and `kinds` are of all findings.
    """
    rows = finding_rows(trace)
    chosen = [row for row in rows if kind in ("", row.finding.kind)]
    places = cached(trace, "places", places_of)
    shown = chosen[start : start + most]
    return {
        "total": len(rows),
        "counts": _severities(rows),
        "kinds": _kinds(rows),
        "kind": kind,
        "from": start,
        "matching": {concern: sum(row.finding.concern == concern for row in chosen) for concern in CONCERNS},
        "findings": [_row(row, places) for row in shown],
        "limits": list(not_looked_for(trace)),
    }


def finding_marks(trace: Trace) -> dict[str, Any]:
    """Each compaction with findings: its index, as the difference to the one before, its first titles, and its count.

    `titles` lists each title once, with its severity: 0 error, 1 warning, 2 info. `first` refers to it by index. `calls` are
    the steps of model calls with findings, with theirs.
    """
    found, calls = _marked(trace_findings(trace)), _marked(call_findings(trace))
    place = {title: k for k, title in enumerate(dict.fromkeys(chain(*found.values(), *calls.values())))}
    first, of_calls = ([[place[title] for title in mark] for mark in some.values()] for some in (found, calls))
    return {
        "titles": [list(title) for title in place],
        "at": [b - a for a, b in pairwise((0, *found))],
        "first": first,
        "count": [len(some) for some in trace_findings(trace).values()],
        "calls": {"at": list(calls), "first": of_calls},
    }


def _marked(found: Mapping[int, tuple[Finding, ...]]) -> dict[int, list[tuple[int, str]]]:
    """The first titles at each place, the worst first."""
    titles = ((at, dict.fromkeys(_title(one) for one in some)) for at, some in found.items())
    return {at: sorted(some, key=lambda title: title[0])[:TITLES] for at, some in titles}


def _title(found: Finding) -> tuple[int, str]:
    return SEVERITIES.index(found.severity), found.title


def finding_rows(trace: Trace) -> Sequence[Row]:
    """Every row of the list, in its order; computed once for a trace."""
    return cached(trace, "finding rows", _rows)


def _rows(trace: Trace) -> Sequence[Row]:
    ats = [event.at for event in trace.compactions]
    failed = [_step_before(ats, attempt.at) for attempt in trace.failed]
    steps = [trace.compaction_step(j) for j in range(len(ats))]
    rows = [
        *_runs(trace_findings(trace).items(), steps, False),
        *_runs(enumerate(failed_findings(trace)), failed, True),
        *_calls(trace),
    ]
    return sorted(rows, key=lambda row: (*weight(row.finding), row.step))


def _calls(trace: Trace) -> Iterator[Row]:
    """The findings of model calls, a row each: every one is a place to go to."""
    for step, some in call_findings(trace).items():
        place = trace.step(step).messages - 1
        yield from (Row(one, False, place, place, step, step, call=True) for one in some)


def _step_before(ats: Sequence[int], at: int) -> int:
    """The step at which the last of the first `at` messages arrived."""
    return max(0, at - 1 + bisect_right(ats, at - 1))


def _runs(found: Iterable[tuple[int, tuple[Finding, ...]]], steps: Sequence[int], failed: bool) -> Iterator[Row]:
    """The findings as rows; a finding of one kind and weight that compactions in a row have is one row."""
    running: dict[tuple[int | bool | str, ...], Row] = {}
    for j, some in found:
        for one in some:
            alike = (one.kind, *weight(one))
            known = running.get(alike)
            if known is not None and known.last == j - 1:
                running[alike] = known._replace(last=j, last_step=steps[j])
                continue
            if known is not None:
                yield known
            running[alike] = Row(one, failed, j, j, steps[j], steps[j])
    yield from running.values()


def _row(row: Row, places: Mapping[str, int]) -> dict[str, Any]:
    body = finding_body(row.finding, places)
    return body | {
        "failed": row.failed,
        "call": row.call,
        "first": row.first,
        "last": row.last,
        "times": row.last - row.first + 1,
        "step": row.step,
        "last_step": row.last_step,
        "messages": body["messages"][:NAMED],
        "messages_total": len(body["messages"]),
    }


def _severities(rows: Sequence[Row]) -> dict[str, int]:
    return {severity: sum(row.finding.severity == severity for row in rows) for severity in SEVERITIES}


def _kinds(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The kinds with their count and their worst severity, in the order of the list: by concern, worst first, most frequent."""
    totals = Counter(row.finding.kind for row in rows)
    worst = {row.finding.kind: row.finding for row in reversed(rows)}
    order = sorted(totals, key=lambda kind: (*weight(worst[kind]), -totals[kind], kind))
    return [{"kind": kind, "severity": worst[kind].severity, "total": totals[kind]} for kind in order]
