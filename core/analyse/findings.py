"""The findings of one compaction, of one within its trace, of a whole trace, and of its model calls.

Recorded and simulated compactions are checked alike. Nothing depends on the policy's name: a finding follows from the
window before, the window after and the numbers of the compaction, or from its place in the trace. What model calls
were sent, where that is recorded, is checked whether or not anything was compacted.

A check is a module in this folder with

    KINDS           the kinds of finding it makes
    check           (change) -> findings of one compaction, and of the one before it if that is known
    check_in_trace  (change, trace, index) -> findings that need more of the trace
    check_calls     (trace) -> findings of model calls, each with the step at which the reply arrived

and has one of the functions or several. A new module is found by itself; the checks run in order of their names.
"""

import importlib
import pkgutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from core.analyse.finding import Finding, worst_first
from core.analyse.window_change import WindowChange
from core.model.cached import cached
from core.model.give_way import give_way
from core.trace.compaction import Compaction
from core.trace.trace import Trace


def findings(compaction: Compaction, previous: Compaction | None = None) -> tuple[Finding, ...]:
    """The findings of one compaction, errors first. O(size of the window).

    `previous` is the compaction before it in the same trace. Without it, the loss of what that one kept is not found.
    """
    return worst_first(_made_by("check", WindowChange(compaction, previous)))


def findings_at(trace: Trace, index: int, *only: str) -> tuple[Finding, ...]:
    """All findings of compaction `index` of the trace, errors first; other windows are not built.

    With kinds, `only` those of them: no check runs that makes none of these.
    """
    known: dict[tuple[int, *tuple[str, ...]], tuple[Finding, ...]] = cached(trace, "findings", lambda _: {})
    if only and (index,) in known:
        return _of_kinds(known[(index,)], only)
    if (index, *only) not in known:
        give_way()
        known[(index, *only)] = worst_first(_of_kinds(_made_at(trace, index, only), only))
    return known[(index, *only)]


def are_found(trace: Trace, index: int) -> bool:
    """Whether all findings of compaction `index` are known: then nothing is looked for."""
    known: dict[tuple[int, *tuple[str, ...]], tuple[Finding, ...]] = cached(trace, "findings", lambda _: {})
    return (index,) in known


def _made_at(trace: Trace, index: int, only: Collection[str]) -> Iterator[Finding]:
    before = trace.compactions[index - 1] if index > 0 else None
    change = WindowChange(
        trace.compactions[index],
        before,
        lambda: trace.window_of(trace.compaction_step(index)).pool,
        trace.session.starts_midway,
    )
    yield from _made_by("check", change, only=only)
    yield from _made_by("check_in_trace", change, trace, index, only=only)


def _of_kinds(found: Iterable[Finding], only: Collection[str]) -> tuple[Finding, ...]:
    return tuple(one for one in found if not only or one.kind in only)


def trace_findings(trace: Trace) -> Mapping[int, tuple[Finding, ...]]:
    """The findings of every compaction that has any, by its index in the trace; computed once for a trace."""
    return cached(trace, "all findings", _all)


def failed_findings(trace: Trace) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each compaction attempt that failed, in the order of `trace.failed`; computed once for a trace."""
    return cached(trace, "failed findings", lambda trace: tuple(findings(attempt) for attempt in trace.failed))


def call_findings(trace: Trace) -> Mapping[int, tuple[Finding, ...]]:
    """The findings of every model call that has any, by the step at which its reply arrived; computed once for a trace."""
    return cached(trace, "call findings", _of_calls)


def kinds() -> tuple[str, ...]:
    """Every kind of finding, in order of name."""
    return tuple(sorted(kind for check in _checks() for kind in check.KINDS))


def _all(trace: Trace) -> Mapping[int, tuple[Finding, ...]]:
    found = ((index, findings_at(trace, index)) for index in range(len(trace.compactions)))
    return {index: some for index, some in found if some}


def _of_calls(trace: Trace) -> Mapping[int, tuple[Finding, ...]]:
    found: dict[int, list[Finding]] = {}
    for check in _checks():
        for step, finding in check.check_calls(trace) if hasattr(check, "check_calls") else ():
            found.setdefault(step, []).append(finding)
    return {step: worst_first(found[step]) for step in sorted(found)}


def _made_by(name: str, *given: object, only: Collection[str] = ()) -> Iterator[Finding]:
    """The findings of the functions of this name, each called with what is given; `only` of checks that make such kinds."""
    checks = (check for check in _checks() if not only or any(kind in only for kind in check.KINDS))
    return (found for check in checks if hasattr(check, name) for found in getattr(check, name)(*given))


@cache
def _checks() -> tuple[ModuleType, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = (importlib.import_module(f"{__package__}.{name}") for name in names)
    return tuple(module for module in modules if hasattr(module, "KINDS"))
