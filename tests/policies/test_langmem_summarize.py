"""langmem.summarize: windows worked out by hand from the rules of the library."""

from typing import Any

import pytest

from core import Compaction, compact, policy, simulate
from core.model.session import Message
from core.summaries.summarizers import Summarizer
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

SETTINGS = {"max_tokens": 100, "max_tokens_before_summary": 60, "max_summary_tokens": 20}  # the rest may count 80


def done(text: str | list[Message], summarizer: Summarizer | None = None, **settings: Any) -> Compaction:
    """What the policy does to a window."""
    messages = window(text) if isinstance(text, str) else text
    rules = policy("langmem.summarize", **{**SETTINGS, **settings})
    return compact(messages, rules, meter=BY_HAND, summarizer=summarizer or says("sum"))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("u30 a30 u30 a30 u10", "S u2 a2 u3"),  # u1 a1 count 60, the rest 70 <= 80
        ("u30 a29", "u1 a1"),  # 59 are fewer than 60
        ("u30 a30", "S"),
        ("s10 u30 a30(c1) t40(c1) a5", "s1 S a2"),  # the cut is at a1, its result goes with it
        ("s10 u30 a30(c1) t90(c1) a5", "s1 S a2"),  # behind a1 95 tokens are left, more than 70
        ("u500", "S"),  # the question itself
        ("s90 u500 a500", "s1 u1 a1"),  # no room beside the system message
        ("s80 u60 a1", "s1 S"),  # room for nothing but it
        ("s10 s10 u60 a1", "s1 S a1"),  # only the first is the system message
        ("u30 a30(c1,c2) t20(c1) t20(c2)", "S"),
        ("u60 a50(c1,c2) t20(c1) t20(c2) a20", "S a2"),  # both results of the call that goes last go with it
        ("u60 a10(c1,c2) t20(c1) t60(c2) a20", "S t2 a2"),  # the cut is at t1: t2 stays without its call
    ],
)
def test_what_stays(text: str, after: str) -> None:
    """The oldest go, as many as count 60 and leave 80 or less, the system message included."""
    assert shown(done(text).after) == after


def test_the_running_summary_is_extended_and_its_messages_do_not_count() -> None:
    """The second pass is given the first summary, and only what came since."""
    asked = RecordingSummarizer()
    first = done("u30 a30 u30 a30 u10", asked).after
    again = done([*first, *window("u30 a30 u30 a30 u10 a30 u30")[5:]], asked)
    assert asked.given == [("u1 a1", None), ("u2 a2", "sum")]
    assert shown(again.after) == "S u3 a3 u4"
    assert (again.after[0].role, again.after[0].content) == ("system", "Summary of the conversation so far: sum")


def test_what_is_larger_than_max_tokens_is_read_from_its_end() -> None:
    """Of 150 tokens the newest 100 are read, from a user message on; all of it where there is none among them."""
    asked = RecordingSummarizer()
    done("u50 a50 u25 a25 u70", asked)
    done("u30 a30(c1) t90(c1) a5", asked)
    assert [given for given, _ in asked.given] == ["u2 a2", "u1 a1 t1"]


@pytest.mark.parametrize(
    ("reply", "status"), [("", "still_over_budget"), ("  ", "still_over_budget"), ("x" * 900, "inflated")]
)
def test_any_summary_is_accepted_as_it_is(reply: str, status: str) -> None:
    """Nothing is stripped, and its length is not looked at. 70 tokens are left, which is 60 or more."""
    found = done("u30 a30 u30 a30 u10", says(reply))
    assert found.status == status
    assert found.after[0].content == f"Summary of the conversation so far: {reply}"


def test_a_summarizer_that_fails_ends_the_run() -> None:
    """Nothing is changed, and the next call will try again."""
    found = done("u30 a30 u30 a30 u10", broken)
    assert (found.status, shown(found.after)) == ("failed", "u1 a1 u2 a2 u3")


def test_many_passes_follow_each_other() -> None:
    """At 60 new tokens three messages of twenty go: all there are, or at 80 all but one, as 40 may be left."""
    session = as_session(window("u20 a20 " * 10))
    rules = policy("langmem.summarize", max_tokens=100, max_tokens_before_summary=60, max_summary_tokens=60)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("sum"))
    assert [c.at for c in trace.compactions] == [3, 7, 9, 13, 15, 19]
    assert [shown(c.after) for c in trace.compactions] == ["S", "S u4", "S", "S u7", "S", "S u10"]
