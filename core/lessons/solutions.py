"""What solves the task of a step: the combinations of its controls are tried by the engine."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from core.lessons.lesson import Lesson, Look, Ranges, Task
from core.lessons.run import Run, Yours, sample
from core.lessons.show import OpenSample, Tried, checked, run_shown, step_of

_NO_SETTING = ("policy", "cut", "cached")


@dataclass(frozen=True)
class _Attempt:
    """What is tried, and how many stops its controls are from where they begin."""

    tried: Tried
    away: int = field(default=0)


def solutions(lesson: Lesson, number: int) -> Iterator[Tried]:
    """The attempts that pass, in order of the controls, on the lesson's own session; none for a step without a task.

    Where the control is what is kept, it is the best choice alone.
    """
    for tried in attempts(lesson, number):
        if checked(lesson, number, tried)["passed"]:
            yield tried


def attempts(
    lesson: Lesson, number: int, yours: Yours | None = None, open_sample: OpenSample = sample
) -> Iterator[Tried]:
    """What the controls of a task can be set to, in order; where the control is what is kept, the best choice alone."""
    return (attempt.tried for attempt in _attempts(lesson, number, yours, open_sample))


def nearest(lesson: Lesson, number: int, yours: Yours | None = None, open_sample: OpenSample = sample) -> Tried | None:
    """The attempt that passes with the fewest stops of the controls from where they begin; None if none does.

    Where the control is what is kept, it is the best choice, whether or not that passes.
    """
    task = step_of(lesson, number).task
    if task is not None and task.kept is not None:
        return Tried(keep=task.kept(run_shown(lesson, step_of(lesson, number), yours, open_sample)))
    nearest_first = sorted(_attempts(lesson, number, yours, open_sample), key=lambda attempt: attempt.away)
    every = (attempt.tried for attempt in nearest_first)
    return next((tried for tried in every if checked(lesson, number, tried, yours, open_sample)["passed"]), None)


def _attempts(lesson: Lesson, number: int, yours: Yours | None, open_sample: OpenSample) -> Iterator[_Attempt]:
    step = step_of(lesson, number)
    if step.task is None:
        return
    run = run_shown(lesson, step, yours, open_sample)
    if step.task.kept is not None:
        yield _Attempt(Tried(keep=step.task.kept(run)))
        return
    look = step.look(run)
    yield from _combined(step.task, {**step.task.ranges, **look.ranges}, _begun(run, look))


def _begun(run: Run, look: Look) -> dict[str, Any]:
    """Where the controls begin."""
    cut = (look.figures or {}).get("cut")
    return {**run.scene.settings, "policy": run.scene.policy, "cut": cut}


def _combined(task: Task, ranges: Ranges, begun: dict[str, Any]) -> Iterator[_Attempt]:
    names = [name for name in task.controls if name in ranges]
    stops = {name: _values(ranges[name]) for name in names}
    start = {name: stops[name].index(begun[name]) if begun.get(name) in stops[name] else 0 for name in names}
    for places in product(*(range(len(stops[name])) for name in names)):
        given = {name: stops[name][at] for name, at in zip(names, places, strict=True)}
        away = sum(abs(at - start[name]) for name, at in zip(names, places, strict=True))
        settings = {name: value for name, value in given.items() if name not in _NO_SETTING}
        yield _Attempt(Tried(settings, given.get("policy", ""), given.get("cut"), (), given.get("cached")), away)


def _values(ends: tuple[Any, ...]) -> list[Any]:
    """The names to choose from, or every stop of a slider: whole numbers, or tenths."""
    if all(isinstance(end, str) for end in ends):
        return list(ends)
    least, most, by = ends
    count = round((most - least) / by) + 1
    return [least + by * k if isinstance(by, int) else round(least + by * k, 6) for k in range(count)]
