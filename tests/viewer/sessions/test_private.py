"""What foldline keeps is for its user alone."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.drive import Store, start
from core.library import Index, add_place
from core.library.build import build
from core.model import private
from core.trace.events import RunSettings
from viewer.sessions.sources import remember

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files of the user's profile are private there")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home of a user whose files everybody may read and change."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    before = os.umask(0)
    yield tmp_path / "home"
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The permissions of everything below a folder."""
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}


def test_everything_that_is_kept_is_private(home: Path) -> None:
    """Runs and their locks, the library's index and folders, and recent paths: 0600, their folders 0700."""
    drive = start(RunSettings(provider="demo", meter="agentkit", summaries="structural"), Store())
    drive.send("Hello")
    drive.wait(180)
    drive.close()
    add_place(str(home))
    with Index().open():
        build(Index(), [])
        kept = modes(home)
    remember(home / "a.json")

    kept |= modes(home)
    suffixes = {Path(name).suffix for name, mode in kept.items() if mode == 0o600}
    assert {".jsonl", ".lock", ".db", ".db-wal", ".db-shm", ".json"} <= suffixes
    assert {"recent.json", "library.json"} <= {Path(name).name for name in kept}
    assert set(kept.values()) == {0o600, 0o700}


def test_folders_that_there_are_stay_as_they_are(home: Path) -> None:
    """A folder somebody has chosen keeps its permissions; those that are missing below it are private, and so is every file."""
    (home / "shared").mkdir(mode=0o755)
    private.write(home / "shared" / "a" / "b" / "file", "text")
    assert modes(home) == {"shared": 0o755, "shared/a": 0o700, "shared/a/b": 0o700, "shared/a/b/file": 0o600}
    (home / "shared" / "old").write_text("")
    (home / "shared" / "old").chmod(0o640)
    private.write(home / "shared" / "old", "new")
    assert modes(home)["shared/old"] == 0o600
