"""Lesson 4: the compaction at which a sentence is lost."""

import pytest

from core import meter as meter_called
from core import policy, simulate
from core.lessons import lesson
from core.lessons.photocopies import QUOTED, _sentences
from core.lessons.run import Yours, run_of, sample
from core.lessons.show import shown
from core.trace.trace import as_session
from core.why.fate import fate
from tests.lessons.attempts import answer, step, tried
from tests.support import assistant, user

KEPT = "Keep Transaction.month as it is"


def lost_at(text: str, budget: int, kept: int) -> list[int]:
    """The compactions, from 1, whose window before has a text and whose window after has not."""
    rule = policy("agentkit.memory", budget=budget, keep_recent=kept)
    trace = simulate(sample("openai-chat/coding-session.json"), rule, meter_called("o200k_base"))
    has = [
        tuple(any(text in message.content for message in window) for window in (found.before, found.after))
        for found in trace.compactions
    ]
    return [k + 1 for k, (before, after) in enumerate(has) if before and not after]


def test_what_an_agent_puts_around_a_slash_command_is_no_sentence() -> None:
    """Nor is the command alone: the sentence of one's own session that is followed is what a person typed."""
    around = "<command-message>debug</command-message>\n<command-name>/debug-the-hooks</command-name>"
    talk = [
        user(around),
        assistant("a"),
        user("The stop hooks are slow, can we mend that?"),
        assistant("b"),
        user("on"),
    ]
    trace = simulate(
        as_session([*talk, *talk[3:]]), policy("agentkit.memory", budget=20, keep_recent=1), meter_called("agentkit")
    )
    assert trace.compactions
    assert list(_sentences(trace))[:1] == ["The stop hooks are slow, can we mend that"]


def test_the_rule_dies_at_the_second_compaction() -> None:
    """The first of the summaries that are written out quotes it, no other has a word of it."""
    recorded = sample("foldline/forgotten-rule.json")
    texts = [message.content for message in recorded.messages if message.injected == "summary"]
    assert ["dependency" in text for text in texts] == [True, False, False]
    assert answer(4, 2) == "B"
    assert step(4, 2)["ask"]["because"].startswith(
        "Compaction 2 of 3: its summary leaves the rule out. Nothing else in the window says it"
    )
    marks = step(4, 2)["figures"]["marks"]
    assert [mark["is"] for mark in marks] == ["held", "held", "gone", "gone", "gone"]


def test_the_first_step_shows_where_it_is_said_and_asks_of_the_rest() -> None:
    """Message 2 as the app counts; the cursor stands there; of each compaction and of the end nothing is told yet."""
    found = step(4, 1)
    assert found["caption"].startswith("In message 2 the user sets a rule: “no new dependency,")
    assert found["scene"]["step"] == 1
    assert [mark["is"] for mark in found["figures"]["marks"]] == ["held", *["asked"] * 4]


def test_of_two_more_sentences_the_first_is_lost() -> None:
    """The other reaches the end in other words: the public API must stay as it is."""
    found = step(4, 3)
    assert answer(4, 3) == "A"
    assert [[mark["is"] for mark in thread["marks"]] for thread in found["figures"]["figures"]] == [
        ["held", "in other words", "gone", "gone", "gone"],
        ["held", "held", "in other words", "in other words", "in other words"],
    ]
    assert found["ask"]["because"] == (
        "Compaction 1 put it in other words, and compaction 2 left those out. Compaction 2 put the other one in other words,"
        " and there it stays."
    )


def test_every_wrong_choice_says_why() -> None:
    """Each choice but the answer; the answer needs no excuse."""
    for number in (2, 3):
        ask = step(4, number)["ask"]
        assert [choice["key"] for choice in ask["choices"] if "why" not in choice] == [ask["answer"]]


def test_a_running_summary_loses_a_sentence_that_it_had() -> None:
    """agentlib under its own limits: 11 compactions, the fourth of which leaves the sentence out."""
    found = step(4, 4)
    rule = policy("agentlib.summarizing")
    trace = simulate(sample("openai-chat/coding-session.json"), rule, meter_called("agentlib"))
    has = [
        any("unknown time zone name should be an error" in m.content for m in made.after) for made in trace.compactions
    ]
    assert (len(has), has[1:4]) == (11, [True, True, False])
    assert found["scene"]["settings"] == {"active_window_tokens": 3_000, "summary_max_tokens": 600}
    assert found["ask"]["answer"] == 4
    assert found["ask"]["because"].startswith("Compaction 4 of 11, after they had stood in 2 summaries.")


@pytest.mark.parametrize(
    ("budget", "kept", "missing"),
    [
        (20_000, 12, ["Its words are gone: compaction 3 of 3 lost them."]),
        (24_000, 8, ["Its words are gone: compaction 2 of 2 lost them."]),
        (16_000, 4, ["Its words are gone: compaction 3 of 3 lost them."]),
        (28_000, 8, []),
        (30_000, 8, []),
        (32_000, 8, []),
        (24_000, 32, []),
        (60_000, 8, ["No compaction: without one, no rule is lost."]),
    ],
)
def test_the_rule_is_kept_in_sight(budget: int, kept: int, missing: list[str]) -> None:
    """By some settings, not by others with a larger budget; and something has to be compacted."""
    found = tried(4, 5, budget=budget, keep_recent=kept)
    assert (found["passed"], found["missing"]) == (not missing, missing)


def test_the_surprise_is_what_the_engine_finds() -> None:
    """A larger budget that loses the rule sooner."""
    assert tried(4, 5, budget=18_000, keep_recent=12)["passed"]
    assert step(4, 5)["task"]["passed"].endswith("24,000 with 8 kept loses the words at compaction 2 of 2.")


def test_the_lesson_says_who_writes_and_why_a_smaller_budget_keeps_the_rule() -> None:
    """Made-up summaries first, then a stand-in's; no run whose compactions end before message 171 loses the rule."""
    assert "This day is made up, and so are its summaries" in step(4, 2)["caption"]
    assert "a stand-in writes the summaries: it only quotes sentences, and no model is asked" in step(4, 4)["caption"]
    assert "the last summary leaves out “Keep Transaction.month as it is”" in step(4, 5)["caption"]
    why = "With budget 20,000 the last compaction also took message 171, whose new rules pushed this one out."
    assert why in step(4, 5)["task"]["passed"]
    for kept in (8, 12, 16):
        run = run_of(QUOTED).under(budget=18_000 if kept > 8 else 28_000, keep_recent=kept)
        newest = run.trace.messages[170]
        assert newest.role == "user"
        assert all(newest.id not in found.removed for found in run.trace.compactions)
        assert fate(run.trace, KEPT).lane.state(len(run.trace) - 1) == "summary"


def test_your_own_sentence_is_the_one_that_lives_longest_and_dies() -> None:
    """Of those that no step has followed yet."""
    found = step(4, 6)
    assert found["caption"].startswith(
        "A sentence of a sample session: “Now a feature: `pocketbook report --json`, for the dashboard"
    )
    assert found["caption"].endswith("It meets 3 simulated compactions.")
    assert (found["ask"]["answer"], lost_at("for the dashboard, so that they stop parsing the table", 20_000, 12)) == (
        3,
        [3],
    )


def test_a_recorded_run_is_followed_through_its_own_summaries() -> None:
    """As the file recorded them, whatever the policy of the lesson."""
    recorded = sample("foldline/forgotten-rule.json")
    found = shown(lesson(4), 6, Yours("path:/x", recorded, "o200k_base", lambda name: {}))
    assert (found["scene"]["policy"], found["ask"]["answer"]) == ("recorded", 3)


def test_a_session_without_a_compaction_says_so() -> None:
    """Nothing is lost in it."""
    small = as_session([user("Keep the old names in every file."), assistant("Yes.")])
    found = shown(lesson(4), 6, Yours("path:/x", small, "agentkit", lambda name: {"budget": 1000}))
    assert found["empty"].startswith("This session has 1 call, 0 compactions")
