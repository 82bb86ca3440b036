"""Lesson 2: 405 to 185, phase by phase."""

from pathlib import Path

import pytest

from core import load, policy, replay
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
    """Before the next call; message 7 is the first that stays; 94 tokens; where the old stood; message 7 is refused."""
    assert [answer(2, of) for of in (1, 2, 3, 4, 5)] == ["B", 6, "B", "B", 6]
    assert [choice["text"] for choice in step(2, 3)["ask"]["choices"]] == ["5", "~94", "~314"]
    assert [choice["before"] for choice in step(2, 4)["ask"]["choices"]] == [0, 6, None]


def test_the_reasons_name_the_engines_figures() -> None:
    """The three parts, the long result, the summary's role, the saving, the result and its call."""
    assert step(2, 2)["ask"]["because"].startswith("1 message is pinned, 5 may go, and 3 stay.")
    assert step(2, 3)["ask"]["because"].startswith("~314 tokens became ~94. One long result held ~201 of them:")
    assert "role system: background, nothing to reply to. ~405 tokens become ~185, 54 %" in step(2, 4)["ask"]["because"]
    because = step(2, 5)["ask"]["because"]
    assert because.startswith("Message 7 answers a call that stood in message 5. That call went into the summary")


def test_codex_puts_its_summary_last_as_the_lesson_says(shared: Path) -> None:
    """In the recorded session as under the policy that the answer names as its source: below every message that is kept."""
    assert "in Codex it comes last." in step(2, 4)["ask"]["because"]
    assert step(2, 4)["ask"]["source"]["url"] == policy("codex.local").source.url
    [path] = (shared / "transcripts" / "codex").glob("rollout-2026-06-26*.jsonl")
    recorded = [[message.injected == "summary" for message in found.after] for found in replay(load(path)).compactions]
    assert recorded == [[*[False] * 10, True], [*[False] * 13, True]]


def test_the_compaction_pays() -> None:
    """It takes at least half of the window: what a lesson on compaction shows has to be worth a compaction."""
    found = run_of(SCENE).trace.compactions[0]
    assert (found.window_before, found.window_after, found.summary_tokens) == (405, 185, 94)
    assert found.window_after <= found.window_before / 2


def test_the_summary_reports_only_what_it_was_given() -> None:
    """The answer to the second call is message 7, which stays: a summary of messages 2 to 6 waits for it."""
    trace = run_of(SCENE).trace
    found = trace.compactions[0]
    given = " ".join(message.content for message in trace.messages if message.id in found.removed)
    kept = "README says all times are UTC"
    assert found.summary
    assert "Waiting for: ask_librarian" in found.summary.content
    assert kept in trace.messages[6].content
    assert kept not in found.summary.content + given


def test_the_first_step_draws_the_requests_and_the_one_that_is_over_the_budget() -> None:
    """Those that were made, and behind the cursor the next one with all that the window holds."""
    found = step(2, 1)
    calls = found["figures"]["calls"]
    assert [call["old"] + call["new"] for call in calls] == [60, 105, 359, 405]
    assert found["figures"]["limit"] == 400
    at = found["scene"]["step"]
    assert [call["step"] <= at for call in calls] == [True, True, True, False]


def test_the_scenes_stand_before_the_compaction_and_behind_it() -> None:
    """Step 8 while it is taken apart, step 9 once it has happened; each shows the phase that was asked for."""
    scenes = [step(2, of)["scene"] for of in range(1, 7)]
    assert [(scene["step"], scene["phase"]) for scene in scenes] == [
        (8, 1),
        (8, 2),
        (8, 3),
        (8, 4),
        (9, None),
        (9, None),
    ]


@pytest.mark.parametrize(
    ("kept", "missing"),
    [
        (1, ["Pairs with one half gone: 1 of 4."]),
        (2, []),
        (3, ["Pairs with one half gone: 1 of 4."]),
        (4, ["Pairs with one half gone: 2 of 4."]),
        (5, []),
        (6, ["Pairs with one half gone: 1 of 4.", "The window ends with ~426 tokens; the budget is 400."]),
        (7, ["The window ends with ~421 tokens; the budget is 400."]),
        (8, ["No compaction happens.", "The window ends with ~405 tokens; the budget is 400."]),
    ],
)
def test_two_values_of_keep_recent_pass(kept: int, missing: list[str]) -> None:
    """2 and 5; others part a pair, do not fit, or leave nothing that may go."""
    found = tried(2, 6, keep_recent=kept)
    assert (found["passed"], found["missing"]) == (not missing, missing)
    assert (found["figures"] is None) == bool(missing)


def test_the_strip_shows_every_value_once_the_task_has_passed() -> None:
    """161 to 426 tokens, as the engine leaves them; where it compacts nothing, the 405 that the last request sends."""
    strip = tried(2, 6, keep_recent=5)["figures"]
    assert [row["tokens"] for row in strip["rows"]] == [166, 161, 185, 387, 387, 426, 421, 405]
    assert [row["state"] for row in strip["rows"]] == [
        *("cuts", "passes", "cuts", "cuts", "passes", "cuts", "over", "none"),
    ]


def test_each_bar_of_the_strip_has_the_summary_of_its_own_run() -> None:
    """Its tokens are those of the summary that is written under that setting: they differ as what is taken does."""
    summaries = [row["summary"] for row in tried(2, 6, keep_recent=2)["figures"]["rows"]]
    traces = [run_of(SCENE).under(keep_recent=kept).trace for kept in range(1, 9)]
    assert summaries == [sum(found.summary_tokens for found in trace.compactions) for trace in traces]
    assert len(set(summaries)) == len(summaries)


def test_little_is_saved_from_where_the_long_result_stays() -> None:
    """The number that the task names once it has passed: below it the window shrinks by half, from there hardly at all."""
    assert "From 4 on it keeps the long result, and saves little or nothing." in step(2, 6)["task"]["passed"]
    founds = [run_of(SCENE).under(keep_recent=kept).trace.compactions[0] for kept in range(1, 8)]
    shares = [found.window_after / found.window_before for found in founds]
    assert max(shares[:3]) < 0.5
    assert min(shares[3:]) > 0.9


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
        "session, first compaction of 1: 23,016 tokens become 17,575, 24 % less. Its tiles show how."
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
        "A sample session, first simulated compaction of 3: ~16,258 tokens become ~2,011, 88 % less. Its tiles show how."
        " Each of the 23 requests before the next compaction sends ~14,247 tokens less: ~327,681 in all."
    )


def test_where_a_compaction_spares_little_the_last_step_says_so() -> None:
    """One request that follows needs no sum; where the window grew, none is shorter."""
    words = [user("Hello " * 40), assistant("Hi. " * 40), user("Go on."), assistant("Done.")]
    short = [user("Hello."), assistant("Hi."), user("Go on."), assistant("Done.")]
    for session, budget, point in (
        (as_session(words), 60, "33 % less. Its tiles show how. The only request after it sends ~37 tokens less."),
        (as_session(short), 10, "more. Its tiles show how. No later request becomes shorter."),
    ):
        own = Yours("path:/x", session, "agentkit", lambda name, most=budget: {"budget": most, "keep_recent": 1})
        assert shown(lesson(2), 7, own)["caption"].endswith(point)


def test_a_compaction_right_behind_another_ends_no_stretch() -> None:
    """The second compaction of this session comes before any request: those after both are counted."""
    session = load(ROOT / "sample_sessions" / "opencode" / "four-beds.json")
    own = Yours("path:/x", session, "agentkit", lambda name: {"budget": 500, "keep_recent": 3})
    caption = shown(lesson(2), 7, own)["caption"]
    assert caption.endswith("9 % less. Its tiles show how. The only request after it sends ~37 tokens less.")


def test_a_session_that_never_fills_its_window_says_so() -> None:
    """No figures, and what to do."""
    small = as_session([user("Hello."), assistant("Hi.")])
    found = shown(lesson(2), 7, Yours("path:/x", small, "agentkit", lambda name: {"budget": 1000}))
    assert found["empty"].startswith("This session never fills its window: 2 messages, ~10 tokens.")
    assert (found["caption"], found["ask"], found["figures"], found["veil"]) == ("", None, None, [])
