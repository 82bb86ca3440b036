"""Which paths are opened."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core import FoldlineError
from core.importers._files import folder
from core.library import add_place
from core.model import paths
from core.model.paths import check_place
from core.toolbox import make_tools
from viewer.sessions.sources import Source, open_source

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="folders of Linux")
OPENERS: list[Callable[[str], object]] = [
    lambda path: open_source(Source("path", path), local=True),
    add_place,
    lambda path: make_tools(["files"], path),
]


@pytest.mark.parametrize("opened", OPENERS, ids=["transcript", "library", "tools"])
@pytest.mark.parametrize(
    "path", ["//host/share", r"\\host\share\a.json", "//./pipe/x", "/\\host\\share", r"\\?\UNC\h\s"]
)
def test_shares_of_other_machines_are_not_touched(
    path: str, opened: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what to do; the path is not even made one."""
    monkeypatch.setattr(paths, "Path", None)
    with pytest.raises(FoldlineError, match="is on another machine") as caught:
        opened(path)
    assert caught.value.hint == "copy it to this machine and open the copy"


@pytest.mark.parametrize("opened", OPENERS, ids=["transcript", "library", "tools"])
@pytest.mark.parametrize("path", ["https://example.org/a.jsonl", "HTTP://host", "s3://bucket/a.jsonl"])
def test_a_url_is_named_as_it_was_typed(path: str, opened: Callable[[str], object]) -> None:
    """It is no path with a slash too many: the error says what it is, and what to do."""
    with pytest.raises(FoldlineError, match=f"^{path} is a URL, not the path of a file$") as caught:
        opened(path)
    assert caught.value.hint == "download it to this machine and open the copy"


@POSIX
@pytest.mark.parametrize("opened", OPENERS, ids=["transcript", "library", "tools"])
@pytest.mark.parametrize(
    ("path", "folder"),
    [("/proc/self/environ", "/proc"), ("/proc", "/proc"), ("/tmp/../dev/zero", "/dev"), ("/sys/kernel", "/sys")],
)
def test_folders_of_the_system_are_not_opened(opened: Callable[[str], object], path: str, folder: str) -> None:
    """They are no files: one may hold every key of the environment, another never ends."""
    with pytest.raises(FoldlineError, match=f"cannot be opened: {folder} contains processes and devices"):
        opened(path)


@POSIX
def test_a_link_does_not_lead_there(tmp_path: Path) -> None:
    """Nor a folder that is one."""
    (tmp_path / "link").symlink_to("/proc/self")
    with pytest.raises(FoldlineError, match="cannot be opened"):
        check_place(str(tmp_path / "link" / "environ"))


@pytest.mark.parametrize(
    "path", ["a.json", "~/a.json", "/home/x/a.json", "/procession/a", "~nobody~/x", "\0", "", "/", "C:\\a"]
)
def test_other_paths_are_looked_at(path: str) -> None:
    """Whether there is anything is for the one who opens it to say."""
    check_place(path)


def test_a_folder_above_them_is_opened_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `/` is: a walk passes them by."""
    for name in ("proc", "runs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.json").write_text("[]")
    monkeypatch.setattr(folder, "SYSTEM", (str(tmp_path / "proc"),))
    assert [*folder.OnDisk(tmp_path).names()] == ["runs/a.json"]
    assert folder.OnDisk(tmp_path).within(".") == (["runs"], [])
