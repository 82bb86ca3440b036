"""How long opening a file keeps every other thread waiting: `python -m benchmarks.holds FILE`.

One thread of Python runs at a time, and another has its turn only between two steps of it: a call into C is one step. Printed
are the seconds of the longest step, those of all, and the function it was in; all of the processor, whatever else the
machine does.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple


class Longest(NamedTuple):
    """The longest step of some work, the function it was in, and all of the work, in seconds of the processor."""

    seconds: float
    inside: str
    whole: float


def longest(work: Callable[[], Any]) -> Longest:
    """What is between two steps is seen by the profiler of Python, which makes the work longer, but no step of it."""
    clock = time.thread_time
    begun = last = clock()
    most, inside = 0.0, ""

    def step(frame: FrameType, event: str, found: Any) -> None:
        nonlocal last, most, inside
        now = clock()
        if now - last > most:
            most, inside = now - last, f"{frame.f_code.co_name} in {Path(frame.f_code.co_filename).name}"
        last = clock()

    profiled(work, step)
    return Longest(most, inside, clock() - begun)


def profiled(work: Callable[[], Any], step: Callable[[FrameType, str, Any], None]) -> None:
    """Do the work, and call `step` at each step of it that the profiler of Python sees: in place of the profiler there was."""
    before = sys.getprofile()
    sys.setprofile(step)
    try:
        work()
    finally:
        sys.setprofile(before)


def opened(file: str) -> Longest:
    """Opening and counting a file, as the server does."""
    from core.meters.tokenizer import encoding
    from viewer.sessions.garbage import keep_collections_short
    from viewer.sessions.opening import opening
    from viewer.sessions.sources import Source

    keep_collections_short()
    encoding()  # the server has it from the first session
    found = opening(Source("sample", ""), True)
    found.wait(60)
    return longest(lambda: found.run(Source("path", file), True, "", "", ""))


if __name__ == "__main__":
    print(*opened(sys.argv[1]), sep="\n")
