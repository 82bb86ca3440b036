"""The thread of a live run: it alone changes the run, and does one job after the other."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

from core.model.errors import RunError

Job = Callable[[], object]


class Worker:
    """A daemon thread that does jobs in the order they are put. It starts with the first one."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._lock = threading.Lock()
        self._closed = False

    def put(self, job: Job) -> None:
        """Have the thread do this job. Raises RunError after `close`."""
        with self._lock:
            if self._closed:
                raise RunError("this run is closed", "reopen it from the Runs page")
            if not self._thread.is_alive():
                self._thread.start()
        self._jobs.put(job)

    def close(self, wait: float) -> None:
        """Take no more jobs, and wait at most so many seconds for those that were put."""
        with self._lock:
            self._closed = True
        self._jobs.put(None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(wait)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
