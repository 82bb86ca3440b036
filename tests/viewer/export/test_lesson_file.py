"""The file of a lesson answers what the server answers: every step, every place of its controls, every choice on its board."""

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import FoldlineError, load
from core.cli import main
from core.lessons import lesson
from core.lessons.game import Game
from core.lessons.run import run_of
from core.lessons.show import Tried, shown
from tests.serving import ROOT
from tests.viewer.export.test_export import answered
from viewer.api.lessons import ROUTES
from viewer.export.lesson import asked_of, export_lesson, own_session

NUMBERS = range(1, 7)
CODING = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"
FORGOTTEN = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"


@pytest.fixture(scope="module")
def lesson_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """The file of a lesson, written once."""

    @cache
    def write(number: int) -> Path:
        path = tmp_path_factory.mktemp("lesson") / f"{number}.html"
        export_lesson(number).write(path)
        return path

    return write


def served(questions: list[str]) -> list[Any]:
    """What the server answers."""
    client = TestClient(Starlette(routes=ROUTES))
    return [client.get(f"/{question}").json() for question in questions]


def ends(number: int, step: int) -> list[str]:
    """Attempts with each control at its ends, and where it begins, but for a board."""
    row = shown(lesson(number), step)
    task, begun = row["task"], {**row["scene"]["settings"], "policy": row["scene"]["policy"]}
    if not task or "keep" in task["controls"]:
        return []
    cut = (row["figures"] or {}).get("cut")
    start = {name: begun.get(name, cut if name == "cut" else task["ranges"][name][0]) for name in task["controls"]}
    told = [start]
    for name, (*_, least, most, by) in ((name, ("", *values)[-4:]) for name, values in task["ranges"].items()):
        told += [start | {name: value} for value in ((least, most) if isinstance(by, int | float) else (most, by))]
    without = [
        {name: value for name, value in one.items() if one.get("policy") != "none" or name == "policy"} for one in told
    ]
    return [f"api/lessons/{number}/{step}/check?{urlencode(one)}" for one in without]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_answers_as_the_server_does(number: int, lesson_file: Callable[[int], Path], node: str) -> None:
    """Its steps, what solves each task, and each control from end to end."""
    path = lesson_file(number)
    steps = range(1, len(lesson(number).steps) + 1)
    questions = [
        *(f"api/lessons/{number}/{step}" for step in steps),
        *(f"api/lessons/{number}/{step}/solution" for step in steps if shown(lesson(number), step)["task"]),
        *(question for step in steps for question in ends(number, step)),
    ]
    assert answered(path, node, questions) == served(questions)
    index = answered(path, node, ["api/lessons"])[0]
    assert index == {"lessons": [served(["api/lessons"])[0]["lessons"][number - 1]], "alone": True}


@pytest.mark.parametrize("step", [2, 3, 5, 6, 7])
def test_a_choice_on_the_board_is_scored_as_the_engine_does(
    step: int, lesson_file: Callable[[int], Path], node: str
) -> None:
    """None, one, all that fits and too much, chosen at random."""
    path = lesson_file(6)
    game = Game(run_of(lesson(6).scene_of(lesson(6).steps[step - 1])))
    groups, dice = game.groups, random.Random(step)
    some = [dice.sample(groups, dice.randint(1, min(12, len(groups)))) for _ in range(12)]
    kept = ["", *(",".join(str(group.id) for group in sorted(choice)) for choice in (game.best.groups, *some))]
    questions = [f"api/lessons/6/{step}/check?keep={ids}" for ids in kept]
    mine, theirs = answered(path, node, questions), served(questions)
    assert mine == theirs
    assert {one["passed"] for one in mine} == {True, False}


def test_every_place_of_a_control_has_its_scene(lesson_file: Callable[[int], Path], node: str) -> None:
    """However the page came to a number; a place that no control reaches is refused in a sentence."""
    path = lesson_file(5)
    scene = {"source": "sample:openai-chat/coding-session.json", "policy": "agentkit.memory", "meter": "o200k_base"}
    asked = [
        scene | {"summaries": "structural", "settings": json.dumps({"keep_recent": 4 * k, "budget": 2_000 * n})}
        for k in range(1, 9)
        for n in range(3, 21)
    ]
    found = answered(path, node, [f"api/scene?{urlencode(one)}" for one in asked])
    assert len({one["tid"] for one in found}) == 8 * 18
    assert {one["sid"] for one in found} == {"s0"}
    odd = ["api/lessons/5/4/check?cached=0.30000000000000004", "api/lessons/5/4/check?cached=0.3"]
    rounded, plain = answered(path, node, odd)
    assert rounded == plain
    assert plain["conditions"][0]["figure"] == served(odd)[1]["conditions"][0]["figure"]
    refused = answered(path, node, ["api/lessons/5/5/check?budget=7000&keep_recent=4"])[0]
    assert refused == {"error": "This file answers only for the settings that its controls offer."}


def test_the_file_shows_what_the_debugger_asks_for(lesson_file: Callable[[int], Path], node: str) -> None:
    """Messages, cards and findings of a scene, at each place of a control; where a rule of lesson 4 went."""
    path = lesson_file(4)
    asked, tried = (shown(lesson(4), number)["scene"] for number in (2, 5))
    names = ("source", "policy", "meter", "summaries")
    first, other = (
        answered(path, node, [f"api/scene?{urlencode({name: scene[name] for name in names} | settings)}"])[0]
        for scene, settings in (
            (asked, {"settings": json.dumps(asked["settings"])}),
            (tried, {"settings": json.dumps({"budget": 12_000, "keep_recent": 4})}),
        )
    )
    rule = "no new dependency, not even a small one"
    message, fate, card, findings = answered(
        path,
        node,
        [
            f"api/message/{first['sid']}/2",
            f"api/fate/{first['tid']}?{urlencode({'text': rule})}",
            f"api/compaction/{other['tid']}/0",
            f"api/findings/{other['tid']}",
        ],
    )
    assert message["id"] == load(FORGOTTEN).messages[2].id
    assert fate["lane"][-1]["state"] == "gone"
    assert card["summary"].startswith("[summary #1 of 44 earlier messages]")
    assert findings["kinds"]


def test_ones_own_session_is_in_the_last_step(tmp_path: Path, node: str) -> None:
    """As the app shows it there; the file says whose the last step is."""
    session = load(ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json")
    made = export_lesson(2, own_session(session))
    made.write(tmp_path / "out.html")
    step = answered(tmp_path / "out.html", node, ["api/lessons/2/7"])[0]
    there = served(["api/lessons/2/7?source=sample:foldline/forgotten-rule.json"])[0]
    caption = there["caption"].replace("A sample session", "Your session")  # in the file it is theirs
    assert step == there | {"scene": step["scene"], "caption": caption}
    assert step["scene"]["source"] == "own"
    assert made.left_out == [
        "which messages a summary comes from, and what became of a text, once a control of a task is moved."
    ]
    assert "your own session" in export_lesson(2).left_out[0]


def test_an_attempt_is_what_the_page_asks_about() -> None:
    """The value of each control; without a policy there are no settings of one."""
    assert asked_of(Tried({"keep_recent": 3, "budget": 100}, "agentkit.memory")) == {
        "keep_recent": 3,
        "budget": 100,
        "policy": "agentkit.memory",
    }
    assert asked_of(Tried({"budget": 100}, "none")) == {"policy": "none"}


def test_the_command_writes_a_lesson(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By its number; a lesson that there is not is an error, options of a session with it are wrong usage."""
    out = tmp_path / "lesson.html"
    assert main(["export", "--lesson", "2", "-o", str(out)]) == 0
    assert "<title>2 · One compaction · foldline</title>" in out.read_text("utf-8")
    assert f"{out}: {out.stat().st_size:,} bytes" in capfd.readouterr().out
    assert main(["export", "--lesson", "9", "-o", str(out)]) == 1
    assert "there is no lesson 9" in capfd.readouterr().err
    for option, value in (("--step", "3"), ("--set", "budget=3"), ("--summaries", "error"), ("--compare", "none")):
        assert main(["export", str(CODING), "--lesson", "2", option, value, "-o", str(out)]) == 2
        assert f"a lesson has no {option}" in capfd.readouterr().err
    for given in (["--meter", "agentkit"], ["--session", "1"], ["--lane", "1"], ["--keep", "1"], ["--keep-secrets"]):
        assert main(["export", "--lesson", "2", *given, "-o", str(out)]) == 2
        assert capfd.readouterr().err.startswith(f"error: {given[0]} needs a FILE")
    assert main(["export", "-o", str(out)]) == 2
    assert "there is no FILE to export" in capfd.readouterr().err
    with pytest.raises(FoldlineError, match="there is no lesson 9"):
        export_lesson(9)
