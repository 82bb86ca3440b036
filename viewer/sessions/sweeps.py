"""Sweeps that were asked for: their settings, the rows there are so far, and the thread that has them made.

A row depends on its session, its setting and the terms alone. So rows are kept by these: a sweep that is asked for again, or
one with another policy beside, makes only those that are missing.
"""

import hashlib
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from core import FoldlineError, policy
from core.model.errors import ParameterError
from core.policy.window_needed import window_needed
from core.tune.row import Row
from core.tune.sized import Sized
from core.tune.sweep import Sweeping, cores, sweep
from core.tune.task import RECORDED, Result, Setting, Task, Terms
from viewer.sessions.registry import RecentCache
from viewer.sessions.tuned import SessionSet, session_id

MOST_SETTINGS = 2_000
"""Settings of one sweep on the page."""

MOST_RUNS = 100_000
"""Runs of one sweep on the page, whose rows are in memory."""

BATCH = 12
"""Settings of one task: a second or two of work, so that cells fill in."""

NO_COMPACTION = Setting("agentkit.memory", {"budget": 10**12})
"""A budget that nothing reaches: the session as it would be without any compaction."""

BASELINES = (Setting(RECORDED), NO_COMPACTION)

_rows: RecentCache[Row] = RecentCache(MOST_RUNS)
"""Rows of all sweeps, for others that ask for the same. A sweep holds its own besides, so that it never loses one."""

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


class Sweep:
    """A sweep: `settings` in the order of its grids, the sessions, and what came of them so far.

    `rows` has those of each setting by the place of their session, and last those of the two baselines; `failed` says of a
    session why it has none.
    """

    def __init__(
        self,
        id: str,
        settings: Sequence[Setting],
        rough: Sequence[bool],
        sessions: tuple[Sized, ...],
        terms: Terms,
    ) -> None:
        self.id, self.settings, self.sessions, self.terms = id, tuple(settings), sessions, terms
        self.failed: dict[int, str] = {}
        self.rows: list[dict[int, Row]] = [{} for _ in (*settings, *BASELINES)]
        self._rough = rough
        self._said = [_setting_key(one) for one in (*settings, *BASELINES)]
        self._places: dict[str, list[int]] = {}
        for k, said in enumerate(self._said):
            self._places.setdefault(said, []).append(k)
        self.take_known()

    @property
    def runs(self) -> int:
        """How many runs it takes in all, without those that failed."""
        return len(self.settings) * (len(self.sessions) - len(self.failed))

    @property
    def done(self) -> int:
        """How many of its runs there are."""
        return sum(map(len, self.rows[: len(self.settings)]))

    def take_known(self) -> None:
        """Take the rows that other sweeps have made; what failed then may not fail now."""
        self.failed.clear()
        for place in range(len(self.sessions)):
            front = self._session_key(place)
            for said, rows in zip(self._said, self.rows, strict=True):
                if place not in rows and (known := _rows.get(front + said)) is not None:
                    rows[place] = known

    def take(self, place: int, result: Result) -> None:
        """Keep the rows of a session, or why it has none."""
        front = self._session_key(place)
        for setting, row in zip(result.asked, result.rows, strict=True):
            said = _setting_key(setting)
            kept = _rows.put(front + said, row)
            for k in self._places[said]:
                self.rows[k][place] = kept
        for found in result.failures:
            self.failed[place] = found.why
        if place in self.failed:
            for rows in self.rows:
                rows.pop(place, None)

    def tasks(self) -> Iterator[Task]:
        """What is missing: of each session the recorded run and the coarse grid, then the rest in small batches."""
        last = len(self.settings)
        coarse = [last, last + 1, *(k for k, rough in enumerate(self._rough) if rough)]
        rest = [k for k, rough in enumerate(self._rough) if not rough]
        every = (*self.settings, *BASELINES)
        for part in (some[at : at + BATCH] for some in (coarse, rest) for at in range(0, len(some), BATCH)):
            for place, one in enumerate(self.sessions):
                missing = tuple(every[k] for k in part if place not in self.rows[k])
                if missing:
                    yield Task(one.file, missing, one.number, self._terms(one))

    def _session_key(self, place: int) -> str:
        one = self.sessions[place]
        return f"{one.name}|{one.file.version}|{self._terms(one)}|"

    def _terms(self, one: Sized) -> Terms:
        """Every run of a session is counted by the meter that has sized it, whichever the policy comes with."""
        return replace(self.terms, meter=one.meter)


def _setting_key(setting: Setting) -> str:
    """A setting as a key."""
    return f"{setting.policy}|{sorted((name, repr(value)) for name, value in setting.settings.items())}"


class Work:
    """The missing rows of a sweep, made while it is iterated, which gives the share of the work that is done, 0 to 1.

    Any thread may close it: its processes end at once, and what has come is kept.
    """

    def __init__(self, found: Sweep) -> None:
        found.take_known()
        self._sweep, self._tasks = found, list(found.tasks())
        self._results = _swept(self._tasks)

    def __iter__(self) -> Iterator[float]:
        places = {(one.file, one.number): k for k, one in enumerate(self._sweep.sessions)}
        whole, part = sum(map(_weight, self._tasks)), 0.0
        with closing(self._results):
            for result in self._results:
                self._sweep.take(places[result.task.file, result.task.number or 0], result)
                part += _weight(result.task)
                yield part / whole

    def close(self) -> None:
        """End it."""
        self._results.close()


def _weight(task: Task) -> float:
    """About what a task takes beside others: reading the file, and its runs."""
    return task.file.size * (READING + RUN * len(task.settings)) + 1


READING, RUN = 1.5, 0.06
"""What a task and each of its runs take, in times of reading the session: of the right order, more is not needed."""


def _swept(tasks: Sequence[Task]) -> Sweeping:
    """Their results as they come."""
    return sweep(tasks, workers=workers())


def workers() -> int:
    """As many processes as leave the server a processor."""
    return max(1, cores() - 1)


def sweep_of(found: SessionSet, asked: Mapping[str, Any]) -> Sweep:
    """The sweep that a request asks for, the same object as long as it is kept. Raises FoldlineError."""
    without = {str(id) for id in asked.get("without") or ()}
    least = asked.get("least") if isinstance(asked.get("least"), int | float) else 0
    sessions = tuple(one for one in found.sessions if one.tokens >= (least or 0) and session_id(one) not in without)
    grids = tuple(map(Grid.of, asked.get("grids") or ()))
    listed = [made for grid in grids for made in grid.settings()]
    if not sessions or not listed:
        raise FoldlineError("nothing to run", "choose sessions and a policy")
    if len(listed) > MOST_SETTINGS:
        raise ParameterError(f"{len(listed):,} settings are too many here", f"choose {MOST_SETTINGS:,} or fewer")
    if len(listed) * len(sessions) > MOST_RUNS:
        way_out = "take a coarser grid or fewer sessions; or run `foldline tune --parquet` and open its result here"
        raise ParameterError(f"{len(listed) * len(sessions):,} runs are too many for this page", way_out)
    terms = _terms(asked)
    if terms.window is None and not all(one.limited for one in sessions):
        _check_windows(setting for setting, _ in listed)
    id = _digest(found.id, grids, sorted(without), least, terms)
    settings, rough = zip(*listed, strict=True)
    return _sweeps.get_or_make(id, lambda: Sweep(id, settings, rough, sessions, terms))


def _terms(asked: Mapping[str, Any]) -> Terms:
    summaries, window = str(asked.get("summaries") or "structural"), asked.get("window")
    return Terms(None, summaries, findings=False, window=window if isinstance(window, int) else None)


def _check_windows(settings: Iterable[Setting]) -> None:
    """Raise ParameterError for a setting that needs the context window of a model."""
    for one in settings:
        if one.policy != RECORDED and (needed := window_needed(policy(one.policy, **one.settings))):
            raise ParameterError(f"{one.policy} needs {needed}, and the model is not known", "type its context window")


def sweep_named(id: str) -> Sweep | None:
    """The sweep with this id, while it is kept."""
    return _sweeps.get(id)


def _digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode("utf-8", "replace"), digest_size=9).hexdigest()


class Running:
    """A sweep at work in a thread of its own. `stop` ends its processes at once; the rows that have come stay."""

    def __init__(self, found: Sweep) -> None:
        self.sweep, self.part, self.failure = found, 0.0, ""
        self.begun = time.monotonic()
        self.over = threading.Event()
        self._stopped = False
        self._work: Work | None = None
        self.thread = threading.Thread(target=self._run, name="sweep", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._work = Work(self.sweep)
            if self._stopped:
                self._work.close()
            for part in self._work:
                self.part = part
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
        """End it; any thread may call this."""
        self._stopped = True
        if self._work is not None:
            self._work.close()
