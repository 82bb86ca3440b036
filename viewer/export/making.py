"""A file that is made in a process of its own, so that the server goes on answering, and so that it can be stopped."""

import os
import sys
import threading
from contextlib import suppress
from subprocess import PIPE, Popen
from typing import Any

from core.model.import_name import import_name
from core.tune.worker import receive, send
from viewer.export.jobs import Job, Made

AT_ONCE = threading.BoundedSemaphore(2)
"""So many files are made at a time; the others wait."""

STARTING = "Starting"
WAITING = "Waiting until another file is ready"
ENDED = ("the process that made the file has ended", "is there enough memory?")


class Making:
    """A file at work: what is done `now`, until it is `over`; then what was `made`, or why it `failed` and a hint.

    Any thread may stop it: its process is ended, in the middle of whatever it does.
    """

    def __init__(self, job: Job) -> None:
        self.now, self.made, self.failed = STARTING, None, None  # type: tuple[str, Made | None, tuple[str, str] | None]
        self.over = threading.Event()
        self._lock, self._stopped = threading.Lock(), threading.Event()
        self._process: Popen[bytes] | None = None
        threading.Thread(target=self._run, args=(job,), name="export", daemon=True).start()

    def stop(self) -> None:
        """End the work."""
        with self._lock:
            self._stopped.set()
            if self._process is not None:
                self._process.kill()

    def _run(self, job: Job) -> None:
        try:
            if not self._turn():
                return
            try:
                self._work(job)
            finally:
                AT_ONCE.release()
        finally:
            self.over.set()

    def _turn(self) -> bool:
        """Wait until this file may be made; False where it is stopped before."""
        while not AT_ONCE.acquire(timeout=0.1):
            if self._stopped.is_set():
                return False
            self.now = WAITING
        self.now = STARTING
        return True

    def _work(self, job: Job) -> None:
        with self._lock:
            if self._stopped.is_set():
                return
            paths = os.pathsep.join(path for path in sys.path if path)
            command = [sys.executable, "-P", "-m", import_name("viewer.export.worker")]
            self._process = Popen(command, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": paths})
        try:
            self._take(job, self._process)
        except (EOFError, OSError):
            self.failed = ENDED
        finally:
            self._process.kill()
            with suppress(OSError), self._process:  # closes what leads to it, and waits
                pass

    def _take(self, job: Job, process: Popen[bytes]) -> None:
        """Give the process its job, and take what it says until it has answered."""
        assert process.stdin is not None
        assert process.stdout is not None
        send(job, process.stdin)
        while not (self.made or self.failed):
            self._hear(receive(process.stdout))

    def _hear(self, said: Any) -> None:
        if isinstance(said, Made):
            self.made = said
        elif isinstance(said, str):
            self.now = said
        else:
            self.failed = said
