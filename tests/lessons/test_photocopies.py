"""Lesson 4: the compaction at which a sentence is lost."""

import pytest

from core import meter as meter_called
from core import policy, simulate
from core.lessons import lesson
from core.lessons.photocopies import SCENE
from core.lessons.run import Yours, run_of, sample
from core.lessons.show import shown
from core.trace.trace import as_session
from core.why.fate import fate
from tests.lessons.attempts import answer, step, tried
from tests.support import assistant, user

RULE = "only compare against what was in the book before that file"


def lost_at(text: str, budget: int, kept: int) -> list[int]:
    """The compactions, from 1, whose window before has a text and whose window after has not."""
    rule = policy("agentkit.memory", budget=budget, keep_recent=kept)
    trace = simulate(sample("openai-chat/coding-session.json"), rule, meter_called("o200k_base"))
    has = [
        tuple(any(text in message.content for message in window) for window in (found.before, found.after))
        for found in trace.compactions
    ]
    return [k + 1 for k, (before, after) in enumerate(has) if before and not after]


def test_the_rule_dies_at_the_third_compaction() -> None:
    """It is in two summaries and not in the third."""
    assert lost_at(RULE, 20_000, 12) == [3]
    assert answer(4, 2) == "C"
    assert step(4, 2)["ask"]["because"].startswith("Compaction 3 of 3")
    marks = step(4, 2)["figures"]["marks"]
    assert [mark["is"] for mark in marks] == ["held", "held", "held", "in other words", "in other words"]


def test_the_first_step_shows_only_where_it_is_said() -> None:
    """Message 54 as the app counts; the cursor stands there."""
    found = step(4, 1)
    assert found["caption"].startswith("In message 54 the user sets a rule: “only compare against")
    assert (found["scene"]["step"], len(found["figures"]["marks"])) == (53, 1)


def test_of_two_more_sentences_the_first_is_lost_at_once() -> None:
    """The other reaches the end."""
    assert lost_at("unknown time zone name should be an error", 20_000, 12) == [1]
    assert lost_at("not change the public API", 20_000, 12) == []
    assert answer(4, 3) == "A"
    assert step(4, 3)["ask"]["because"].startswith("Its words went with compaction 1,")


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
    assert found["ask"]["because"].startswith("Compaction 4 of 11, after it had stood in ")


@pytest.mark.parametrize(
    ("budget", "kept", "missing"),
    [
        (20_000, 12, ["Its words are gone: compaction 3 of 3 lost them."]),
        (24_000, 8, ["Its words are gone: compaction 2 of 2 lost them."]),
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
    """A stand-in writes the summaries; no run whose compactions end before message 171 loses the rule."""
    assert "a stand-in writes them: it quotes sentences, and no model is asked" in step(4, 2)["caption"]
    assert "its words are lost, and the summary has it only in other words" in step(4, 5)["caption"]
    why = "With budget 20,000 the last compaction also took message 171, whose new rules pushed this one out."
    assert why in step(4, 5)["task"]["passed"]
    for kept in (8, 12, 16):
        run = run_of(SCENE).under(budget=18_000 if kept > 8 else 28_000, keep_recent=kept)
        newest = run.trace.messages[170]
        assert newest.role == "user"
        assert all(newest.id not in found.removed for found in run.trace.compactions)
        assert fate(run.trace, RULE).lane.state(len(run.trace) - 1) == "summary"


def test_your_own_sentence_is_the_one_that_lives_longest_and_dies() -> None:
    """Of the day: one of message 22, which the third summary leaves out."""
    found = step(4, 6)
    assert found["caption"].startswith(
        "A sentence of a sample session: “Keep Transaction.month as it is, the mailer uses it”."
    )
    assert (found["ask"]["answer"], lost_at("Keep Transaction.month as it is", 20_000, 12)) == (3, [3])


def test_a_recorded_run_is_followed_through_its_own_summaries() -> None:
    """As the file recorded them, whatever the policy of the lesson."""
    recorded = sample("foldline/forgotten-rule.json")
    found = shown(lesson(4), 6, Yours("path:/x", recorded, "o200k_base", lambda name: {}))
    assert (found["scene"]["policy"], found["ask"]["answer"]) == ("recorded", 2)


def test_a_session_without_a_compaction_says_so() -> None:
    """Nothing is lost in it."""
    small = as_session([user("Keep the old names in every file."), assistant("Yes.")])
    found = shown(lesson(4), 6, Yours("path:/x", small, "agentkit", lambda name: {"budget": 1000}))
    assert found["empty"].startswith("This session has 1 call, 0 compactions")


def test_words_that_are_lost_are_not_yet_forgotten() -> None:
    """The answer and the thread say what the app says: in other words, and only behind that gone."""
    found = step(4, 3)
    assert found["ask"]["because"].endswith(
        "The summary has it in other words: not forgotten, but no longer the user's own words. Compaction 2 loses that, too."
    )
    assert [mark["is"] for mark in found["figures"]["figures"][0]["marks"]] == [
        *("held", "in other words", "gone", "gone", "gone")
    ]
    assert step(4, 6)["ask"]["because"] == "Compaction 3 left its words out. Nothing else says it: it is forgotten."
