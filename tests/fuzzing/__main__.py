"""`python -m tests.fuzzing [--format F] [--count N] [--seed S] [--only NUMBER]`: a long run, as done every night.

A failure is shown once for each place that fails, with how often it did, what to run to see it again, and the smallest
input that was found to do it. Exits with 1 if there was any.
"""

import argparse
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from os import cpu_count

from core.importers import importers
from tests.fuzzing.limits import clocked, weighed
from tests.fuzzing.making import made
from tests.fuzzing.running import Failure, Kind, Limit, smaller, tried

COUNT = 20_000
CHUNK = 250
WEIGHED = 25
"""One input in so many is weighed, which takes several times as long."""

MEMORY = 4 << 30


@contextmanager
def nightly(size: int, weigh: bool = False) -> Iterator[None]:
    """The limits of a long run."""
    with ExitStack() as limits:
        limits.enter_context(clocked(size))
        if weigh:
            limits.enter_context(weighed(size))
        yield


def begin() -> None:
    """Of each process: warnings are failures, and memory has an end."""
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@dataclass
class Found:
    """What some inputs of a format came to: how many there were, the failures by kind, the first of each, the slowest."""

    format: str
    count: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)
    first: dict[Kind, Failure] = field(default_factory=dict)
    slowest: tuple[float, int] = (0.0, 0)

    def add(self, other: "Found") -> list[Failure]:
        """Take in what others came to; returns the failures that are new."""
        new = [failure for kind, failure in other.first.items() if kind not in self.first]
        self.count += other.count
        self.kinds.update(other.kinds)
        self.first = other.first | self.first
        self.slowest = max(self.slowest, other.slowest)
        return new

    def line(self) -> str:
        """In one line."""
        seconds, number = self.slowest
        text = f"{self.format:<20} {self.count:>7,} inputs, {self.kinds.total():>5,} failed"
        return f"{text}, the slowest took {seconds:.2f} s ({number})"


def chunk(format: str, seed: int, numbers: range) -> Found:
    """What these inputs come to."""
    found = Found(format, len(numbers))
    for number in numbers:
        transcript = made(format, seed, number)
        start = time.process_time()
        failure = tried(transcript, seed, number, limit_of(number))
        if number % WEIGHED:
            found.slowest = max(found.slowest, (time.process_time() - start, number))
        if failure is not None:
            found.kinds[failure.kind] += 1
            found.first.setdefault(failure.kind, failure)
    return found


def limit_of(number: int) -> Limit:
    """The limits of the input of this number."""
    return partial(nightly, weigh=number % WEIGHED == 0)


def main(arguments: argparse.Namespace) -> int:
    """Run, and print what failed; 1 if anything did."""
    names = arguments.format or list(importers())
    numbers = range(arguments.count) if arguments.only is None else range(arguments.only, arguments.only + 1)
    tasks = [(name, arguments.seed, part) for part in parts(numbers) for name in names]
    found = {name: Found(name) for name in names}
    with ProcessPoolExecutor(arguments.jobs, initializer=begin) as pool:
        for one in pool.map(chunk, *zip(*tasks, strict=True)):
            for failure in found[one.format].add(one):
                show(failure)
    for total in found.values():
        print(total.line())
    failed = sum((total.kinds for total in found.values()), Counter[Kind]())
    for (error, place), count in failed.most_common():
        print(f"{count:>6} x {error} at {place}")
    print(f"{sum(t.count for t in found.values()):,} inputs, {failed.total():,} failed in {len(failed)} ways")
    return 1 if failed else 0


def parts(numbers: range) -> list[range]:
    """The numbers in pieces, each for one process."""
    return [numbers[a : a + CHUNK] for a in range(0, len(numbers), CHUNK)]


def show(failure: Failure) -> None:
    """Print a failure, as small as it gets."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        print(smaller(failure, limit_of(failure.number)).report(), "\n", flush=True)


def wanted(given: list[str]) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--format", action="append", choices=list(importers()), help="only this one (may be repeated)")
    parser.add_argument("--count", type=int, default=COUNT, help="inputs for each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="only the input of this number")
    parser.add_argument("--jobs", type=int, default=cpu_count())
    return parser.parse_args(given)


if __name__ == "__main__":
    sys.exit(main(wanted(sys.argv[1:])))
