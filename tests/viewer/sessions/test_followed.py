"""Whether an open file was written to since it was read, as a page that shows it asks."""

import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viewer.api.followed import ROUTES
from viewer.sessions import sources
from viewer.sessions.followed import follow, pause
from viewer.sessions.sources import Loaded, Source, hold_upload, open_source


@pytest.fixture(autouse=True)
def _no_recent_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "recent.json")


def write(path: Path, number: int) -> None:
    """A chat of so many messages."""
    path.write_text(json.dumps([{"role": "user", "content": f"message {n}"} for n in range(number)]), "utf-8")


def read(path: Path, number: int) -> Loaded:
    """The session of a file with so many messages."""
    write(path, number)
    return open_source(Source("path", str(path)), local=True)


def stamp(name: str) -> str:
    """What the route answers."""
    answer: str = TestClient(Starlette(routes=ROUTES)).get(f"/api/followed/{name}").json()["stamp"]
    return answer


def test_a_file_that_was_written_to_has_a_new_stamp(tmp_path: Path) -> None:
    """Nothing as long as it is as it was read; then the same stamp until it is written to again."""
    path = tmp_path / "chat.json"
    name = follow(read(path, 2))
    assert stamp(name) == ""
    write(path, 3)
    first = stamp(name)
    assert first
    assert stamp(name) == first
    write(path, 4)
    assert stamp(name) not in ("", first)


def test_a_file_is_followed_from_what_was_read_of_it_on(tmp_path: Path) -> None:
    """Read again, it has another name, under which nothing has changed yet."""
    path = tmp_path / "chat.json"
    before = follow(read(path, 2))
    after = follow(read(path, 3))
    assert stamp(before)
    assert stamp(after) == ""


def test_what_is_gone_or_not_followed_has_not_changed(tmp_path: Path) -> None:
    """The page then keeps what it shows."""
    path = tmp_path / "chat.json"
    name = follow(read(path, 2))
    path.unlink()
    assert stamp(name) == ""
    assert stamp("unheard-of") == ""


def test_a_sample_or_an_upload_is_not_followed() -> None:
    """The one is part of the app, the other is no file here."""
    assert follow(open_source(hold_upload({"chat.json": b'[{"role": "user", "content": "a"}]'}), local=False)) == ""
    assert follow(open_source(Source("sample", sources.samples()[0].path), local=True)) == ""


def test_a_file_that_takes_long_to_read_is_looked_at_less_often(tmp_path: Path) -> None:
    """Every second and a half, or six times as long as reading it takes."""
    loaded = read(tmp_path / "chat.json", 2)
    quick = Loaded(loaded.key, loaded.entries, loaded.session, loaded.shown, seconds=0.1)
    slow = Loaded(loaded.key, loaded.entries, loaded.session, loaded.shown, seconds=2.0)
    assert (pause(quick), pause(slow)) == (1.5, 12.0)
