"""The files that a path or a URL stands for."""

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import fsspec
import pytest

from core.tune.files import Failure, File, file_at, files_of
from core.tune.task import Setting, Task, Terms, run_task
from tests.serving import ROOT

SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"
SETTINGS = (Setting("agentkit.memory", {"budget": 8000}),)


def folder_of(path: Path) -> Path:
    """A folder with two sessions, one below the other, and a file that is none."""
    (path / "below").mkdir(parents=True)
    for name in ("a.json", "below/b.json"):
        (path / name).write_bytes(SAMPLE.read_bytes())
    (path / "notes.txt").write_text("no transcript")
    return path


def test_a_folder_stands_for_the_files_in_it(tmp_path: Path) -> None:
    """Each by its own path; what is no transcript is said."""
    folder = folder_of(tmp_path / "all")
    *files, left = files_of(str(folder))
    assert files == [file_at(str(folder / "a.json")), file_at(str(folder / "below" / "b.json"))]
    assert left == Failure(str(folder), "1 file left out: it is not a transcript (notes.txt)")


def test_an_archive_is_read_file_by_file(tmp_path: Path) -> None:
    """Each file of it is a task of its own."""
    folder, archive = folder_of(tmp_path / "all"), tmp_path / "all.zip"
    with ZipFile(archive, "w") as packed:
        for name in ("a.json", "below/b.json"):
            packed.write(folder / name, name)
    files = [file for file in files_of(str(archive)) if isinstance(file, File)]
    assert [(file.path, file.inside) for file in files] == [(str(archive), "a.json"), (str(archive), "below/b.json")]
    rows = [row for file in files for row in run_task(Task(file, SETTINGS, terms=Terms(meter="agentkit"))).rows]
    assert [row.session for row in rows] == [f"{archive}/a.json", f"{archive}/below/b.json"]
    assert rows[0].tokens_sent == rows[1].tokens_sent > 0


@pytest.fixture
def bucket() -> Iterator[str]:
    """A place that only fsspec can read, with two sessions."""
    system = fsspec.filesystem("memory")
    system.pipe({f"/bucket/{name}": SAMPLE.read_bytes() for name in ("a.json", "below/b.json")})
    yield "memory://bucket"
    system.rm("/bucket", recursive=True)


def test_a_url_stands_for_the_files_below_it(bucket: str) -> None:
    """Their rows are those of the same file on disk, under the URL; one that was written anew is another file."""
    files = [file for file in files_of(bucket) if isinstance(file, File)]
    assert [(file.path, file.size) for file in files] == [
        (f"memory:///bucket/{name}", SAMPLE.stat().st_size) for name in ("a.json", "below/b.json")
    ]
    assert list(files_of(bucket)) == files
    (row,) = run_task(Task(files[0], SETTINGS)).rows
    (same,) = run_task(Task(file_at(str(SAMPLE)), SETTINGS)).rows
    assert row == same.model_copy(update={"session": "memory:///bucket/a.json"})
    fsspec.filesystem("memory").pipe("/bucket/a.json", b"other")
    assert next(files_of(bucket)) != files[0]


@pytest.mark.parametrize(("url", "why"), [("memory://nowhere", "there is no file"), ("nosuch://a/b", "nosuch")])
def test_a_url_that_leads_nowhere(url: str, why: str) -> None:
    """It is named, and why."""
    (failed,) = files_of(url)
    assert isinstance(failed, Failure)
    assert failed.name == url
    assert why in failed.why


def test_without_fsspec_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, bucket: str) -> None:
    """And the package that is missing."""
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    (failed,) = files_of(bucket)
    assert failed == Failure(bucket, "memory://bucket needs the package fsspec.core", "pip install 'foldline[cluster]'")


def test_a_path_without_a_file() -> None:
    """It is named."""
    (failed,) = files_of("/no/such/file.json")
    assert isinstance(failed, Failure)
    assert (failed.name, failed.why) == ("/no/such/file.json", "no such file")
