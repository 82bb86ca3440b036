"""The process that makes one file."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Event

from core.tune.worker import receive, send
from tests.serving import ROOT
from viewer.export.jobs import LessonFile, Made
from viewer.export.telling import counted, heard_by, tell


@dataclass(frozen=True)
class Endless:
    """A job that says that it began, and goes on for ever."""

    def make(self) -> Made:
        """Never gives anything."""
        tell("Waiting for ever")
        Event().wait()
        raise AssertionError


def _worker(folder: Path) -> "Popen[bytes]":
    command = [sys.executable, "-P", "-m", "viewer.export.worker"]
    return Popen(command, stdin=PIPE, stdout=PIPE, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_it_ends_in_the_middle_of_its_work_when_its_input_does(tmp_path: Path) -> None:
    """So it does not go on for a server that is gone."""
    with _worker(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        send(Endless(), process.stdin)
        assert receive(process.stdout) == "Waiting for ever"
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(60) == 1


def test_it_ends_by_itself_when_the_file_is_ready(tmp_path: Path) -> None:
    """Though its input is still open, and says nothing on its way out."""
    with _worker(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        send(LessonFile(3), process.stdin)
        while isinstance(said := receive(process.stdout), str):
            assert said[0].isupper()
        assert isinstance(said, Made)
        assert process.wait(60) == 0


def test_what_is_done_is_told_in_words() -> None:
    """Each thing with its number, before it is given."""
    heard: list[str] = []
    with heard_by(heard.append):
        assert list(counted(["a", "b"], "Following texts")) == ["a", "b"]
    assert heard == ["Following texts, 1 of 2", "Following texts, 2 of 2"]
