"""crush: when the window is nearly full after a step, everything becomes one message and the request is asked again."""

import pytest

from core import compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

RULES = policy("crush")
AGAIN = "The previous session was interrupted because it got too long, the initial user request was: `{}`"


def test_a_turn_that_was_cut_short_is_asked_again() -> None:
    """After tool results everything goes, and a user message quotes the request; the system message is pinned."""
    given = window("s5 u10 a5(c) t90(c) a5(d) t90(d)")
    found = compact(given, RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "s1 S A"
    assert [(m.role, m.content) for m in found.after[1:]] == [
        ("user", "sum"),
        ("user", AGAIN.format(given[1].content)),
    ]


def test_a_turn_that_is_over_is_not_asked_again() -> None:
    """After a final answer only the summary is left."""
    found = compact(window("u10 a5(c) t90(c) a50"), RULES, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "S"


def test_the_quotation_is_quoted_again() -> None:
    """Each further summary wraps what the last one wrapped; the earlier summary is read like any message."""
    asked = RecordingSummarizer()
    once = compact(window("u10 a5(c) t90(c)"), RULES, meter=BY_HAND, summarizer=asked, force=True)
    again = compact([*once.after, *window("a5(d) t90(d)")], RULES, meter=BY_HAND, summarizer=asked, force=True)
    assert asked.given == [("u1 a1 t1", None), ("S A a1 t1", None)]
    assert shown(again.after) == "S A"
    assert again.after[1].content == AGAIN.format(once.after[1].content)


@pytest.mark.parametrize(
    ("size", "tokens", "acts"),
    [
        (200_000, 159_999, False),
        (200_000, 160_000, True),
        (200_001, 180_000, False),
        (200_001, 180_001, True),
        (1_000_000, 979_999, False),
        (1_000_000, 980_000, True),
    ],
)
def test_it_acts_where_little_is_left(size: int, tokens: int, acts: bool) -> None:
    """A fifth of a context window of 200,000 tokens or less, 20,000 of a larger one."""
    rules = policy("crush", context_window=size)
    found = compact(window(f"u9 a{tokens - 9}"), rules, meter=BY_HAND, summarizer=says("sum"))
    assert (found.status != "not_triggered") == acts


def test_an_empty_window_is_left_alone() -> None:
    """Where there is nothing, nothing is done."""
    assert compact([], RULES, meter=BY_HAND, summarizer=says("sum"), force=True).status == "nothing_to_do"


def test_a_summarizer_that_fails_leaves_the_window() -> None:
    """An error changes nothing; an empty summary and white space are accepted, and so is one that is too long."""
    given = window("u10 a90")
    failed = compact(given, RULES, meter=BY_HAND, summarizer=broken, force=True)
    assert (failed.status, failed.after) == ("failed", given)
    for text, status in (("", "compacted"), (" ", "compacted"), ("x" * 800, "inflated")):
        found = compact(given, RULES, meter=BY_HAND, summarizer=says(text), force=True)
        assert (found.status, found.after[0].content) == (status, text)


def test_it_looks_after_each_step() -> None:
    """Over a long session it acts behind tool results and at the end of a turn, and asks again only in the former case."""
    turn = "u40 a10(c{0}) t360(c{0}) a30 u40 a400 u40 a400 "
    session = as_session(window("s10 " + "".join(turn.format(i) for i in range(20))))
    trace = simulate(session, policy("crush", context_window=1000), meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    ends = {(trace.messages[c.at - 1].role, shown(c.after)) for c in trace.compactions}
    assert ends == {("tool", "s1 S A"), ("assistant", "s1 S")}
