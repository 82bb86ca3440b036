"""The routes of the Live page: who may ask, what a command does, and two tabs on one run."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from core import Message, fate, policy
from core.demo import provider as demo
from core.drive import Drive, Store
from core.drive.recorder import read_events
from core.model.text import cut
from core.toolbox.mcp_servers import McpSpec
from core.trace.events import RunSettings
from tests.serving import PATIENCE
from tests.support import awaited
from viewer.api import fixes, live_news, why
from viewer.api import live as live_api
from viewer.api.debugger import ROUTES
from viewer.sessions import runs as open_runs
from viewer.sessions.runs import live_named

HOST = "127.0.0.1:8501"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[open_runs.Runs]:
    """The runs of a server of the test's own, whose demo agent takes no time to speak."""
    made = open_runs.Runs(Store(tmp_path / "sessions"))
    for module in (live_api, live_news, open_runs):
        monkeypatch.setattr(module, "runs", lambda: made)
    monkeypatch.setattr(live_api, "local", lambda: True)
    monkeypatch.setattr(open_runs, "GONE", PATIENCE)  # no tab is gone because a test is slow
    monkeypatch.setattr(demo, "DELAY", 0)
    monkeypatch.setattr(demo.connect, "__kwdefaults__", {"made": 0, "delay": 0})
    yield made
    for id in [live.drive.id for live in made.all()]:
        made.close(id)


SETTINGS = RunSettings(
    system=demo.SYSTEM,
    tools=demo.FAMILIES,
    folder=str(demo.FOLDER),
    max_calls=60,
    parameters={"budget": 6000, "keep_recent": 6},
    summaries="structural",
)


@dataclass
class Line:
    """The WebSocket of a tab, and what it says with every question."""

    socket: WebSocketTestSession
    told: dict[str, Any]

    def ask(self, **seen: int) -> dict[str, Any]:
        """What the server says is new."""
        self.socket.send_json({"version": 0, "messages": 0, "compactions": 0, "steps": 0, **self.told, **seen})
        found: dict[str, Any] = self.socket.receive_json()
        return found


class Tab:
    """A tab of the page: asks for news, and commands."""

    def __init__(self, live: open_runs.OpenRun, name: str) -> None:
        routes = [*live_api.ROUTES, *live_news.ROUTES, *why.ROUTES, *fixes.ROUTES, *ROUTES]
        self.client = TestClient(Starlette(routes=routes), base_url=f"http://{HOST}")
        self.live, self.name = live, name

    def news(self, **seen: int) -> dict[str, Any]:
        """What the server says is new."""
        with self.line() as line:
            return line.ask(**seen)

    @contextmanager
    def line(self, run: str = "") -> Iterator["Line"]:
        """A connection of its own on which it asks for news of its run, or another."""
        with self.client.websocket_connect(f"/api/live/{run or self.live.drive.id}/news") as socket:
            yield Line(socket, {"life": self.live.life, "tab": self.name})

    def do(self, do: str, **what: Any) -> tuple[int, dict[str, Any]]:
        """A command; the answer's status, and what it says."""
        said = json.dumps({"tab": self.name, "do": do, **what})
        answer = self.client.post(f"/api/live/{self.live.drive.id}/do", content=said)
        return answer.status_code, answer.json()


def test_the_demo_runs_from_the_first_word_to_its_answer(runs: open_runs.Runs) -> None:
    """What is typed sets it to work; the news tell of messages, compactions and the state; everything is on disk."""
    tab = Tab(runs.new(SETTINGS), "one")
    assert tab.news()["state"]["goal"] == demo.GOAL
    assert tab.do("say", text=demo.GOAL) == (200, {"ok": True})
    assert tab.live.drive.wait() == "ended"
    told = tab.news()
    state = told["state"]
    assert (state["status"], state["why"], state["goal"]) == ("ended", "answered", "")
    assert len(told["messages"]["tokens"]) > 80
    assert len(told["c"]["at"]) >= 3
    assert state["last"]["error"] is not None
    events = list(read_events(runs.store.path(tab.live.drive.id)))
    assert sum(event.kind == "message" for event in events) == len(told["messages"]["tokens"])


def test_news_wait_until_there_are_some(runs: open_runs.Runs) -> None:
    """A question to which nothing is new is answered with the next change; its tab counts as there all the while."""
    tab = Tab(runs.new(SETTINGS), "one")
    drive, found = tab.live.drive, dict[str, Any]()
    version = drive.version
    waits = threading.Thread(target=lambda: found.update(tab.news(version=version)))
    waits.start()
    until_listened(drive)
    tab.live.driver = "one"
    assert tab.live.drives("one")
    drive.set_pace(seconds=1.0)
    waits.join()
    assert (found["version"], found["state"]["pace"]) == (version + 1, 1.0)


def until_listened(drive: Drive) -> None:
    """Wait until a request waits for news of this run."""
    while not drive.status._listeners:
        threading.Event().wait(0.002)


def test_a_wait_for_news_polls_nothing(runs: open_runs.Runs) -> None:
    """It sets no timer: the run's thread wakes it when something changes."""
    drive, timers = runs.new(SETTINGS).drive, list[float]()

    async def wait() -> None:
        loop = asyncio.get_running_loop()
        call_at = loop.call_at
        loop.call_at = lambda when, *rest, **more: (timers.append(when), call_at(when, *rest, **more))[1]  # type: ignore[method-assign]
        with live_news.told_of_changes(drive) as changed:
            waits = asyncio.ensure_future(changed.wait())
            await asyncio.to_thread(drive.set_pace, seconds=1.0)
            await waits

    awaited(wait)
    assert timers == []
    assert drive.status._listeners == []


def test_a_page_that_hangs_up_waits_no_more(runs: open_runs.Runs) -> None:
    """Nothing listens to the run any more, and the tab counts as gone soon."""
    tab = Tab(runs.new(SETTINGS), "one")
    with tab.line() as line:
        version = line.ask()["version"]
        line.socket.send_json({**line.told, "version": version})
        until_listened(tab.live.drive)
    while tab.live.drive.status._listeners or tab.live._waiting["one"]:
        threading.Event().wait(0.002)


def test_many_questions_on_one_line(runs: open_runs.Runs) -> None:
    """Each is answered with what is new since the last; one that comes while another waits takes its place."""
    tab = Tab(runs.new(SETTINGS), "one")
    with tab.line() as line:
        first = line.ask()
        line.socket.send_json({**line.told, "version": first["version"]})
        until_listened(tab.live.drive)
        second = line.ask()
        assert (first["messages"]["from"], second["version"]) == (0, first["version"])
        tab.do("set", pace=1.0)
        assert line.ask(version=first["version"])["state"]["pace"] == 1.0


def test_a_tab_that_hangs_up_leaves_the_run_to_the_others(
    runs: open_runs.Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it has not come back, a tab that follows is told that nobody controls the run."""
    monkeypatch.setattr(open_runs, "RELOAD", 0.01)
    live = runs.new(SETTINGS)
    first, second = Tab(live, "one"), Tab(live, "two")
    with first.line() as line:
        line.ask()
        first.do("set", pace=1.0)
        state = second.news()
        assert (state["state"]["drives"], state["state"]["driven"]) == (False, True)
    with second.line() as line:
        told = state
        while told["state"]["driven"]:
            told = line.ask(version=told["version"])
    assert live.driver == "one"


@pytest.mark.parametrize("counts", [{"messages": -5}, {"compactions": -9}, {"steps": -1}, {"messages": 1 << 70}])
def test_counts_that_cannot_be_are_answered_with_everything(runs: open_runs.Runs, counts: dict[str, int]) -> None:
    """From 0 on."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("say", text="Hello")
    tab.live.drive.wait()
    told = tab.news(version=-5, **counts)
    assert (told["messages"]["from"], told["c"]["from"], told["steps"]["from"]) == (0, 0, 0)


@pytest.mark.parametrize("question", ["", "{", "[1]", "5", "[" * 100_000])
def test_a_damaged_question_is_refused(runs: open_runs.Runs, question: str) -> None:
    """The line says so and is closed."""
    with Tab(runs.new(SETTINGS), "one").line() as line:
        line.socket.send_text(question)
        assert line.socket.receive_json()["error"] == "the request cannot be read"
        with pytest.raises(WebSocketDisconnect):
            line.socket.receive_json()


def test_a_tab_that_waits_is_told_of_a_deleted_run(runs: open_runs.Runs) -> None:
    """The run is deleted, and not reopened by the request that waited for its news."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("say", text="Hello")
    tab.live.drive.wait()
    id, version, found = tab.live.drive.id, tab.live.drive.version, dict[str, Any]()
    waits = threading.Thread(target=lambda: found.update(tab.news(version=version)))
    waits.start()
    until_listened(tab.live.drive)
    runs.delete(id)
    waits.join()
    assert found["error"] == f"this run is no longer open: there is no run {id}"
    assert not runs.store.path(id).exists()


def test_one_tab_drives_and_another_follows(runs: open_runs.Runs) -> None:
    """The first to command drives; another is refused, sees everything, and may take over."""
    live = runs.new(SETTINGS)
    first, second = Tab(live, "one"), Tab(live, "two")
    first.news()
    assert first.do("set", stepping=True)[0] == 200
    status, said = second.do("say", text=demo.GOAL)
    assert (status, said["error"]) == (409, "another tab drives this run")
    told = second.news()["state"]
    assert (told["drives"], told["driven"], told["stepping"]) == (False, True, True)
    assert second.do("take")[0] == 200
    assert second.do("say", text=demo.GOAL)[0] == 200
    assert first.do("stop")[0] == 409
    assert live.drive.wait() == "paused"


def test_a_tab_that_is_gone_drives_no_more(runs: open_runs.Runs) -> None:
    """A tab that asks no more lets another drive."""
    live = runs.new(SETTINGS)
    Tab(live, "one").do("set", stepping=True)
    live.left("one")
    live.seen["one"] -= open_runs.GONE
    assert Tab(live, "two").do("say", text=demo.GOAL)[0] == 200


def test_a_tab_that_leaves_frees_the_run_at_once(runs: open_runs.Runs) -> None:
    """Another may drive; what a tab says that does not drive changes nothing."""
    live = runs.new(SETTINGS)
    one, two = Tab(live, "one"), Tab(live, "two")
    one.do("set", stepping=True)
    assert two.do("leave")[0] == 200
    assert live.drives("one")
    assert two.do("set", stepping=False)[0] == 409
    one.do("leave")
    assert not live.driven
    assert two.do("set", stepping=False)[0] == 200


def test_words_with_a_slash_are_commands(runs: open_runs.Runs) -> None:
    """/compact, /reset and /stop do what their buttons do; a new run begins with the same settings, the old one stays."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    before = tab.live.drive.context.tokens()
    assert tab.do("say", text=" /Compact ")[0] == 200
    assert tab.live.drive.context.tokens() < before
    status, said = tab.do("say", text="/reset")
    assert status == 200
    fresh = runs.get(said["run"])
    assert fresh is not None
    assert fresh.drive.settings == tab.live.drive.settings
    assert len(fresh.drive.context.base.messages) == 1
    assert runs.store.path(tab.live.drive.id).exists()


def test_a_command_there_is_not_is_said_and_not_sent(runs: open_runs.Runs) -> None:
    """One word with a slash before it that is no command reaches no model; with more words it is a message."""
    tab = Tab(runs.new(SETTINGS), "a")
    status, said = tab.do("say", text="/compakt")
    assert (status, said["error"]) == (400, "there is no command /compakt")
    assert "/compact, /reset, /stop" in said["hint"]
    assert len(tab.live.drive.context.base.messages) == 1
    assert tab.do("say", text="/src is the folder I mean")[0] == 200


def test_drop_pin_and_breakpoints(runs: open_runs.Runs) -> None:
    """While it is paused, messages are dropped and pinned by their places; a breakpoint that was hit is marked."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("set", breakpoints=[{"kind": "tool", "value": "search_files", "on": True, "id": 4}])
    tab.do("say", text=demo.GOAL)
    assert tab.live.drive.wait() == "paused"
    told = tab.news()
    (point,) = told["state"]["breakpoints"]
    assert (point["value"], point["id"], point["hit"], point["hits"]) == ("search_files", 4, True, 1)
    assert point["words"] == "search_files"
    assert (told["state"]["tool"], told["state"]["tool_arguments"]) == (
        "search_files",
        '{"pattern": "L-2041", "path": "data"}',
    )
    assert tab.do("pin", places=[1])[1] == {"ok": True, "later": False}
    assert tab.do("drop", places=[3])[1] == {"ok": True, "later": False}
    told = tab.news()
    assert told["view"]["held"] == [1]
    assert told["c"]["number"] == [-1]
    assert told["state"]["undo"]
    status, said = tab.do("drop", places=[3])
    assert (status, said["error"]) == (409, "this message is no longer in the window")


def test_an_undone_drop_is_told_to_who_has_it(runs: open_runs.Runs) -> None:
    """A page that holds the drop gets the run anew, under another name of its trace: what it kept of the drop holds no more."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("set", breakpoints=[{"kind": "tool", "value": "search_files", "on": True, "id": 4}])
    tab.do("say", text=demo.GOAL)
    assert tab.live.drive.wait() == "paused"
    before = tab.news()
    tab.do("drop", places=[3])
    with tab.line() as line:
        assert tab.do("undo")[1] == {"ok": True, "later": False}
        told = line.ask(messages=len(before["messages"]["tokens"]), compactions=1, steps=before["view"]["length"] + 1)
    assert (told["messages"], told["c"], told["steps"]) == (before["messages"], before["c"], before["steps"])
    assert told["view"]["tid"] != before["view"]["tid"]
    assert told["life"] != before["life"]
    assert live_named(told["view"]["tid"]) is tab.live.drive
    status, said = tab.do("undo")
    assert (status, said["error"]) == (409, "nothing was dropped since the last model call")


def test_a_breakpoint_that_cannot_be_is_refused_in_words(runs: open_runs.Runs) -> None:
    """A pattern that is no RE2 expression: the error says what is wrong with it, and how to write it."""
    tab = Tab(runs.new(SETTINGS), "one")
    status, said = tab.do("set", breakpoints=[{"kind": "text", "value": "(?=a)", "regex": True}])
    assert (status, "is not a valid RE2 pattern" in said["error"], "RE2" in said["hint"]) == (409, True, True)


def test_a_run_goes_on_to_a_condition(runs: open_runs.Runs) -> None:
    """While it does, the page is told where to; there it waits, and says why."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("set", stepping=True)
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    assert tab.do("to", target={"kind": "tool", "value": "calculate"})[0] == 200
    tab.live.drive.wait()
    state = tab.news()["state"]
    assert (state["why"], state["tool"], state["to"]) == ("ran to calculate", "calculate", "")
    assert tab.do("to")[0] == 200
    tab.live.drive.wait()
    assert tab.news()["state"]["status"] == "ended"
    assert tab.do("to")[0] == 409


def test_a_run_that_waits_on_its_way_to_a_condition_says_where_to_until_it_is_cancelled(runs: open_runs.Runs) -> None:
    """A breakpoint pauses it on its way to the end of the turn."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("set", stepping=True)
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    tab.do("set", breakpoints=[{"kind": "tool", "value": "calculate", "id": 1}])
    assert tab.do("to")[0] == 200
    tab.live.drive.wait()
    state = tab.news()["state"]
    assert (state["status"], state["tool"], state["to"]) == ("paused", "calculate", "the end of the turn")
    assert tab.do("cancel_to")[0] == 200
    assert tab.news()["state"]["to"] == ""
    tab.do("stop")
    tab.live.drive.wait()


def test_a_run_that_waits_before_a_compaction_says_so(runs: open_runs.Runs) -> None:
    """The page is told what it waits for, and that the request on show is not the one that will be sent."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("set", breakpoints=[{"kind": "before_compaction", "id": 1}])
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    state = tab.news()["state"]
    assert (state["compaction"], state["tool"]) == (True, "")
    assert state["why"] == "breakpoint: before a compaction (removes 38 of 45 messages), hit 1"
    note = tab.client.get(f"/api/live/{tab.live.drive.id}/request").json()["note"]
    assert note.startswith("The policy compacts this window before it is sent.")
    told = tab.news()
    assert (told["view"]["due"], told["view"]["awaited"]) == (True, [])
    _, said = tab.do("fork", step=len(told["messages"]["tokens"]) - 1)
    assert Tab(runs.open(said["run"]), "one").news()["view"]["due"]  # a fork that waits for nothing, but for its policy


def test_a_run_that_waits_for_a_tool_says_that_its_window_is_not_sent_so(runs: open_runs.Runs) -> None:
    """The page is told whose result comes before the next model call, and so is who reads the request."""
    tab = Tab(runs.new(SETTINGS), "one")
    assert not tab.news()["view"]["due"]
    tab.do("set", breakpoints=[{"kind": "tool", "value": "calculate", "id": 1}])
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    view = tab.news()["view"]
    assert (view["awaited"], view["due"]) == (["calculate", "calculate"], False)
    note = tab.client.get(f"/api/live/{tab.live.drive.id}/request").json()["note"]
    assert note.startswith("2 tool results come in before it is sent.")


def test_what_breakpoints_can_be_on(runs: open_runs.Runs) -> None:
    """The tools with their arguments, and the kinds of finding."""
    tab = Tab(runs.new(SETTINGS), "one")
    found = tab.client.get(f"/api/live/{tab.live.drive.id}/conditions").json()
    assert found["tools"]["read_file"] == ["path", "start_line", "lines"]
    assert "orphaned_tool_result" in found["findings"]


def test_a_tool_call_is_edited_or_answered_before_it_runs(runs: open_runs.Runs) -> None:
    """The page gets the call and its schema; what does not fit is refused in words, and the run still waits."""
    tab = Tab(runs.new(SETTINGS), "one")
    path = f"/api/live/{tab.live.drive.id}/tool"
    assert tab.client.get(path).status_code == 409
    tab.do("set", breakpoints=[{"kind": "tool", "value": "", "id": 1}])
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    call = tab.client.get(path).json()
    assert (call["name"], json.loads(call["arguments"])) == ("list_files", {"path": "."})
    assert json.loads(call["schema"])["properties"]["path"]["type"] == "string"
    for typed, wrong in (
        ("{", "this is not JSON: Expecting property name"),
        ("[]", "not a list"),
        ('{"path": 3}', "path: 3 is not of type 'string'"),
    ):
        status, said = tab.do("edit", call=call["id"], arguments=typed)
        assert status in (400, 409)
        assert wrong in said["error"]
        assert said["hint"]
    assert tab.do("edit", call=call["id"], arguments='{"path": "src"}')[0] == 200
    tab.live.drive.wait()
    second = tab.client.get(path).json()
    assert tab.do("answer", call=second["id"], text="No such folder.", error=True)[0] == 200
    tab.live.drive.wait()
    first, given = [m for m in tab.live.drive.context.messages() if m.role == "tool"]
    assert first.content.startswith('[A person edited the arguments before the tool ran: {"path": "src"}]')
    assert (given.is_error, "No such folder." in given.content) == (True, True)


def test_a_fork_takes_the_tab_along(runs: open_runs.Runs) -> None:
    """A run is forked while it waits; the new one is driven by the same tab, and says where it came from."""
    tab = Tab(runs.new(SETTINGS), "one")
    status, said = tab.do("fork", step=0)
    assert (status, said["error"], said["hint"]) == (
        409,
        "nothing has happened in this run yet",
        "send a message first",
    )
    tab.do("set", breakpoints=[{"kind": "messages", "value": 8, "id": 1}])
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    before = tab.live.drive.context.messages()
    status, said = tab.do("fork", step=5, edit="nothing here")
    assert status == 200
    made = runs.get(said["run"])
    assert made is not None
    assert made.drives("one")
    assert made.drive.context.messages()[:-1] == before[:5]
    assert made.drive.context.messages()[-1].content == "nothing here"
    told = Tab(made, "one").news()
    goal = cut(" ".join(demo.GOAL.split()), 80)
    assert told["header"]["notes"] == [f"Forked from “{goal}” at message 6, with an edited message"]
    assert tab.live.drive.context.messages() == before
    assert tab.do("fork", step="x")[0] == 400
    assert tab.do("fork", step=900)[0] == 409


def test_the_next_request_is_shown_as_it_would_be_sent(runs: open_runs.Runs) -> None:
    """The body that the model would get: the window's messages and the tools."""
    tab = Tab(runs.new(SETTINGS), "one")
    shown = tab.client.get(f"/api/live/{tab.live.drive.id}/request").json()
    assert [m["role"] for m in shown["body"]["messages"]] == ["system"]
    assert json.loads(shown["text"]) == shown["body"]


def test_a_dead_mcp_server_is_told_of_and_reconnected(runs: open_runs.Runs) -> None:
    """Its status and its last error are in the news; the command starts it again, with the tab still in control."""
    program = str(Path(__file__).parents[2] / "data" / "mcp_server.py")
    spec = McpSpec(name="tests", command=sys.executable, args=(program,))
    tab = Tab(runs.new(SETTINGS, servers=[spec]), "one")
    tab.do("say", text="hello")
    tab.live.drive.wait()
    tab.live.drive.tools.call("die", {})
    (server,) = tab.news()["state"]["servers"]
    assert (server["name"], server["status"]) == ("tests", "dead")
    assert "out of memory" in server["problem"]
    assert ["add", "Add two numbers.", 0] in server["tools"]
    assert tab.do("reconnect") == (200, {"ok": True})
    (server,) = tab.news()["state"]["servers"]
    assert (server["status"], server["problem"]) == ("connected", "")
    assert ["add", "Add two numbers.", 1] in server["tools"]
    tab.live = runs.open(tab.live.drive.id)
    tab.live.servers = ()
    assert "not saved" in tab.do("reconnect")[1]["error"]


def test_every_request_that_was_sent_can_be_read_again(runs: open_runs.Runs) -> None:
    """Also once the run was parked and opened anew; what is not kept says so."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("say", text=demo.GOAL)
    assert tab.live.drive.wait() == "ended"
    id = tab.live.drive.id
    runs.close(id)
    calls = tab.client.get(f"/api/live/{id}/calls").json()["calls"]
    told = tab.news()
    assert len(calls) == told["state"]["exchanges"] == told["state"]["all"]
    replied = [call["at"] for call in calls]
    assert [told["messages"]["roles"][at] for at in replied] == [2] * len(replied)
    last = calls[-1]["number"]
    kept = tab.client.get(f"/api/live/{id}/calls/{last}").json()
    assert json.loads(kept["request"])["messages"][0]["role"] == "system"
    assert json.loads(kept["reply"])["content"].strip()
    missing = tab.client.get(f"/api/live/{id}/calls/{last + 1}")
    assert missing.status_code == 409
    assert "was not kept" in missing.json()["error"]


def test_the_debuggers_routes_answer_for_a_live_run(runs: open_runs.Runs) -> None:
    """Whole messages, the card of a compaction, findings and find are there while it runs."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    name = tab.news()["header"]["sid"]
    asked = {
        path: tab.client.get(f"/api/{path}")
        for path in (f"message/{name}/1", f"compaction/{name}/0", f"find/{name}?q=ceiling", f"findings/{name}")
    }
    assert {answer.status_code for answer in asked.values()} == {200}
    assert asked[f"message/{name}/1"].json()["content"] == demo.GOAL
    assert asked[f"compaction/{name}/0"].json()["status"] == "compacted"
    assert asked[f"find/{name}?q=ceiling"].json()["total"] > 0


def test_the_fate_of_a_text_is_told_of_a_live_run(runs: open_runs.Runs) -> None:
    """The lane of what the user said covers the run so far, and what would have kept it is streamed to its end."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    name, text = tab.news()["header"]["sid"], demo.GOAL[:40]
    found = tab.client.get(f"/api/fate/{name}", params={"text": text}).json()
    trace = open_runs.trace_of(tab.live.drive)
    assert (found["match"], found["places"][0]) == ("exact", 1)
    assert (found["lane"][0]["from"], found["lane"][-1]["to"]) == (0, len(trace) - 1)
    states = {one["state"] for one in found["lane"]}
    assert states == {part.state for part in fate(trace, text).lane}
    lines = tab.client.get(f"/api/fixes/{name}", params={"text": text}).text.splitlines()
    assert json.loads(lines[0])["row"]["now"]
    assert json.loads(lines[-1])["done"]


def test_a_server_for_others_drives_nothing(runs: open_runs.Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where foldline listens to the network, no agent is driven: its tools read this machine's files."""
    monkeypatch.setattr(live_api, "local", lambda: False)
    tab = Tab(runs.new(SETTINGS), "one")
    assert tab.do("say", text="hello")[0] == 403
    assert "127.0.0.1" in tab.news()["error"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"5",
        b"{",
        b'{"do": 3}',
        b"[" * 100_000,
        b'{"do": "fly"}',
        b'{"do": "set", "breakpoints": [{"kind": "tokens", "value": -1}]}',
    ],
)
def test_a_damaged_command_is_refused(runs: open_runs.Runs, body: bytes) -> None:
    """Whatever is sent, the answer is one clear error."""
    live = runs.new(SETTINGS)
    client = TestClient(Starlette(routes=live_api.ROUTES), base_url=f"http://{HOST}")
    answer = client.post(f"/api/live/{live.drive.id}/do", content=body)
    assert answer.status_code in (400, 409)
    assert answer.json()["error"]


def test_a_restarted_server_takes_a_run_up(runs: open_runs.Runs) -> None:
    """A run that is not held open is taken up from its file when somebody asks for it; one that is not there is said so."""
    tab = Tab(runs.new(SETTINGS), "one")
    tab.do("set", stepping=True)
    tab.do("say", text=demo.GOAL)
    tab.live.drive.wait()
    id = tab.live.drive.id
    runs.close(id)
    told = tab.news()
    assert (told["run"], len(told["messages"]["tokens"])) == (id, 2)
    for other in ("2026-01-01-000000-0000", "..%5C..%5Cetc"):
        with tab.line(other) as line:
            assert line.ask()["status"] == 404


def test_a_run_goes_on_with_another_key(runs: open_runs.Runs, httpserver: HTTPServer) -> None:
    """A key that is refused stops the run where it stands; with another one it goes on, and neither is in its file."""
    said = {"id": "r1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    pieces = [{"delta": {"role": "assistant", "content": "Good day."}, "finish_reason": None, "index": 0}]
    pieces.append({"delta": {}, "finish_reason": "stop", "index": 0})
    stream = "".join(f"data: {json.dumps({**said, 'choices': [piece]})}\n\n" for piece in pieces) + "data: [DONE]\n\n"
    refused = {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
    asked = {"uri": "/v1/chat/completions", "method": "POST"}
    httpserver.expect_request(**asked, headers={"Authorization": "Bearer sk-first"}).respond_with_json(refused, 401)
    httpserver.expect_request(**asked, headers={"Authorization": "Bearer sk-second"}).respond_with_data(
        stream, content_type="text/event-stream"
    )
    told = {
        "provider": "openai-compatible",
        "model": "m",
        "base_url": httpserver.url_for("/v1"),
        "tools": (),
        "folder": "",
    }
    live = runs.new(SETTINGS.model_copy(update=told), "sk-first")
    tab = Tab(live, "a")
    tab.do("say", text="Hello")
    assert live.drive.wait() == "failed"
    assert tab.news()["state"]["error"]["kind"] == "auth"
    runs.reconnect(live, "sk-second", "", "", None)
    assert tab.do("retry") == (200, {"ok": True})
    assert live.drive.wait() == "ended"
    assert live.drive.context.base.messages[-1].content == "Good day."
    file = runs.store.path(live.drive.id).read_text("utf-8")
    assert "sk-first" not in file
    assert "sk-second" not in file + repr(live) + repr(live.drive.llm)
    assert "after 2 messages" in tab.news()["header"]["notes"][0]


def test_who_waits_on_a_run_that_is_taken_up_anew_is_told_of_it(runs: open_runs.Runs) -> None:
    """The question that hung on the one before is answered with the new life, not when its patience is over."""
    live = runs.new(SETTINGS)
    tab = Tab(live, "a")
    told: dict[str, Any] = {}
    tab.do("say", text="Hello")
    live.drive.wait()
    version, life = live.drive.version, live.life
    waits = threading.Thread(target=lambda: told.update(tab.news(version=version, life=life)))
    waits.start()
    until_listened(live.drive)
    runs.close(live.drive.id)
    made = runs.open(live.drive.id)
    waits.join()
    assert told["life"] == made.life != life


def test_setting_a_run_up_leaves_no_file(runs: open_runs.Runs) -> None:
    """A slider moved before anything was typed is written down with the first word, in front of it."""
    live = runs.new(SETTINGS)
    live.drive.set_policy(policy("agentkit.memory", budget=5000, keep_recent=4))
    path = runs.store.path(live.drive.id)
    assert not path.exists()
    live.drive.set_pace(stepping=True)
    live.drive.send("Hello")
    live.drive.wait()
    assert [event.kind for event in read_events(path)] == ["began", "message", "changed", "message", "paused"]


def test_a_window_that_would_not_be_sent_is_shown_all_the_same(runs: open_runs.Runs) -> None:
    """Where half a tool pair keeps it from being sent, the request says so, and shows the window."""
    told = {
        "provider": "openai-compatible",
        "model": "m",
        "base_url": "http://127.0.0.1:9/v1",
        "tools": (),
        "folder": "",
    }
    live = runs.new(SETTINGS.model_copy(update=told))
    live.drive.context.append(Message(role="tool", content="alone", tool_call_id="c1", name="look"))
    shown = Tab(live, "a").client.get(f"/api/live/{live.drive.id}/request").json()
    assert shown["note"].startswith("This window cannot be sent: the result of tool call 'c1' (look)")
    assert shown["body"]["messages"][-1]["content"] == "alone"
