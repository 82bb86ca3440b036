"""Cline's agentic compaction, worked by hand: 100 tokens are preserved, and it acts at 90 % of the usable input."""

from typing import Any

import pytest

from core import Message, Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

HEAD = "Context summary:\n\n"


def cline(**settings: Any) -> Policy:
    """The policy that preserves 100 tokens and acts at 162."""
    known = {"preserveRecentTokens": 100, "contextWindow": 200, "maxOutputTokens": 20}
    return policy("cline.agentic", **{**known, **settings})


def summary(tokens: int) -> Message:
    """A summary of an earlier pass."""
    return Message(id="S", role="user", content=(HEAD + "." * 4 * tokens)[: 4 * tokens], injected="summary")


@pytest.mark.parametrize(
    ("settings", "acts_at"),
    [
        ({"contextWindow": 200_000, "maxOutputTokens": 64_000}, 122_400),
        ({"contextWindow": 200_000, "maxOutputTokens": 64_000, "maxInputTokens": 100_000}, 90_000),
        ({"contextWindow": 200_000, "maxOutputTokens": 64_000, "maxInputTokens": 200_000}, 122_400),
        ({"contextWindow": 8_000, "maxOutputTokens": 8_000}, 7_200),
    ],
)
def test_where_it_acts(settings, acts_at):
    """At 90 % of the input it may use: as given, unless that is the whole window, else the window less the reply."""
    assert policy("cline.agentic", **settings).ceiling == acts_at


def test_system_messages_are_not_counted():
    """162 tokens of messages make it act, 161 do not, however long the system prompt is."""
    assert compact(window("s900 u81 u80"), cline(), meter=BY_HAND).status == "not_triggered"
    found = compact(window("s900 u41 a41 u80"), cline(preserveRecentTokens=80), meter=BY_HAND, summarizer=says("x"))
    assert (found.reason, shown(found.after)) == ("162 tokens ≥ 162", "s1 S u2")


def test_the_tail_is_at_least_what_is_preserved_and_begins_with_a_turn():
    """From the end 40, 60, 110: a2 is reached, but no turn begins there, so u2 and all behind it stay."""
    asked = RecordingSummarizer("sum")
    found = compact(window("u20 a30 u20 a50 u20 a40"), cline(), meter=BY_HAND, summarizer=asked)
    assert (found.status, shown(found.after)) == ("compacted", "S u2 a2 u3 a3")
    assert (found.after[0].role, found.after[0].content) == ("user", f"{HEAD}sum")
    assert asked.given == [("u1 a1", None)]


def test_one_long_turn_is_never_compacted():
    """A single typed message and tools behind it leave nothing to fold, at 220 tokens and at any number."""
    found = compact(window("u20 a60(c1) t60(c1) a60(c2) t60(c2)"), cline(), meter=BY_HAND, summarizer=says("x"))
    assert found.status == "nothing_to_do"


def test_the_last_turn_stays_whole():
    """A last turn of more than is preserved is not cut."""
    found = compact(window("u20 a30 u20 a200 a10"), cline(), meter=BY_HAND, summarizer=says("x"))
    assert shown(found.after) == "S u2 a2 a3"


def test_what_is_preserved_must_be_there():
    """Where all messages together hold less than is preserved, nothing goes."""
    found = compact(window("u20 a50 u20 a80"), cline(preserveRecentTokens=171), meter=BY_HAND, summarizer=says("x"))
    assert found.status == "nothing_to_do"
    same = compact(window("u20 a50 u20 a80"), cline(preserveRecentTokens=100), meter=BY_HAND, summarizer=says("x"))
    assert shown(same.after) == "S u2 a2"


def test_the_earlier_summary_is_given_apart_and_replaced():
    """Only what came after the earlier summary is new; its text goes to the summarizer as prior."""
    asked = RecordingSummarizer("new")
    found = compact([summary(40), *window("u20 a30 u20 a200")], cline(), meter=BY_HAND, summarizer=asked)
    assert shown(found.after) == "S u2 a2"
    assert [(given, prior[:3]) for given, prior in asked.given] == [("u1 a1", "...")]
    assert found.folded == 2
    assert found.removed == ("S", "u1", "a1")


def test_with_nothing_new_behind_the_summary_nothing_is_done():
    """The cut falls right behind the earlier summary: there is nothing to fold into it."""
    found = compact([summary(40), *window("u20 a200")], cline(), meter=BY_HAND, summarizer=says("x"))
    assert found.status == "nothing_to_do"


@pytest.mark.parametrize(
    ("summarizer", "why"),
    [(says(""), "the summary is empty"), (says(" \n"), "the summary is empty"), (broken, "30 s and the run ends")],
)
def test_without_a_summary_nothing_changes(summarizer, why):
    """An empty reply leaves the window as it is; an error does too, and ends the run."""
    given = window("u20 a30 u20 a50 u20 a40")
    found = compact(given, cline(), meter=BY_HAND, summarizer=summarizer)
    assert (found.status, found.after) == ("failed", given)
    assert found.reason.endswith(why)


def test_a_summary_longer_than_what_it_replaces_is_taken():
    """There is no guard: the window grows."""
    found = compact(window("u20 a30 u20 a50 u20 a40"), cline(), meter=BY_HAND, summarizer=says("x" * 400))
    assert (found.status, shown(found.after)) == ("inflated", "S u2 a2 u3 a3")


def test_passes_follow_each_other():
    """Turns of 50 tokens: at 162 what is older than the newest three turns goes, and only one summary is there at a time."""
    talk = as_session(window("s9 " + " ".join(["u20 a30"] * 30)))
    trace = simulate(talk, cline(), meter=BY_HAND, summarizer=says("x" * 22))
    first, second = trace.compactions[:2]
    assert (first.at, shown(first.after)) == (8, "s1 S u2 a2 u3 a3 u4")
    assert (second.at, shown(second.after)) == (10, "s1 S u3 a3 u4 a4 u5")
    assert len(trace.compactions) > 5
    assert all(sum(m.injected == "summary" for m in c.after) == 1 for c in trace.compactions)
