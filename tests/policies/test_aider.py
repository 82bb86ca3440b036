"""aider: windows worked out by hand from the rules of the real one."""

from typing import Any

import pytest

from core import Compaction, compact, policy, simulate
from core.summaries.summarizers import Summarizer
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

PREFIX = "I spoke to you previously about a number of things.\n"
EIGHT = "u30 a30 u30 a30 u10 a10 u10 a10"  # 160 tokens


def done(text: str, most: int, summarizer: Summarizer | None = None, **settings: Any) -> Compaction:
    """What the policy does to a window; a summary of "" counts 13 tokens."""
    rules = policy("aider", max_chat_history_tokens=most, max_input_tokens=9000, **settings)
    return compact(window(text), rules, meter=BY_HAND, summarizer=summarizer or says(""))


@pytest.mark.parametrize(
    ("text", "most", "after"),
    [
        (EIGHT, 160, "u1 a1 u2 a2 u3 a3 u4 a4"),  # 160 is not more than 160
        (EIGHT, 100, "S K"),  # u3 to a4 count 40 < 50, four are in front of them: all go
        (EIGHT, 50, "S u4 a4"),  # u4 a4 count 20 < 25; six go
        ("s99 " + EIGHT, 160, "s1 u1 a1 u2 a2 u3 a3 u4 a4"),  # the system message is not of this history
        ("s99 " + EIGHT, 50, "s1 S u4 a4"),
        ("u30 a30 u30 a30", 100, "S K"),
        ("u30 a30 u30 a30 u30 a30 u10 a10", 40, "S u4 a4"),  # a4 alone counts less than 20, u4 stands in front of it
        ("u30 a30 u30 a30 u30 a30 u10 a10", 22, "S K"),  # 13 + 20 are too many again, and now there are few
    ],
)
def test_what_stays(text: str, most: int, after: str) -> None:
    """The longest tail of less than half, from behind an assistant message; four or fewer in front take all with them."""
    assert shown(done(text, most).after) == after


def test_the_reply_stands_only_behind_a_summary_that_is_last() -> None:
    """The conversation must not end with a user message."""
    assert [(m.role, m.content) for m in done(EIGHT, 100).after] == [("user", PREFIX), ("assistant", "Ok.")]


def test_what_the_summarizer_cannot_read_is_dropped() -> None:
    """With 65 tokens of context beside the 512 it reads the two oldest of six; the newer four go unread."""
    asked = RecordingSummarizer("")
    text = "u30 a30 u30 a30 u30 a30 u10 a10"
    rules = policy("aider", max_chat_history_tokens=100, max_input_tokens=577)
    found = compact(window(text), rules, meter=BY_HAND, summarizer=asked)
    assert asked.given == [("u1 a1", None)]
    assert (shown(found.after), found.unread) == ("S u4 a4", 4)


def test_a_summary_that_is_too_long_is_folded_with_the_rest() -> None:
    """The first summary and u4 a4 count more than 50: now no more than four are in front of the tail, and all go."""
    asked = RecordingSummarizer("x" * 160)
    found = done(EIGHT, 50, asked)
    assert [given for given, _ in asked.given][:2] == ["u1 a1 u2 a2 u3 a3", "S u4 a4"]
    assert shown(found.after) == "S K"
    assert found.status == "still_over_budget"


@pytest.mark.parametrize("reply", ["", " \n"])
def test_an_empty_summary_is_accepted(reply: str) -> None:
    """Nothing but the words around it is left of what went."""
    found = done(EIGHT, 50, says(reply))
    assert (found.after[0].content, shown(found.after)) == (PREFIX + reply, "S u4 a4")


def test_a_summarizer_that_fails_wipes_the_history() -> None:
    """Everything but the system message is deleted, and the reason says why."""
    found = done("s9 " + EIGHT, 50, broken)
    assert (found.acted, shown(found.after)) == (True, "s1")
    assert "no answer in 30 s" in found.reason


def test_tool_messages_are_not_read() -> None:
    """Only what users and assistants said is, without calls."""
    asked = RecordingSummarizer("")
    done("u30 a30(c1) t30(c1) a30 u10 a10", 50, asked)
    assert asked.given == [("u1 a1 a2 u2 a3", None)]


def test_many_passes_follow_each_other() -> None:
    """After every fourth turn or so the older ones become part of the summary."""
    session = as_session(window("s50 " + "u10 a10 " * 30))
    rules = policy("aider", max_chat_history_tokens=100, max_input_tokens=9000)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says(""))
    assert shown(trace.compactions[0].after) == "s1 S u5 a5 u6 a6"
    assert shown(trace.compactions[1].after) == "s1 S u8 a8 u9 a9"
    assert len(trace.compactions) == 9
