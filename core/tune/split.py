"""What splits sessions x settings into tasks of about a second's work each."""

from collections.abc import Iterator, Sequence

from core.tune.files import File
from core.tune.task import Setting, Task, Terms

SECONDS = 1.0
"""What a task is to take: few enough to show how far a sweep is and to lose little, and many more than sending it takes."""

READING, RUN = 0.1e-6, 0.02e-6
"""Seconds a byte of the file that reading a session and counting it take, and one run over it: no more than their order."""


def seconds(file: File, runs: int) -> float:
    """What reading a file and so many runs over it take, by their order."""
    return (READING + RUN * runs) * file.size


def split(file: File, settings: Sequence[Setting], terms: Terms, number: int | None = None) -> Iterator[Task]:
    """Tasks for a file: the settings in their order, so many at a time that runs take a second, or as long as reading does.

    A process keeps what it read for the next task, so that a file in many parts is read once by each process.
    """
    room = max(SECONDS, READING * file.size)
    most = max(1, int(room / (RUN * max(file.size, 1))))
    for start in range(0, len(settings), most):
        yield Task(file, tuple(settings[start : start + most]), number, terms)
