"""Finds the lessons beside it: every module here with a `LESSON` is one, and needs no entry anywhere else."""

import importlib
import pkgutil
from functools import cache

from core.lessons.lesson import Lesson
from core.model.errors import FoldlineError


@cache
def lessons() -> tuple[Lesson, ...]:
    """Every lesson there is, by number."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    found = [module.LESSON for module in modules if hasattr(module, "LESSON")]
    return tuple(sorted(found, key=lambda lesson: lesson.number))


def lesson(number: int) -> Lesson:
    """The lesson with this number. Raises FoldlineError, which says which there are."""
    for found in lessons():
        if found.number == number:
            return found
    raise FoldlineError(f"there is no lesson {number}", f"there are {', '.join(str(one.number) for one in lessons())}")
