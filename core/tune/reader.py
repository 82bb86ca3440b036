"""A process that reads sessions and says how large they are, so that nobody who waits for this one is held up.

`sizes_of_files(places, meter)` starts it; it reads places from its standard input, and writes what it found, as
`core.tune.worker` does with tasks.
"""

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import suppress
from subprocess import PIPE, Popen

from core.model.import_name import import_name
from core.tune.files import Failure, File, failure
from core.tune.sized import Sized, read_sizes
from core.tune.worker import NICER, receive, send

Place = tuple[File, int | None]
"""A file, and the number of one session in it, or None for all."""


def sizes_of_files(places: Iterable[Place], meter: str) -> Generator[tuple[Place, list[Sized] | Failure], None, None]:
    """The sessions of each place, counted by a meter, or why there are none. Closing the generator ends the process."""
    process = _started()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for place in places:
            try:
                send((place, meter), process.stdin)
                found: list[Sized] | Failure = receive(process.stdout)
            except (EOFError, OSError):
                _end(process)
                yield place, Failure(place[0].name, "the process that read it ended", "is there enough memory?")
                process = _started()
                assert process.stdin is not None
                assert process.stdout is not None
            else:
                yield place, found
    finally:
        _end(process)


def _started() -> Popen[bytes]:
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-P", "-m", import_name("core.tune.reader")]
    return Popen(command, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": paths})


def _end(process: Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _read(place: Place, meter: str) -> list[Sized] | Failure:
    file, number = place
    try:
        return read_sizes(file, meter, number)
    except Exception as error:
        return failure(file.name, error)


def main() -> None:
    """Read places until there are no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(AttributeError, OSError):
        os.nice(NICER)
    with suppress(EOFError, BrokenPipeError):
        while True:
            place, meter = receive(sys.stdin.buffer)
            send(_read(place, meter), answers)


if __name__ == "__main__":
    main()
