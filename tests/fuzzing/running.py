"""Runs inputs, tells one failure from another, and makes what failed small."""

import json
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.fuzzing.checking import check
from tests.fuzzing.making import made
from tests.fuzzing.originals import Files, Transcript

Limit = Callable[[int], AbstractContextManager[None]]
Kind = tuple[str, str]
TRIES = 600
"""The most attempts at making a failing input smaller."""


@dataclass
class Failure:
    """An input that failed: where to find it again, how it failed, and where that was raised."""

    format: str
    seed: int
    number: int
    error: str
    place: str
    transcript: Transcript

    @property
    def kind(self) -> Kind:
        """The same for failures that are probably one bug."""
        return self.error.split(":")[0], self.place

    def report(self) -> str:
        """For a person: what to run, what went wrong, and the smallest input that does it."""
        files = "\n".join(f"  {name or 'file'}: {_shown(data)}" for name, data in self.transcript.files.items())
        packed = " packed" if self.transcript.packed else ""
        again = f'make fuzz ARGS="--format {self.format} --seed {self.seed} --only {self.number}"'
        return f"{again}\n  {self.error}\n  at {self.place}{packed}\n{files}"


def _shown(data: bytes) -> str:
    return repr(data) if len(data) <= 1500 else f"{data[:1500]!r}… ({len(data):,} bytes)"


def run(format: str, seed: int, number: int, limit: Limit) -> Failure | None:
    """How the input of this number failed, or None."""
    return tried(made(format, seed, number), seed, number, limit)


def tried(transcript: Transcript, seed: int, number: int, limit: Limit) -> Failure | None:
    """The same for an input that was made."""
    error = failing(transcript, limit)
    return Failure(transcript.format, seed, number, *error, transcript) if error else None


def failing(transcript: Transcript, limit: Limit) -> tuple[str, str] | None:
    """What was raised that should not have been, and where; None where all is well."""
    try:
        with limit(transcript.size):
            check(transcript)
    except Exception as error:
        said = str(error).partition("\n")[0][:300]
        return f"{type(error).__name__}: {said}", _place(error)
    return None


def _place(error: Exception) -> str:
    """The last place in our own code that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/core/" in f.filename or "/fuzzing/checking" in f.filename] or frames
    return f"{ours[-1].filename.rpartition('/')[2]}:{ours[-1].lineno} {ours[-1].name}"


def smaller(failure: Failure, limit: Limit, tries: int = TRIES) -> Failure:
    """The same failure with as little of its input as is quickly found."""
    best, left, size = failure, tries, -1
    while left > 0 and size != best.transcript.size:
        size = best.transcript.size
        for files in _lesser(best.transcript.files):
            left -= 1
            candidate = best.transcript.with_files(files)
            if candidate.size < best.transcript.size and (error := failing(candidate, limit)):
                tried = Failure(failure.format, failure.seed, failure.number, *error, candidate)
                if tried.kind == failure.kind:
                    best = tried
                    break
            if left <= 0:
                break
        else:
            break
    return best


def _lesser(files: Files) -> Iterator[Files]:
    """The files with less in them, large steps first."""
    if len(files) > 1:
        yield from ({k: v for k, v in files.items() if k != name} for name in files)
    for name, data in sorted(files.items(), key=lambda item: -len(item[1])):
        yield from ({**files, name: less} for less in _less(data))


def _less(data: bytes) -> Iterator[bytes]:
    """A file without some of its lines, without some of what its JSON holds, without some of its bytes."""
    lines = data.splitlines(keepends=True)
    yield from (b"".join(x) for x in without_some(lines))
    for at, line in enumerate(lines if len(lines) < 30 else []):
        yield from (b"".join((*lines[:at], less, *lines[at + 1 :])) for less in _less_json(line))
    if len(lines) > 1:
        yield from _less_json(data)
    if len(data) < 20_000:
        yield from map(bytes, without_some(list(data)))


def without_some(items: list[Any]) -> Iterator[list[Any]]:
    """The items without one half, a quarter, …, each of them."""
    step = len(items) // 2
    while step:
        for start in range(0, len(items), step):
            yield items[:start] + items[start + step :]
        step //= 2


def _less_json(data: bytes) -> Iterator[bytes]:
    """JSON with an item or a key gone, those near the top first."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    end = b"\n" if data.endswith(b"\n") else b""
    holders = [value]
    for holder in holders:
        keys = (
            list(holder) if isinstance(holder, dict) else list(range(len(holder))) if isinstance(holder, list) else []
        )
        for key in keys:
            whole = dict(holder) if isinstance(holder, dict) else list(holder)
            del holder[key]
            yield json.dumps(value).encode() + end
            holder.clear()
            (holder.update if isinstance(holder, dict) else holder.extend)(whole)
        holders += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
