"""goose: everything becomes a summary and a fixed reply; the newest typed message is repeated behind them."""

import pytest

from core import compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

RULES = policy("goose")


def test_everything_is_summarised_and_the_newest_request_repeated() -> None:
    """What stays is read by the summarizer too; the system message is pinned."""
    asked = RecordingSummarizer()
    found = compact(window("s5 u10 a10 u20 a20 u30"), RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert shown(found.after) == "s1 S K u3"
    assert asked.given == [("u1 a1 u2 a2 u3", None)]
    assert [m.role for m in found.after] == ["system", "user", "assistant", "user"]
    assert found.after[1].content == "sum"


def test_in_a_tool_loop_the_request_stands_behind_the_work() -> None:
    """The newest typed message was some steps ago; it comes to stand last all the same."""
    found = compact(window("u10 a5(c) t9(c) a5(d) t9(d)"), RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "S K u1"


def test_what_a_harness_put_in_is_not_repeated() -> None:
    """Only what was typed is; where nothing was, summary and reply are all that is left."""
    found = compact(window("i10 a10 i20"), RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "S K"


def test_the_next_pass_reads_the_summary_and_its_reply() -> None:
    """An earlier summary is a message like any other."""
    asked = RecordingSummarizer()
    once = compact(window("u10 a10"), RULES, meter=BY_HAND, summarizer=asked, force=True)
    compact([*once.after, *window("a9 u9")], RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert asked.given[1] == ("S K u1 a1 u1", None)


@pytest.mark.parametrize(
    ("threshold", "tokens", "acts"), [(0.8, 800, False), (0.8, 801, True), (0, 5_000, False), (1, 5_000, False)]
)
def test_it_acts_above_the_threshold(threshold: float, tokens: int, acts: bool) -> None:
    """Of 1,000 tokens 801 are more than eight tenths, 800 are not; 0 and 1 switch it off."""
    rules = policy("goose", context_limit=1000, GOOSE_AUTO_COMPACT_THRESHOLD=threshold)
    found = compact(window(f"a{tokens - 9} u9"), rules, meter=BY_HAND, summarizer=says("sum"))
    assert (found.status != "not_triggered") == acts


def test_a_summarizer_that_fails_leaves_the_window() -> None:
    """An error changes nothing; an empty summary and white space are accepted, and so is one that is too long."""
    given = window("u10 a90 u10")
    failed = compact(given, RULES, meter=BY_HAND, summarizer=broken, force=True)
    assert (failed.status, failed.after) == ("failed", given)
    for text, status in (("", "compacted"), (" ", "compacted"), ("x" * 800, "inflated")):
        found = compact(given, RULES, meter=BY_HAND, summarizer=says(text), force=True)
        assert (found.status, found.after[0].content) == (status, text)


def test_it_looks_once_the_typed_message_is_there() -> None:
    """Over a long session it acts at the first call of a turn, never between calls."""
    turn = "u40 a10(c{0}) t160(c{0}) a30 "
    session = as_session(window("s10 " + "".join(turn.format(i) for i in range(40))))
    trace = simulate(session, policy("goose", context_limit=1000), meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    assert all(trace.messages[c.at - 1].typed for c in trace.compactions)
    assert all(shown(c.after).startswith("s1 S K u") and len(c.after) == 4 for c in trace.compactions)
