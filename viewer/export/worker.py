"""A process that makes one file: it reads a job from its standard input, and writes what it does now, and at last the file.

It ends when its input does, in the middle of whatever it does: it does not outlive the process that started it.
"""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import IO

from core.model.errors import FoldlineError, format_error
from core.tune.worker import NICER, receive, send
from viewer.export.jobs import Job
from viewer.export.telling import heard_by

SELDOM = 0.1
"""Seconds between two sentences about what is done now."""


class Telling:
    """Sends what is done now, not too often."""

    def __init__(self, to: IO[bytes]) -> None:
        self._to, self._last = to, 0.0

    def __call__(self, what: str) -> None:
        """Send it, unless another was sent a moment ago."""
        now = time.monotonic()
        if now - self._last >= SELDOM:
            self._last = now
            send(what, self._to)


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def main() -> None:
    """Make the file that is asked for. What anybody prints goes to stderr: the answers have the output for themselves."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    with suppress(AttributeError, OSError):
        os.nice(NICER)
    job: Job = receive(sys.stdin.buffer)
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    with suppress(BrokenPipeError):
        try:
            with heard_by(Telling(answers)):
                send(job.make(), answers)
        except FoldlineError as error:
            send((str(error), error.hint), answers)
        except Exception as error:
            send(
                (f"internal error: {format_error(error)}", "export it on the command line, with FOLDLINE_DEBUG=1"),
                answers,
            )


if __name__ == "__main__":
    main()
