"""Lesson 5: when a compaction has paid."""

from math import ceil

import pytest

from core.lessons import break_even, lesson
from core.lessons.break_even import PRICES, Bill, cached_at
from core.lessons.run import Yours
from core.lessons.show import Row, Tried, checked, shown
from core.measure.cost import Prices
from core.trace.trace import as_session
from tests.lessons.attempts import answer, step, tried
from tests.support import assistant, user

FIRST = Bill(before=16_258, after=2_011, warm=54, read=14_972, wrote=725)


def at_price(cached: float | None) -> Row:
    """What the check says of a cached price."""
    return checked(lesson(5), 4, Tried(cached=cached))


def test_the_bill_of_the_lesson_worked_out_by_hand() -> None:
    """A summary of 587 tokens, as when the lesson was written: 14 calls, 5 with a shared prefix, 2 without a cheap cache."""
    bill = Bill(before=16_258, after=1_873, warm=54, read=14_972, wrote=587)
    assert (bill.calls(), bill.calls(shared=True)) == (14, 5)
    assert bill.calls(cached_at(1.0)) == 2
    assert bill.calls(Prices(input=1.0, read=1.0, write=1.0, output=5.0)) == 2
    assert bill.break_even() == pytest.approx((14_972 + 5 * 587 + 1_819 * 1.15) / 1_438.5)


def test_what_frees_nothing_never_pays() -> None:
    """Nor does what frees tokens that cost nothing."""
    assert Bill(before=100, after=100, warm=0, read=50, wrote=50).calls() is None
    assert FIRST.calls(cached_at(0.0)) is None


def test_only_the_system_message_stays_warm() -> None:
    """54 of the 2,011 tokens that the engine leaves today."""
    found = step(5, 2)
    assert (found["caption"], found["ask"]["answer"]) == (
        "The compaction takes the window from ~16,258 to ~2,011 tokens.",
        54,
    )
    after = found["figures"]["bars"][1]
    assert (after["name"], after["warm"], after["cold"]) == ("after", 54, 1_957)


def test_the_first_compaction_pays_after_fifteen_calls() -> None:
    """With a summarizer whose cache is cold; six where it shares the agent's; 23 follow."""
    assert answer(5, 3) == FIRST.calls() == ceil((14_972 + 5 * 725 + 1_957 * 1.15) / 1_424.7) == 15
    assert step(5, 3)["ask"]["because"].startswith("It would be 6 if")
    assert step(5, 3)["ask"]["because"].endswith("23 calls follow.")
    assert "costs 0.1 of a fresh one, one put into the cache 1.25, one that is written 5." in step(5, 3)["caption"]


def test_a_dearer_cache_makes_it_pay_sooner() -> None:
    """Five calls at 0.3, two at the full price."""
    assert at_price(None)["missing"] == ["At 0.1 of the fresh price it takes 15 calls; 5 are asked for."]
    assert not at_price(0.2)["passed"]
    assert (at_price(0.3)["passed"], at_price(0.3)["figures"]["pays"][0]["calls"]) == (True, 5)
    assert at_price(1.0)["figures"]["pays"][0]["calls"] == 2


@pytest.mark.parametrize(
    ("budget", "kept", "missing"),
    [
        (16_000, 8, ["Compactions that pay: 1 of 3."]),
        (20_000, 4, []),
        (6_000, 4, ["Compactions that pay: 0 of 11."]),
        (40_000, 8, ["Compactions so far: 1. One is not enough.", "Compactions that pay: 0 of 1."]),
    ],
)
def test_every_compaction_has_to_pay(budget: int, kept: int, missing: list[str]) -> None:
    """20,000 with 4 passes; small windows never earn their summaries."""
    found = tried(5, 5, budget=budget, keep_recent=kept)
    assert (found["passed"], found["missing"]) == (not missing, missing)


def test_other_prices_change_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captions follow the example of prices."""
    monkeypatch.setattr("core.lessons.cache_bill.PRICES", Prices(1.0, 0.5, 1.0, 4.0))
    assert "costs 0.5 of a fresh one, one put into the cache 1, one that is written 4." in step(5, 3)["caption"]
    assert break_even.PRICES == PRICES


def test_a_session_whose_window_never_shrinks_says_so() -> None:
    """There is nothing to pay."""
    small = as_session([user("Hello."), assistant("Hi.")])
    found = shown(lesson(5), 6, Yours("path:/x", small, "agentkit", lambda name: {"budget": 1000}))
    assert found["empty"].startswith("In this session, of 2 messages, no compaction frees anything")


def test_tokens_that_are_estimated_are_marked_in_the_last_step() -> None:
    """As everywhere in the app: nobody knows the model of the sample."""
    assert "first simulated compaction: ~16,258 to ~2,011 tokens, ~54 of them still warm." in step(5, 6)["caption"]


def test_the_parts_of_a_bar_are_the_regions_of_the_window() -> None:
    """Warm from the front on; together what the bar says."""
    before, after = step(5, 2)["figures"]["bars"]
    assert after["parts"] == [
        {"region": "system", "tokens": 54, "warm": True},
        {"region": "summary", "tokens": 725, "warm": False},
        {"region": "recent", "tokens": 1232, "warm": False},
    ]
    for bar in (before, after, *step(5, 1)["figures"]["bars"]):
        for warm, tokens in ((True, bar["warm"]), (False, bar["cold"])):
            assert sum(part["tokens"] for part in bar["parts"] if part["warm"] is warm) == tokens
