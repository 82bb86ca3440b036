"""Errors as a live run shows them: the kind, the text, the way out, and the messages that may be left out."""

from collections.abc import Iterable

from core.drive.state import Problem
from core.engine.live_context import LiveContext
from core.engine.removal import pair_of
from core.model.errors import BrokenPairError, FoldlineError, ModelError, format_error


def problem_of(error: Exception, context: LiveContext) -> Problem:
    """The error as a problem; of a broken tool pair, with the policy that broke it."""
    if isinstance(error, BrokenPairError):
        policy = _policy_that_broke(error, context)
        text = f"{policy} broke a tool pair: {error}" if policy else str(error)
        orphans = error.message_ids
        return Problem(error.kind, text, error.hint, retry=not orphans, orphans=orphans, policy=policy)
    if isinstance(error, ModelError):
        return Problem(error.kind, str(error), error.hint)
    if isinstance(error, FoldlineError):
        return Problem("error", str(error), error.hint)
    return Problem("bug", format_error(error), "try again; if it happens again, please report it")


def _policy_that_broke(error: BrokenPairError, context: LiveContext) -> str:
    """The policy of the last compaction that took a message of the pair out of the window; "" if there is none."""
    places = {place for id in error.message_ids for place in _pair(id, context)}
    arrived = len(context.base.messages)
    for found in reversed(context.compactions):
        gone = (i for edit in found.edits for a, b in edit.ranges for i in range(a, min(b, arrived)))
        if places & set(gone):
            return found.policy
    return ""


def _pair(id: str, context: LiveContext) -> list[int]:
    try:
        return pair_of(context.base, context.base.place_of(id))
    except KeyError:
        return []


def places_of(ids: Iterable[str], context: LiveContext) -> tuple[list[int], list[int]]:
    """Where messages stand, by their ids: places of the session, and of what compactions added."""
    own: list[int] = []
    added: list[int] = []
    names = {m.id: k for k, m in enumerate(context.added)}
    for id in ids:
        try:
            own.append(context.base.place_of(id))
        except KeyError:
            added += [names[id]] if id in names else []
    return own, added


def error_line(context: LiveContext, text: str) -> str:
    """An earlier error as it is listed: after how many messages it happened, and its text."""
    return f"after {len(context.base.messages):,} messages: {text}"
