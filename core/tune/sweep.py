"""Tasks on every core of this machine: `sweep(tasks)` gives the results as they come."""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from subprocess import PIPE, Popen
from threading import Lock, Thread

from core.model.import_name import import_name
from core.tune.files import Failure, forget
from core.tune.task import Result, Task, run_task
from core.tune.worker import receive, send

TRIES = 2
"""How often a task is begun whose process ends in the middle of it: it may be one that takes all the memory."""


def cores() -> int:
    """How many processes run at once on this machine."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))  # what this process may use, of all there are
    return os.cpu_count() or 1


def sweep(tasks: Iterable[Task], workers: int | None = None) -> "Sweeping":
    """The result of each task as soon as it is there; tasks are begun in the order given.

    `workers` None is one process a core, 0 does the work in this one. Tasks are taken from `tasks` as they are needed, by other
    threads; what it raises is raised here.
    """
    count = cores() if workers is None else workers
    return _Pool(tasks, count) if count else _Here(tasks)


class Sweeping(ABC, Iterator[Result]):
    """Results as they come. Any thread may close it: what runs is ended at once, and after what has come there is no more."""

    @abstractmethod
    def close(self) -> None:
        """End the work; nothing else is begun."""


class _Here(Sweeping):
    """The work done in this process, a task each time a result is asked for."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._closed = iter(tasks), False

    def __next__(self) -> Result:
        task = None if self._closed else next(self._tasks, None)
        if task is None:
            self.close()
            raise StopIteration
        return run_task(task)

    def close(self) -> None:
        """The task at hand is still done."""
        self._closed = True
        forget()


class _Pool(Sweeping):
    """Threads, each with a process to which it gives one task at a time."""

    def __init__(self, tasks: Iterable[Task], count: int) -> None:
        self._tasks, self._taking = iter(tasks), Lock()
        self._done: SimpleQueue[Result | BaseException | None] = SimpleQueue()
        self._workers = [_Worker() for _ in range(count)]
        self._working = count
        for worker in self._workers:
            Thread(target=self._work, args=(worker,), daemon=True).start()

    def __next__(self) -> Result:
        while self._working:
            found = self._done.get()
            if isinstance(found, Result):
                return found
            if isinstance(found, BaseException):
                self.close()
                raise found
            self._working -= 1
        raise StopIteration

    def close(self) -> None:
        """End every process, and start no other."""
        for worker in self._workers:
            worker.kill()

    def _work(self, worker: "_Worker") -> None:
        try:
            while (task := self._next()) is not None:
                self._done.put(worker.do(task))
        except _StoppedError:
            pass
        except BaseException as error:  # of the iterable that tasks come from
            self._done.put(error)
        finally:
            worker.end()
            self._done.put(None)

    def _next(self) -> Task | None:
        with self._taking:
            return next(self._tasks, None)


class _StoppedError(Exception):
    """No process is started any more."""


class _Worker:
    """A process that does one task at a time, with another in its place where it ends in the middle of one."""

    def __init__(self) -> None:
        self._lock, self._stopped = Lock(), False
        self._process: Popen[bytes] | None = None

    def do(self, task: Task) -> Result:
        """The result of a task; that it failed, where two processes have ended over it. Raises _StoppedError."""
        code = 0
        for _ in range(TRIES):
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                send(task, process.stdin)
                result: Result = receive(process.stdout)
            except (EOFError, OSError):
                code = self._ended(process)
            else:
                return result
        if self._stopped:
            raise _StoppedError
        why = f"the process that worked on it ended {TRIES} times in the middle, last with exit code {code}"
        return Result(task, failures=(Failure(task.file.name, why, "is there enough memory? try fewer --workers"),))

    def kill(self) -> None:
        """End the process, in the middle of a task if there is one, and start no other; any thread may call this."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """The same, and wait for its end; for the thread that gives it tasks."""
        self.kill()
        if self._process is not None:
            self._ended(self._process)

    def _running(self) -> Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise _StoppedError
            if self._process is None:
                paths = os.pathsep.join(path for path in sys.path if path)
                command = [sys.executable, "-P", "-m", import_name("core.tune.worker")]
                self._process = Popen(command, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": paths})
            return self._process

    def _ended(self, process: Popen[bytes]) -> int:
        """The exit code of a process, which is ended if it has not."""
        with self._lock:
            self._process = None
        process.kill()
        with suppress(OSError), process:  # closes what leads to it, and waits
            pass
        return process.wait()
