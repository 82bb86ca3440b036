"""Work that another process does while this one goes on.

The other is a copy of this one: it has at once all that was read and counted here, and gives back only what it made.
"""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from viewer.export.telling import heard_by

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")
PATIENCE = 60  # seconds beyond this process's own share; the copy's is about as large


@contextmanager
def aside(work: Callable[[], T], worth: bool = True) -> Iterator[Callable[[], T]]:
    """Have the work done in a copy of this process while the block runs; what the block gets waits for it.

    It is done here, when the block asks for it, where it is not `worth` a copy, there is none, or the copy fails or is stuck.
    A copy gets stuck where another thread of this process holds a lock at its start: nothing in the copy lets go of it.
    """
    if not (worth and _can_copy()):
        yield work
        return
    from multiprocessing import get_context  # which takes a while

    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    copy = context.Process(target=_do, args=(work, here, there))
    # Python 3.12 warns of threads when a process is copied; those of this one do nothing now, and hold no lock.
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        copy.start()
    there.close()
    try:
        yield lambda: _answer(here, work)
    finally:
        copy.kill()  # it has nothing to put away, and a handler of SIGTERM could wait for a lock that nothing frees
        copy.join()
        here.close()


def _can_copy() -> bool:
    """Whether there is a core for a copy. Windows makes none, and libraries of macOS fail in one."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _answer(here: "Connection", work: Callable[[], T]) -> T:
    with suppress(EOFError, OSError):  # the copy failed, or was ended
        if here.poll(PATIENCE):
            found: T = here.recv()
            return found
    return work()


def _do(work: Callable[[], object], here: "Connection", there: "Connection") -> None:
    """What the copy does: it tells nobody how far it is, and ends when the process that waits for it does."""
    here.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to both; the other one decides
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    with suppress(Exception), heard_by(lambda _: None):
        there.send(work())


def _end_with_the_other() -> None:
    from multiprocessing import parent_process

    if other := parent_process():
        other.join()
        os._exit(1)
