"""Lesson 2: 108 to 82, phase by phase."""

import pytest

from core import load
from core.lessons import lesson
from core.lessons.one_compaction import SCENE, YOURS
from core.lessons.run import Yours, run_of, sample
from core.lessons.show import shown
from core.measure.calls import calls_of
from core.trace.trace import as_session
from tests.lessons.attempts import answer, step, tried
from tests.serving import ROOT
from tests.support import assistant, user


def test_the_answers_are_those_of_the_lesson() -> None:
    """Before the next call; message 7 is the first that stays; 41 tokens; where the old stood; message 7 is refused."""
    assert [answer(2, of) for of in (1, 2, 3, 4, 5)] == ["B", 7, "B", "B", 7]
    assert [choice["text"] for choice in step(2, 3)["ask"]["choices"]] == ["6", "41", "67"]
    assert [choice["before"] for choice in step(2, 4)["ask"]["choices"]] == [0, 7, None]


def test_the_reasons_name_the_engines_figures() -> None:
    """The three parts, the summary's role, the result and its call."""
    assert step(2, 2)["ask"]["because"].startswith("1 message is pinned, 6 may go, and 3 stay.")
    assert "role system" in step(2, 4)["ask"]["because"]
    because = step(2, 5)["ask"]["because"]
    assert because.startswith(
        "The result 300 answers the call that stood in message 7. That call went into the summary"
    )


def test_the_summary_reports_only_what_it_was_given() -> None:
    """The result 300 is message 8, which stays: a summary of messages 2 to 7 cannot know it."""
    trace = run_of(SCENE).trace
    found = trace.compactions[0]
    given = " ".join(message.content for message in trace.messages if message.id in found.removed)
    assert found.summary
    assert "300" not in found.summary.content
    assert "300" not in given
    assert (found.window_before, found.window_after, found.summary_tokens) == (108, 82, 41)


def test_the_scenes_stand_before_the_compaction_and_behind_it() -> None:
    """Step 9 while it is taken apart, step 10 once it has happened; each shows the phase that was asked for."""
    scenes = [step(2, of)["scene"] for of in range(1, 7)]
    assert [(scene["step"], scene["phase"]) for scene in scenes] == [
        (9, 1),
        (9, 2),
        (9, 3),
        (9, 4),
        (10, None),
        (10, None),
    ]


@pytest.mark.parametrize(
    ("kept", "missing"),
    [
        (1, ["Pairs with one half gone: 1 of 4."]),
        (2, []),
        (3, ["Pairs with one half gone: 1 of 4."]),
        (4, []),
        (5, ["Pairs with one half gone: 1 of 4."]),
        (6, ["The window ends with 106 tokens; the budget is 100."]),
        (7, ["Pairs with one half gone: 1 of 4.", "The window ends with 112 tokens; the budget is 100."]),
        (8, ["The window ends with 121 tokens; the budget is 100."]),
    ],
)
def test_two_values_of_keep_recent_pass(kept: int, missing: list[str]) -> None:
    """2 and 4; odd numbers part a pair, larger ones do not fit."""
    found = tried(2, 6, keep_recent=kept)
    assert (found["passed"], found["missing"]) == (not missing, missing)
    assert (found["figures"] is None) == bool(missing)


def test_the_strip_shows_every_value_once_the_task_has_passed() -> None:
    """67 to 121 tokens, as the engine leaves them."""
    strip = tried(2, 6, keep_recent=4)["figures"]
    assert [row["tokens"] for row in strip["rows"]] == [67, 76, 82, 91, 97, 106, 112, 121]
    assert [row["state"] for row in strip["rows"]] == ["cuts", "passes"] * 2 + ["cuts", "over"] * 2


def test_your_own_session_shows_the_compaction_that_it_recorded() -> None:
    """Of a file with compactions its own, not a policy's."""
    recorded = sample("claude-code/recorded-compaction.jsonl")
    found = shown(lesson(2), 7, Yours("path:/x", recorded, "o200k_base", lambda name: {}))
    assert (found["scene"]["policy"], found["scene"]["source"], found["empty"]) == ("recorded", "path:/x", None)


def test_the_last_step_has_the_tokens_on_record_and_says_whose_session_it_is() -> None:
    """As its card leads with them; a sample is no session of theirs."""
    recorded = sample("claude-code/recorded-compaction.jsonl")
    found = [
        shown(lesson(2), 7, Yours(source, recorded, "o200k_base", lambda name: {}))["caption"]
        for source in ("path:/x", "sample:claude-code/recorded-compaction.jsonl")
    ]
    said = (
        "session, first compaction of 1: 23,016 tokens become 17,575, 24 % less. Its tiles take it apart."
        " Each of the 7 requests after it sends 5,441 tokens less: 38,087 in all."
    )
    assert found == [f"Your {said}", f"A sample {said}"]


def test_the_lesson_ends_on_what_a_compaction_spares() -> None:
    """By how much the window of the sample shrinks, times the model calls between its first compaction and the second."""
    trace = run_of(YOURS).trace
    first, second = trace.compactions[:2]
    replies = {at for call in calls_of(trace.measured) if first.at <= (at := call.at) < second.at}
    freed = first.window_before - first.window_after
    assert (len(replies), freed) == (23, 14_247)
    assert step(2, 7)["caption"].endswith(
        "16,258 tokens become 2,011, 88 % less. Its tiles take it apart."
        " Each of the 23 requests before the next compaction sends 14,247 tokens less: 327,681 in all."
    )


def test_where_a_compaction_spares_little_the_last_step_says_so() -> None:
    """One request that follows needs no sum; where the window grew, none is shorter."""
    words = [user("Hello " * 40), assistant("Hi. " * 40), user("Go on."), assistant("Done.")]
    short = [user("Hello."), assistant("Hi."), user("Go on."), assistant("Done.")]
    for session, budget, point in (
        (as_session(words), 60, "33 % less. Its tiles take it apart. The only request after it sends 37 tokens less."),
        (as_session(short), 10, "more. Its tiles take it apart. No later request becomes shorter."),
    ):
        own = Yours("path:/x", session, "agentkit", lambda name, most=budget: {"budget": most, "keep_recent": 1})
        assert shown(lesson(2), 7, own)["caption"].endswith(point)


def test_a_compaction_right_behind_another_ends_no_stretch() -> None:
    """The second compaction of this session comes before any request: those after both are counted."""
    session = load(ROOT / "sample_sessions" / "opencode" / "four-beds.json")
    own = Yours("path:/x", session, "agentkit", lambda name: {"budget": 500, "keep_recent": 3})
    caption = shown(lesson(2), 7, own)["caption"]
    assert caption.endswith("9 % less. Its tiles take it apart. The only request after it sends 37 tokens less.")


def test_a_session_that_never_fills_its_window_says_so() -> None:
    """No figures, and what to do."""
    small = as_session([user("Hello."), assistant("Hi.")])
    found = shown(lesson(2), 7, Yours("path:/x", small, "agentkit", lambda name: {"budget": 1000}))
    assert found["empty"].startswith("This session never fills its window: 2 messages, 10 tokens.")
    assert (found["caption"], found["ask"], found["figures"], found["veil"]) == ("", None, None, [])
