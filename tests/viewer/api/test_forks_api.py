"""The routes of a fork on the Debug page: what the run would be made of, the run itself, and who may ask."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import load, policy, replay, simulate
from core.demo import provider as demo
from core.drive import Store
from core.trace.events import RunSettings
from viewer.api import forks
from viewer.sessions.registry import TRACES
from viewer.sessions.runs import Runs

SAMPLE = Path(__file__).parents[3] / "sample_sessions" / "openai-chat" / "coding-session.json"
SESSION = load(SAMPLE)
SIMULATED = simulate(SESSION, policy("agentkit.memory", budget=5000, keep_recent=6))
RECORDED = replay(SESSION)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    """The runs of a server of the test's own, which has two traces open."""
    made = Runs(Store(tmp_path / "sessions"))
    monkeypatch.setattr(forks, "runs", lambda: made)
    monkeypatch.setattr(forks, "local", lambda: True)
    TRACES.put("simulated", SIMULATED)
    TRACES.put("recorded", RECORDED)
    yield made
    for live in made.all():
        made.close(live.drive.id)


def ask(tid: str, what: str = "", **body: Any) -> tuple[int, dict[str, Any]]:
    """Status and body of an answer."""
    answer = TestClient(Starlette(routes=forks.ROUTES)).post(f"/api/fork/{tid}{what}", json=body)
    return answer.status_code, answer.json()


def test_a_fork_of_a_simulated_transcript_is_made_with_the_demo_agent(runs: Runs) -> None:
    """Where no run is open; under the simulated policy, and with the window of the step, message for message."""
    step = SIMULATED.compaction_step(0)
    status, plan = ask("simulated", "/plan", step=step)
    assert (status, plan["agent"], plan["like"]) == (200, demo.PROVIDER.label, "")
    assert (plan["policy"], plan["settings"]["budget"], plan["simulated"]) == ("agentkit.memory", "5000", True)
    assert "read_file" in plan["tools"]
    called = {call.name for message in SIMULATED.window(step) for call in message.tool_calls}
    assert plan["missing"] == sorted(called - set(plan["tools"]))
    assert not runs.all(), "a plan makes nothing"

    status, answer = ask("simulated", step=step)
    live = runs.get(answer["run"])
    assert live is not None
    drive = live.drive
    assert [m.content for m in drive.context.messages()] == [m.content for m in SIMULATED.window(step)]
    assert drive.context.tokens() == SIMULATED.step(step).tokens
    assert (drive.settings.provider, drive.settings.parameters["budget"]) == (demo.PROVIDER.name, 5000)
    assert drive.state.status in ("stopped", "ended")
    assert drive.fork is not None
    assert drive.fork.step == step


def test_a_fork_is_made_like_the_run_that_was_used_last(runs: Runs) -> None:
    """Its model, tools and key; a recorded transcript without a policy takes the one looked at last, or the usual one."""
    runs.new(RunSettings(provider="demo", tools=("calculator",), max_calls=7, summaries="structural"), key="secret")
    status, plan = ask("recorded", "/plan", step=9, policy="strands.sliding_window", settings={"window_size": "12"})
    assert status == 200
    assert (plan["like"], plan["tools"]) == ("New run", ["calculate"])
    assert (plan["policy"], plan["settings"]["window_size"]) == ("strands.sliding_window", "12")
    assert (plan["simulated"], plan["governed"]) == (False, False)
    assert ask("recorded", "/plan", step=9)[1]["policy"] == "agentkit.memory"
    made = runs.get(ask("recorded", step=9)[1]["run"])
    assert made is not None
    assert (made.key, made.drive.settings.max_calls, made.drive.settings.policy) == ("secret", 7, "agentkit.memory")


def test_a_meter_that_needs_usage_gives_way(runs: Runs) -> None:
    """A live run counts before it knows what was used: it is counted by another meter, and the plan says so."""
    TRACES.put("calibrated", RECORDED.model_copy(update={"meter": "calibrated"}).over(RECORDED.pool))
    assert ask("recorded", "/plan", step=1)[1]["recounted"] is False
    found = ask("calibrated", "/plan", step=1)[1]
    assert (found["recounted"], found["meter"]) == (True, demo.METER)


@pytest.mark.parametrize(
    ("tid", "body", "status"),
    [
        ("gone", {"step": 1}, 404),
        ("recorded", {}, 400),
        ("recorded", {"step": 9999}, 409),
        ("recorded", {"step": True}, 400),
    ],
)
def test_what_cannot_be_forked_is_refused(runs: Runs, tid: str, body: dict[str, Any], status: int) -> None:
    """With a reason and a way out; no run is made."""
    for what in ("", "/plan"):
        found, answer = ask(tid, what, **body)
        assert (found, bool(answer["error"]), bool(answer["hint"])) == (status, True, True)
    assert not runs.all()


def test_only_this_machine_may_fork(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run can cost money, and its tools read files."""
    monkeypatch.setattr(forks, "local", lambda: False)
    assert ask("recorded", step=1)[0] == 403
    assert not runs.all()
