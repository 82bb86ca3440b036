"""What Learn fetches: the lessons, a step with its figures, the check of a task."""

from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viewer.api import lessons as api

CLIENT = TestClient(Starlette(routes=api.ROUTES))


def body(path: str, status: int = 200, **query: Any) -> dict[str, Any]:
    """The JSON of a route."""
    answer = CLIENT.get(f"/api/lessons{path}", params=query)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_index_lists_every_lesson_with_its_steps() -> None:
    """The second: its title is what the engine counts."""
    second = next(one for one in body("")["lessons"] if one["number"] == 2)
    assert (second["key"], second["title"], second["minutes"]) == ("one-compaction", "One compaction", 5)
    assert second["steps"] == [
        "Guess when it starts",
        "Find what stays",
        "Guess the summary's size",
        "Place the summary",
        "Find what an API refuses",
        "Keep the pairs whole",
        "Try your own session",
    ]


def test_a_step_has_what_the_debugger_shows_beside_it() -> None:
    """Its scene, what is covered, caption and question."""
    found = body("/2/1")
    assert found["scene"] == {
        "source": "sample:inspect/cold-room.json",
        "policy": "agentkit.memory",
        "settings": {"budget": 400, "keep_recent": 3},
        "meter": "o200k_base",
        "summaries": "structural",
        "step": 8,
        "phase": 1,
    }
    assert "plan" in found["veil"]
    assert (found["caption"], found["ask"]["answer"]) == (
        "The window holds ~405 tokens. The budget of this agent is 400.",
        "B",
    )


def test_a_task_is_checked_with_the_settings_of_the_address() -> None:
    """3 leaves an orphan, 5 does not."""
    assert body("/2/6/check", keep_recent=3)["missing"] == ["Pairs with one half gone: 1 of 4."]
    assert body("/2/6/check", policy="agentkit.memory", keep_recent=5)["passed"]


@pytest.mark.parametrize(
    ("path", "query", "error"),
    [
        ("/9/1", {}, "there is no lesson 9"),
        ("/2/9", {}, "lesson 2 has no step 9"),
        ("/2/1/check", {}, "step 1 of lesson 2 has no task"),
        ("/2/6/check", {"keep_recent": "many"}, "keep_recent"),
        ("/2/1/solution", {}, "step 1 of lesson 2 has no task"),
        ("/2/6/check", {"budget": "90"}, "this task has no control 'budget'"),
        ("/2/6/check", {"colour": "red"}, "agentkit.memory has no parameter 'colour'"),
        ("/2/6/check", {"policy": "mine"}, "unknown policy 'mine'"),
        ("/2/6/check", {"cut": "nan"}, "cut=nan is no number"),
        ("/2/6/check", {"cached": "inf"}, "cached=inf is no number"),
        ("/2/7", {"source": "<b>"}, "<b> is no source"),
        ("/2/7", {"source": "path:/nowhere/x.jsonl"}, "/nowhere/x.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said(path: str, query: dict[str, str], error: str) -> None:
    """As 400, with a way out."""
    found = body(path, 400, **query)
    assert error in found["error"]
    assert found["hint"]


def test_a_task_is_solved_for_one_who_does_not_know() -> None:
    """As its controls have it: a setting, a cut, a policy, what is kept; of the last step on the person's own session."""
    assert body("/2/6/solution") == {"controls": {"keep_recent": 2}}
    assert body("/3/3/solution") == {"controls": {"cut": 2}}
    assert body("/1/4/solution")["controls"]["policy"] == "agentkit.memory"
    assert body("/6/2/solution") == {"controls": {"keep": "6,13,38"}}
    own = body("/6/7/solution", source="sample:openai-chat/coding-session.json")["controls"]
    assert own == {"keep": "6,13,38"}


def test_a_persons_own_session_is_used_by_the_last_step_alone() -> None:
    """Sample, settings and meter of the address; the other steps keep theirs."""
    own = "sample:openai-chat/long-chat.json"
    assert body("/2/7", source=own)["scene"]["source"] == own
    assert body("/2/1", source=own)["scene"]["source"] == "sample:inspect/cold-room.json"


def test_what_a_sample_has_to_show_is_what_debug_would_show() -> None:
    """The settings that suit the session: a compaction happens."""
    found = body("/2/7", source="sample:openai-chat/long-chat.json")
    assert found["empty"] is None
    assert found["scene"]["settings"]["budget"] < 4000


def test_a_session_too_small_says_so() -> None:
    """Three messages: nothing to compact, and what to do."""
    found = body("/2/7", source="sample:openai-chat/three-messages.json")
    assert found["empty"].startswith("This session never fills its window: 3 messages")


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl", set()),
        ("pi/before-compaction.jsonl", set()),
        ("openai-chat/nonfncall-llm-message.json", {2, 4, 5, 6}),
    ],
)
def test_real_sessions_have_something_to_show(
    shared: Path, name: str, empty: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last step of every lesson answers for a transcript of a person's own, or says why it cannot."""
    monkeypatch.setattr("viewer.sessions.sources.remember", lambda path: None)
    path = shared / "transcripts" / name
    found = [body(f"/{one['number']}/{len(one['steps'])}", source=f"path:{path}") for one in body("")["lessons"]]
    assert {one["lesson"] for one in found if one["empty"]} == empty
    assert all(bool(one["caption"]) != bool(one["empty"]) for one in found)


def test_the_best_choice_is_shown_even_where_it_beats_nobody(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session in which no choice misses fewer names than two policies: to keep nothing is as good as any."""
    monkeypatch.setattr("viewer.sessions.sources.remember", lambda path: None)
    source = f"path:{shared / 'transcripts' / 'gemini-cli' / 'session-2026-01-15T20-51-f7633853.json'}"
    assert body("/6/7/solution", source=source) == {"controls": {}}
    assert not body("/6/7/check", source=source)["passed"]


def test_a_sessions_own_words_count_right(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One compaction, one tool pair."""
    monkeypatch.setattr("viewer.sessions.sources.remember", lambda path: None)
    folder = shared / "transcripts"
    gemini = f"path:{folder / 'gemini-cli' / 'session-2026-01-15T20-51-f7633853.json'}"
    assert body("/4/6", source=gemini)["caption"].endswith("It meets 1 simulated compaction.")
    assert body("/3/6", source=f"path:{folder / 'openhands' / 'basic.json'}")["caption"].endswith(
        "4 messages, 1 tool pair."
    )
