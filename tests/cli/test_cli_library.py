"""`foldline library`: the sessions on this machine, in a terminal."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.cli import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with two transcripts in a folder that is looked into, and one that cannot be read."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "CLAUDE_", "CODEX_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FOLDLINE_LIBRARY", str(tmp_path / "runs"))
    for minute, words in enumerate(("when are the plums ripe", "what is \x1b[31mfor lunch")):
        chat = [{"role": "user", "content": words}, {"role": "assistant", "content": "Soon."}]
        path = tmp_path / "runs" / f"{minute}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(chat))
        os.utime(path, (1_700_000_000 + 60 * minute,) * 2)
    (tmp_path / "runs" / "bad.json").write_text('{"weather": "fine"}')
    return tmp_path


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    """What `foldline library --json` prints."""
    assert main(("library", "--json", *words)) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_every_session_is_listed_newest_first(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """As rows with the path that opens each; words choose among them, and what cannot be read is no row."""
    listed = rows(capsys)
    assert [row["path"] for row in listed] == [str(home / "runs" / "1.json"), str(home / "runs" / "0.json")]
    assert (listed[1]["agent"], listed[1]["messages"], listed[1]["ended"], listed[1]["changed"]) == (
        "OpenAI chat messages",
        2,
        "",
        "2023-11-14T22:13:20Z",
    )
    assert [row["path"][-6:] for row in rows(capsys, "ripe", "plu")] == ["0.json"]
    assert rows(capsys, "--agent", "pi") == []


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Counts by agent above it, no time where the messages have none; no control character reaches the terminal."""
    assert main(("library",)) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0].split() == ["sessions", "2"]
    rows = [line.split()[:3] for line in said.splitlines()[-2:]]
    assert rows == [["-", "OpenAI", "chat"]] * 2
    assert "\x1b" not in said


def test_building_prints_nothing(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """What the page starts beside itself: the index is there afterwards."""
    assert main(("library", "--build")) == 0
    assert capsys.readouterr() == ("", "")
    assert (home / ".cache" / "foldline" / "library.db").is_file()


def test_an_index_that_cannot_be_used_is_an_error_that_names_it(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """With the way out, on one line each."""
    (home / ".cache" / "foldline" / "library.db").mkdir(parents=True)
    assert main(("library",)) == 1
    said = capsys.readouterr().err
    assert "library.db cannot be used (unable to open database file)" in said
    assert "hint: delete it" in said


def test_a_damaged_index_is_built_anew_while_it_is_read(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """Damage that only a search comes upon ends in an answer all the same."""
    rows(capsys)
    with sqlite3.connect(home / ".cache" / "foldline" / "library.db") as index:
        index.execute("DROP TABLE texts")
    index.close()

    assert len(rows(capsys, "plums")) == 1
