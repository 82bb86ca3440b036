"""The same question of the policy that reproduces the agent of a recorded run, so that its own settings can be turned.

A simulation counts only what the transcript shows; the agent counted its whole prompt. So the policy is set as everywhere, to
come nearest to where the record compacted (`core.why.fitted`); where it keeps the text so, to act at the size of a recorded
window. No model's summary exists for other settings: only what stays word for word counts.
"""

from collections.abc import Iterator
from dataclasses import replace

from core.engine.policies_used import for_session_model
from core.meters import Meter
from core.model.cached import cached
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer, has_recorded, summarizer
from core.trace.prompt_overhead import unseen
from core.trace.trace import Trace
from core.why.acting import acting_at
from core.why.fitted import fitted
from core.why.inquiry import Inquiry
from core.why.knobs import window_name
from core.why.runs import Runs, TooLongError
from core.why.trial import Trial

_TRIES = 8  # of the recorded compactions' sizes


class AgentInquiry(Inquiry):
    """What would have kept a text in a run of the agent's own policy, where that loses it as the record does.

    `rule` is that policy at its defaults, for the session's model; `policy` the same, with a limit of its own, once `seek`
    has found it; None where the text survives it, or where it has no limit that can be set. `by_hand` is whether the record
    tells only of compactions that a person asked for.
    """

    def __init__(
        self, trace: Trace, text: str, step: int, meter: Meter | None, rule: Policy, runs: Runs | None = None
    ) -> None:
        write = cached(trace, "summaries of the agent", _recorded_or_structural)
        super().__init__(trace, text, step, meter, write, runs)
        self.rule = for_session_model(rule.with_settings({}), trace.session)
        self.summaries = _summaries_of(trace)
        self.question = replace(self.now, verbatim=True)
        past = [c for c in trace.compactions if c.kind == "compaction" and not self.question.target.passed_by(c)]
        self.by_hand = bool(past) and all(c.trigger == "manual" for c in past)
        self._sizes = sorted({c.window_before for c in past if c.trigger != "manual"}, reverse=True)[:_TRIES]
        self.policy: Policy | None = None
        self.nearest: Policy | None = None  # the policy as it comes nearest to the whole record
        self._sought = False

    def seek(self) -> Iterator[None]:
        """Find `policy`: stops before each simulation, so that whoever asks can stop the work. Done once."""
        for one in () if self._sought else self._tries():
            yield
            if not self.keeps(one):
                self.policy = one
                break
        self._sought = True

    @property
    def settled(self) -> str:
        """Which of its parameters was set to act as early as the record, in words; "" where none had to be."""
        return self._set(self.policy) if self.policy else ""

    @property
    def elsewhere(self) -> str:
        """How it is set where it comes nearest to the record, in words, if it keeps the text so; else ""."""
        return self._set(self.nearest) if self.nearest and self.nearest != self.policy else ""

    def _set(self, policy: Policy) -> str:
        changed = ((name, value) for name, value in policy.settings.items() if value != self.rule.settings.get(name))
        return next((f"{name} {value:,}" for name, value in changed), "")

    def fits(self, trial: Trial, change: str) -> bool:
        """Whether the windows of a run fit into the model's context window; where that is changed, whether it is no larger."""
        name = window_name(self.rule)
        if not name:
            return True
        needed: int = trial.policy.settings[name] if change == name else trial.price.peak_tokens
        return bool(needed <= self.rule.names["window"])

    @property
    def unlike_record(self) -> bool:
        """Whether the text survives the policy even where it acts as early as the record does."""
        return self.policy is None and bool(self._sizes)

    @property
    def alone(self) -> Policy | None:
        """The policy as it acts without a person's command, where that keeps what only such commands took; else None."""
        limit = self.rule.ceiling
        one = acting_at(self.rule, limit - unseen(self.trace).typical) if self.by_hand and limit else None
        return one if one is not None and self.keeps(one) else None

    def keeps(self, policy: Policy) -> bool:
        """Whether a run of this policy keeps the text."""
        try:
            return self.trial(policy, pinned=()).keeps(self.question)
        except TooLongError:
            return False

    def _tries(self) -> Iterator[Policy]:
        """The policy as it comes nearest to the record, then at its windows, the largest first; without a limit, as it is."""
        if self.rule.ceiling is None:
            yield self.rule
            return
        found = fitted(self.trace) if self._sizes else None
        self.nearest = found.policy if found else None
        yield from (found.policy,) if found else ()
        yield from filter(None, (acting_at(self.rule, size) for size in self._sizes))


def _recorded_or_structural(trace: Trace) -> Summarizer:
    """The recorded summaries, which have the size of real ones; structural ones where the record has none."""
    return summarizer(_summaries_of(trace), session=trace.session)


def _summaries_of(trace: Trace) -> str:
    return "recorded" if has_recorded(trace.session) else "structural"
