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


@contextmanager
def aside(work: Callable[[], T], worth: bool = True) -> Iterator[Callable[[], T]]:
    """Have the work done in a copy of this process while the block runs; what the block gets waits for it.

    Where it is not `worth` a copy, there can be none, or the copy fails, it is done here, when the block asks for it. No other
    thread of this process may hold a lock meanwhile: the copy would wait for it for ever.
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
        copy.terminate()
        copy.join()
        here.close()


def _can_copy() -> bool:
    """Whether there is a core for a copy. Windows makes none, and libraries of macOS fail in one."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _answer(here: "Connection", work: Callable[[], T]) -> T:
    try:
        found: T = here.recv()
    except (EOFError, OSError):  # the copy failed, or was ended
        return work()
    return found


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
