"""Which policies need the context window of the session's model."""

import pytest

from core import policy
from core.policy.window_needed import window_needed


@pytest.mark.parametrize(
    ("name", "settings", "needed"),
    [
        ("agentkit.memory", {}, ""),
        ("crush", {}, "context_window"),
        ("crush", {"context_window": 32_000}, ""),
        ("langchain.summarization", {}, ""),
        ("langchain.summarization", {"trigger": "tokens:8000"}, ""),
        ("langchain.summarization", {"trigger": "messages:9,fraction:0.8"}, "window"),
        ("langchain.summarization", {"trigger": "tokens:8000", "keep": "fraction:0.3"}, "window"),
        ("langchain.summarization", {"trigger": "fraction:0.8", "window": 32_000}, ""),
    ],
)
def test_the_parameter_that_has_to_be_set(name: str, settings: dict[str, object], needed: str) -> None:
    """Where it is set nothing is needed, nor where only a fraction would need it and none is given."""
    assert window_needed(policy(name, **settings)) == needed
