"""Sweeps that were asked for: their settings, the rows there are so far, and the thread that has them made.

A row depends on its session, its setting and the terms alone. So rows are kept by these: a sweep that is asked for again, or
one with another policy beside, makes only those that are missing.
"""

import hashlib
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from core import FoldlineError, policy
from core.model.errors import ParameterError
from core.tune.row import Row
from core.tune.sized import Sized
from core.tune.sweep import cores, sweep
from core.tune.task import RECORDED, Result, Setting, Task, Terms
from viewer.sessions.registry import RecentCache
from viewer.sessions.tuned import SessionSet, session_id

MOST_SETTINGS = 2_000
"""Settings of one sweep on the page."""

BATCH = 12
"""Settings of one task: a second or two of work, so that cells fill in and Stop is prompt."""

NO_COMPACTION = Setting("agentkit.memory", {"budget": 10**12})
"""A budget that nothing reaches: the session as it would be without any compaction."""

BASELINES = (Setting(RECORDED), NO_COMPACTION)

_rows: RecentCache[Row] = RecentCache(400_000)
_sweeps: RecentCache["Sweep"] = RecentCache(8)


@dataclass(frozen=True)
class Grid:
    """The settings of one policy: each value of the first parameter with each of the second, the first changing first."""

    policy: str
    fixed: Mapping[str, Any]
    axes: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> "Grid":
        """The grid that a request asks for, checked. Raises FoldlineError."""
        axes = tuple((str(name), tuple(map(str, values))) for name, values in asked["axes"])
        if not 0 <= len(axes) <= 2 or not all(values for _, values in axes):
            raise ParameterError("a map has one or two parameters", "give each of them at least one value")
        return cls(str(asked["policy"]), {str(k): str(v) for k, v in dict(asked.get("fixed") or {}).items()}, axes)

    def settings(self) -> Iterator[tuple[Setting, bool]]:
        """Every setting, and whether it is one of the coarse grid. Raises FoldlineError for one the policy refuses."""
        named = [name for name, _ in reversed(self.axes)]
        places = [list(enumerate(values)) for _, values in reversed(self.axes)]
        for chosen in product(*places):
            given = {**self.fixed, **{name: value for name, (_, value) in zip(named, chosen, strict=True)}}
            rough = all(
                place % 2 == 0 or place == len(values) - 1 for (place, _), values in zip(chosen, places, strict=True)
            )
            yield Setting(self.policy, dict(policy(self.policy, **given).settings)), rough


@dataclass
class Sweep:
    """A sweep: `settings` in the order of its grids, the sessions, and what came of them so far."""

    id: str
    grids: tuple[Grid, ...]
    settings: tuple[Setting, ...]
    rough: tuple[bool, ...]
    sessions: tuple[Sized, ...]
    terms: Terms
    failed: dict[int, str] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many runs it takes in all, without those that failed."""
        return len(self.settings) * (len(self.sessions) - len(self.failed))

    def row(self, session: int, setting: Setting) -> Row | None:
        """The row of a session under a setting, once there is one."""
        return _rows.get(self._key(session, setting))

    def rows(self, setting: Setting) -> dict[int, Row]:
        """The rows of a setting by the place of their session."""
        found = ((k, self.row(k, setting)) for k in range(len(self.sessions)) if k not in self.failed)
        return {k: row for k, row in found if row is not None}

    @property
    def done(self) -> int:
        """How many of its runs there are."""
        return sum(len(self.rows(setting)) for setting in self.settings)

    def make(self) -> Generator[float, None, None]:
        """Have the missing rows made, the coarse grid first; gives the share of the work that is done, 0 to 1, as it goes."""
        self.failed.clear()  # what was out of memory then may not be now
        tasks = list(self._tasks())
        whole, part = sum(map(self._weight, tasks)), 0.0
        places = {(one.file, one.number): k for k, one in enumerate(self.sessions)}
        with closing(_swept(tasks)) as results:
            for result in results:
                self._take(places[result.task.file, result.task.number or 0], result)
                part += self._weight(result.task)
                yield part / whole

    def _take(self, place: int, result: Result) -> None:
        """Keep the rows of a session, or why it has none."""
        for found in result.failures:
            self.failed[place] = found.why
        for setting, row in zip(result.asked, result.rows, strict=True):
            _rows.put(self._key(place, setting), row)

    def _weight(self, task: Task) -> float:
        """About what a task takes beside others: reading the file, and its runs."""
        return task.file.size * (READING + RUN * len(task.settings)) + 1

    def _tasks(self) -> Iterator[Task]:
        """What is missing: of each session the recorded run and the coarse grid, then the rest in small batches."""
        coarse = [*BASELINES, *(one for one, rough in zip(self.settings, self.rough, strict=True) if rough)]
        rest = [one for one, rough in zip(self.settings, self.rough, strict=True) if not rough]
        for part in (some[at : at + BATCH] for some in (coarse, rest) for at in range(0, len(some), BATCH)):
            for k, one in enumerate(self.sessions):
                missing = tuple(setting for setting in part if self.row(k, setting) is None)
                if missing and k not in self.failed:
                    yield Task(one.file, missing, one.number, self.terms)

    def _key(self, session: int, setting: Setting) -> str:
        one = self.sessions[session]
        said = sorted((name, repr(value)) for name, value in setting.settings.items())
        return f"{one.name}|{one.file.version}|{setting.policy}|{said}|{self.terms}"


READING, RUN = 1.5, 0.06
"""What a task and each of its runs take, in times of reading the session: of the right order, more is not needed."""


def _swept(tasks: Sequence[Task]) -> Generator[Result, None, None]:
    """Their results as they come."""
    return sweep(tasks, workers=_workers())


def _workers() -> int:
    """As many processes as leave the server a processor."""
    return max(1, cores() - 1)


def sweep_of(found: SessionSet, asked: Mapping[str, Any]) -> Sweep:
    """The sweep that a request asks for, the same object as long as it is kept. Raises FoldlineError."""
    without = {str(id) for id in asked.get("without") or ()}
    least = asked.get("least") if isinstance(asked.get("least"), int | float) else 0
    sessions = tuple(
        one for one in found.sessions if one.size.tokens >= (least or 0) and session_id(one) not in without
    )
    grids = tuple(map(Grid.of, asked.get("grids") or ()))
    listed = [made for grid in grids for made in grid.settings()]
    if not sessions or not listed:
        raise FoldlineError("nothing to run", "choose sessions and a policy")
    if len(listed) > MOST_SETTINGS:
        raise ParameterError(f"{len(listed):,} settings are too many here", f"choose {MOST_SETTINGS:,} or fewer")
    terms = Terms(meter=found.meter or None, summaries=str(asked.get("summaries") or "structural"), findings=False)
    id = _digest(found.id, grids, sorted(without), least, terms)
    made = Sweep(id, grids, tuple(one for one, _ in listed), tuple(rough for _, rough in listed), sessions, terms)
    return _sweeps.get_or_make(id, lambda: made)


def sweep_named(id: str) -> Sweep | None:
    """The sweep with this id, while it is kept."""
    return _sweeps.get(id)


def _digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode("utf-8", "replace"), digest_size=9).hexdigest()


class Running:
    """A sweep at work in a thread of its own. `stop` lets go of it: the tasks at hand end, no other begins."""

    def __init__(self, found: Sweep) -> None:
        self.sweep, self.part, self.failure = found, 0.0, ""
        self.begun = time.monotonic()
        self.over = threading.Event()
        self._stop = threading.Event()
        self.thread = threading.Thread(target=self._run, name="sweep", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            with closing(self.sweep.make()) as parts:
                for part in parts:
                    self.part = part
                    if self._stop.is_set():
                        return
            self.part = 1.0
        except Exception as error:
            self.failure = str(error) or type(error).__name__
        finally:
            self.over.set()

    @property
    def left(self) -> float | None:
        """Seconds until the end, by how long it took so far; None as long as nothing is done."""
        return (time.monotonic() - self.begun) * (1 - self.part) / self.part if self.part else None

    def stop(self) -> None:
        """Begin nothing more."""
        self._stop.set()
