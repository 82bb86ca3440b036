"""Which messages stay in a window as they were."""

import pytest

from core import meter, policies, policy, replay, simulate
from core.origins.named import kept
from tests.policies.samples import CODING
from viewer.wire.compared import settings_for

COUNT = meter("o200k_base")
CLEARED = ("anthropic.clear_tool_uses", "langchain.clear_tool_uses", "stella.retention", "swe_agent.last_n")


@pytest.mark.parametrize("name", [one.name for one in policies()])
def test_what_stays_is_what_the_window_has_unchanged(name: str) -> None:
    """Each message of the window that is the session's own, those between results that are emptied in place among them."""
    trace = simulate(CODING, policy(name, **settings_for(replay(CODING, meter=COUNT), name)), meter=COUNT)
    own = {id(message): place for place, message in enumerate(trace.messages)}
    for k, event in enumerate(trace.compactions):
        assert kept(trace, k) == sorted(own[id(message)] for message in event.after if id(message) in own)
    assert trace.compactions or name not in CLEARED
