"""The sentence that a sweep recommends in: with its spread, or with why there is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tune.recommendation import Outcome, Part, none_within, recommendation, refusal

FOUR = [
    Outcome(cost=6, cost_before=10, miss_rate=0.02, miss_rate_before=0.0),
    Outcome(cost=5, cost_before=4, miss_rate=0.08, miss_rate_before=0.09),
    Outcome(cost=3, cost_before=6, miss_rate=None, miss_rate_before=None),
    Outcome(cost=4, cost_before=4, miss_rate=0.05, miss_rate_before=0.01),
]


def said(parts: list[Part]) -> str:
    """The sentence as text."""
    return "".join(part.text for part in parts)


def test_the_sentence_has_the_median_the_spread_and_what_gets_worse() -> None:
    """18 dollars against 24: a quarter less. Of three rates 2, 5 and 8 %: p10 is 2.6, p90 is 7.4."""
    parts = recommendation("Budget 80,000, keep 12", 0.049, FOUR)
    assert said(parts) == (
        "Budget 80,000, keep 12: 25 % cheaper than as recorded; misses 4.9 % (median 5 %, p10–p90 2.6–7.4 %) "
        "over 4 sessions; misses more in 2, costs more in 1."
    )
    assert ("25 % cheaper", "better") in parts
    assert said(recommendation("A", 0.05, FOUR, so_far=True)).startswith("So far: A: ")


def test_without_prices_it_counts_tokens() -> None:
    """Nothing is called cheaper where nobody knows a price."""
    text = said(recommendation("A", 0.05, FOUR, money=False))
    assert "25 % fewer tokens sent than as recorded" in text
    assert "sends more in 1" in text
    dearer = [one._replace(cost=one.cost_before, cost_before=one.cost) for one in FOUR]
    assert ("33 % dearer", "worse") in recommendation("A", 0.05, dearer)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (1, "One session is no basis for a default. Choose 3 or more for a recommendation."),
        (2, "Two sessions are no basis for a default. Choose 3 or more for a recommendation."),
    ],
)
def test_fewer_than_three_sessions_are_refused(count: int, text: str) -> None:
    """Whatever they say."""
    assert said(recommendation("A", 0.0, FOUR[:count])) == said(refusal(count)) == text


def test_no_setting_within_the_limit() -> None:
    """Which one comes closest is said."""
    assert said(none_within(0.05, "160k/48", 0.0612)) == (
        "No setting stays within 5 %. The lowest is 6.1 %, at 160k/48."
    )


outcomes = st.lists(
    st.builds(Outcome, *[st.floats(0.01, 100)] * 2, *[st.none() | st.floats(0, 1)] * 2), min_size=3, max_size=30
).filter(lambda listed: any(one.miss_rate is not None for one in listed))


@given(outcomes)
def test_a_recommendation_is_never_one_number_alone(listed: list[Outcome]) -> None:
    """Each holds the spread, the number of sessions, and how many come off worse."""
    text = said(recommendation("A", 0.05, listed))
    assert "p10–p90" in text
    assert "median" in text
    assert f"over {len(listed)} sessions; misses more in " in text
    assert "costs more in" in text
