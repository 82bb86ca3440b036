"""`foldline lesson`: the answer sheet of a lesson."""

import json

import pytest

from core.cli import main


def test_the_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With what the engine counts in their titles."""
    assert main(["lesson"]) == 0
    assert "One compaction" in capsys.readouterr().out


def test_a_lesson_is_printed_with_answers_and_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    """Messages by their numbers in the app, from 1."""
    assert main(["lesson", "2"]) == 0
    out = capsys.readouterr().out
    assert "     question: Click the message an API would refuse.\n     answer: message 7\n" in out
    assert "     solved by: keep_recent=2; keep_recent=5\n" in out


def test_a_lesson_as_json_has_every_solution(capsys: pytest.CaptureFixture[str]) -> None:
    """And the steps as the page gets them."""
    assert main(["lesson", "2", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert steps[5]["solutions"] == [{"keep_recent": 2}, {"keep_recent": 5}]
    assert steps[0]["ask"]["answer"] == "B"


def test_a_cut_is_named_by_the_message_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    """At most six solutions, and how many more there are."""
    assert main(["lesson", "3"]) == 0
    assert "solved by: a cut before message 3; " in (out := capsys.readouterr().out)
    assert "a cut before message 15; and 1 more\n" in out


def test_a_lesson_that_is_not_there_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that are."""
    assert main(["lesson", "9"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "error: there is no lesson 9",
        "hint: there are 1, 2, 3, 4, 5, 6",
    ]
