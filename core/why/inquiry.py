"""A question what would have kept a text, and the trials that answer it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from core.entities.search import Wanted
from core.meters import Meter, bound
from core.meters import meter as meter_called
from core.model.cached import cached
from core.model.errors import FoldlineError
from core.policy.policy import Policy
from core.summaries.summarizers import FixedSize, Summarizer, structural, summarizer
from core.trace.stand_in import quotes_only
from core.trace.trace import Trace
from core.why.hits import hits_of
from core.why.late import Late, mean_summary
from core.why.runs import Runs
from core.why.target import Target, target_of
from core.why.trial import Ground, Question, Trial
from core.window.ranges import Ranges

_COMPACTION = 100  # messages that take as long as a compaction
_ATTEMPTS = 250  # more than these, and than twice as many as today, are not waited for
_LONG = 5_000  # messages and hundredths of compactions: such a run is first tried without summaries of what came before
_SCAN = 20_000  # of these, simulated to look at many values one by one


class Inquiry:
    """A text and a step of a trace, and what other runs of the same messages are made with.

    `now` is the question as today's run is asked, `question` as the others are: with `verbatim` no summary counts there.
    `quoted` is whether today's run keeps the text only in quotes that stand in for a summary: then none counts, either.
    `policy` is the one whose settings are turned. `weight` is about how long a run takes. With `runs` it
    looks at those that other questions about the session have made. Without a step, and at the last one, the text should never
    leave the window. Raises StepError for a step outside the trace.
    """

    def __init__(
        self,
        trace: Trace,
        text: str,
        step: int | None = None,
        meter: Meter | None = None,
        write: Summarizer | None = None,
        runs: Runs | None = None,
    ) -> None:
        self.trace, self.base, self.text, self.runs = trace, trace.measured, text, runs
        self.policy: Policy | None = trace.policy
        self.step = max(0, len(trace) - 1) if step is None else step
        whole = self.step == len(trace) - 1 or not len(trace)
        target = Target(len(trace.messages), after=True) if whole else target_of(trace, self.step)
        known = None if write else cached(trace, "summaries of other runs", _summaries)
        self.summaries, self.write, verbatim = known or (trace.summarizer, write, False)
        found = hits_of(trace, text)
        throughout = whole and bool(found.session.places)
        self.now = Question(Wanted(text, found.match), found.session.places, target, throughout=throughout)
        self.quoted = quotes_only(trace) and self.kept and not self.kept_verbatim
        self.question = replace(self.now, verbatim=verbatim or self.quoted)
        today = sum(not target.passed_by(c) for c in trace.compactions)
        self.weight = target.arrived + _COMPACTION * today
        counted = meter or bound(meter_called(trace.meter), trace.session)
        self._ground = Ground(trace.session, self.base, counted, max(_ATTEMPTS, 2 * today), runs)

    @cached_property
    def kept(self) -> bool:
        """Whether today's run keeps the text."""
        return self.now.kept(self.trace.pool, self.trace.compactions)

    @cached_property
    def kept_verbatim(self) -> bool:
        """Whether today's run keeps the text in a message, not only in a summary."""
        return replace(self.now, verbatim=True).kept(self.trace.pool, self.trace.compactions)

    @property
    def said(self) -> bool:
        """Whether a message says the text before the moment of the question."""
        return any(place < self.question.target.arrived for place in self.question.places)

    @property
    def scan(self) -> int:
        """How many values may be looked at one by one."""
        return min(256, _SCAN // max(1, self.weight))

    def trial(self, policy: Policy, write: Summarizer | None = None, pinned: Sequence[int] | None = None) -> Trial:
        """A run under this policy, with today's summaries and pins unless others are given."""
        return Trial(self._ground, policy, write or self.write, self.trace.pinned if pinned is None else pinned)

    def quick(self, policy: Policy | None) -> bool:
        """Whether a run takes so little time that no guess is worth it."""
        writes = policy is not None and policy.writes_summaries and not isinstance(self.write, FixedSize)
        return self.weight < _LONG or not writes

    @cached_property
    def late(self) -> Late:
        """What stands in for summaries in a guess."""
        return Late(self.write, self.base, self.question, mean_summary(self.trace))

    @cached_property
    def layouts_now(self) -> list[Ranges]:
        """The windows that a guess at today's run leaves."""
        assert self.policy is not None
        trial = self.trial(self.policy, self.late)
        trial.keeps(self.question)
        return [c.layout_after for c in trial.compactions]


def _summaries(trace: Trace) -> tuple[str, Summarizer, bool]:
    """What writes the summaries of other runs, under which name, and whether they say nothing that counts."""
    name = trace.summarizer or ("recorded" if _has_model_summaries(trace) else "structural")
    try:
        known = summarizer(name, session=trace.session)
    except FoldlineError:  # a model's, or one of one's own
        return "structural", structural, True
    return name, known, name == "recorded"


def _has_model_summaries(trace: Trace) -> bool:
    """Whether this is a run as recorded under a known policy, whose summaries a model wrote: quotes are no match for those."""
    return trace.policy is not None and any(one.summary for one in trace.session.compactions)
