"""A folder that keeps the rows of a sweep, so that one which was ended at any moment goes on where it was.

Beside the Parquet files (`parts.py`) it has `sweep.json`: what all runs have in common. Rows of other terms do not fit in.
"""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from core.measure.prices import price_list
from core.model.errors import FoldlineError
from core.tune.columns import KEY, schema, settings_json, table_of
from core.tune.parts import merge, new_part, parts, temporary
from core.tune.row import Row
from core.tune.task import Result, Setting, Task, Terms

TERMS = "sweep.json"
SECONDS, SHARE = 2.0, 0.01
"""How long rows wait until they are written: so many seconds, or this share of the time since the start, if that is more."""


@contextmanager
def opened(folder: Path, terms: Terms) -> Iterator["Store"]:
    """The folder to write to, made where there is none. Left without an exception, it has one file with every row in order.

    Raises FoldlineError where rows of other terms are in it, or another process writes to it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock", timeout=0)
        lock.acquire()
    except Timeout:
        raise FoldlineError(f"{folder}: another process writes to it", "wait, or choose another folder") from None
    except OSError as error:
        raise FoldlineError(f"{folder}: {error.strerror}", "choose a folder that you may write to") from None
    with lock:
        _agree(folder, terms)
        store = Store(folder)
        try:
            yield store
        finally:
            store.write()
        merge(folder)


def _agree(folder: Path, terms: Terms) -> None:
    """Note what the rows of the folder have in common, or see that it is the same."""
    prices = {} if terms.prices else {"price_list": price_list()}
    ours = {"terms": asdict(terms), **prices, "columns": schema().names}
    known = terms_of(folder)
    if known is None:
        if parts(folder):
            raise FoldlineError(f"{folder}: has Parquet files, but no {TERMS}", "choose another folder")
        with temporary(folder / TERMS) as hidden:
            hidden.write_text(json.dumps(ours, indent=1))
    elif known != ours:
        raise FoldlineError(f"{folder}: has rows of another sweep: {_unlike(known, ours)}", "choose another folder")


def terms_of(folder: Path) -> dict[str, Any] | None:
    """What the rows in a folder have in common; None for a folder that is no sweep's."""
    try:
        found = json.loads((folder / TERMS).read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _unlike(known: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    if known.get("columns") != ours["columns"]:
        return "its figures are those of another version of foldline"
    flat = [{**found.get("terms", {}), "price_list": found.get("price_list")} for found in (known, ours)]
    return ", ".join(f"{name} is {flat[0].get(name)!r}" for name in flat[1] if flat[0].get(name) != flat[1][name])


class Store:
    """Where the rows of results go, and what is there already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._keys = {key for path in parts(folder) for key in pq.read_table(path, columns=[KEY])[KEY].to_pylist()}
        self._waiting: list[tuple[int, Setting, Row]] = []
        self._start = self._written = time.monotonic()

    def missing(self, task: Task) -> Task | None:
        """What of a task is not there; None where all is."""
        left = tuple(setting for setting in task.settings if key_of(task, setting) not in self._keys)
        return replace(task, settings=left) if left else None

    def add(self, result: Result) -> None:
        """Take the rows of a task, and write what has waited for long enough."""
        self._waiting += [
            (key_of(result.task, asked), asked, row) for asked, row in zip(result.asked, result.rows, strict=True)
        ]
        now = time.monotonic()
        if now - self._written > max(SECONDS, SHARE * (now - self._start)):
            self.write()

    def write(self) -> None:
        """Write what has come since the last time as another part."""
        if self._waiting:
            with temporary(new_part(self.folder)) as hidden:
                pq.write_table(table_of(self._waiting), hidden, compression="zstd")
        self._waiting, self._written = [], time.monotonic()


def key_of(task: Task, setting: Setting) -> int:
    """Which file, in which version, and which setting: 64 bits that are the same in every run."""
    file = (task.file.path, task.file.inside, task.file.version, task.number)
    said = repr((file, setting.policy, settings_json(setting.settings)))
    return int.from_bytes(blake2b(said.encode(errors="replace"), digest_size=8).digest(), "big", signed=True)
