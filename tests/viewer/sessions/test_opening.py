"""Transcripts that are opened in a thread: how far they are, how they begin, and how that ends."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import FoldlineError
from core.importers._beginning import BEGINNING_BYTES
from viewer.api.opening import ROUTES
from viewer.sessions import opening as openings
from viewer.sessions import registry, sources
from viewer.sessions.opening import Opening, ended_opening, opening, opening_called
from viewer.sessions.sources import Source

WAIT = 60


@pytest.fixture(autouse=True)
def _no_recent_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "recent.json")


def large(folder: Path) -> Path:
    """A chat of more bytes than a beginning, whose third message says so."""
    path = folder / "chat.json"
    texts = ["asked", "answered", "third", *(f"{n} " + "x" * 1000 for n in range(BEGINNING_BYTES // 1000))]
    path.write_text(json.dumps([{"role": "user", "content": text} for text in texts]), "utf-8")
    return path


def test_a_large_file_shows_how_it_begins_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first messages and size are known before it is read; the stage and the bytes follow what is done."""
    path, going, client = large(tmp_path), threading.Event(), TestClient(Starlette(routes=ROUTES))
    whole, counted = sources.load_all, registry.replay
    reading, counting = threading.Event(), threading.Event()

    def slowly(*given: Any, **named: Any) -> Any:
        reading.set()
        assert going.wait(WAIT)
        return whole(*given, **named)

    def count_slowly(*given: Any, **named: Any) -> Any:
        counting.set()
        assert going.wait(WAIT)
        return counted(*given, **named)

    monkeypatch.setattr(sources, "load_all", slowly)
    monkeypatch.setattr(registry, "replay", count_slowly)
    found = opening(Source("path", str(path)), True)
    known = lambda: client.get(f"/api/opening/{found.id}").json()  # noqa: E731

    assert reading.wait(WAIT)
    assert [m.content for m in found.beginning[:3]] == ["asked", "answered", "third"]
    assert (found.name, found.size, known()) == (
        "chat.json",
        path.stat().st_size,
        {"stage": "reading", "read": 0, "messages": 0},
    )
    going.set()
    assert counting.wait(WAIT)
    assert found.wait(WAIT)
    count = 3 + BEGINNING_BYTES // 1000
    assert known() == {"stage": "done", "read": path.stat().st_size, "messages": count}


def test_whoever_asks_gets_the_beginning_while_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the query of the page, from the request on that began to open it; nothing before that, of another session, or once
    it is open: then the page has something better to show. The question itself opens nothing."""
    path, going, client = large(tmp_path), threading.Event(), TestClient(Starlette(routes=ROUTES))
    whole, source = sources.load_all, Source("path", str(large(tmp_path)))

    def slowly(*given: Any, **named: Any) -> Any:
        assert going.wait(WAIT)
        return whole(*given, **named)

    monkeypatch.setattr(sources, "load_all", slowly)
    asked = lambda **query: client.get("/api/beginning", params=query).json()  # noqa: E731
    assert asked(source=str(source)) == asked(source=str(source)) == {}
    found = opening(source, True, meter_name="agentkit")
    begun = asked(source=str(source), meter="agentkit", step="3")["opening"]

    assert (begun["id"], begun["name"], begun["size"], len(begun["rows"])) == (
        found.id,
        "chat.json",
        path.stat().st_size,
        40,
    )
    assert (begun["rows"][1], begun["first"]) == (["user", "", "answered"], "asked")
    assert asked() == asked(source="nowhere") == asked(source=str(source)) == {}
    going.set()
    assert found.wait(WAIT)
    assert asked(source=str(source), meter="agentkit") == {}


def test_a_small_file_has_no_beginning_of_its_own(tmp_path: Path) -> None:
    """It is read before anybody could look at one."""
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "hi"}]')
    found = opening(Source("path", str(path)), True)
    assert found.wait(WAIT)
    assert (found.beginning, found.messages, found.error) == ((), 1, None)


def test_a_page_waits_no_longer_than_since_the_opening_began() -> None:
    """What was begun with the first request of a page has taken its time once the page asks."""
    found = Opening("id", "chat.json")
    found._started -= 2 * WAIT
    assert not found.wait(WAIT)


def test_an_opening_is_one_until_its_end_is_taken(tmp_path: Path) -> None:
    """All who wait for the same session wait for the same thread; once its end was taken, the file is read as it then is."""
    path = tmp_path / "chat.json"
    path.write_text("no transcript")
    source = Source("path", str(path))

    first = opening(source, True)
    assert opening(source, True) is first
    assert opening(source, True, "1") is not first
    assert first.wait(WAIT)
    ended = ended_opening(source)
    assert ended is first
    assert isinstance(first.error, FoldlineError)
    assert (ended_opening(source), opening_called(first.id)) == (None, None)

    path.write_text('[{"role": "user", "content": "hi"}]')
    assert opening(source, True).wait(WAIT)
    ended = ended_opening(source)
    assert ended is not None
    assert ended.error is None


def test_a_page_that_is_loaded_again_reads_anew(tmp_path: Path) -> None:
    """An end that nobody took is not given to the next page."""
    source = Source("path", str(tmp_path / "later.json"))
    missing = opening(source, True)
    assert missing.wait(WAIT)
    assert opening(source, True, again=True) is not missing


def test_a_path_is_looked_at_only_on_this_machine(tmp_path: Path) -> None:
    """Where the server listens to others, not even the first bytes are read."""
    found = opening(Source("path", str(large(tmp_path))), False)
    assert found.wait(WAIT)
    assert (found.size, found.beginning) == (0, ())
    assert found.error is not None


def test_an_upload_begins_as_a_file_does(tmp_path: Path) -> None:
    """Its bytes are in memory."""
    data = large(tmp_path).read_bytes()
    source = sources.hold_upload({"chat.json": data})
    found = opening(source, False)
    assert found.wait(WAIT)
    assert (found.size, len(found.beginning)) == (len(data), openings.ROWS)


def test_an_opening_that_nobody_knows_has_ended() -> None:
    """A page that waits for it is drawn anew."""
    assert TestClient(Starlette(routes=ROUTES)).get("/api/opening/none").json()["stage"] == "done"
