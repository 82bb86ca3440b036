"""Every finding there is: of one compaction, of one within its trace, of a whole trace.

Recorded and simulated compactions are looked at alike. Nothing is guessed from the policy's name: every finding follows
from the window before, the window after and the numbers of the event, or from what came before and after it in the trace.

A look is a module in this folder with

    KINDS   the kinds of finding it makes
    look    (seen) -> findings of one compaction, and of the one before it where that is known
    along   (seen, trace, index) -> findings that need more of the trace

either of the two or both. Adding a kind is adding a module; they are asked in order of their names.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from core.analyse.cached import cached
from core.analyse.finding import Finding, worst_first
from core.analyse.seen import Seen
from core.trace import Compaction, Trace


def findings(compaction: Compaction, previous: Compaction | None = None) -> tuple[Finding, ...]:
    """The findings of one compaction, errors first. O(size of the window).

    `previous` is the compaction before it in the same trace, where there is one: without it, what was kept then and is
    lost now goes unseen.
    """
    return worst_first(_alone(Seen(compaction, previous)))


def findings_at(trace: Trace, index: int) -> tuple[Finding, ...]:
    """All findings of compaction `index` of the trace, errors first; the other windows are not looked at."""
    known: dict[int, tuple[Finding, ...]] = cached(trace, "findings", lambda _: {})
    if index not in known:
        before = trace.compactions[index - 1] if index > 0 else None
        seen = Seen(trace.compactions[index], before, lambda: trace.window_of(trace.compaction_step(index)).pool)
        known[index] = worst_first((*_alone(seen), *_within(seen, trace, index)))
    return known[index]


def trace_findings(trace: Trace) -> Mapping[int, tuple[Finding, ...]]:
    """The findings of every compaction that has any, by its index in the trace; worked out once for a trace."""
    return cached(trace, "all findings", _all)


def failed_findings(trace: Trace) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each pass that came to nothing, errors first, in the order of `trace.failed`; worked out once."""
    return cached(trace, "failed findings", lambda trace: tuple(findings(attempt) for attempt in trace.failed))


def kinds() -> tuple[str, ...]:
    """Every kind of finding there is, in order of name."""
    return tuple(sorted(kind for look in _looks() for kind in look.KINDS))


def _all(trace: Trace) -> Mapping[int, tuple[Finding, ...]]:
    found = ((index, findings_at(trace, index)) for index in range(len(trace.compactions)))
    return {index: some for index, some in found if some}


def _alone(seen: Seen) -> Iterator[Finding]:
    return (found for module in _looks() if hasattr(module, "look") for found in module.look(seen))


def _within(seen: Seen, trace: Trace, index: int) -> Iterator[Finding]:
    return (found for module in _looks() if hasattr(module, "along") for found in module.along(seen, trace, index))


@cache
def _looks() -> tuple[ModuleType, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = (importlib.import_module(f"core.analyse.{name}") for name in names)
    return tuple(module for module in modules if hasattr(module, "KINDS"))
