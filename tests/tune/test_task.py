"""Tasks: a file and some settings, done in any process."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

from core.engine.simulate import simulate
from core.importers import load
from core.measure.cost import Prices
from core.meters import meter
from core.policies import policy
from core.tune.files import file_at
from core.tune.row import row_of
from core.tune.task import RECORDED, Setting, Task, Terms, run_task
from tests.serving import ROOT

SAMPLE = str(ROOT / "sample_sessions" / "openai-chat" / "coding-session.json")
TERMS = Terms(meter="agentkit")
SETTINGS = tuple(Setting("agentkit.memory", {"budget": budget, "keep_recent": 8}) for budget in (8000, 16000))


def test_a_row_is_that_of_the_simulation() -> None:
    """Each setting in its order, under the file's name."""
    result = run_task(Task(file_at(SAMPLE), SETTINGS, terms=TERMS))
    session = load(SAMPLE)
    assert result.failures == ()
    assert result.rows == tuple(
        row_of(simulate(session, policy(one.policy, **one.settings), meter("agentkit")), SAMPLE) for one in SETTINGS
    )
    assert [row.settings["budget"] for row in result.rows] == [8000, 16000]


def test_a_task_and_its_result_can_be_sent() -> None:
    """They are the same after a journey."""
    task = Task(file_at(SAMPLE), SETTINGS, 0, Terms("agentkit", "fixed size", 200, "3", Prices(1, 0.1, 1.25, 5)))
    result = run_task(task)
    assert pickle.loads(pickle.dumps(task)) == task
    assert pickle.loads(pickle.dumps(result)) == result
    assert result.rows[0].cost is not None


def test_as_recorded_is_a_setting() -> None:
    """The session as it was, among the policies."""
    (row,) = run_task(Task(file_at(SAMPLE), (Setting(RECORDED),), terms=TERMS)).rows
    assert (row.policy, row.settings, row.compactions) == ("recorded", {}, 0)


def test_each_session_of_a_file_or_one_of_them(tmp_path: Path) -> None:
    """Named by the file and their ids: a session without one has an id that is made of what it says."""
    lines = [
        {"messages": [{"role": "user", "content": f"Hello {n}"}, {"role": "assistant", "content": "Yes"}], **id}
        for n, id in ((1, {"id": "mine"}), (2, {}))
    ]
    file = tmp_path / "two.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = run_task(Task(file_at(str(file)), SETTINGS[:1], terms=TERMS)).rows
    assert [row.session for row in rows] == [f"{file}#mine", f"{file}#conversation-f6a7b39e2a7c"]
    (first,) = run_task(Task(file_at(str(file)), SETTINGS[:1], 0, TERMS)).rows
    assert first == rows[0]
    (second,) = run_task(Task(file_at(str(file)), SETTINGS[:1], 1, TERMS)).rows
    assert second == rows[1]
    (failed,) = run_task(Task(file_at(str(file)), SETTINGS[:1], 2, TERMS)).failures
    assert failed.why == "has no session 2"


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    """No rows, and no exception."""
    file = tmp_path / "notes.txt"
    file.write_text("no transcript")
    result = run_task(Task(file_at(str(file)), SETTINGS, terms=TERMS))
    assert result.rows == ()
    assert [failed.name for failed in result.failures] == [str(file)]
    assert result.failures[0].why == "is neither JSON nor JSONL"


def test_a_session_that_a_term_does_not_suit_is_named() -> None:
    """The meter `reported` needs usage."""
    result = run_task(Task(file_at(SAMPLE), SETTINGS, terms=Terms(meter="reported")))
    assert result.rows == ()
    assert "usage" in result.failures[0].why


def test_a_file_may_be_given_by_its_bytes() -> None:
    """An upload has no path."""
    file = replace(file_at(SAMPLE), path="upload.json", data=Path(SAMPLE).read_bytes())
    rows = run_task(Task(file, SETTINGS, terms=TERMS)).rows
    assert [row.session for row in rows] == ["upload.json", "upload.json"]


def test_a_session_is_read_once_for_tasks_in_a_row(tmp_path: Path) -> None:
    """The second task does without the file; a changed file is another one."""
    path = tmp_path / "a.json"
    path.write_bytes(Path(SAMPLE).read_bytes())
    file = file_at(str(path))
    rows = run_task(Task(file, SETTINGS, terms=TERMS)).rows
    path.unlink()
    assert run_task(Task(file, SETTINGS, terms=TERMS)).rows == rows
    path.write_text("now something else")
    assert file_at(str(path)) != file
    assert run_task(Task(file_at(str(path)), SETTINGS, terms=TERMS)).failures
