"""The routes of the Runs page."""

from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.demo import provider as demo
from core.drive import Store, fork
from core.model.session import Message
from core.trace.events import Arrived, Began, Changed, RunSettings
from viewer.api import runs as api
from viewer.sessions.runs import Runs


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Two runs, served to the machine's own user."""
    runs = Runs(Store(tmp_path))
    monkeypatch.setattr(api, "runs", lambda: runs)
    monkeypatch.setattr(st, "get_option", {"server.address": "127.0.0.1"}.get)
    for id in ("one", "two"):
        recorder = runs.store.recorder(id)
        recorder.write(Began(id=id, title=f"Run \u202e{id}"))
        recorder.write(Arrived(message=Message(role="user", content="Go."), tokens=1))
        recorder.close()
        runs.store.release(id)
    return runs.store


def client() -> TestClient:
    """Somebody who asks."""
    return TestClient(Starlette(routes=api.ROUTES))


def rows() -> dict[str, Any]:
    """What is listed, by id."""
    return {row["id"]: row for row in client().get("/api/runs").json()["rows"]}


def test_every_run_is_a_row_on_one_line() -> None:
    """With its status and counts; nothing in a title turns the line around."""
    found = rows()
    assert sorted(found) == ["one", "two"]
    assert (found["one"]["status"], found["one"]["messages"], found["one"]["open"]) == ("stopped", 1, False)
    assert (found["one"]["why"], found["one"]["problem"]) == (
        "foldline ended here; continue from the last recorded step",
        "",
    )
    assert "\u202e" not in found["one"]["title"]


def test_a_run_names_the_server_it_asks(store: Store) -> None:
    """Its host, where the run has an address of its own, also one that came later; else the provider."""
    recorder = store.recorder("three")
    at = RunSettings(provider="openai-compatible", base_url="https://user:secret@one.example/v1")
    recorder.write(Began(id="three", settings=at))
    assert (rows()["one"]["agent"], rows()["three"]["agent"]) == ("Demo agent, offline", "one.example")
    assert (rows()["one"]["free"], rows()["three"]["free"]) == (True, False)
    recorder.write(Changed(policy="aider", max_calls=9, base_url="http://two.example:11434/v1"))
    recorder.close()
    assert rows()["three"]["agent"] == "two.example:11434"


def test_a_fork_names_its_parent_and_the_step(store: Store) -> None:
    """In words: whose window it began with, and whether its message says something else."""
    made = fork("one", 0, store, edit="Go back.")
    made.close()
    assert (rows()["one"]["fork"], rows()["one"]["parent"]) == ("", "")
    assert (rows()[made.id]["parent"], rows()[made.id]["parent_title"]) == ("one", "Run one")
    assert rows()[made.id]["fork"] == "“Run one” at message 1, with an edited message"


def test_several_are_deleted_at_once_and_one_that_cannot_be_is_named(store: Store) -> None:
    """A run that is open elsewhere stays, with the reason."""
    other = Store(store.folder)
    recorder = other.recorder("two")
    answer = client().post("/api/runs/delete", json={"ids": ["one", "two", "../three"]}).json()
    recorder.close()
    other.release("two")
    assert answer["deleted"] == ["one"]
    assert [id for id, _ in answer["kept"]] == ["two", "../three"]
    assert list(rows()) == ["two"]


def test_a_deleted_run_is_put_back_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was open keeps its key and its pace; what was not deleted is named with the reason."""
    live = api.runs().open("one", key="k")
    live.drive.set_pace(stepping=True)
    before = rows()["one"]
    assert client().post("/api/runs/delete", json={"ids": ["one"]}).json()["deleted"] == ["one"]
    assert list(rows()) == ["two"]
    answer = client().post("/api/runs/restore", json={"ids": ["one", "two", "../three"]}).json()
    assert (answer["restored"], [id for id, _ in answer["kept"]]) == (["one"], ["two", "../three"])
    assert rows()["one"]["title"] == before["title"]
    again = api.runs().open("one")
    assert (again.key, again.drive.state.stepping) == ("k", True)
    monkeypatch.setattr("core.drive.set_aside.KEPT", 0.0)
    api.runs().delete("one")
    api.runs()._forget("one")
    assert client().post("/api/runs/restore", json={"ids": ["one"]}).json()["restored"] == []


def test_a_run_in_the_middle_of_a_turn_is_deleted_only_if_it_may_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back, it is stopped, and its turn can be continued."""
    monkeypatch.setattr(demo.connect, "__kwdefaults__", {"made": 0, "delay": 0})
    live = api.runs().open("one")
    live.drive.set_pace(stepping=True)
    live.drive.send("Hello")
    assert live.drive.wait(180) == "paused"
    refused = client().post("/api/runs/delete", json={"ids": ["one"]}).json()
    assert refused == {"deleted": [], "kept": [["one", "the agent is running: stop it first"]]}
    assert client().post("/api/runs/delete", json={"ids": ["one"], "stop": True}).json()["deleted"] == ["one"]
    assert list(rows()) == ["two"]
    client().post("/api/runs/restore", json={"ids": ["one"]})
    assert rows()["one"]["status"] == "stopped"
    again = api.runs().open("one")
    assert again.drive.unfinished
    again.drive.close()


def test_a_run_is_renamed() -> None:
    """The new name is listed; of a run that is not there an error."""
    assert client().post("/api/runs/rename", json={"id": "one", "title": " Fines "}).json() == {"ok": True}
    assert rows()["one"]["title"] == "Fines"
    assert client().post("/api/runs/rename", json={"id": "three", "title": "x"}).status_code == 409


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"ids": 3}'])
def test_a_damaged_command_is_refused(body: bytes) -> None:
    """Nothing is deleted."""
    assert client().post("/api/runs/delete", content=body).status_code == 400
    assert len(rows()) == 2


def test_a_server_that_others_can_reach_refuses_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither listed nor changed."""
    monkeypatch.setattr(st, "get_option", {"server.address": "0.0.0.0"}.get)
    answers = [client().get(path) for path in ("/api/runs",)]
    answers += [
        client().post(f"/api/runs/{do}", json={"ids": ["one"], "id": "one"}) for do in ("delete", "restore", "rename")
    ]
    assert [answer.status_code for answer in answers] == [403] * 4
