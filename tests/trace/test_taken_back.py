"""A removal that is taken back leaves the steps and the policies of a run as if it had never been made."""

import pytest

from core.engine.live_context import LiveContext
from core.policies import policy
from core.trace.trace import PolicyChange
from tests.support import user

FIRST, SECOND, THIRD = (policy("agentkit.memory", budget=budget, keep_recent=2) for budget in (1000, 2000, 3000))


@pytest.mark.parametrize("removed", [False, True])
def test_a_policy_chosen_behind_it_is_in_force_from_the_step_before(removed: bool) -> None:
    """Whether a message was removed and put back in between makes no difference; of two at one step the later holds."""
    context = LiveContext(FIRST)
    for text in ("one", "two"):
        context.append(user(text))
    context.set_policy(SECOND)
    if removed:
        context.drop([0])
    context.set_policy(THIRD)
    if removed:
        context.undo()
    assert context.policy_changes == [PolicyChange(since=0, policy=FIRST), PolicyChange(since=1, policy=THIRD)]
    assert (context.steps, [m.content for m in context.messages()]) == (2, ["one", "two"])
