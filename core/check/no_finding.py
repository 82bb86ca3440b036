"""The rule that nothing is found of some kind."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.analyse import Finding, call_findings, failed_findings, kinds, trace_findings
from core.check.rule import limited
from core.check.verdict import Verdict
from core.model.errors import UnknownNameError
from core.trace.places import step_name
from core.trace.trace import Trace

_MOST = 8  # that are told of


@dataclass(frozen=True)
class NoFinding:
    """No finding of one kind, or of every kind whose name has these words: "orphaned" stands for three.

    Raises UnknownNameError, listing the kinds, where there is none.
    """

    kind: str

    def __post_init__(self) -> None:
        if not self.kinds:
            raise UnknownNameError("finding", self.kind, kinds())

    @property
    def kinds(self) -> list[str]:
        """The kinds that it is about."""
        words = set(self.kind.split("_"))
        return [self.kind] if self.kind in kinds() else [kind for kind in kinds() if words <= set(kind.split("_"))]

    @property
    def name(self) -> str:
        """The rule in words."""
        return f"no finding {self.kind}"

    def judge(self, trace: Trace, session: str) -> Verdict:
        """The amount is how many there are."""
        found = sorted((one for one in _findings(trace) if one[1].kind in self.kinds), key=lambda one: one[0])
        places = list(dict.fromkeys(step_name(trace, step) for step, _ in found))
        more = f" and {len(places) - _MOST:,} more" if len(places) > _MOST else ""
        at = f"{len(found):,} found, at {', '.join(places[:_MOST])}{more}"
        told = tuple(f"{step_name(trace, step)}: {one.title}. {one.text}" for step, one in found[:_MOST])
        return limited(self, session, len(found), 0, at if found else "none found", told)


def _findings(trace: Trace) -> Iterator[tuple[int, Finding]]:
    """All findings of a trace, each with its step."""
    for k, some in trace_findings(trace).items():
        yield from ((trace.compaction_step(k), one) for one in some)
    for attempt, some in zip(trace.failed, failed_findings(trace), strict=True):
        yield from ((trace.message_step(attempt.at - 1) if attempt.at else 0, one) for one in some)
    for step, some in call_findings(trace).items():
        yield from ((step, one) for one in some)
