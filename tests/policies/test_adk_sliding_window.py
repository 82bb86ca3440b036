"""Google ADK's sliding window, worked by hand: a turn is an invocation."""

import pytest

from core import Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window


def sliding(interval: int = 2, overlap: int = 1) -> Policy:
    """After so many turns, reading so many again."""
    return policy("adk.sliding_window", compaction_interval=interval, overlap_size=overlap)


def test_everything_since_goes_and_summaries_stack() -> None:
    """Every second turn one more summary stands behind the others; each reads one earlier turn again, and no summary."""
    asked = RecordingSummarizer()
    trace = simulate(as_session(window("s1 " + "u10 a10 " * 6)), sliding(), meter=BY_HAND, summarizer=asked)
    assert [shown(c.after) for c in trace.compactions] == ["s1 S", "s1 S S", "s1 S S S"]
    assert [given for given, _ in asked.given] == ["u1 a1 u2 a2", "u2 a2 u3 a3 u4 a4", "u4 a4 u5 a5 u6 a6"]
    assert {c.summary for c in trace.compactions}
    assert trace.compactions[0].after[1].role == "assistant"


def test_without_overlap_nothing_is_read_twice() -> None:
    """The summaries stand for two turns each."""
    asked = RecordingSummarizer()
    simulate(as_session(window("u10 a10 " * 4)), sliding(overlap=0), meter=BY_HAND, summarizer=asked)
    assert [given for given, _ in asked.given] == ["u1 a1 u2 a2", "u3 a3 u4 a4"]


def test_one_turn_is_not_enough() -> None:
    """With one turn of two nothing is due."""
    assert compact(window("u1 a1"), sliding(), meter=BY_HAND).status == "not_triggered"


def test_a_call_that_waits_in_the_newest_turn_stays() -> None:
    """What stands before it goes."""
    text = window("u10 a10 u10 a10(c1)")
    assert shown(compact(text, sliding(overlap=0), meter=BY_HAND, summarizer=says("")).after) == "S a2"


def test_a_call_that_is_never_answered_does_not_stop_it() -> None:
    """It waits in an earlier turn, where nobody will answer it: everything goes."""
    text = window("u10 a10(c1) u10 a10")
    assert shown(compact(text, sliding(), meter=BY_HAND, summarizer=says("")).after) == "S"


def test_a_long_summary_keeps_what_is_shorter() -> None:
    """After a summary of 50 tokens two turns of 40 are left; with the next they are 60, and go."""
    trace = simulate(
        as_session(window("u30 a30 " + "u10 a10 " * 5)), sliding(), meter=BY_HAND, summarizer=says("x" * 200)
    )
    assert [c.at for c in trace.compactions] == [4, 10]
    assert shown(trace.compactions[1].after) == "S S"


@pytest.mark.parametrize(("text", "status"), [("", "compacted"), (" ", "compacted"), ("x" * 999, "inflated")])
def test_any_text_is_accepted(text: str, status: str) -> None:
    """An empty summary stands for the turns all the same, and so does one longer than they were."""
    found = compact(window("u10 a10 u10 a10"), sliding(), meter=BY_HAND, summarizer=says(text))
    assert (found.status, shown(found.after), found.after[0].content) == (status, "S", text)


def test_a_failure_changes_nothing() -> None:
    """It is tried again at the end of the next turn."""
    text = window("u10 a10 u10 a10")
    found = compact(text, sliding(), meter=BY_HAND, summarizer=broken)
    assert (found.status, found.after) == ("failed", text)


def test_five_in_a_row() -> None:
    """Ten turns make five summaries."""
    trace = simulate(as_session(window("u10 a10 " * 10)), sliding(), meter=BY_HAND, summarizer=RecordingSummarizer())
    assert [c.at for c in trace.compactions] == [4, 8, 12, 16, 20]
    assert shown(trace.compactions[-1].after) == "S S S S S"
