"""Kimi CLI's compaction, worked by hand: a window of 2,000 tokens, so that it acts at 1,000."""

from typing import Any

import pytest

from core import Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

HEAD = "<system>Previous context has been compacted. Here is the compaction output:</system>\n"


def kimi(**settings: Any) -> Policy:
    """The reserve of 1,000 tokens says when."""
    return policy("kimi_cli", **{"window": 2000, "reserved_context_size": 1000, **settings})


def after(text: str) -> tuple[str, str]:
    """The window after a pass and what the summarizer was given."""
    asked = RecordingSummarizer()
    found = compact(window(text), kimi(), meter=BY_HAND, summarizer=asked, force=True)
    return shown(found.after), asked.given[0][0] if asked.given else found.status


def test_the_last_two_that_are_not_results_stay() -> None:
    """The newest reply and request stay; in a run of tools two replies with their results, and not the request."""
    assert after("u1 a1(c1) t1(c1) a1 u1") == ("S a2 u2", "u1 a1 t1")
    assert after("u1 a1(c1,c2) t1(c1) t1(c2) a1(c3,c4) t1(c3) t1(c4)") == ("S a1 t1 t2 a2 t3 t4", "u1")


def test_with_nothing_before_them_nothing_goes() -> None:
    """Two messages, or one, stay as they are."""
    assert after("u1 a1") == ("u1 a1", "nothing_to_do")
    assert after("s1 u1 t1(c1)") == ("s1 u1 t1", "nothing_to_do")


def test_with_none_preserved_nothing_goes() -> None:
    """0 does not mean that everything is folded: it leaves the window as it is."""
    found = compact(window("u1 a1 u1 a1"), kimi(max_preserved_messages=0), meter=BY_HAND, force=True)
    assert found.status == "nothing_to_do"


def test_calls_are_hidden_from_the_summarizer() -> None:
    """It reads the replies without their calls, and the results."""
    given = []

    def reading(messages: Any, prior: str | None) -> str:
        given.extend(messages)
        return "so far"

    found = compact(window("u1 a1(c1) t1(c1) a1 u1"), kimi(), meter=BY_HAND, summarizer=reading, force=True)
    assert [(m.id, m.tool_calls) for m in given] == [("u1", ()), ("a1", ()), ("t1", ())]
    assert (found.after[0].role, found.after[0].content) == ("user", f"{HEAD}so far")


def test_the_reserve_or_the_ratio_whichever_is_first() -> None:
    """A window of 200,000 with 50,000 reserved: at 150,000; one of 1,000,000: at 850,000."""
    assert policy("kimi_cli", window=200_000).ceiling == 150_000
    assert policy("kimi_cli", window=1_000_000).ceiling == 850_000
    assert compact(window("u300 a300 u399"), kimi(), meter=BY_HAND).status == "not_triggered"
    assert (
        compact(window("u300 a300 u400"), kimi(), meter=BY_HAND, summarizer=says("x")).reason == "1,000 tokens ≥ 1,000"
    )


@pytest.mark.parametrize("summarizer", [broken, says("")])
def test_without_a_summary_the_run_ends(summarizer: Any) -> None:
    """An error or an empty reply leaves the window as it is."""
    text = window("u300 a300 u400")
    found = compact(text, kimi(), meter=BY_HAND, summarizer=summarizer)
    assert (found.status, found.after) == ("failed", text)


def test_a_longer_summary_is_accepted() -> None:
    """Nobody looks whether it helped."""
    found = compact(window("u300 a300 u400"), kimi(), meter=BY_HAND, summarizer=says("x" * 4000))
    assert (found.status, shown(found.after)) == ("inflated", "S a1 u2")


def test_five_in_a_row() -> None:
    """Turns of 400 tokens: each third call is one too many, and the summary is folded again."""
    asked = RecordingSummarizer()
    trace = simulate(as_session(window("u200 a200 " * 14)), kimi(), meter=BY_HAND, summarizer=asked)
    assert len(trace.compactions) >= 5
    assert all(shown(c.after).startswith("S a") for c in trace.compactions)
    assert all(given.startswith("S ") for given, _ in asked.given[1:])
