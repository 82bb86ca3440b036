"""The runs that a server has open, and those it parks."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import FoldlineError
from core.demo import provider as demo
from core.drive import Breakpoint, Store
from core.model.errors import RunError
from core.toolbox.mcp_servers import McpSpec
from core.trace.events import RunSettings
from tests.serving import ROOT
from viewer.sessions.runs import MOST_OPEN, OpenRun, Runs

SETTINGS = RunSettings(provider="demo", meter="agentkit", summaries="structural", tools=("calculator",))
SERVER = McpSpec(name="tests", command=sys.executable, args=(str(ROOT / "tests" / "data" / "mcp_server.py"),))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    """The runs of a server of the test's own, whose demo agent takes no time to speak."""
    monkeypatch.setattr(demo.connect, "__kwdefaults__", {"made": 0, "delay": 0})
    made = Runs(Store(tmp_path))
    yield made
    for live in made.all():
        made.close(live.drive.id)


def started(runs: Runs, *servers: McpSpec, key: str = "") -> OpenRun:
    """A run that was sent something, and so has a file."""
    live = runs.new(SETTINGS, key, servers)
    live.drive.send("Hello")
    assert live.drive.wait(180)
    return live


def test_a_parked_run_goes_on_as_it_was(runs: Runs) -> None:
    """With its key, its MCP servers, its breakpoints and its pace; what was parked is the run that was idle longest."""
    first = started(runs, SERVER, key="sk-parked")
    first.drive.set_breakpoints([Breakpoint(kind="tool", value="add")])
    first.drive.set_pace(stepping=True, seconds=2)
    id = first.drive.id
    more = [started(runs) for _ in range(MOST_OPEN)]
    assert [live.drive.id for live in runs.all()] == [live.drive.id for live in more]
    assert not runs.is_open(first)

    again = runs.open(id)

    assert (again.key, again.servers) == ("sk-parked", (SERVER,))
    assert "add" in again.drive.tools
    assert [point.value for point in again.drive.breakpoints.all] == ["add"]
    assert (again.drive.state.stepping, again.drive.state.pace) == (True, 2.0)
    assert again.drive.note == ""
    assert len(runs.all()) == MOST_OPEN


@pytest.mark.parametrize("way", ["reset", "fork"])
def test_a_run_in_anothers_place_pauses_where_that_did(runs: Runs, way: str) -> None:
    """After Reset and in a fork: the same breakpoints, none of them hit yet, step mode and the pace."""
    first = started(runs)
    first.drive.set_breakpoints([Breakpoint(kind="tool", value="add", id=1), Breakpoint(kind="error", on=False, id=2)])
    first.drive.breakpoints.all = tuple(p.model_copy(update={"hits": 3}) for p in first.drive.breakpoints.all)
    first.drive.set_pace(stepping=True, seconds=2)

    made = runs.restart(first) if way == "reset" else runs.fork(first, 1)

    points = [(point.kind, point.on, point.hits) for point in made.drive.breakpoints.all]
    assert points == [("tool", True, 0), ("error", False, 0)]
    assert (made.drive.state.stepping, made.drive.state.pace) == (True, 2.0)


def test_servers_that_have_ended_are_restarted(runs: Runs) -> None:
    """Their tools are not offered meanwhile; the run goes on as it was, and not while it is running."""
    live = started(runs, SERVER)
    live.drive.tools.call("die", {})
    assert "add" not in [spec["name"] for spec in live.drive.tools.specs()]

    runs.restart_servers(live)

    again = runs.open(live.drive.id)
    assert again is not live
    assert again.drive.tools.call("add", {"a": 2, "b": 3}) == "5"
    assert [m.role for m in again.drive.context.base.messages] == [m.role for m in live.drive.context.base.messages]
    again.drive.state.status = "paused"
    with pytest.raises(RunError, match="the agent is running"):
        runs.restart_servers(again)


def test_a_server_that_does_not_start_again_is_said(runs: Runs) -> None:
    """The run opens without it."""
    live = started(runs, key="k")
    live.servers = (McpSpec(name="gone", command="no-such-command"),)
    with pytest.raises(FoldlineError, match=r"are not restarted: .* there is no command 'no-such-command'"):
        runs.restart_servers(live)
    again = runs.open(live.drive.id)
    assert (again.key, len(again.drive.context.base.messages) > 1) == ("k", True)


def test_a_run_on_screen_or_without_a_file_is_not_parked(runs: Runs) -> None:
    """Somebody looks at it, or nothing could open it again."""
    shown, new = started(runs), runs.new(SETTINGS)
    with shown.waiting("tab"):
        for _ in range(MOST_OPEN):
            started(runs)
        assert runs.is_open(shown)
        assert runs.is_open(new)
        assert len(runs.all()) == MOST_OPEN


def test_a_key_that_is_parked_is_not_printed(runs: Runs) -> None:
    """Nor an address, which may hold one."""
    live = started(runs, key="sk-parked")
    live.base_url = "https://me:sk-parked@a.example"
    for _ in range(MOST_OPEN):
        started(runs)
    assert "sk-parked" not in repr(runs._parked)
