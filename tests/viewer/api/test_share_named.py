"""Share on the Library and on Runs: what is listed as a table, and one session in every form, its secrets masked."""

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Message, save
from core.drive import Store
from core.library import Index, SearchText
from core.library.index import put
from core.trace.events import Arrived, Began
from tests.library.test_library import a_row
from tests.viewer.api.test_share_api import SESSION
from viewer.api import lists, share_named
from viewer.api import runs as runs_api
from viewer.api.share import ROUTES as SHARE
from viewer.sessions.runs import Runs
from viewer.sessions.sources import Source, recent, remember_opened

MAIL = "anna.meyer@acme-corp.com"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server for this machine's user, with three sessions in the library and two runs."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(st, "get_option", {"server.address": "127.0.0.1"}.get)
    index, runs = Index(tmp_path / "library.db"), Runs(Store(tmp_path / "runs"))
    monkeypatch.setattr(lists, "Index", lambda: index)
    for module in (lists, runs_api, share_named):
        monkeypatch.setattr(module, "runs", lambda: runs)
    _fill(index, runs.store)
    with TestClient(Starlette(routes=[*share_named.ROUTES, *SHARE])) as made:
        yield made


def _fill(index: Index, store: Store) -> None:
    titles = ("=1+1", f"Write to {MAIL}")
    rows = [a_row(n, path=f"/home/annameyer/{n}.jsonl", title=title) for n, title in enumerate(titles)]
    with index.open() as connection:
        for row in (*rows, replace(a_row(2, path="/w/unread.jsonl", title="new"), meter="")):
            put(connection, row.path, "s", [(row, SearchText())], "")
    for id in ("one", "two"):
        recorder = store.recorder(id)
        recorder.write(Began(id=id, title=f"Run {id}"))
        recorder.write(Arrived(message=Message(role="user", content=f"Write to {MAIL}."), tokens=1))
        recorder.close()
        store.release(id)


def ids_of() -> dict[str, int]:
    """The ids of the library's sessions, by title."""
    found = lists.Index().listing()
    return {row.title: id for id, row in zip(found.ids, found.rows, strict=True)}


def made(client: TestClient, at: str, **asked: Any) -> tuple[str, bytes]:
    """The name of the file that was made, and what is in it."""
    *_, last = (json.loads(line) for line in client.post(f"/api/share/{at}", json=asked).text.splitlines())
    return last["ready"]["name"], client.get(f"/{last['ready']['file']}").content


def looked(client: TestClient, at: str, **named: Any) -> dict[str, Any]:
    """What looks secret in what is named."""
    return dict(json.loads(client.post(f"/api/share/{at}/secrets", json=named).text.splitlines()[-1]))


def test_the_library_is_a_table_as_it_is_listed(client: TestClient) -> None:
    """The rows that are asked for, in that order; a file that is not read has no figures, and no text is a formula."""
    known = ids_of()
    ids = [known["new"], known["=1+1"]]
    name, data = made(client, "list/library", ids=ids, form="csv")
    head, *rows = [line.split(",") for line in data.decode().splitlines()]
    assert name == "foldline-library.csv"
    assert [row[head.index("title")] for row in rows] == ["new", "'=1+1"]
    assert [row[head.index("tokens")] == "" for row in rows] == [True, False]
    name, data = made(client, "list/library", ids=ids, form="parquet")
    table = pq.read_table(io.BytesIO(data)).to_pylist()
    assert (name, [row["title"] for row in table]) == ("foldline-library.parquet", ["new", "=1+1"])
    assert [row["messages"] for row in table] == [None, 1]


def test_what_is_personal_in_a_list_is_masked_unless_it_is_kept(client: TestClient) -> None:
    """The address in a title and the user in paths are listed, and masked in the table; what is kept stays."""
    ids = list(ids_of().values())
    answer = looked(client, "list/library", ids=ids)
    assert [(row["kind"], row["times"]) for row in answer["found"]] == [("e-mail address", 1), ("user name", 2)]
    _, data = made(client, "list/library", ids=ids, form="json")
    assert (MAIL in data.decode(), "annameyer" in data.decode()) == (False, False)
    assert [row["path"].startswith("/home/") for row in json.loads(data)] == [False, True, True]
    _, data = made(client, "list/library", ids=ids, form="json", keep=[1], list=answer["list"])
    assert (MAIL in data.decode(), "annameyer" in data.decode()) == (True, False)


def test_a_session_of_the_library_is_shared_as_debug_opens_it(client: TestClient, tmp_path: Path) -> None:
    """Looked through first, and as recorded."""
    save(SESSION, tmp_path / "s.json")
    named = {"path": str(tmp_path / "s.json"), "number": ""}
    answer = looked(client, "session", **named)
    assert [row["kind"] for row in answer["found"]] == ["secret field"]
    name, data = made(client, "session", **named, form="trace")
    assert name == "log-in-first.trace.json"
    assert "tr0ub4dor-and-3" not in data.decode()
    name, data = made(client, "session", **named, form="html")
    assert (name, data[:15]) == ("log-in-first.html", b"<!doctype html>")
    assert recent() == []


def test_a_session_that_a_person_opens_is_a_recent_one(client: TestClient, tmp_path: Path) -> None:
    """While its file is there; a sample has no path."""
    save(SESSION, tmp_path / "s.json")
    paths = (str(tmp_path / name) for name in ("s.json", "gone.json"))
    for source in (*(Source("path", path) for path in paths), Source("sample", "s.json")):
        remember_opened(source)
    assert recent() == [str(tmp_path / "s.json")]


@pytest.mark.parametrize(("form", "name"), [("html", "run-one.html"), ("openai", "run-one.openai.json")])
def test_a_run_is_shared_by_its_id(client: TestClient, form: str, name: str) -> None:
    """As recorded, what is personal in it masked."""
    assert looked(client, "session", run="one")["found"][0]["preview"] == MAIL
    found, data = made(client, "session", run="one", form=form)
    assert (found, MAIL in data.decode()) == (name, False)


def test_the_runs_are_a_table(client: TestClient) -> None:
    """In the order that is asked for, with what the page shows of each."""
    _, data = made(client, "list/runs", ids=["two", "one"], form="json")
    rows = json.loads(data)
    assert [(row["id"], row["title"], row["status"], row["cost"]) for row in rows] == [
        ("two", "Run two", "stopped", None),
        ("one", "Run one", "stopped", None),
    ]


def test_an_empty_list_is_a_table_of_no_rows(client: TestClient) -> None:
    """Its heads are there."""
    _, data = made(client, "list/runs", ids=[], form="csv")
    assert data.decode().splitlines()[0].startswith("id,title,status,")


def test_what_is_not_there_is_refused_and_says_why(client: TestClient) -> None:
    """No such list, rows that are gone, a form of another thing, a file that does not open."""
    cases: list[tuple[str, dict[str, Any], int]] = [
        ("list/other", {"ids": [], "form": "csv"}, 404),
        ("list/runs", {"ids": "all", "form": "csv"}, 404),
        ("list/runs", {"ids": ["three"], "form": "csv"}, 409),
        ("list/library", {"ids": [[]], "form": "csv"}, 409),
        ("list/runs", {"ids": [], "form": "html"}, 404),
        ("session", {"path": "/nowhere/at.all"}, 409),
        ("session", {"run": "three"}, 409),
        ("session", {"run": "../three"}, 409),
        ("session", {}, 400),
    ]
    for at, body, status in cases:
        answer = client.post(f"/api/share/{at}", json=body)
        assert (at, body, answer.status_code, bool(answer.json()["error"])) == (at, body, status, True)


def test_a_server_that_others_can_reach_refuses_all(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither lists nor sessions of this machine leave it."""
    monkeypatch.setattr(st, "get_option", {"server.address": "0.0.0.0"}.get)
    for at in ("list/library", "list/library/secrets", "session", "session/secrets"):
        assert client.post(f"/api/share/{at}", json={"ids": [], "run": "one", "form": "csv"}).status_code == 403
