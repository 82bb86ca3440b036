"""What the page says of a policy."""

import pytest

from core.policies import policies, policy
from viewer.wire.policy_facts import policy_facts


@pytest.mark.parametrize(
    ("name", "acts"),
    [
        ("claude_code.auto", "Compacts at 167,000 tokens; clears old tool results after a pause of over 60 min."),
        ("claude_code.microcompact", "Acts after a pause of over 60 min."),
        ("agentkit.memory", ""),
        ("agent_framework.context_window", ""),  # it clears first, too, but by tokens
        ("strands.sliding_window", ""),
    ],
)
def test_a_policy_that_a_pause_moves_says_so_in_a_sentence(name: str, acts: str) -> None:
    """The compaction comes first where there is one; no other policy has such a sentence."""
    assert policy_facts(policy(name))["acts"] == acts


def test_no_other_policy_is_moved_by_a_pause() -> None:
    """Each that is has its sentence."""
    paused = {p.name for p in policies() if "minutes" in policy_facts(p)["when"]}
    assert paused == {p.name for p in policies() if policy_facts(p)["acts"]}
