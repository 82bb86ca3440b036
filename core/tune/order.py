"""Results in the order of their tasks, though many processes finish them in another."""

from collections.abc import Iterable, Iterator, Sequence

from core.tune.columns import settings_json
from core.tune.task import Result, Task


def in_order(tasks: Sequence[Task], results: Iterable[Result]) -> Iterator[Result]:
    """The results, each as soon as all before it are there. Tasks have different files or settings."""
    places = {_name(task): place for place, task in enumerate(tasks)}
    waiting: dict[int, Result] = {}
    due = 0
    for result in results:
        waiting[places[_name(result.task)]] = result
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def _name(task: Task) -> tuple[str, str, int | None, str, str]:
    first = task.settings[0]
    return task.file.path, task.file.inside, task.number, first.policy, settings_json(first.settings)
