"""A summary beside what it replaces: one that is no smaller has inflated the window."""

import pytest

from core import compact, policy
from tests.policies.by_hand import BY_HAND, says, window

FRAME = len("[summary #1 of 1 earlier messages]\n")  # what agentkit puts in front of a summary


@pytest.mark.parametrize(("tokens", "status"), [(39, "compacted"), (40, "inflated"), (41, "inflated")])
def test_a_summary_as_large_as_what_it_replaces_inflates(tokens: int, status: str) -> None:
    """One message of 40 tokens goes: a summary of 39 makes the window smaller, one of 40 does not."""
    rule = policy("agentkit.memory", budget=79, keep_recent=1)
    found = compact(window("u40 a40"), rule, meter=BY_HAND, summarizer=says("x" * (4 * tokens - FRAME)))
    assert (found.status, found.acted) == (status, True)
    assert (found.tokens_before, found.tokens_after) == (80, 40 + tokens)


@pytest.mark.parametrize(("tokens", "acted"), [(119, True), (120, True), (121, False)])
def test_gemini_refuses_only_a_summary_that_is_larger(tokens: int, acted: bool) -> None:
    """gemini_cli.compression keeps the window where the summary, for 120 tokens, is larger, not where it is equal."""
    rule = policy("gemini_cli.compression", window=200, COMPRESSION_PRESERVE_THRESHOLD=0.3)
    reply = len("Got it. Thanks for the additional context!")
    text = "x" * (4 * (tokens - -(-reply // 4)))
    found = compact(window("s60 u20 a20 u40 a40"), rule, meter=BY_HAND, summarizer=says(text))
    assert found.acted == acted
    assert found.status == ("inflated" if tokens >= 120 else "still_over_budget")
