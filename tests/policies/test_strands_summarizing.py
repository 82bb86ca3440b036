"""Strands' summarizing manager, worked by hand; the golden vectors are in test_parity_strands."""

from typing import Any

import pytest

from core import Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window


def manager(**settings: Any) -> Policy:
    """A window of 100 tokens, two messages preserved."""
    return policy("strands.summarizing", **{"window": 100, "preserve_recent_messages": 2, **settings})


TEN = window("u10 a10 u10 a10(c1) t10(c1) a10 u10 a10 u10 a20")


def test_one_pass_after_an_overflow() -> None:
    """110 tokens in ten messages: 0.3 of them are three, and a call followed by its result may come first."""
    asked = RecordingSummarizer("so far")
    found = compact(TEN, manager(), meter=BY_HAND, summarizer=asked)
    assert shown(found.after) == "S a2 t1 a3 u3 a4 u4 a5"
    assert (found.after[0].role, found.after[0].content) == ("user", "so far")
    assert asked.given == [("u1 a1 u2", None)]


def test_the_next_pass_folds_the_summary_and_moves_off_the_result() -> None:
    """Of eight messages two would go, but the third is a result: three go. Of six one: the summary alone, again."""
    asked = RecordingSummarizer()
    first = compact(TEN, manager(), meter=BY_HAND, summarizer=asked, force=True)
    second = compact(first.after, manager(), meter=BY_HAND, summarizer=asked, force=True)
    third = compact(second.after, manager(), meter=BY_HAND, summarizer=asked, force=True)
    assert (shown(second.after), shown(third.after)) == ("S a3 u3 a4 u4 a5", "S a3 u3 a4 u4 a5")
    assert [given for given, _ in asked.given] == ["u1 a1 u2", "S a2 t1", "S"]


def test_it_goes_on_until_the_call_fits() -> None:
    """Summaries of 30 tokens: after the first pass 110 of 100 are left, after the second 90."""
    found = compact(TEN, manager(), meter=BY_HAND, summarizer=says("x" * 120))
    assert (shown(found.after), found.tokens_after, found.status) == ("S a3 u3 a4 u4 a5", 90, "compacted")
    assert [m.injected for m in found.added] == ["summary"]


def test_the_cut_eats_into_what_is_preserved() -> None:
    """With one of six preserved 0.8 are four; the fifth is a result, so five go."""
    text = window("u10 a10 u10 a10(c1) t10(c1) a10")
    rules = manager(summary_ratio=0.8, preserve_recent_messages=1)
    assert shown(compact(text, rules, meter=BY_HAND, summarizer=says(""), force=True).after) == "S a3"


def test_a_call_whose_result_is_not_next_is_passed() -> None:
    """The cut does not stay on a call that something else follows; at the very end it may."""
    rules = manager(summary_ratio=0.1, preserve_recent_messages=1)
    apart = window("u1 a1(c1) u1 t1(c1) a1")
    assert shown(compact(apart, rules, meter=BY_HAND, summarizer=says(""), force=True).after) == "S u2 t1 a2"
    last = window("u1 a1(c1)")
    assert shown(compact(last, rules, meter=BY_HAND, summarizer=says(""), force=True).after) == "S a1"
    results = window("u1 t1(c1) t1(c2)")
    assert compact(results, rules, meter=BY_HAND, summarizer=says(""), force=True).status == "nothing_to_do"


def test_no_more_than_is_preserved_is_nothing_to_do() -> None:
    """Two messages, one of them giant, cannot be made smaller."""
    text = window("u900 a10")
    assert compact(text, manager(), meter=BY_HAND, summarizer=says("x")).status == "nothing_to_do"


def test_before_it_overflows_if_it_is_asked_to() -> None:
    """At 0.7 of the window, 70 of 100 tokens, it makes one pass; without the threshold it waits for 101."""
    text = window("u10 a10 u10 a10 u10 a10 u10")
    assert compact(text, manager(), meter=BY_HAND, summarizer=says("x")).status == "not_triggered"
    found = compact(text, manager(compression_threshold=0.7), meter=BY_HAND, summarizer=says("x"))
    assert (shown(found.after), found.tiers) == ("S u2 a2 u3 a3 u4", ("proactive",))
    assert compact(text[:6], manager(compression_threshold=0.7), meter=BY_HAND).status == "not_triggered"


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_summary_is_accepted(text: str) -> None:
    """White space goes in as it is."""
    assert compact(TEN, manager(), meter=BY_HAND, summarizer=says(text)).after[0].content == text


def test_a_summary_longer_than_what_it_replaces_is_accepted() -> None:
    """It grows: ten passes, each with a summary of 50 tokens, end where nothing more can go."""
    found = compact(TEN, manager(), meter=BY_HAND, summarizer=says("x" * 4000))
    assert found.status == "inflated"


def test_a_failure_ends_the_run() -> None:
    """After an overflow an error changes nothing, and the run ends."""
    found = compact(TEN, manager(), meter=BY_HAND, summarizer=broken)
    assert (found.status, found.after) == ("failed", TEN)
    assert found.reason.endswith("no answer in 30 s and the run ends")


def test_five_in_a_row() -> None:
    """Over forty messages of ten tokens, each overflow is met before the next call."""
    trace = simulate(as_session(window("u10 a10 " * 20)), manager(), meter=BY_HAND, summarizer=RecordingSummarizer())
    assert len(trace.compactions) >= 5
    assert all(c.tokens_after <= 100 for c in trace.compactions)
    assert (trace.compactions[0].at, shown(trace.compactions[0].after)) == (11, "S a2 u3 a3 u4 a4 u5 a5 u6")


def test_the_results_of_one_reply_are_one_message() -> None:
    """Six messages of Strands, nine of ours: half of them are three, and the cut moves on behind all results of the reply."""
    text = window("u1 a1(c1,c2,c3,c4) t1(c1) t1(c2) t1(c3) t1(c4) a1 u1 a1")
    rules = manager(summary_ratio=0.5)
    assert shown(compact(text, rules, meter=BY_HAND, summarizer=says(""), force=True).after) == "S a2 u2 a3"
    four = manager(summary_ratio=0.5, preserve_recent_messages=4)
    assert shown(compact(text, four, meter=BY_HAND, summarizer=says(""), force=True).after) == "S a2 u2 a3"
