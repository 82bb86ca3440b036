"""Starting the app."""

import os
import socket
from pathlib import Path

import pytest

from core.library import places
from viewer import serve
from viewer.api import access
from viewer.pages import library
from viewer.serve import free_port, is_free, lesson_page, main


def test_a_taken_port_is_passed_over() -> None:
    """The next free port is taken when somebody listens on the first."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        assert not is_free(taken.getsockname()[1])
    port = free_port()
    assert port is not None
    assert is_free(port)


def test_a_file_that_is_not_there_is_said_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    """`make run FILE=typo` ends with one line and a hint."""
    assert main(["/nowhere/session.jsonl"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "error: /nowhere/session.jsonl: no such file",
        "hint: run foldline serve without a file to open a sample",
    ]


@pytest.mark.parametrize("port", ["99999", "0", "-5", "taken"])
def test_a_port_that_cannot_be_used_is_said_before_anything_starts(
    capsys: pytest.CaptureFixture[str], port: str
) -> None:
    """One that is in use, and a number that is no port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1]) if port == "taken" else port

        assert main([f"--port={port}"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"error: port {port} is not free",
        "hint: choose another from 1 to 65535, or leave --port out to use a free one",
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (["--lesson", "9"], "there is no lesson 9", "there are 1, 2, 3, 4, 5, 6"),
        (["--play"], "--play needs a lesson", "give --lesson 1 as well"),
    ],
)
def test_a_lesson_that_is_not_there_is_said_before_anything_starts(
    arguments: list[str], error: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line and a hint."""
    assert main(arguments) == 1
    assert capsys.readouterr().err.splitlines() == [f"error: {error}", f"hint: {hint}"]


def test_the_link_leads_to_a_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    """At its first step, with a person's own file, or playing; behind it the token."""
    assert lesson_page(2, "", False) == "/learn?lesson=2&step=1"
    assert lesson_page(1, "/a b.jsonl", True) == "/learn?lesson=1&step=1&source=path%3A%2Fa+b.jsonl&present=1&play=1"
    monkeypatch.setenv("FOLDLINE_TOKEN", "abc")
    assert access.link().endswith("/?token=abc")
    monkeypatch.setenv("FOLDLINE_PAGE", lesson_page(2, "", False))
    assert access.link().endswith("/learn?lesson=2&step=1&token=abc")


@pytest.mark.parametrize("before", ["", "/others"])
def test_the_library_lists_the_folder_that_it_is_started_on(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside those that the user names, whose variable stays as it is, and says why; a single file adds no folder."""
    monkeypatch.setattr(serve, "serve", lambda port: None)
    monkeypatch.setenv("FOLDLINE_FILE", "")
    monkeypatch.setenv("FOLDLINE_LIBRARY", before)
    others = {before: "From FOLDLINE_LIBRARY"} if before else {}
    opened = {str(tmp_path / "a:b"): "The folder that you opened"}
    (tmp_path / "a:b").mkdir()
    (tmp_path / "a.json").touch()
    for started_on, added in (("a.json", {}), ("a:b", opened)):
        assert main([str(tmp_path / started_on)]) == 0
        assert os.environ["FOLDLINE_LIBRARY"] == before
        assert _named() == {**added, **others}


def _named() -> dict[str, str]:
    """The folders that are listed and are no agent's, with why they are."""
    return {str(place.root): library._kind(place) for place in places() if not place.kept and not place.agent}
