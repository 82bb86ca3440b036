"""Lesson 1: what a run sends, with and without a policy."""

import re

import pytest

from core.lessons import lesson
from core.lessons.run import Yours, run_of, sample
from core.lessons.show import shown
from core.lessons.the_bill import POLICY
from core.meters import meter
from core.trace.trace import as_session
from tests.lessons.attempts import answer, step, tried
from tests.support import user


def test_five_calls_send_390_tokens() -> None:
    """48, 63, 78, 93 and 108, of which all but the newest had been sent before."""
    found = step(1, 2)
    assert (found["ask"]["answer"], found["ask"]["because"][:28]) == (390, "48 + 63 + 78 + 93 + 108 = 39")
    assert "126 tokens" in found["ask"]["question"]
    assert found["figures"] == {
        "kind": "sent",
        "calls": [
            {"step": 2, "old": 0, "new": 48},
            {"step": 4, "old": 48, "new": 15},
            {"step": 6, "old": 63, "new": 15},
            {"step": 8, "old": 78, "new": 15},
            {"step": 10, "old": 93, "new": 15},
        ],
        "total": 390,
    }


def test_the_first_step_does_not_tell_the_sum() -> None:
    """It is asked for in the second."""
    assert step(1, 1)["figures"]["total"] is None
    assert "390" not in step(1, 1)["caption"]


def test_twice_the_sums_send_972_tokens() -> None:
    """Nine calls, two and a half times the bill."""
    found = step(1, 3)["ask"]
    assert found["because"].startswith("9 requests send 972 tokens instead of 390.")
    assert [choice["text"] for choice in found["choices"] if choice["key"] == found["answer"]] == [
        "They grow 2.5 times"
    ]


@pytest.mark.parametrize(
    ("budget", "kept", "sent", "passes"),
    [(70, 2, 339, True), (80, 2, 341, True), (90, 2, 341, True), (100, 3, 364, False)],
)
def test_a_small_budget_passes(budget: int, kept: int, sent: int, passes: bool) -> None:
    """Fewer than 350 tokens, and at least one compaction."""
    found = tried(1, 4, "agentkit.memory", budget=budget, keep_recent=kept)
    assert (found["passed"], found["conditions"][1]["figure"]) == (passes, f"{sent} of 350")
    assert found["figures"]["total"] == sent


def test_without_a_policy_both_are_missing() -> None:
    """What happens, and what is sent."""
    assert tried(1, 4)["missing"] == ["No compaction yet.", "390 tokens are sent; fewer than 350 are asked for."]


def test_the_summarizer_eats_the_saving() -> None:
    """364 and 67 are more than 390."""
    assert answer(1, 5) == "B"
    assert step(1, 5)["ask"]["because"].startswith("364 and the 67 it reads make 431, against 390 without a policy")


def test_a_day_sends_thirty_times_what_it_holds() -> None:
    """The sample where nobody opened a session: 49,164 tokens in 68 calls; the policy sends what the engine counts."""
    found = step(1, 6)
    assert found["caption"] == "A sample session: 68 requests; 187 messages of ~49,164 tokens. Guess before you look."
    assert found["ask"]["answer"] == found["figures"]["total"] == 1_564_558
    assert found["ask"]["mark"] == found["figures"]["mark"] == "~"
    assert (
        found["ask"]["because"] == "agentkit.memory with a budget of 16,000 would send ~592,653. Counted by o200k_base."
    )
    assert (found["scene"]["policy"], found["scene"]["step"]) == ("none", 186)


def test_summaries_of_the_transcript_are_left_out_and_the_lesson_says_so() -> None:
    """Without a policy there would be none of them: the page's header, by the same meter, counts more."""
    session = sample("foldline/forgotten-rule.json")
    found = shown(lesson(1), 6, Yours("path:/x", session, "agentkit", lambda name: {}))
    summaries = [m for m in session.messages if m.injected == "summary"]
    rest = sum(meter("agentkit").count(m) for m in session.messages if m not in summaries)
    told = f"{len(session.messages) - 3} messages of ~{rest:,} tokens, without its 3 summaries. Guess before you look."
    assert (len(summaries), found["caption"].partition("; ")[2]) == (3, told)
    assert found["ask"]["because"].endswith(" Counted by agentkit.")


def test_a_session_without_a_reply_has_no_bill() -> None:
    """Nothing was sent."""
    found = shown(lesson(1), 6, Yours("path:/x", as_session([user("Hello?")]), "agentkit", lambda name: {}))
    assert found["empty"].startswith("This session has 1 message and no reply of a model")


def test_twice_the_work_is_one_run_in_words_bars_and_window() -> None:
    """Its first 5 of 9 requests sent 390 tokens, as the shorter run did; the answer shows all 9, with 972."""
    found = step(1, 3)
    calls, scene = found["figures"]["calls"], found["scene"]
    sizes = [call["old"] + call["new"] for call in calls]
    assert sizes == [48, 63, 78, 93, 108, 123, 138, 153, 168]
    assert sum(size for size, call in zip(sizes, calls, strict=True) if call["step"] <= scene["step"]) == 390
    assert (sum(sizes), found["figures"]["total"]) == (972, 972)
    assert "5 requests sent 390 tokens" in found["caption"]

    longer = sample(scene["source"].removeprefix("sample:"))
    assert (scene["step"], found["then"], len(longer.messages)) == (10, 18, 19)
    assert [call["step"] for call in calls] == [k for k, one in enumerate(longer.messages) if one.role == "assistant"]


@pytest.mark.parametrize(
    ("budget", "kept", "note"),
    [
        (
            70,
            3,
            "Requests 3, 4 and 5 are over the budget of 70: what must stay is more. In request 5: system prompt 20 + summary 41"
            " + newest 3 messages 21 = 82. The last reply makes the window 100, but no request follows it.",
        ),
        (
            100,
            8,
            "Request 5 is over the budget of 100: what must stay is more. In request 5: system prompt 20 + summary 41"
            " + newest 8 messages 60 = 121. The last reply makes the window 139, but no request follows it.",
        ),
        (
            80,
            2,
            "No request is over the budget of 80: the largest has 78 tokens. The last reply makes the window 94, but no request"
            " follows it.",
        ),
        (200, 3, "No request is over the budget of 200: the largest has 108 tokens."),
    ],
)
def test_the_task_says_what_is_over_the_budget_and_why(budget: int, kept: int, note: str) -> None:
    """Whether it passes or not: what must stay may be more than the budget, and no request follows the last reply."""
    assert tried(1, 4, "agentkit.memory", budget=budget, keep_recent=kept)["note"] == note


def test_no_policy_has_no_budget_to_tell_of() -> None:
    """The sliders do nothing then."""
    assert tried(1, 4)["note"] == ""


@pytest.mark.parametrize("kept", range(1, 9))
def test_at_every_place_of_the_sliders_the_note_is_what_the_bars_show(kept: int) -> None:
    """It names each request whose bar is above the budget and no other; such a request holds nothing that may go."""
    for budget in range(70, 201, 10):
        found = tried(1, 4, "agentkit.memory", budget=budget, keep_recent=kept)
        sizes = [call["old"] + call["new"] for call in found["figures"]["calls"]]
        over = [number for number, size in enumerate(sizes, 1) if size > budget]
        named = re.match(r"Requests? ([\d, and]+) (?:is|are) over", found["note"])
        assert [int(number) for number in re.findall(r"\d+", named[1] if named else "")] == over
        if over:
            parts = re.findall(r" (\d+)(?= \+| =)", found["note"])
            assert sum(map(int, parts)) == sizes[over[-1] - 1] > budget
        assert ("The last reply" in found["note"]) == (_last_window(budget, kept) > budget)


def _last_window(budget: int, kept: int) -> int:
    trace = run_of(POLICY.under(budget=budget, keep_recent=kept)).trace
    return sum(meter("agentkit").count(message) for message in trace.window(len(trace) - 1))
