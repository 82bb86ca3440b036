"""The findings of a live run that are new since the last model call."""

from core.analyse import Finding, call_findings, failed_findings, findings_at
from core.engine.live_context import LiveContext


class NewFindings:
    """How far the findings of a run were looked at: its compactions, its failed attempts, its steps."""

    def __init__(self, context: LiveContext) -> None:
        self._context = context
        self._seen, self._undone = self._now(), context.undone

    def _now(self) -> tuple[int, int, int]:
        context = self._context
        return len(context.compactions), len(context.failures.first), context.steps

    def take(self, look: bool) -> tuple[Finding, ...]:
        """The findings of what has happened since the last time; none without `look`, which is the cheap way to pass them."""
        back = self._context.undone - self._undone
        compactions, failed, steps = self._seen[0] - back, self._seen[1], self._seen[2] - back
        self._seen, self._undone = self._now(), self._context.undone
        if not look:
            return ()
        with self._context.guard:
            trace = self._context.trace()
        made = [one for k in range(max(0, compactions), len(trace.compactions)) for one in findings_at(trace, k)]
        attempts = [one for some in failed_findings(trace)[failed:] for one in some]
        calls = [one for step, some in call_findings(trace).items() if step >= steps for one in some]
        return (*made, *attempts, *calls)
