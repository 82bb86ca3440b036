"""Claude Code's automatic compaction, worked by hand: a window of 60,000 and replies of 8,000, so that it acts at 39,000."""

from typing import Any

import pytest

from core import Message, Policy, compact, policy, simulate
from core.engine.summarize import prior_text
from core.model.errors import ParameterError
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

FULL = "s5000 u4000 a6000(c1:Read) t20000(c1:Read) a2000 u{}"
HEAD = "This session is being continued from a previous conversation that ran out of context.\n"


def auto(**settings: Any) -> Policy:
    """The policy for a model of 60,000 tokens and replies of 8,000."""
    return policy("claude_code.auto", **{"window": 60_000, "output": 8_000, **settings})


@pytest.mark.parametrize(
    ("settings", "acts_at"),
    [
        ({"window": 200_000, "output": 64_000}, 167_000),
        ({"window": 1_000_000, "output": 64_000}, 967_000),
        ({"window": 200_000, "output": 8_000}, 179_000),
        ({}, 39_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": 50}, 26_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": 100}, 39_000),
        ({"window": 1_000_000, "output": 64_000, "CLAUDE_CODE_AUTO_COMPACT_WINDOW": 400_000}, 367_000),
        ({"window": 1_000_000, "output": 64_000, "CLAUDE_CODE_AUTO_COMPACT_WINDOW": 1}, 67_000),
        ({"window": 200_000, "output": 64_000, "CLAUDE_CODE_AUTO_COMPACT_WINDOW": 900_000}, 167_000),
        (
            {
                "window": 1_000_000,
                "output": 20_000,
                "CLAUDE_CODE_AUTO_COMPACT_WINDOW": 120_000,
                "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": 80,
            },
            80_000,
        ),
    ],
)
def test_where_it_acts(settings, acts_at):
    """The window less the reply and 13,000; the overrides can only lower that, and a cap is 100,000 at least."""
    assert auto(**settings).ceiling == acts_at


@pytest.mark.parametrize("percent", [0, 101])
def test_no_percentage_is_refused(percent: int) -> None:
    """The override is a share above 0 and of 100 at most."""
    with pytest.raises(ParameterError):
        auto(CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=percent)


def test_a_summary_that_was_recorded_with_its_first_sentence_has_it_once() -> None:
    """The record holds the message as it was sent: the sentence, then the text, on the same line. So it stays."""
    written = f"{HEAD.strip()} The summary below covers it."
    found = compact(window(FULL.format(2000)), auto(), meter=BY_HAND, summarizer=RecordingSummarizer(written))
    assert found.after[1].content == written
    assert prior_text(found.after[1], auto().placement) == "The summary below covers it."


def test_everything_goes_at_39000():
    """All but the system prompt is in the summary, the message just typed too; at 38,999 nothing is done."""
    asked = RecordingSummarizer("all of it")
    found = compact(window(FULL.format(2000)), auto(), meter=BY_HAND, summarizer=asked)
    assert (found.status, shown(found.after), found.tiers) == ("compacted", "s1 S", ())
    assert (found.after[1].role, found.after[1].content) == ("user", f"{HEAD}all of it")
    assert asked.given == [("u1 a1 t1 a2 u2", None)]
    assert compact(window(FULL.format(1999)), auto(), meter=BY_HAND).status == "not_triggered"


def test_the_earlier_summary_is_folded_like_any_message():
    """The second pass reads the first one's summary among the messages."""
    earlier = Message(id="S", role="user", content=HEAD + "." * 80_000, injected="summary")
    asked = RecordingSummarizer()
    compact([earlier, *window("a9000 u12000")], auto(), meter=BY_HAND, summarizer=asked)
    assert asked.given == [("S a1 u1", None)]


def at(clock: str, message: Message) -> Message:
    """The message at a time of the day."""
    return message.model_copy(update={"timestamp": f"2026-01-01T{clock}:00Z"})


def idle(tokens: int) -> list[Message]:
    """Two reads, an hour and a half without a word, and a message of so many tokens."""
    text = f"u1000 a1000(c1:Read) t20000(c1:Read) a1000(c2:Read) t9000(c2:Read) a1000 u{tokens}"
    *before, last = window(text)
    return [*(at("09:00", m) for m in before), at("10:30", last)]


def test_the_microcompaction_may_be_enough():
    """After the pause the older result is emptied first; then the window is below 39,000, and nothing is summarized."""
    asked = RecordingSummarizer()
    found = compact(idle(6000), auto(keepRecent=1), meter=BY_HAND, summarizer=asked)
    assert shown(found.after) == "u1 a1 t1* a2 t2 a3 u2"
    assert (found.tiers, asked.given, found.tokens_after) == (("microcompact",), [], 39_000 - 20_000 + 9)


def test_where_the_microcompaction_is_not_enough_all_is_summarised():
    """With 26,000 tokens typed the window is over 39,000 still: both have acted, and the summarizer read what was left."""
    asked = RecordingSummarizer()
    found = compact(idle(26_000), auto(keepRecent=1), meter=BY_HAND, summarizer=asked)
    assert (shown(found.after), found.tiers) == ("S", ("microcompact",))
    assert asked.given == [("u1 a1 t1* a2 t2 a3 u2", None)]


@pytest.mark.parametrize("summarizer", [broken, says(""), says(" \n")])
def test_without_a_summary_nothing_changes(summarizer):
    """An empty reply is a failure like an error, and the window stays."""
    given = window(FULL.format(2000))
    found = compact(given, auto(), meter=BY_HAND, summarizer=summarizer)
    assert (found.status, found.after) == ("failed", given)


def test_a_summary_longer_than_what_it_replaces_is_taken():
    """Nothing compares the two."""
    found = compact(window(FULL.format(2000)), auto(), meter=BY_HAND, summarizer=says("x" * 200_000))
    assert (found.status, shown(found.after)) == ("inflated", "s1 S")


def long_talk(turns: int = 40):
    """Turns of 5,000 tokens."""
    return as_session(window(" ".join(["u2000 a3000"] * turns)))


def test_passes_follow_each_other():
    """39,000 tokens are reached at the ninth turn, then every eight turns; each pass leaves the summary alone."""
    trace = simulate(long_talk(50), auto(), meter=BY_HAND, summarizer=says("x" * 8000))
    assert [c.at for c in trace.compactions] == [17, 33, 49, 65, 81, 97]
    assert all(shown(c.after) == "S" for c in trace.compactions)


def test_after_three_failures_it_is_not_tried_again():
    """The first three calls at 39,000 or more ask for a summary in vain; none of those after does."""
    calls: list[int] = []

    def failing(messages: object, prior: str | None) -> str:
        calls.append(1)
        raise TimeoutError("no answer")

    trace = simulate(long_talk(), auto(), meter=BY_HAND, summarizer=failing)
    assert (len(calls), trace.compactions) == (3, ())
    assert [c.at for c in trace.failed] == [17]
    assert len(trace.window(len(trace) - 1)) == 80
