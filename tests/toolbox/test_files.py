"""The files tools: what they say, where they stop, and that nothing outside the folder can be reached."""

import os
import sys
from pathlib import Path

import pytest

from core.toolbox import _search as searching
from core.toolbox import make_tools
from core.toolbox.tools import ToolRegistry

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few files, beside a secret."""
    (tmp_path / "secret.txt").write_text("the secret")
    (tmp_path / "desk-private").mkdir()
    (tmp_path / "desk-private" / "key.txt").write_text("the secret")
    desk = tmp_path / "desk"
    (desk / "src").mkdir(parents=True)
    (desk / "README.md").write_text("# Desk\n\nLoans and fines.\n")
    (desk / "src" / "fines.js").write_text("".join(f"line {i}\n" for i in range(1, 501)))
    (desk / "logo.png").write_bytes(b"\x89PNG\0\0")
    return desk


@pytest.fixture
def tools(folder: Path) -> ToolRegistry:
    """The tools over it."""
    return make_tools(["files"], folder)


def test_a_listing_says_what_is_there(tools: ToolRegistry) -> None:
    """Names in order; folders with a stroke, files with their size."""
    assert tools.call("list_files", {}) == "README.md (25 bytes)\nlogo.png (6 bytes)\nsrc/"
    assert tools.call("list_files", {"path": "src"}).startswith("fines.js (")


def test_a_long_listing_says_how_to_go_on(tools: ToolRegistry, folder: Path) -> None:
    """200 entries an answer, and the call that gives the rest."""
    for i in range(250):
        (folder / "src" / f"{i:03}.txt").touch()
    told = tools.call("list_files", {"path": "src"}).splitlines()
    assert (len(told), told[-1]) == (201, "[entries 1-200 of 251; list_files('src', start=201) reads on]")
    assert len(tools.call("list_files", {"path": "src", "start": 201}).splitlines()) == 51


def test_a_file_is_read_in_parts(tools: ToolRegistry) -> None:
    """The lines asked for, which they are, and how to read on."""
    told = tools.call("read_file", {"path": "src/fines.js", "start_line": 3, "lines": 2})
    assert told == (
        "src/fines.js, lines 3-4 of 500\nline 3\nline 4\n[496 more lines; read_file('src/fines.js', start_line=5) reads on]"
    )
    assert "lines 1-400 of 500" in tools.call("read_file", {"path": "src/fines.js", "lines": 9_999})
    assert "there is no line 501" in tools.call("read_file", {"path": "src/fines.js", "start_line": 501})


def test_long_lines_and_large_files_are_cut_and_say_so(tools: ToolRegistry, folder: Path) -> None:
    """A line of 5,000 characters, an answer of 12,000, and the first 2,000,000 bytes of a file."""
    (folder / "long.txt").write_text("x" * 5_000 + "\n")
    (folder / "wide.txt").write_text(("y" * 900 + "\n") * 100)
    (folder / "large.txt").write_bytes(b"z" * 2_500_000)
    assert "… [line of 5,000 characters cut]" in tools.call("read_file", {"path": "long.txt"})
    wide = tools.call("read_file", {"path": "wide.txt"})
    assert len(wide) < 12_200
    assert wide.endswith("[87 more lines; read_file('wide.txt', start_line=14) reads on]")
    assert "[only the first 2,000,000 of 2,500,000 bytes" in tools.call("read_file", {"path": "large.txt"})


def test_a_binary_file_is_said_to_be_one(tools: ToolRegistry) -> None:
    """No bytes of a picture reach the model."""
    assert tools.call("read_file", {"path": "logo.png"}) == "logo.png is binary (6 bytes): it is not shown"


OUTSIDE = [
    *("../secret.txt", "src/../../secret.txt", "..", "../desk-private/key.txt", "../nothing", "~/secret.txt"),
    *(
        "link.txt",
        "linked/secret.txt",
        "loop",
        "pipe",
        "null",
        "",
        "/etc/hostname",
        "a\0b",
        "README.md/../../secret.txt",
    ),
]


@POSIX
@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_can_be_read(tools: ToolRegistry, folder: Path, path: str) -> None:
    """By no path, link, device or pipe; and the answer does not say what is there."""
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "linked").symlink_to(folder.parent)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "null").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe")
    for name, arguments in (("read_file", {}), ("search_files", {"pattern": "secret"})):
        told = tools.call(name, {"path": path, **arguments})
        assert told.startswith("error: ") or (name, path) == ("search_files", "")
        assert "the secret" not in told
        assert str(folder.parent) not in told


def test_it_does_not_say_what_is_outside(tools: ToolRegistry) -> None:
    """A file that is there and one that is not are refused with the same words."""
    for path in ("../secret.txt", "../nothing.txt", "src/../../nothing.txt"):
        assert tools.call("read_file", {"path": path}) == f"error: {path!r} leads out of the folder"


@POSIX
def test_a_search_does_not_follow_links_out(tools: ToolRegistry, folder: Path) -> None:
    """What a link leads to is not searched, nor is a link into the folder itself a circle."""
    (folder / "linked").symlink_to(folder.parent)
    (folder / "again").symlink_to(folder)
    (folder / "src" / "link.txt").symlink_to(folder.parent / "secret.txt")
    assert tools.call("search_files", {"pattern": "the secret"}) == "nothing found"
    assert tools.call("list_files", {}).splitlines()[1:3] == ["again (link)", "linked (link)"]


@POSIX
@pytest.mark.parametrize("name", ["read_file", "search_files", "list_files"])
@pytest.mark.parametrize("path", ["src/fines.js", "src"])
def test_a_folder_that_becomes_a_link_leads_nowhere(
    tools: ToolRegistry, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    """Whoever swaps it right after the path was checked gets nothing of what is outside."""
    outside = folder.parent / "desk-private"
    (outside / "fines.js").write_text("the secret")
    checked = searching.Folder.real

    def swapped(within: searching.Folder, given: str) -> Path:
        found = checked(within, given)
        (folder / "src").rename(folder / "old")
        (folder / "src").symlink_to(outside)
        return found

    monkeypatch.setattr(searching.Folder, "real", swapped)
    told = tools.call(name, {"path": path} | ({"pattern": "e"} if name == "search_files" else {}))
    assert "secret" not in told
    assert "key.txt" not in told
    assert told.startswith("error: ") or told == "nothing found"


@POSIX
def test_a_link_that_stays_inside_is_followed(tools: ToolRegistry, folder: Path) -> None:
    """It leads to a file of the folder, so it is read."""
    (folder / "short.md").symlink_to("README.md")
    assert "Loans and fines." in tools.call("read_file", {"path": "short.md"})


def test_a_search_gives_file_line_and_text(tools: ToolRegistry) -> None:
    """Plain text by default: a dot is a dot; as an expression it is any character."""
    assert tools.call("search_files", {"pattern": "fines."}) == "README.md:3: Loans and fines."
    assert tools.call("search_files", {"pattern": "line.7$", "regex": True}) == "src/fines.js:7: line 7"
    assert tools.call("search_files", {"pattern": "line.7$"}) == "nothing found"


def test_a_search_stops_at_a_hundred_lines(tools: ToolRegistry) -> None:
    """And says that there is more."""
    told = tools.call("search_files", {"pattern": "line"}).splitlines()
    assert (len(told), told[-1][:31]) == (101, "[only the first 100 lines; sear")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", r"(?i)(\w|\d|a|.)*\b!\b"])
def test_an_expression_that_would_hang_elsewhere_ends(tools: ToolRegistry, folder: Path, pattern: str) -> None:
    """An engine that goes back over the line would take hours for these; the whole of each line is looked at."""
    (folder / "trap.txt").write_text(("a" * 1_900 + "!\n") * 500)
    told = tools.call("search_files", {"pattern": pattern, "path": "trap.txt", "regex": True})
    assert told == "nothing found"


def test_a_search_that_takes_too_long_is_stopped(folder: Path) -> None:
    """The clock ends it, and the answer says so."""
    search = searching.Search(searching.Folder(folder), "line", False, seconds=0)
    assert search.under(".") == "nothing found\n[stopped after 0 seconds and 0 files; search a smaller folder]"


@pytest.mark.parametrize(
    ("pattern", "error"),
    [
        ("((a{1000}){1000}){1000}b", "invalid repetition size"),
        (r"[\p{L}]{1000}", "pattern too large"),
        ("(a(?R)?b)", "invalid perl operator: (?R"),
        (r"(?<!a)b", "invalid perl operator: (?<"),
        (r"(a)\1", "invalid escape sequence"),
        ("(", "is not a valid RE2 pattern: missing ): ("),
        ("", "a pattern has 1 to 200 characters, not 0"),
        ("a" * 201, "not 201"),
    ],
)
def test_an_expression_that_costs_too_much_is_refused(tools: ToolRegistry, pattern: str, error: str) -> None:
    """Before it is compiled: counts that multiply would take all memory."""
    told = tools.call("search_files", {"pattern": pattern, "regex": True})
    assert told.startswith("error: ")
    assert error in told


def test_braces_that_are_no_counts_may_be_written(tools: ToolRegistry, folder: Path) -> None:
    r"""`\{`, `\p{L}` and `{2,3}` are as everywhere."""
    (folder / "b.js").write_text("if (x) {\n")
    assert tools.call("search_files", {"pattern": r"\p{L}{2,3} .*\{", "regex": True}) == "b.js:1: if (x) {"
