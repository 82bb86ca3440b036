"""Roo Code's condense, worked by hand: windows of 1,000 tokens with replies of 100, so that it acts above 800."""

from typing import Any

import pytest

from core import Message, Policy, compact, policy, simulate
from core.model.session import Session
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

HEAD = "## Conversation Summary\n"


def roo(**settings: Any) -> Policy:
    """The policy for a model of 1,000 tokens and replies of 100."""
    return policy("roo.condense", **{"contextWindow": 1000, "maxTokens": 100, **settings})


def summary(tokens: int) -> Message:
    """A summary of an earlier pass."""
    return Message(id="S", role="user", content=(HEAD + "." * 4 * tokens)[: 4 * tokens], injected="summary")


FULL = window("s0 u100 a300(c1) t350(c1) a40 u30")


def test_everything_goes_into_one_user_message():
    """At 820 tokens of 800 all goes, the message just typed too, and the summary stands alone behind the system prompt."""
    asked = RecordingSummarizer("all of it")
    found = compact(FULL, roo(), meter=BY_HAND, summarizer=asked)
    assert (found.status, shown(found.after)) == ("compacted", "s1 S")
    assert found.reason == "820 tokens > 800"
    assert (found.after[1].role, found.after[1].content) == ("user", f"{HEAD}all of it")
    assert asked.given == [("u1 a1 t1 a2 u2", None)]


def test_what_is_allowed_is_exceeded_but_the_percentage_only_reached():
    """800 tokens of 800 allowed are none too many; 700 of 70 % are, and 699 are not."""
    assert compact(window("u400 u400"), roo(), meter=BY_HAND).status == "not_triggered"
    assert compact(window("u400 u401"), roo(), meter=BY_HAND, summarizer=says("x")).reason == "801 tokens > 800"
    early = roo(autoCondenseContextPercent=70)
    assert compact(window("u350 u350"), early, meter=BY_HAND, summarizer=says("x")).reason == "700 tokens ≥ 700"
    assert compact(window("u350 u349"), early, meter=BY_HAND).status == "not_triggered"


def test_without_a_known_reply_8192_tokens_are_kept_free():
    """A longest reply of 0 is none that is known: of 20,000 tokens 9,808 may be used."""
    assert roo(contextWindow=20_000, maxTokens=0).ceiling == 9_808


def test_an_earlier_summary_is_folded_like_any_message():
    """The next pass gives the summarizer the earlier summary as a message, and the new one takes its place."""
    asked = RecordingSummarizer()
    found = compact([summary(200), *window("a500 u150")], roo(), meter=BY_HAND, summarizer=asked)
    assert shown(found.after) == "S"
    assert asked.given == [("S a1 u1", None)]


@pytest.mark.parametrize("summarizer", [broken, says(""), says(" \n\t")])
def test_where_no_summary_comes_the_older_half_is_hidden(summarizer):
    """Of four messages behind the first two go, a mark stands in front of what stays; the reason says what failed."""
    found = compact(FULL, roo(), meter=BY_HAND, summarizer=summarizer)
    assert (found.status, shown(found.after)) == ("compacted", "s1 u1 M a2 u2")
    assert found.after[2].content == "[Sliding window truncation: 2 messages hidden to reduce context]"
    assert (found.removed, found.summary, found.tiers) == (("a1", "t1"), None, ("truncation",))
    assert found.reason.startswith("820 tokens > 800; the summarizer failed: ")


def test_the_half_that_is_hidden_may_part_a_call_from_its_result():
    """Two of five go, and a result stays whose call is gone."""
    found = compact(window("u100 a100 a300(c1) t300(c1) a40 u30"), roo(), meter=BY_HAND, summarizer=broken)
    assert shown(found.after) == "u1 M t1 a3 u2"


def test_an_odd_half_is_made_even():
    """Of six messages behind the first, three are half: two go."""
    found = compact(window("u100 a100 u100 a100 u100 a300 u30"), roo(), meter=BY_HAND, summarizer=broken)
    assert shown(found.after) == "u1 M a2 u3 a3 u4"


def test_the_second_half_that_is_hidden_leaves_the_first_mark_where_it_is():
    """Marks gather behind the first message, the newer ones behind the older."""
    first = compact(FULL, roo(), meter=BY_HAND, summarizer=broken)
    more = [*first.after, *window("a400 a400")[:2]]
    second = compact(more, roo(), meter=BY_HAND, summarizer=broken)
    assert [m.content for m in second.after if m.injected == "marker"] == [
        "[Sliding window truncation: 2 messages hidden to reduce context]"
    ] * 2
    assert shown(second.after) == "s1 u1 M M a1 a2"


def test_with_the_percentage_alone_a_failure_changes_nothing():
    """Below what is allowed nothing is hidden: the pass has failed."""
    found = compact(window("u350 a350"), roo(autoCondenseContextPercent=70), meter=BY_HAND, summarizer=broken)
    assert (found.status, shown(found.after)) == ("failed", "u1 a1")
    assert "no answer in 30 s" in found.reason


def test_one_new_message_behind_a_summary_is_too_little_to_condense():
    """With a summary and one message only the fallback is left, which finds no even number of messages to hide."""
    found = compact([summary(850), *window("a10")], roo(), meter=BY_HAND, summarizer=says("x"))
    assert (found.status, shown(found.after)) == ("nothing_to_do", "S a1")
    assert compact([summary(850), *window("a10 u10")], roo(), meter=BY_HAND, summarizer=says("x")).acted


def test_a_summary_longer_than_what_it_replaces_is_taken():
    """Nothing compares the two: the window is larger, and the status says so."""
    found = compact(FULL, roo(), meter=BY_HAND, summarizer=says("x" * 4000))
    assert (found.status, shown(found.after)) == ("inflated", "s1 S")


def test_switched_off_it_only_hides():
    """Without autoCondenseContext no summary is asked for; above what is allowed the older half is hidden."""
    asked = RecordingSummarizer()
    found = compact(FULL, roo(autoCondenseContext=False), meter=BY_HAND, summarizer=asked)
    assert (shown(found.after), asked.given, found.tiers) == ("s1 u1 M a2 u2", [], ("truncation",))
    at_limit = compact(window("u400 u400"), roo(autoCondenseContext=False), meter=BY_HAND)
    assert at_limit.status == "not_triggered"
    low = roo(autoCondenseContext=False, autoCondenseContextPercent=5)
    assert compact(window("u400 u400"), low, meter=BY_HAND).status == "not_triggered"


def long_talk() -> Session:
    """Forty turns of 200 tokens each."""
    return as_session(window(" ".join(["u100 a100"] * 40)))


def test_passes_follow_each_other():
    """A window over 800 tokens is folded to the summary, nine times over, each time with the summary before."""
    trace = simulate(long_talk(), roo(), meter=BY_HAND, summarizer=says("x" * 40))
    first, second = trace.compactions[:2]
    assert (first.at, shown(first.after)) == (9, "S")
    assert (second.at, second.folded) == (17, 9)
    assert len(trace.compactions) == 9


def test_halves_are_hidden_one_after_the_other():
    """Where every summary fails the first message stays to the end, and there are more than five passes."""
    trace = simulate(long_talk(), roo(), meter=BY_HAND, summarizer=broken)
    assert len(trace.compactions) > 5
    assert all(c.after[0].id == "u1" and c.summary is None for c in trace.compactions)
    assert trace.failed == ()


def test_the_results_of_one_reply_are_one_message():
    """Of four behind the first two go: the reply with three calls, and all its results."""
    text = window("u100 a100(c1,c2,c3) t200(c1) t200(c2) t200(c3) a100 u30")
    found = compact(text, roo(), meter=BY_HAND, summarizer=broken)
    assert shown(found.after) == "u1 M a2 u2"
    assert found.after[1].content == "[Sliding window truncation: 2 messages hidden to reduce context]"
