"""The library's answers to its page."""

import json
import os
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import load_all, meter, replay
from core.engine.default_meter import default_meter
from core.library import Index, Place, SearchText, build
from core.library.index import note, put
from core.library.places import Looked
from core.trace.trace import conversation
from tests.library.test_library import a_row, broken_inside
from viewer.api import library
from viewer.wire.header import trace_header

places = import_module("core.library.places")
ID, PATH, TITLE, PROJECT = 0, 1, 5, 6


@pytest.fixture(autouse=True)
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """An index of the test's own, served to the machine's own user, whose sessions are in one folder."""
    own = Index(tmp_path / "library.db")
    monkeypatch.setattr(library, "Index", lambda: own)
    monkeypatch.setattr(library, "places", lambda: [Place("", tmp_path / "kept")])
    monkeypatch.setattr(library, "_building", [])
    monkeypatch.setattr(library, "_build_again", [])
    monkeypatch.setattr(st, "get_option", {"server.address": "127.0.0.1"}.get)
    return own


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Builds that are started, instead of starting them."""
    found: list[str] = []
    monkeypatch.setattr(library, "start_build", lambda: found.append("build"))
    return found


def fetched(path: str = "/api/library", **query: str) -> Any:
    """What the server answers, and with what status."""
    answer = TestClient(Starlette(routes=library.ROUTES)).get(path, params=query)
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, answer.json()


def filled(index: Index, folder: Path) -> None:
    """Two sessions in the index."""
    for minute, words in enumerate(("when are the plums ripe", "what is for lunch")):
        path = folder / "kept" / f"{minute}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps([{"role": "user", "content": words}]))
        os.utime(path, (1_700_000_000 + 60 * minute,) * 2)
    build(index, [Place("", folder / "kept")])


@pytest.mark.parametrize(
    "path", ["/api/library", "/api/library/search", "/api/library/snippets", "/api/library/progress"]
)
@pytest.mark.parametrize("address", ["0.0.0.0", "", None, "192.168.1.2"])
def test_a_server_that_others_can_reach_lists_nobodys_files(
    path: str, address: str | None, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused, and the index is not so much as opened."""
    monkeypatch.setattr(st, "get_option", {"server.address": address}.get)
    status, body = fetched(path)
    assert (status, list(body)) == (403, ["error"])
    assert not index.path.exists()


def test_a_row_is_what_the_page_shows(index: Index, tmp_path: Path) -> None:
    """An id, sixteen columns, whether the tokens are an estimate, and how far the build is."""
    filled(index, tmp_path)
    status, body = fetched()
    assert (status, body["total"]) == (200, 2)
    assert body["rows"][1][PATH:] == [
        str(tmp_path / "kept" / "0.json"),
        *(0, "OpenAI chat messages", "openai-chat", "when are the plums ripe", "", "", 1, 1, 10, "o200k_base", 0, 0),
        *("", 0, "2023-11-14T22:13:20Z", True),
    ]
    assert body["progress"] == {"done": 2, "total": 2, "now": "", "building": False}


def test_texts_are_on_one_line_and_paths_as_they_are(index: Index, tmp_path: Path) -> None:
    """Nothing that turns text around or breaks a line reaches the list; a path must still open."""
    row = a_row(0, path="/odd\u202e\nname", title="one\ntwo\u202e", project="p\nq")
    with index.open() as connection:
        note(connection, [(Place("", tmp_path / "kept"), Looked((Path(row.path),)))])
        put(connection, row.path, "s", [(row, SearchText("plums\nand \u202epears"))], "")

    (said,) = fetched()[1]["rows"]
    ((_, snippet, _),) = fetched("/api/library/snippets", q="pears", ids=str(said[ID]))[1]["found"].values()
    assert said[PATH] == "/odd\u202e\nname"
    assert not {"\n", "\u202e"} & set("".join([said[TITLE], said[PROJECT], snippet]))


def test_a_folder_that_is_not_looked_through_whole_is_named(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how many of its files are; the others of the list are looked through."""
    filled(index, tmp_path)
    assert fetched()[1]["cut"] == {"folders": [], "most": 20_000}
    monkeypatch.setattr(places, "MOST_FILES", 1)
    build(index, [Place("", tmp_path / "kept"), Place("", tmp_path / "nowhere")])

    body = fetched()[1]
    assert body["cut"]["folders"] == [str(tmp_path / "kept")]
    assert [row[PATH][-6:] for row in body["rows"]] == ["0.json"]


def test_files_that_could_not_be_read_are_named(index: Index, tmp_path: Path) -> None:
    """With the reason, the first of them; how many there are is told whole. Those of other folders are not."""
    filled(index, tmp_path)
    assert fetched()[1]["unread"] == {"count": 0, "files": []}
    for number in range(30):
        (tmp_path / "kept" / f"bad-{number:02}.json").write_text("{broken")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "worse.json").write_text("{broken")
    build(index, [Place("", tmp_path / "kept"), Place("", tmp_path / "other")])

    unread = fetched()[1]["unread"]
    assert (unread["count"], len(unread["files"]), unread["files"][0][0]) == (30, 20, "bad-00.json")
    assert "not valid JSON" in unread["files"][0][1]
    assert str(tmp_path) not in unread["files"][0][1]


def test_what_is_typed_is_searched_and_where_it_stands_is_asked_for_a_few(index: Index, tmp_path: Path) -> None:
    """A search gives ids; the sessions in view are then asked for the place of the words. What is no id is passed over."""
    filled(index, tmp_path)
    ids = {row[PATH][-6:]: row[ID] for row in fetched()[1]["rows"]}
    plums = ids["0.json"]

    assert fetched("/api/library/search", q='"plu')[1] == {"ids": [plums], "phrase": []}
    assert fetched("/api/library/search", q="the plums")[1] == {"ids": [plums], "phrase": [plums]}
    assert fetched("/api/library/search")[1] == {"ids": [], "phrase": []}
    _, told = fetched("/api/library/snippets", q="plums", ids=f"{plums},{ids['1.json']},x,")
    assert told["found"] == {str(plums): ["messages", "when are the \ue000plums\ue001 ripe", 1]}


def test_progress_says_whether_somebody_builds(index: Index) -> None:
    """A process that has given a sign of life a moment ago is at work; one that was silent for long is not."""
    for ago, alive in ((0.0, True), (3600.0, False)):
        with index.open() as connection:
            values = (os.getppid(), time.time() - ago)
            connection.execute("REPLACE INTO progress VALUES (1, ?, ?, 3, 9, 'a\nb.json')", values)
        assert fetched("/api/library/progress") == (
            200,
            {"done": 3, "total": 9, "now": "a b.json", "building": alive},
        )


def test_a_damaged_index_is_built_anew_and_the_page_told_so(index: Index, tmp_path: Path, started: list[str]) -> None:
    """The page waits for the build as it does at the first time."""
    filled(index, tmp_path)
    broken_inside(index.path)

    status, body = fetched("/api/library/search", q="plums")
    assert (status, body["ids"], started) == (200, [], ["build"])


def test_an_index_that_cannot_be_opened_is_said(tmp_path: Path, index: Index, started: list[str]) -> None:
    """With the file to delete; nothing is started, as it would not help."""
    index.path.mkdir()
    status, body = fetched()
    assert (status, body["hint"]) == (500, f"delete {index.path}")
    assert started == []


class Running:
    """A process in place of a build."""

    def __init__(self, *_: object, **__: object) -> None:
        self.over = False

    def poll(self) -> int | None:
        """None while it runs."""
        return 0 if self.over else None


def test_one_build_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one that is asked for begins when the first is over: a folder may have been added meanwhile."""
    monkeypatch.setattr(library.subprocess, "Popen", Running)
    library.start_build()
    first: Any = library._building[-1]
    library.start_build()
    library.start_build()
    assert library.running()
    assert library._building == [first]

    first.over = True
    assert library.running()
    second: Any = library._building[-1]
    assert second is not first
    second.over = True
    assert not library.running()


def test_a_sessions_tokens_are_those_of_the_debuggers_header(index: Index) -> None:
    """The same number by the same meter, for every sample; the messages are those that the cursor walks."""
    samples = Path(__file__).parents[3] / "sample_sessions"
    build(index, [Place("", samples, ("**/*.jsonl", "*chat/*.json", "aider/*.md"))])
    rows = index.listing().rows
    assert len(rows) > 5

    for row in rows:
        session = list(load_all(Path(row.path)))[row.number]
        trace = replay(session, meter=meter(row.meter))
        header = trace_header("sid", trace)
        assert (row.tokens, row.messages, row.meter) == (
            header["total"],
            len(conversation(session)),
            default_meter(session),
        )
