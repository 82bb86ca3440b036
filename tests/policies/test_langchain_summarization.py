"""langchain.summarization: windows worked out by hand from the rules of the library."""

from typing import Any

import pytest

from core import Compaction, compact, policy, simulate
from core.model.errors import ParameterError
from core.summaries.summarizers import Summarizer
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

PREFIX = "Here is a summary of the conversation to date:\n\n"
TURNS = "u30 a30(c1) t40(c1) a5 u10"


def done(text: str, summarizer: Summarizer | None = None, **settings: Any) -> Compaction:
    """What the policy does to a window, all of what goes being read."""
    rules = policy("langchain.summarization", **{"trim_tokens_to_summarize": None, **settings})
    return compact(window(text), rules, meter=BY_HAND, summarizer=summarizer or says("sum"))


@pytest.mark.parametrize(
    ("text", "trigger", "keep", "after"),
    [
        (TURNS, {"messages": 5}, {"messages": 3}, "S a1 t1 a2 u2"),  # cut at t1, back to its call: four stay
        (TURNS, {"tokens": 115}, {"tokens": 55}, "S a1 t1 a2 u2"),  # 115 >= 115; t1 a2 u2 count 55 <= 55
        (TURNS, {"tokens": 116}, {"tokens": 55}, "u1 a1 t1 a2 u2"),
        (TURNS, {"tokens": 100}, {"tokens": 3}, "S u2"),  # nothing fits: the last message stays
        (TURNS, {"tokens": 115, "messages": 6}, {"messages": 1}, "u1 a1 t1 a2 u2"),  # all of a clause
        (TURNS, [{"tokens": 116}, {"messages": 5}], {"messages": 1}, "S u2"),  # any of several
        ("a50(c1) t60(c1)", {"messages": 1}, {"messages": 1}, "a1 t1"),  # back to 0: nothing goes
        ("u50 t60(c9)", {"messages": 1}, {"messages": 1}, "S"),  # no call for it: forward, past the end
        ("u5000", {"messages": 1}, {"tokens": 10}, "u1"),
        ("s9 u9 a9", {"messages": 3}, {"messages": 1}, "S a1"),  # the system message is folded too
        ("u9 a9(c1,c2) t9(c1) t9(c2) a9", {"messages": 5}, {"messages": 2}, "S a1 t1 t2 a2"),
    ],
)
def test_what_stays(text: str, trigger: Any, keep: Any, after: str) -> None:
    """The cut falls where keep puts it, moved back to the call of a result, or forward past results without one."""
    assert shown(done(text, trigger=trigger, keep=keep).after) == after


def test_fractions_are_of_the_context_window() -> None:
    """Half of a window of 230 tokens is 115; a tenth keeps 23 tokens, which hold a2 and u2."""
    asked = {"trigger": {"fraction": 0.5}, "keep": {"fraction": 0.1}}
    assert shown(done(TURNS, **asked, window=230).after) == "S a2 u2"
    assert not done(TURNS, **asked, window=232).acted


def test_the_summary_is_a_user_message_without_white_space_around_its_text() -> None:
    """Role and words are the library's."""
    found = done(TURNS, says(" sum\n"), trigger={"messages": 5}, keep={"messages": 1})
    assert (found.after[0].role, found.after[0].content) == ("user", f"{PREFIX}sum")


def test_it_never_acts_by_default() -> None:
    """Without a trigger nothing happens, however long the window is."""
    assert not done("u9000 a9000").acted


@pytest.mark.parametrize(
    ("text", "most", "given"),
    [
        ("u30 a30 u30 a30 u9", 60, "u2 a2"),  # the newest 60 tokens of what goes
        ("u30 a30 u30 a30 u9", 89, "u2 a2"),  # a1 does not fit
        ("u30 a30 u30 a30 u9", 119, "u2 a2"),  # a1 fits, but they begin with a user message
        ("s10 u30 a30 u30 a30 u9", 70, "s1 u2 a2"),  # the system message takes ten
        ("u30 a30 u9", None, "u1 a1"),
    ],
)
def test_what_the_summarizer_reads(text: str, most: int | None, given: str) -> None:
    """The newest of what goes within trim_tokens_to_summarize, a leading system message in addition."""
    asked = RecordingSummarizer()
    found = done(text, asked, trigger={"messages": 1}, keep={"messages": 1}, trim_tokens_to_summarize=most)
    assert asked.given == [(given, None)]
    assert found.unread == len(text.split()) - 1 - len(given.split())


def test_the_last_lines_of_a_user_message_that_does_not_fit_are_read() -> None:
    """Of four lines of two tokens each, the last two fit beside the answer."""
    messages = window("u30 a30 u9")
    messages[0] = messages[0].model_copy(update={"content": "line 1.\nline 2.\nline 3.\nline 4."})
    read = list[str]()
    rules = policy(
        "langchain.summarization", trigger={"messages": 1}, keep={"messages": 1}, trim_tokens_to_summarize=34
    )
    compact(messages, rules, meter=BY_HAND, summarizer=lambda given, prior: read.append(given[0].content) or "sum")
    assert read == ["line 3.\nline 4."]


def test_the_model_is_not_asked_where_nothing_is_left_to_read() -> None:
    """A fixed text stands for 5,030 tokens among whose newest 4,000 there is no user message."""
    asked = RecordingSummarizer()
    found = done("a5000 a30 a3", asked, trigger={"messages": 1}, keep={"messages": 1}, trim_tokens_to_summarize=4000)
    assert asked.given == []
    assert found.after[0].content == f"{PREFIX}Previous conversation was too long to summarize."
    assert shown(found.after) == "S a3"


@pytest.mark.parametrize(("reply", "status"), [("", "compacted"), (" \n", "compacted"), ("x" * 4000, "inflated")])
def test_any_summary_is_accepted(reply: str, status: str) -> None:
    """Empty ones leave the prefix alone; one that is longer than what it stands for is kept as well."""
    found = done(TURNS, says(reply), trigger={"messages": 5}, keep={"messages": 1})
    assert (found.status, found.after[0].content, shown(found.after)) == (status, PREFIX + reply.strip(), "S u2")


def test_a_summarizer_that_fails_ends_the_run() -> None:
    """The window stays as it was, and the reason says so."""
    found = done(TURNS, broken, trigger={"messages": 5}, keep={"messages": 1})
    assert (found.status, shown(found.after)) == ("failed", "u1 a1 t1 a2 u2")
    assert found.reason.endswith("the summarizer failed: no answer in 30 s and the run ends")


def test_every_summary_is_folded_into_the_next() -> None:
    """At 4 messages before a call, 2 kept: each time the summary and what follows it go."""
    session = as_session(window("u10 a10 " * 8))
    trace = simulate(
        session,
        policy("langchain.summarization", trigger={"messages": 4}, keep={"messages": 2}),
        meter=BY_HAND,
        summarizer=says("sum"),
    )
    assert [c.at for c in trace.compactions] == [5, 7, 9, 11, 13, 15]
    assert [shown(c.after) for c in trace.compactions][:3] == ["S a2 u3", "S a3 u4", "S a4 u5"]


@pytest.mark.parametrize(
    "value", [{"messages": 0}, {"fraction": 0}, {"fraction": 1.5}, {"turns": 3}, {"messages": 2.5}]
)
def test_amounts_the_library_refuses(value: Any) -> None:
    """Nothing, more than the whole, another unit and half a message are no amount to keep."""
    with pytest.raises(ParameterError, match="is not valid"):
        policy("langchain.summarization", keep=value)
