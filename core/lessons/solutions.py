"""What solves the task of a step: every combination of its controls is tried by the engine."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from core.lessons.lesson import Lesson, Ranges, Task
from core.lessons.run import Run, run_of
from core.lessons.show import Tried, checked, step_of

_NO_SETTING = ("policy", "cut", "cached")


def solutions(lesson: Lesson, number: int) -> Iterator[Tried]:
    """The attempts that pass, in order of the controls, on the lesson's own session; none for a step without a task.

    Where the control is what is kept, it is the best choice alone.
    """
    step = step_of(lesson, number)
    if step.task is not None:
        run = run_of(lesson.scene_of(step))
        attempts = _attempts(step.task, run, {**step.task.ranges, **step.look(run).ranges})
        yield from (tried for tried in attempts if checked(lesson, number, tried)["passed"])


def _attempts(task: Task, run: Run, ranges: Ranges) -> Iterator[Tried]:
    if task.kept is not None:
        yield Tried(keep=task.kept(run))
        return
    names = [name for name in task.controls if name in ranges]
    for values in product(*(_values(ranges[name]) for name in names)):
        given = dict(zip(names, values, strict=True))
        settings = {name: value for name, value in given.items() if name not in _NO_SETTING}
        yield Tried(settings, given.get("policy", ""), given.get("cut"), (), given.get("cached"))


def _values(ends: tuple[Any, ...]) -> list[Any]:
    """The names to choose from, or every stop of a slider: whole numbers, or tenths."""
    if all(isinstance(end, str) for end in ends):
        return list(ends)
    least, most, by = ends
    count = round((most - least) / by) + 1
    return [least + by * k if isinstance(by, int) else round(least + by * k, 6) for k in range(count)]
