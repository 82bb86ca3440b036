"""How far a sweep is, on stderr: sessions, runs, and the time left; and what gave no rows, and why."""

import sys
import time
from collections.abc import Sequence

from core.cli.terminal import print_error, safe_line
from core.importers._shapes.notes import pluralize
from core.tune.files import Failure
from core.tune.split import seconds
from core.tune.task import Result, Task

OFTEN, SELDOM = 0.2, 10.0
"""Seconds between two lines: where a person looks on, who sees one line change, and in a log."""


class Progress:
    """What came of a sweep so far: `rows`, and how many files, sessions or policies `failed`."""

    def __init__(self) -> None:
        self.rows = self.failed = 0
        self._runs, self._work, self._done = 0, 0.0, 0.0
        self._files: set[str] = set()
        self._sessions: set[str] = set()
        self._start = self._shown = time.monotonic()
        self._width = 0

    def expect(self, tasks: Sequence[Task]) -> None:
        """This is what there is to do."""
        self._files = {task.file.name for task in tasks}
        self._runs = sum(len(task.settings) for task in tasks)
        self._work = sum(_work(task) for task in tasks)
        self._start = time.monotonic()

    def take(self, result: Result) -> None:
        """A task is done."""
        self.rows += len(result.rows)
        self._sessions.update(row.session for row in result.rows)
        self._done += _work(result.task)
        for failure in result.failures:
            self.leave(failure)
        if time.monotonic() - self._shown > (OFTEN if sys.stderr.isatty() else SELDOM):
            self._show()

    def leave(self, failure: Failure) -> None:
        """Something gives no rows: say so at once."""
        self.failed += 1
        self._clear()
        policy = f" under {failure.policy}" if failure.policy else ""
        print_error(f"{failure.name}{policy}: {failure.why}", failure.hint)

    def end(self) -> None:
        """All is done: say how much that was, where something was left out or it took long enough to be shown before."""
        self._clear()
        took = time.monotonic() - self._start
        if self.failed or took > SELDOM:
            left = f"; {self.failed:,} left out" if self.failed else ""
            done = f"{pluralize(len(self._sessions), 'session')}, {pluralize(self.rows, 'run')}"
            print(f"{done} in {clock(took)}{left}", file=sys.stderr)

    def _show(self) -> None:
        self._shown = time.monotonic()
        took = self._shown - self._start
        left = clock(took * (self._work - self._done) / self._done)
        done = f"{len(self._sessions):,} of {len(self._files):,} sessions, {self.rows:,} of {self._runs:,} runs"
        line = safe_line(f"{done}, {left} left")
        if sys.stderr.isatty():
            print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0


def _work(task: Task) -> float:
    """What a task is of the whole; an empty file is something, too."""
    return seconds(task.file, len(task.settings)) + 1e-3


def clock(seconds: float) -> str:
    """A duration as a clock shows it: 0:07, 12:30, 1:05:00."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
