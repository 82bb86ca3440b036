"""`foldline redact`: a list of what looks secret, and a file without it."""

import json
from pathlib import Path

import pytest

from core import Message, load, save
from core.cli import main
from core.trace.trace import as_session

PASSWORD, MAIL = "tr0ub4dor-and-3", "anna.meyer@acme-corp.com"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A session with a password and an address."""
    said = f"Log in with password={PASSWORD}, or write to {MAIL}. Again: {PASSWORD}."
    save(as_session([Message(id="m1", role="user", content=said)]), tmp_path / "s.json")
    return str(tmp_path / "s.json")


def test_a_file_is_written_without_secrets(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The list tells what was masked, by its beginning alone; the file opens as a session."""
    out = tmp_path / "out.json"
    assert main(["redact", file, "-o", str(out), "--json"]) == 0
    printed = capsys.readouterr().out
    found = json.loads(printed)
    assert [(row["kind"], row["times"], row["masked"]) for row in found["found"]] == [
        ("e-mail address", 1, True),
        ("secret field", 2, True),
    ]
    assert (PASSWORD in printed, found["written"]) == (False, str(out))
    content = load(out).messages[0].content
    assert PASSWORD not in content
    assert MAIL not in content
    assert len(content) == len(load(file).messages[0].content)


def test_an_entry_can_be_kept(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its number in the list, or by its text; another name is an error."""
    for keep in ("1", MAIL):
        assert main(["redact", file, "-o", str(tmp_path / "out.json"), "--keep", keep]) == 0
        content = load(tmp_path / "out.json").messages[0].content
        assert (MAIL in content, PASSWORD in content) == (True, False)
        assert "1 of 2 masked" in capsys.readouterr().out
    assert main(["redact", file, "-o", str(tmp_path / "out.json"), "--keep", "3"]) == 1
    assert "nothing in the list is '3'" in capsys.readouterr().err


def test_a_list_writes_nothing(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is for looking; without a file to write to and without --list the usage is wrong."""
    before = sorted(tmp_path.iterdir())
    assert main(["redact", file, "--list"]) == 0
    assert "2 of 2 masked. Rules find what has a known form, and no name in a sentence" in capsys.readouterr().out
    assert main(["redact", file]) == 2
    assert sorted(tmp_path.iterdir()) == before
