"""A process of the pool: it reads tasks from its standard input, one after the other, and writes their results.

A program of its own rather than a child of `multiprocessing`, whose children first run the main module again: in an app that is
the whole app. It ends when its input does, so that none outlives the process that started it.
"""

import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import IO, Any

NICER = 10
"""How much it stands back behind what a person waits for: the app itself."""


def send(value: Any, to: IO[bytes]) -> None:
    """Write a value, with its length before it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    to.write(len(data).to_bytes(8, "big") + data)
    to.flush()


def receive(source: IO[bytes]) -> Any:
    """The next value that was sent. Raises EOFError at the end, also in the middle of a value."""
    return pickle.loads(_exactly(source, int.from_bytes(_exactly(source, 8), "big")))


def _exactly(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise EOFError
    return data


def main() -> None:
    """Do tasks until there are no more. What anybody prints goes to stderr: the answers have the output for themselves."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to all; the process that started this one decides
    with suppress(AttributeError, OSError):
        os.nice(NICER)
    from core.tune.task import run_task

    with suppress(EOFError, BrokenPipeError):
        while True:
            send(run_task(receive(sys.stdin.buffer)), answers)


if __name__ == "__main__":
    main()
