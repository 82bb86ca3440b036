"""The policy of a recorded run's agent, set to the one limit that comes nearest to where the record compacted.

A simulation counts only what the transcript shows; the agent counted its whole prompt, with its system prompt and tools. So at
its own limit the policy would act later than the agent did, or never. What is not in the transcript differs from compaction to
compaction, so that one limit may fit none of them well: `simulated` says where it does act.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.engine.policies_used import agent_policy, for_session_model
from core.engine.quick_trial import MOST, Trial, tried
from core.model.cached import cached
from core.policy.policy import Policy
from core.trace.compaction import Compaction
from core.trace.hidden_before import hidden_before
from core.trace.trace import Trace
from core.why.acting import acting_at

_BETWEEN = 32  # limits from half the smallest recorded window up to the largest
_SIZES = 8  # recorded windows, the largest first, that are tried as limits, too


@dataclass(frozen=True)
class Fitted:
    """The policy, acting at `acts_at` tokens of what the transcript shows, and after how many messages both compact.

    `changed` are its parameters that are not at their defaults. `unseen` are the tokens of the window that each recorded
    compaction found which the transcript does not show, where they are known. `cleared` more of the simulated compactions only
    empty messages in their place; `at_defaults` is how often the policy compacts at its own settings. `by_hand` is whether a
    person asked for each recorded one. `starts_midway` is whether the session began before its file does, and
    `has_system_prompt` whether the file begins with it.
    """

    policy: Policy
    changed: Mapping[str, Any]
    acts_at: int
    recorded: tuple[int, ...]
    simulated: tuple[int, ...]
    unseen: tuple[int, ...]
    cleared: int
    at_defaults: int
    by_hand: bool
    starts_midway: bool = False
    has_system_prompt: bool = False

    @property
    def exact(self) -> bool:
        """Whether the policy compacts after the same messages as the record."""
        return self.recorded == self.simulated


def fitted(trace: Trace) -> Fitted | None:
    """The policy of a replayed run's agent, so set; worked out once.

    None where no policy is known, where the record has no compaction with its window, and where no limit can be set.
    """
    rule = None if trace.session.driven else agent_policy(trace.session)
    return cached(trace, "fitted", lambda trace: _fitted(trace, rule)) if rule else None


def _fitted(trace: Trace, own: Policy) -> Fitted | None:
    rule = for_session_model(own.with_settings({}), trace.session)
    places = [k for k, event in enumerate(trace.compactions) if event.kind == "compaction" and event.window_before]
    past = [trace.compactions[k] for k in places]
    recorded = tuple(event.at for event in past)
    found = [(policy, tried(policy, trace.measured)) for policy in _candidates(rule, past)]
    if not found:
        return None
    policy, trial = min(found, key=lambda one: distance(recorded[:MOST], one[1].places))
    return Fitted(
        policy=policy,
        changed={k: v for k, v in policy.settings.items() if v != rule.settings.get(k)},
        acts_at=policy.ceiling or 0,
        recorded=recorded,
        simulated=trial.places,
        unseen=tuple(tokens for k in places if (tokens := hidden_before(trace, k)) is not None),
        cleared=trial.only_cleared,
        at_defaults=_taking(tried(rule, trace.measured)),
        by_hand=all(one.trigger == "manual" for one in past),
        starts_midway=trace.session.starts_midway,
        has_system_prompt=trace.messages[0].role == "system",
    )


def _candidates(rule: Policy, past: Sequence[Compaction]) -> Iterator[Policy]:
    """The policy as it acts at recorded sizes, the largest first, then at others; a person's choice of size counts least."""
    sizes = sorted({e.window_before for e in past if e.trigger != "manual"} or {e.window_before for e in past})
    if not sizes:
        return
    low, high = sizes[0] // 2, sizes[-1]
    steps = (high - (high - low) * k // _BETWEEN for k in range(1, _BETWEEN + 1))
    for size in (*sizes[::-1][:_SIZES], *steps):
        if size > 0 and (policy := acting_at(rule, size)) is not None:
            yield policy


def distance(recorded: Sequence[int], simulated: Sequence[int]) -> float:
    """How far compactions are from the recorded ones, in messages: in order, each moved, or left out and put in elsewhere.

    To leave one out, or to put one in, costs half as many messages as lie between recorded ones.
    """
    lone = recorded[-1] / len(recorded) / 2 if recorded else 1.0
    row = [lone * k for k in range(len(simulated) + 1)]
    for a in recorded:
        before, row = row, [row[0] + lone]
        for k, b in enumerate(simulated):
            row.append(min(before[k] + abs(a - b), before[k + 1] + lone, row[k] + lone))
    return row[-1]


def _taking(trial: Trial) -> int:
    """How many compactions took something out of the window."""
    return trial.compactions - trial.only_cleared
