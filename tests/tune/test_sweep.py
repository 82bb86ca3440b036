"""Sweeps on several processes: the same rows as in one, whatever happens to a process."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import psutil
import pytest

from core.model.errors import ParameterError
from core.tune.files import File, file_at
from core.tune.split import split
from core.tune.sweep import sweep
from core.tune.task import Result, Setting, Task, Terms, run_task
from tests.serving import ROOT

SAMPLE = file_at(str(ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"))
SETTINGS = [Setting("agentkit.memory", {"budget": budget}) for budget in range(4000, 16000, 2000)]
TASKS = [Task(SAMPLE, (setting,), terms=Terms(meter="agentkit")) for setting in SETTINGS]

IN_WORKERS = """
import os, sys, time
from pathlib import Path
if {program!r} in sys.orig_argv:
    import core.tune.task as task
    real, begun = task.run_task, Path({begun!r})
    def run(given):
        budget = given.settings[0].settings["budget"]
        with begun.open("a") as log:
            log.write(f"{{budget}}\\n")
        {act}
        return real(given)
    task.run_task = run
"""


def write_act(folder: Path, act: str, program: str = "core.tune.worker") -> Path:
    """A folder for the path of a program: it does this before each task, and writes down the budget; returns where."""
    begun = folder / "begun"
    (folder / "sitecustomize.py").write_text(IN_WORKERS.format(begun=str(begun), act=act, program=program))
    return begun


def acting(tmp_path: Path, patch: pytest.MonkeyPatch, act: str) -> Path:
    """Let every process of the pool do this before each task; returns where it writes down the budgets."""
    begun = write_act(tmp_path, act)
    patch.syspath_prepend(str(tmp_path))
    return begun


def by_budget(results: Iterable[Result]) -> list[Result]:
    """In the order of the tasks."""
    return sorted(results, key=lambda result: result.task.settings[0].settings["budget"])


def test_two_processes_find_what_one_does() -> None:
    """Every result is there once, the same to the last digit."""
    assert by_budget(sweep(iter(TASKS), workers=2)) == [run_task(task) for task in TASKS]
    assert list(sweep(TASKS, workers=0)) == [run_task(task) for task in TASKS]


def test_nothing_is_begun_for_no_tasks() -> None:
    """An empty sweep has an end."""
    assert list(sweep([], workers=2)) == []


def test_tasks_are_begun_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process does them one after the other."""
    begun = acting(tmp_path, monkeypatch, "pass")
    assert len(list(sweep(reversed(TASKS), workers=1))) == len(TASKS)
    assert begun.read_text().split() == [str(one.settings["budget"]) for one in reversed(SETTINGS)]


def test_a_task_whose_process_ends_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new process takes the place; no row is lost, none is there twice."""
    begun = acting(tmp_path, monkeypatch, "if begun.read_text().split() == ['4000']: os._exit(9)")
    assert by_budget(sweep(TASKS, workers=1)) == [run_task(task) for task in TASKS]
    assert begun.read_text().split().count("4000") == 2


def test_a_task_that_ends_every_process_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are done, and what is missing says why."""
    begun = acting(tmp_path, monkeypatch, "if budget == 4000: os._exit(9)")
    first, *others = by_budget(sweep(TASKS, workers=2))
    assert first.rows == ()
    assert first.failures[0].why == "the process that worked on it ended 2 times in the middle, last with exit code 9"
    assert others == [run_task(task) for task in TASKS[1:]]
    assert begun.read_text().split().count("4000") == 2


def test_closing_ends_the_processes_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one in the middle of a task without end."""
    begun = acting(tmp_path, monkeypatch, "if budget > 4000: time.sleep(1000)")
    results = sweep(TASKS, workers=2)
    next(results)
    until(lambda: len(begun.read_text().split()) == 3)
    working = [child for child in psutil.Process().children() if "core.tune.worker" in child.cmdline()]
    results.close()
    until(lambda: not any(child.is_running() for child in working))
    assert len(working) == 2
    assert len(begun.read_text().split()) == 3


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until it does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_the_tasks_raise_is_raised() -> None:
    """A path that is wrong is known only while tasks are listed."""

    def tasks() -> Iterator[Task]:
        yield TASKS[0]
        raise ParameterError("no such thing")

    with pytest.raises(ParameterError, match="no such thing"):
        list(sweep(tasks(), workers=2))


@pytest.mark.parametrize(("size", "parts"), [(0, [6]), (100_000, [6]), (10_000_000, [5, 1]), (50_000_000, [5, 1])])
def test_tasks_take_about_a_second(size: int, parts: list[int]) -> None:
    """As many settings together as fit, in their order; of a large file as long as it takes to read."""
    tasks = list(split(File("a.json", size=size), SETTINGS, Terms(), 3))
    assert [len(task.settings) for task in tasks] == parts
    assert [setting for task in tasks for setting in task.settings] == SETTINGS
    assert {(task.number, task.file.path) for task in tasks} == {(3, "a.json")}
