"""letta.sliding: windows worked out by hand from the rules of the real one."""

from typing import Any

import pytest

from core import Compaction, compact, policy, simulate
from core.summaries.summarizers import Summarizer
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

LONG = "s50 u20 a20 u20 a20(c1) t20(c1) u20 a20 u20 a20(c2) t20(c2) u20"  # 270 tokens, 12 messages
FIFTIES = "s100 u50 a50 u50 a50 u50 a50 u50 a50 u50"  # 550 tokens, 10 messages


def done(text: str, size: int, summarizer: Summarizer | None = None, force: bool = True, **settings: Any) -> Compaction:
    """What the policy does to a window in a context of this size."""
    rules = policy("letta.sliding", context_window=size, **settings)
    return compact(window(text), rules, meter=BY_HAND, summarizer=summarizer or says("sum"), force=force)


@pytest.mark.parametrize(
    ("text", "size", "after"),
    [
        # 0.4 x 12 = 4.8, so 5: back to a2 at 4; 50 + 160 = 210 < 280
        (LONG, 400, "s1 S a2 t1 u3 a3 u4 a4 t2 u5"),
        # goal 350: 0.4 and 0.5 lead to a2 at 4 (400), 0.6 to a3 at 6 (300)
        (FIFTIES, 500, "s1 S a3 u4 a4 u5"),
        # goal 210: 0.7 leads to a3 (300), 0.8 to a4 at 8 (200)
        (FIFTIES, 300, "s1 S a4 u5"),
        # the only assistant message is the last: everything goes
        ("s10 u10 u10 u10 u10 u10 u10 u10 u10 a10", 100, "s1 S"),
        ("s5 u500 a5", 500, "s1 S"),
        # goal 140, and nothing gets below: everything goes, the question too
        ("s100 u50 a50 u50 a50 u50", 200, "s1 S"),
        # fifteen messages: the sixth try is at a little less than 0.9 x 15 = 13.5, so 13, not 14, where only a2 would stay
        ("s10 " + "u9 " * 12 + "a10 a10", 60, "s1 S a1 a2"),
    ],
)
def test_what_stays(text: str, size: int, after: str) -> None:
    """The first of the cuts tried behind which system message and tail count less than 70 % of the context."""
    assert shown(done(text, size).after) == after


@pytest.mark.parametrize(
    ("share", "size", "asked", "after"),
    [
        # the only reply stands at 41 of 43; 0.9 x 43 is 39, and 0.5 + 5 x 0.1 comes to a little less than 1: 30 < 50
        (0.5, 100, 40, "s1 S a1 u41"),
        # 0.1 takes nine tries to get there: 30 < 0.9 x 40
        (0.1, 40, 40, "s1 S a1 u41"),
        # 0.8 + 0.1 + 0.1 is 1, and that is no share any more: everything goes
        (0.8, 200, 40, "s1 S"),
        # the reply stands at 61 of 63: 0.95 x 63 is 60, and 1.05 is too much
        (0.35, 100, 60, "s1 S"),
    ],
)
def test_another_share_to_begin_with(share: float, size: int, asked: int, after: str) -> None:
    """A tenth more each time, as long as it is less than the whole."""
    text = "s10 " + "u10 " * asked + "a10 u10"
    assert shown(done(text, size, sliding_window_percentage=share).after) == after


@pytest.mark.parametrize(("size", "acts"), [(299, True), (300, False)])
def test_it_acts_above_nine_tenths(size: int, acts: bool) -> None:
    """270 tokens are more than int(0.9 x 299) = 269, and not more than 270."""
    assert done(LONG, size, force=False).acted == acts


def test_what_no_cut_will_keep_is_not_shown_as_recent() -> None:
    """Where everything behind the system message would go, all of it is compactable, the newest question too."""
    rules = policy("letta.sliding", context_window=200)
    trace = simulate(as_session(window("s100 u50 a50 u50 a50 u50")), rules, meter=BY_HAND, summarizer=says("sum"))
    assert trace.compactions[0].tiers == ("all",)
    step = trace.compaction_step(0) - 1
    assert list(trace.regions(step).values()) == ["system", *["compactable"] * (trace.compactions[0].at - 1)]


def test_the_summary_is_told_as_an_alert() -> None:
    """A user message, stripped of white space, cut to clip_chars."""
    told = done(LONG, 400, says("  sum " + "x" * 99), clip_chars=8).after[1]
    assert told.role == "user"
    assert told.content.startswith('{"type": "system_alert", "message": "Note: prior messages from the beginning')
    assert told.content.endswith("The following is a summary of the previous messages:\n sum xxxx")


def test_the_earlier_summary_is_folded_like_any_message() -> None:
    """It is the first of what goes in the next pass."""
    asked = RecordingSummarizer()
    first = done(LONG, 400, asked)
    rules = policy("letta.sliding", context_window=280)
    compact(first.after, rules, meter=BY_HAND, summarizer=asked)
    assert asked.given == [("u1 a1 u2", None), ("S a2 t1 u3", None)]


@pytest.mark.parametrize("reply", ["", " \n"])
def test_an_empty_summary_is_accepted(reply: str) -> None:
    """What goes is gone, and the alert tells nothing."""
    assert shown(done(LONG, 400, says(reply)).after) == "s1 S a2 t1 u3 a3 u4 a4 t2 u5"


def test_a_summary_longer_than_what_it_replaces_is_accepted() -> None:
    """It is not in its own check."""
    assert done(LONG, 400, says("x" * 4000)).status == "inflated"


def test_a_summarizer_that_fails_fails_twice() -> None:
    """The second way, everything at once, is tried too; then the window is as it was."""
    found = done(LONG, 400, broken)
    assert (found.status, found.acted) == ("failed", False)


def test_many_passes_follow_each_other() -> None:
    """After a7 it counts 300: of 15 messages six are tried, back to a3; later turns end above 270 again and again."""
    session = as_session(window("s20 " + "u20 a20 " * 40))
    rules = policy("letta.sliding", context_window=300)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("sum"))
    assert len(trace.compactions) >= 5
    assert all(c.window_after - c.summary_tokens < 210 for c in trace.compactions)
    assert shown(trace.compactions[0].after) == "s1 S a3 u4 a4 u5 a5 u6 a6 u7 a7"


def test_the_results_of_one_reply_are_one_message() -> None:
    """0.4 of nine messages are four, all before a2; were the results three messages, it would be back at a1."""
    text = "s10 u10 a10(c1,c2,c3) t10(c1) t10(c2) t10(c3) a10 u10 a10 u10 a10"
    assert shown(done(text, 200).after) == "s1 S a2 u2 a3 u3 a4"
