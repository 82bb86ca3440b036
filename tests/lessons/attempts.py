"""What the tests of lessons ask for: a step, the facts of its answer, an attempt at its task."""

from typing import Any

from core.lessons import lesson
from core.lessons.show import Row, Tried, checked, shown


def step(number: int, of: int) -> Row:
    """Step `of` of a lesson, as a page gets it."""
    return shown(lesson(number), of)


def answer(number: int, of: int) -> Any:
    """What its question is answered by."""
    return step(number, of)["ask"]["answer"]


def tried(number: int, of: int, policy: str = "", **settings: Any) -> Row:
    """What the check says of these settings."""
    return checked(lesson(number), of, Tried(settings, policy))
