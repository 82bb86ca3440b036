"""What solves a task, and the guide for teachers that says it."""

import re
from pathlib import Path

import pytest

from core.lessons import lesson, lessons
from core.lessons.break_even import bill_of
from core.lessons.run import run_of
from core.lessons.show import checked
from core.lessons.solutions import nearest, solutions
from core.model.session import Message
from core.trace.trace import as_session

TASKS = [(one.number, k) for one in lessons() for k, step in enumerate(one.steps, 1) if step.task]
GUIDE = " ".join((Path(__file__).parents[2] / "docs" / "teaching.md").read_text(encoding="utf-8").split())


def solved(number: int, of: int) -> list[tuple[object, ...]]:
    """The settings that solve a task, as tuples."""
    return [tuple(tried.settings.values()) for tried in solutions(lesson(number), of)]


@pytest.mark.parametrize(("number", "of"), [task for task in TASKS if task not in [(4, 5), (5, 5)]])
def test_every_task_has_a_solution_that_passes(number: int, of: int) -> None:
    """As the check says of it, too."""
    found = list(solutions(lesson(number), of))
    assert found
    assert all(checked(lesson(number), of, tried)["passed"] for tried in found)


def test_a_step_without_a_task_has_none() -> None:
    """Nothing to solve."""
    assert list(solutions(lesson(2), 1)) == []


def test_the_guide_says_what_solves_the_tasks() -> None:
    """The numbers of its exercises are those that the engine finds."""
    assert solved(2, 6) == [(2,), (5,)]
    assert "(2 and 5.)" in GUIDE
    founds = {k: run_of(lesson(2).scene).under(keep_recent=k).trace.compactions[0] for k in (2, 5, 7)}
    assert f"{founds[2].window_before} tokens become {founds[2].window_after}; with 5 it stays, and" in GUIDE
    assert f"and {founds[5].window_after} are left." in GUIDE
    assert f"and {founds[7].window_after} tokens are left of {founds[7].window_before}.)" in GUIDE
    bill = max(tried.settings["budget"] for tried in solutions(lesson(1), 4))
    assert f"({bill}, with one message kept.)" in GUIDE
    places = [tried.cut + 1 for tried in solutions(lesson(3), 3) if tried.cut is not None]
    assert f"(Before messages {', '.join(map(str, places[:-1]))} and {places[-1]}.)" in GUIDE
    *first, last = [place + 1 for place in map(int, next(solutions(lesson(6), 3)).keep)]
    assert f"(Groups of messages {', '.join(map(str, first))} and {last}, in the first round.)" in GUIDE


def test_the_guide_names_settings_that_lose_the_rule_and_that_pay() -> None:
    """Lessons 4 and 5, by trying every stop of both sliders."""
    kept = set(solved(4, 5))
    lost = [(b, k) for b in range(12_000, 40_001, 2_000) for k in range(4, 33, 4) if (b, k) not in kept]
    assert lost == [(16_000, 4), (18_000, 8), (20_000, 12), (24_000, 4), (24_000, 8), (26_000, 8)]
    assert "(24,000 with 4 or 8 kept, 26,000 with 8.)" in GUIDE
    assert solved(5, 5) == [(18_000, 4), (20_000, 4)]
    assert "(18,000 or 20,000 with 4 kept.)" in GUIDE


def test_the_guide_writes_the_payback_as_the_engine_has_it() -> None:
    """Every figure of the formula."""
    trace = run_of(lesson(5).scene).trace
    bill = bill_of(trace, trace.compactions[0])
    formula = (
        f"({bill.read:,} + 5 × {bill.wrote} + {bill.after - bill.warm:,} × 1.15) ÷ ({bill.before - bill.after:,} × 0.1)"
    )
    assert f"{formula} = {bill.break_even():.1f}, so {bill.calls()} requests." in GUIDE


def test_the_guide_names_every_lesson() -> None:
    """By its number."""
    assert {int(number) for number in re.findall(r"[Ll]esson (\d)", GUIDE)} == {one.number for one in lessons()}


@pytest.mark.parametrize(("number", "of"), TASKS)
def test_the_nearest_solution_passes(number: int, of: int) -> None:
    """What a person is shown who does not know: of lesson 5 one budget and one keep_recent further."""
    found = nearest(lesson(number), of)
    assert found is not None
    assert checked(lesson(number), of, found)["passed"]
    assert (number, of) != (5, 5) or found.settings == {"budget": 18_000, "keep_recent": 4}


def test_where_nothing_solves_a_task_nothing_is_shown() -> None:
    """A session without a second turn: no cut lies between two."""
    alone = as_session([Message(role="user", content="Hello."), Message(role="assistant", content="Hello.")])
    assert nearest(lesson(3), 5, None, lambda name: alone) is None
