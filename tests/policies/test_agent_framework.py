"""Agent Framework's summarization and context window, worked by hand."""

from typing import Any

import pytest

from core import Message, Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window


def after(text: str, **settings: Any) -> tuple[str, str]:
    """The window after a pass of the summarization, and what the summarizer was given."""
    asked = RecordingSummarizer()
    found = compact(window(text), policy("agent_framework.summarization", **settings), meter=BY_HAND, summarizer=asked)
    return shown(found.after), asked.given[0][0] if asked.given else found.status


def test_the_newest_stay() -> None:
    """Seven messages are more than 4 + 2: the newest four stay, the system message is neither counted nor folded."""
    assert after("s1 u1 a1 u1 a1 u1 a1 u1") == ("s1 S a2 u3 a3 u4", "u1 a1 u2")
    assert after("s1 u1 a1 u1 a1 u1 a1") == ("s1 u1 a1 u2 a2 u3 a3", "not_triggered")


def test_a_call_and_its_results_stay_together() -> None:
    """The fourth message from the end is a result: its call and the other result stay too."""
    assert after("u1 a1 u1 a1(c1,c2) t1(c1) t1(c2) a1 u1") == ("S a2 t1 t2 a3 u3", "u1 a1 u2")


def test_system_messages_stay_wherever_they_stand() -> None:
    """One in the midst of what goes stays behind the summary, and does not count among the four that stay."""
    assert after("s1 u1 a1 s1 u1 a1 u1 a1 u1") == ("s1 S s2 a2 u3 a3 u4", "u1 a1 u2")
    assert after("u1 a1 u1 a1 s1 u1 a1 u1") == ("S a2 s1 u3 a3 u4", "u1 a1 u2")


def test_the_earlier_summary_is_folded_with_the_rest() -> None:
    """Two messages more, and it goes with what follows it; it stands in the assistant's role."""
    earlier = Message(id="S", role="assistant", content="old", injected="summary")
    asked = RecordingSummarizer(" new \n")
    text = [*window("s1"), earlier, *window("u1 a1 u1 a1 u1 a1")]
    found = compact(text, policy("agent_framework.summarization"), meter=BY_HAND, summarizer=asked)
    assert (shown(found.after), asked.given) == ("s1 S u2 a2 u3 a3", [("S u1 a1", None)])
    assert (found.after[1].role, found.after[1].content) == ("assistant", "new")


@pytest.mark.parametrize(
    ("most", "left", "read"),
    [
        (300, "u1 S a3 u4 a4 u5", "a1 u2 a2 u3"),
        (60, "u1 S a2 u3 a3 u4 a4 u5", "a1 u2"),
        (24, "u1 a1 u2 a2 u3 a3 u4 a4 u5", "nothing_to_do"),
        (None, "S a3 u4 a4 u5", "u1 a1 u2 a2 u3"),
    ],
)
def test_no_more_goes_than_the_summarizer_may_be_given(most: int | None, left: str, read: str) -> None:
    """A first message that alone is too large stays in front for good; of those behind it as many go as fit."""
    assert after("u1000 a25 u25 a25 u25 a25 u25 a25 u25", max_summary_input_tokens=most) == (left, read)


@pytest.mark.parametrize("summarizer", [broken, says(""), says(" \n")])
def test_no_summary_is_a_failure(summarizer: Any) -> None:
    """An error or white space leaves the window as it is."""
    text = window("u1 a1 u1 a1 u1 a1 u1")
    found = compact(text, policy("agent_framework.summarization"), meter=BY_HAND, summarizer=summarizer)
    assert (found.status, found.after) == ("failed", text)


def test_a_longer_summary_is_accepted() -> None:
    """It is put in all the same."""
    text = window("u1 a1 u1 a1 u1 a1 u1")
    found = compact(text, policy("agent_framework.summarization"), meter=BY_HAND, summarizer=says("x" * 99))
    assert (found.status, shown(found.after)) == ("inflated", "S a2 u3 a3 u4")


def test_five_in_a_row() -> None:
    """From seven messages on, before each second call the window is back at the summary and four messages."""
    trace = simulate(
        as_session(window("u1 a1 " * 10)),
        policy("agent_framework.summarization"),
        meter=BY_HAND,
        summarizer=RecordingSummarizer(),
    )
    assert [c.at for c in trace.compactions] == [7, 9, 11, 13, 15, 17, 19]
    assert {len(c.after) for c in trace.compactions} == {5}


def limited(keep: int, **settings: Any) -> Policy:
    """A budget of 100 tokens: calls become text above 50, messages go above 80."""
    return policy(
        "agent_framework.context_window",
        max_context_window_tokens=120,
        max_output_tokens=20,
        keep_last_tool_call_groups=keep,
        **settings,
    )


class Ten:
    """A meter of ten tokens a message."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return 10


def cut(text: str, keep: int) -> str:
    """The window after a pass in which every message counts ten tokens."""
    return shown(compact(window(text), limited(keep), meter=Ten()).after)


def test_old_calls_become_text() -> None:
    """Above 50 of 100 tokens every call but the newest becomes one message, with what the tool said."""
    found = compact(window("s1 u1 a1(c1:grep) t3(c1) a1(c2) t1(c2) a1"), limited(1), meter=Ten())
    assert shown(found.after) == "s1 u1 D a2 t2 a3"
    assert (found.after[2].role, found.after[2].content) == ("assistant", "[Tool results: grep: t1 .........]")
    assert (found.tokens_after, found.tiers) == (60, ("tool eviction",))


def test_at_the_share_itself_nothing_happens() -> None:
    """50 tokens are not more than 50, and 80 not more than 80."""
    assert cut("s1 u1 a1(c1) t1(c1) a1", 0) == "s1 u1 a1 t1 a2"
    assert cut("s1 u1 a1 u1 a1 u1 a1 u1", 4) == "s1 u1 a1 u2 a2 u3 a3 u4"


def test_then_the_oldest_messages_go() -> None:
    """Above 80 tokens they go until 50 are left; system messages stay."""
    assert cut("s1 u1 a1 u1 a1 u1 a1 u1 a1", 4) == "s1 u3 a3 u4 a4"


def test_a_system_message_that_stays_does_not_count_as_gone() -> None:
    """Of 110 tokens 60 go, whatever system messages stand among them, also two in a row where the sixth would have been."""
    assert cut("s1 u1 s1 u1 u1 u1 u1 u1 u1 u1 u1", 4) == "s1 s2 u7 u8 u9"
    assert cut("s1 u1 u1 u1 u1 u1 s1 s1 u1 u1 u1", 4) == "s1 s2 s3 u7 u8"


def test_both_in_one_pass() -> None:
    """Of 110 tokens the calls take 30: 80 are not more than 80. With three messages more the text goes as well."""
    text = "s1 u1 a1(c1) t1(c1) a1(c2) t1(c2) a1(c3) t1(c3) a1(c4) t1(c4) u1"
    assert cut(text, 1) == "s1 u1 D D D a4 t4 u2"
    more = compact(window(f"{text} a1(c9) t1(c9) u1"), limited(1), meter=Ten())
    assert (shown(more.after), more.tokens_after) == ("s1 u2 a5 t5 u3", 50)
    assert [m.injected for m in more.added] == []


def test_a_call_goes_with_its_results() -> None:
    """Where the newest is a result, its call stays as well, and nothing else has to."""
    assert cut("u1 u1 u1 u1 u1 u1 u1 a1(c1,c2) t1(c1) t1(c2)", 4) == "u6 u7 a1 t1 t2"
    two = compact(window("u900 a1(c1) t900(c1)"), limited(4), meter=BY_HAND)
    assert (shown(two.after), two.status) == ("a1 t1", "still_over_budget")


def test_a_long_result_is_cut() -> None:
    """4,096 characters of results are kept at most."""
    found = compact(window("u1 a1(c1) t2000(c1) a1"), limited(0, truncation_threshold=1), meter=Ten())
    assert found.status == "not_triggered"
    short = compact(window("u1 u1 u1 a1(c1) t2000(c1) a1"), limited(0), meter=Ten()).after[3].content
    assert short.startswith("[Tool results: read: t1 ...")
    assert short.endswith("....... [truncated]]")
    assert len(short) == len("[Tool results: ") + 4096 + len("... [truncated]") + 1


def test_five_drops_in_a_row() -> None:
    """Turns of ten tokens a message and no tools: from 90 on back to 50, each time."""
    trace = simulate(as_session(window("u1 a1 " * 15)), limited(4), meter=Ten())
    assert [c.at for c in trace.compactions] == [9, 13, 17, 21, 25, 29]
    assert {c.tokens_after for c in trace.compactions} == {50}


def test_the_newest_message_always_stays() -> None:
    """Even where it alone is far over the budget."""
    found = compact(window("u900 a1 u900"), limited(4), meter=BY_HAND)
    assert (shown(found.after), found.status) == ("u2", "still_over_budget")


def test_the_results_of_one_reply_are_one_message() -> None:
    """Six messages behind the system prompt are no more than 4 + 2, although eight of ours; with a seventh three go."""
    assert after("s1 u1 a1 u1 a1(c1,c2,c3) t1(c1) t1(c2) t1(c3) a1")[1] == "not_triggered"
    found = after("s1 u1 a1 u1 a1(c1,c2,c3) t1(c1) t1(c2) t1(c3) a1 u1")
    assert found == ("s1 S a2 t1 t2 t3 a3 u3", "u1 a1 u2")
