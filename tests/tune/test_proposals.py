"""Ranges proposed from the sizes of sessions: round values, with the reason."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import policies, policy
from core.tune.proposals import MOST_VALUES, propose, spread_over, swept_first
from core.tune.sizes import SessionSize

SIZES = [
    SessionSize(messages=n, tokens=t, turns=6, results=n // 3, pinned=2_000)
    for n, t in ((145, 91_000), (330, 161_000), (483, 260_000))
]
sizes = st.lists(
    st.builds(
        SessionSize,
        messages=st.integers(0, 5000),
        tokens=st.integers(0, 4_000_000),
        turns=st.integers(0, 200),
        results=st.integers(0, 3000),
        pinned=st.integers(0, 30_000),
        window=st.sampled_from((0, 8_192, 200_000)),
    ),
    max_size=6,
)


def test_what_is_proposed_for_the_memory_of_agentkit() -> None:
    """Its budget and what it keeps, from an eighth of the median session to the largest one."""
    budget, keep = propose(policy("agentkit.memory"), SIZES)
    assert budget.values == ("25000", "30000", "50000", "60000", "100000", "120000", "200000", "250000")
    assert budget.why == (
        "From an eighth of the median session (161k tokens) to the largest (260k): above that, nothing is compacted."
    )
    assert keep.values == ("4", "6", "8", "12", "16", "24", "32", "48")
    assert keep.why == "Up to 48 of the median session's 330 messages."


def test_a_range_of_one_session_is_told_of_that_session() -> None:
    """It is no median, and one message is not several."""
    one = SessionSize(messages=5, tokens=8_000, turns=1, results=0, pinned=0)
    budget, keep = propose(policy("agentkit.memory"), [one])
    assert budget.why == "From an eighth of the session (8,000 tokens) to all of it: above that, nothing is compacted."
    assert keep.why == "Up to a fifth of the session's 5 messages."
    long = one.model_copy(update={"messages": 483, "added": 10})
    budget, keep = propose(policy("agentkit.memory"), [long])
    said = "From an eighth of the session (8,000 tokens without recorded summaries) to all of it"
    assert budget.why == f"{said}: above that, nothing is compacted."
    assert (keep.values[-1], keep.why) == ("48", "Up to 48 of the session's 483 messages.")
    window, *_ = propose(policy("claude_code.auto"), [long])
    assert (window.parameter, window.why) == ("window", f"{said}."), "it acts before its window is full"
    _, turns, *_ = propose(policy("minimal_agent.rolling"), [one])
    assert turns.why == "Up to a fifth of the session's 1 turn."


@pytest.mark.parametrize(
    ("windows", "last", "why"),
    [
        (
            (200_000,) * 3,
            "200000",
            "an eighth of the median session (161k tokens) to the largest context window of their models (200k)",
        ),
        (
            (100_000, 128_000, 32_000),
            "120000",
            "an eighth of the largest context window of their models (128k) to all of it",
        ),
        (
            (200_000, 0, 200_000),
            "250000",
            "an eighth of the median session (161k tokens) to the largest (260k): above that, nothing is compacted",
        ),
        (
            (400_000,) * 3,
            "250000",
            "an eighth of the median session (161k tokens) to the largest (260k): above that, nothing is compacted",
        ),
    ],
)
def test_no_limit_is_proposed_that_no_model_can_have(windows: tuple[int, ...], last: str, why: str) -> None:
    """Where the context window of every model is known: of a longer session the rest is not in any window."""
    sizes = [one.model_copy(update={"window": window}) for one, window in zip(SIZES, windows, strict=True)]
    for name in ("agentkit.memory", "claude_code.auto"):
        limit, *_ = propose(policy(name), sizes)
        assert limit.values[-1] == last
        assert limit.stops[-1] == "500000", "who wants more can have it"
    assert propose(policy("agentkit.memory"), sizes)[0].why == f"From {why}."


def test_a_session_longer_than_its_context_window_ends_a_range_there() -> None:
    """Of one session the model is one."""
    one = SIZES[2].model_copy(update={"window": 200_000})
    window, *_ = propose(policy("claude_code.auto"), [one])
    assert window.why == "From an eighth of its model's context window (200k) to all of it."
    assert (window.values[0], window.values[-1]) == ("25000", "200000")


def test_sizes_and_thresholds_are_written_as_their_parameter_takes_them() -> None:
    """The trigger of LangChain's middleware is one of tokens here; what it keeps stays in messages."""
    trigger, keep, *_ = propose(policy("langchain.summarization"), SIZES)
    assert trigger.stops[trigger.low] == "tokens:25000"
    assert keep.parameter == "keep"
    assert keep.values[0] == "messages:4"


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("agentkit.memory", ["budget", "keep_recent"]),
        ("minimal_agent.rolling", ["max_input_tokens", "keep_recent_turns"]),
        ("pi.compaction", ["contextWindow", "keepRecentTokens"]),
        ("anthropic.clear_tool_uses", ["trigger", "keep"]),
        ("swe_agent.last_n", ["n", "polling"]),
        ("minimal_agent.compact", []),
    ],
)
def test_what_is_swept_first(name: str, first: list[str]) -> None:
    """The limit, and what is kept."""
    assert swept_first(policy(name)) == first


@pytest.mark.parametrize("name", [known.name for known in policies()])
@given(listed=sizes)
def test_every_proposal_is_something_the_policy_takes(name: str, listed: list[SessionSize]) -> None:
    """For sessions of any size: each stop makes a policy, in rising order, within the places that are proposed."""
    for found in propose(policy(name), listed):
        assert 0 <= found.low <= found.high < len(found.stops)
        assert 1 <= len(found.values) <= max(MOST_VALUES, 1)
        assert list(found.amounts) == sorted(set(found.amounts))
        parameter = next(p for p in policy(name).parameters if p.name == found.parameter)
        for text in (found.stops[0], found.stops[found.low], found.stops[found.high], found.stops[-1]):
            parameter.check(text)
        assert found.why.endswith((".", "takes"))


@given(st.integers(0, 30), st.integers(0, 60), st.integers(2, 9))
def test_values_are_spread_from_one_end_to_the_other(low: int, more: int, most: int) -> None:
    """Both ends are among them, none twice, no gap twice as wide as another but for rounding."""
    found = spread_over(low, low + more, most)
    assert (found[0], found[-1]) == (low, low + more)
    assert len(found) == len(set(found)) == min(most, more + 1)
    gaps = [b - a for a, b in pairwise(found)]
    assert not gaps or max(gaps) - min(gaps) <= 1
