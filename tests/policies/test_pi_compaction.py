"""pi.compaction and pi.compaction_2025: the newest tokens stay, from a place that parts no call from its result."""

import pytest

from core import Message, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

RULES = policy("pi.compaction", keepRecentTokens=100)
OLD = policy("pi.compaction_2025", keepRecentTokens=100)
HEADER = "The conversation history before this point was compacted into the following summary:\n\n<summary>\n"


def after(text: str, rules: object = RULES, summary: str = "sum") -> str:
    """What is left of a window."""
    found = compact(window(text), rules, meter=BY_HAND, summarizer=says(summary), force=True)  # type: ignore[arg-type]
    return shown(found.after)


def test_the_tail_begins_where_the_tokens_are_reached() -> None:
    """30 + 10 + 50 are 90; the next message reaches 100 and is the first that stays. The system message is pinned."""
    assert after("s9 u30 a40 u20 a50 u10 a30") == "s1 S u2 a2 u3 a3"


def test_the_tokens_reached_exactly_are_enough() -> None:
    """A tail of exactly 100 tokens goes no further back."""
    assert after("u30 a40 u60 a40") == "S u2 a2"


def test_a_result_that_reaches_them_is_left_out_and_the_turn_is_split() -> None:
    """Past the result the cut falls on the next reply; the turn's beginning is summarized under its own heading."""
    given = window("u30 a10(c1) t80(c1) a10(c2) t20(c2) a5")
    asked = RecordingSummarizer()
    found = compact(given, RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert shown(found.after) == "S a2 t2 a3"
    assert asked.given == [("u1 a1 t1", None)]
    assert (
        found.after[0].content
        == HEADER + "No prior history.\n\n---\n\n**Turn Context (split turn):**\n\nsum\n</summary>"
    )


def test_a_split_turn_with_a_history_is_summarised_in_two_calls() -> None:
    """The history in front of the turn goes with the earlier summary, the turn's beginning without it."""
    asked = RecordingSummarizer()
    first = compact(window("u30 a40 u60 a40"), RULES, meter=BY_HAND, summarizer=asked, force=True)
    more = [m.model_copy(update={"id": m.id + "b"}) for m in window("u7 a10 a110")]
    found = compact([*first.after, *more], RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert shown(found.after) == "S a2b"
    assert asked.given[1:] == [("u2 a2", "sum"), ("u1b a1b", None)]


def test_results_at_the_very_end_keep_their_call() -> None:
    """Where nothing but results follows, the cut goes back to the call."""
    assert after("u10 a5(c1,c2) t300(c1) t500(c2)") == "S a1 t1 t2"


def test_a_window_that_fits_is_left_alone() -> None:
    """35 tokens never reach 100: there is nothing to do, also behind an earlier summary, which is not folded alone."""
    found = compact(window("u10 a20 u5"), RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert found.status == "nothing_to_do"
    once = compact(window("u30 a40 u60 a40"), RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    again = compact(once.after[:2], RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert again.status == "nothing_to_do"


def test_the_earlier_summary_is_given_apart_and_replaced() -> None:
    """The next pass is given the earlier summary's own words, without what stands around them."""
    asked = RecordingSummarizer("new")
    once = compact(window("u30 a40 u60 a40"), RULES, meter=BY_HAND, summarizer=says("old\nwords"), force=True)
    more = [m.model_copy(update={"id": m.id + "b"}) for m in window("u90 a10")]
    found = compact([*once.after, *more], RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert shown(found.after) == "S u1b a1b"
    assert asked.given == [("u2 a2", "old\nwords")]


def test_it_acts_above_the_window_less_the_reserve() -> None:
    """Of 1,000 tokens with 100 in reserve 900 are not enough and 901 are."""
    rules = policy("pi.compaction", keepRecentTokens=100, reserveTokens=100, contextWindow=1000)
    given = {
        n: compact(window(f"u400 a{n - 400}"), rules, meter=BY_HAND, summarizer=says("sum")).status for n in (900, 901)
    }
    assert given == {900: "not_triggered", 901: "compacted"}


def test_a_summarizer_that_fails_leaves_the_window() -> None:
    """An error changes nothing; an empty summary and white space are accepted, and so is one that is too long."""
    given = window("u30 a40 u60 a40")
    failed = compact(given, RULES, meter=BY_HAND, summarizer=broken, force=True)
    assert (failed.status, failed.after) == ("failed", given)
    for text, status in (("", "compacted"), ("\n ", "compacted"), ("x" * 999, "inflated")):
        found = compact(given, RULES, meter=BY_HAND, summarizer=says(text), force=True)
        assert (found.status, found.after[0].content) == (status, f"{HEADER}{text}\n</summary>")


@pytest.mark.parametrize("name", ["pi.compaction", "pi.compaction_2025"])
def test_one_compaction_after_another(name: str) -> None:
    """Over forty turns it acts when a turn is over; each summary replaces the last, and calls keep their results."""
    turn = "u40 a10(c{0}) t60(c{0}) a30 "
    session = as_session(window("s10 " + "".join(turn.format(i) for i in range(40))))
    rules = policy(name, keepRecentTokens=200, reserveTokens=400, contextWindow=1000)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    assert all(trace.messages[c.at - 1].role == "assistant" for c in trace.compactions)
    assert all(shown(c.after).count("S") == 1 for c in trace.compactions)
    assert all(c.after[2].role in ("user", "assistant") for c in trace.compactions)


def test_the_rule_of_2025_goes_back_to_a_user_message() -> None:
    """The reply at which the tokens are reached stays with the request it answers: no turn is split."""
    assert after("u30 a40 u20 a50 u10 a30", OLD) == "S u2 a2 u3 a3"
    assert after("u30 a40 u20 a5(c1) t90(c1) a40", OLD) == "S u2 a2 t1 a3"
    assert after("u30 a10(c1) t80(c1) a10(c2) t20(c2) a5", OLD) == "u1 a1 t1 a2 t2 a3"


def test_the_rule_of_2025_keeps_all_where_no_reply_stands_before() -> None:
    """Tokens that are reached before the first reply are no growth between two replies: everything stays."""
    assert after("u200 u200 a50", OLD) == "u1 u2 a1"


def test_the_rule_of_2025_has_no_heading_for_a_turn() -> None:
    """It asks once, for everything that goes."""
    asked = RecordingSummarizer()
    found = compact(window("u30 a40 u20 a50 u10 a30"), OLD, meter=BY_HAND, summarizer=asked, force=True)
    assert asked.given == [("u1 a1", None)]
    assert found.after[0].content == HEADER + "sum\n</summary>"


def test_system_messages_in_the_midst_stay() -> None:
    """What a system message says is state, not conversation: it stays, behind the summary."""
    given = [*window("u30 a40"), Message(id="s9", role="system", content="be brief"), *window("s1 u60 a40")[1:]]
    given[-2:] = [m.model_copy(update={"id": m.id + "b"}) for m in given[-2:]]
    found = compact(given, RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "S s9 u1b a1b"
