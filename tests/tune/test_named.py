"""Sessions by the names of their rows."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.cli import main
from core.tune.files import Failure, file_at
from core.tune.named import files_named
from tests.serving import ROOT

SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive of two files, and a file of two sessions."""
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        for name in ("a.json", "b.json"):
            archive.write(SAMPLE, name)
    said = [[{"role": "user", "content": f"Hello {n}"}, {"role": "assistant", "content": "Yes"}] for n in (1, 2)]
    lines = [json.dumps({"id": f"run {n}", "messages": one}) for n, one in enumerate(said, 1)]
    (tmp_path / "two.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_a_path_stands_for_its_files_whole(folder: Path) -> None:
    """Also one that looks like a number, where it exists."""
    (folder / "odd#1").write_bytes(SAMPLE.read_bytes())
    assert list(files_named(str(folder / "odd#1"))) == [(file_at(str(folder / "odd#1")), None)]
    assert [
        (found[0].inside, found[1]) for found in files_named(str(folder / "all.zip")) if isinstance(found, tuple)
    ] == [
        ("a.json", None),
        ("b.json", None),
    ]


def test_a_name_stands_for_one_session(folder: Path) -> None:
    """In an archive by its path there, in a file of many by its id."""
    size = SAMPLE.stat().st_size
    archive, two = str(folder / "all.zip"), str(folder / "two.jsonl")
    assert list(files_named(f"{archive}/b.json")) == [(file_at(archive, "b.json", size), None)]
    assert list(files_named(f"{two}#run 1")) == [(file_at(two), 0)]
    assert list(files_named(f"{two}#run 2")) == [(file_at(two), 1)]


def test_a_name_that_nothing_has_is_said(folder: Path) -> None:
    """With the archive that was looked into."""
    archive = str(folder / "all.zip")
    why = f"{archive} has no file of this name"
    assert list(files_named(f"{archive}/c.json")) == [
        Failure(f"{archive}/c.json", why, "`foldline show` lists its sessions")
    ]
    two = str(folder / "two.jsonl")
    assert list(files_named(f"{two}#run 3")) == [Failure(two, "has no session 'run 3'", "it has run 1, run 2")]


def test_a_row_is_made_again_by_its_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `session` says is a path of the command."""

    def rows(*paths: str) -> list[dict[str, object]]:
        assert main(["tune", *paths, "--policy", "agentkit.memory", "--no-findings", "--json"]) == 0
        found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["rows"]
        return found

    every = rows(str(folder / "all.zip"), str(folder / "two.jsonl"))
    assert len(every) == 4
    assert [rows(str(one["session"]))[0] for one in every[:2]] == every[:2]
    assert rows(str(every[3]["session"])) == [every[3]]
