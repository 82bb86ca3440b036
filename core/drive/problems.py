"""An error as a run shows it: what it was, whose doing, the way out, and what could be left out."""

from collections.abc import Iterable

from core.course import Course
from core.drive.state import Problem
from core.errors import BrokenPairError, FoldlineError, ModelError


def problem_of(error: Exception, course: Course) -> Problem:
    """The error in words; of a broken tool pair, with the policy that broke it."""
    if isinstance(error, BrokenPairError):
        by = _who_broke(error, course)
        text = f"{by} broke a tool pair: {error}" if by else str(error)
        orphans = error.message_ids
        return Problem(error.kind, text, error.hint, retry=not orphans, orphans=orphans, policy=by)
    if isinstance(error, ModelError):
        return Problem(error.kind, str(error), error.hint)
    if isinstance(error, FoldlineError):
        return Problem("error", str(error), error.hint)
    return Problem("bug", f"{type(error).__name__}: {error}", "try again; if it comes back, please report it")


def _who_broke(error: BrokenPairError, course: Course) -> str:
    """The policy that took the other half of a pair out of the window: the last one that took anything of it."""
    places = {place for id in error.message_ids for place in _pair(id, course)}
    arrived = len(course.base.messages)
    for found in reversed(course.compactions):
        gone = (i for edit in found.edits for a, b in edit.ranges for i in range(a, min(b, arrived)))
        if places & set(gone):
            return found.policy
    return ""


def _pair(id: str, course: Course) -> list[int]:
    try:
        return course.pair_of(course.base.place_of(id))
    except KeyError:
        return []


def places_of(ids: Iterable[str], course: Course) -> tuple[list[int], list[int]]:
    """Where messages stand, by their ids: places of the session, and of what compactions added."""
    own: list[int] = []
    added: list[int] = []
    names = {m.id: k for k, m in enumerate(course.added)}
    for id in ids:
        try:
            own.append(course.base.place_of(id))
        except KeyError:
            added += [names[id]] if id in names else []
    return own, added
