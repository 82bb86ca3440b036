"""How many model calls a run made after its policy had stopped for good: nothing was compacted any more."""

from bisect import bisect_left

from core.engine.due import PolicyState
from core.measure.prompts import Prompts
from core.policy.policy import Policy


def calls_given_up(prompts: Prompts, policy: Policy | None) -> int:
    """The model calls after the guards of the policy stopped it; 0 where they never did."""
    if policy is None:
        return 0
    return len(prompts.calls) - min(_refilled(prompts, policy), _failed(prompts, policy))


def _refilled(prompts: Prompts, policy: Policy) -> int:
    """How many calls there were until compactions had followed each other too soon too often."""
    base, state = prompts.trace.measured, PolicyState()
    for found in prompts.trace.compactions:
        state = state.after(found.at, base, refused=False)
        if state.stopped(policy):
            return bisect_left(base.calls, found.at + 1)
    return len(base.calls)


def _failed(prompts: Prompts, policy: Policy) -> int:
    """How many calls there were until too many attempts had failed in a row, one before each call."""
    calls, strikes = prompts.trace.measured.calls, policy.guards.strikes
    runs = [run for run in prompts.trace.failed if strikes is not None and run.times >= strikes]
    return min((bisect_left(calls, run.at) + run.times for run in runs), default=len(calls))
