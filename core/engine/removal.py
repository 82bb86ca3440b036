"""Messages that a person removes from a window or pins in it, tool pairs as a whole."""

from collections.abc import Iterable

from core.model.errors import RunError
from core.model.session import BY_HAND
from core.trace.compaction import Compaction, Edit
from core.window.measured import Measured
from core.window.ranges import ADDED, SPACE, Ranges, joined, single, without
from core.window.window import Window


def removal(window: Window, places: Iterable[int], added: Iterable[int], at: int) -> Compaction:
    """These messages removed: places of the session, and of what compactions added; `at` messages had arrived.

    Raises RunError where none of them is in the window.
    """
    base = window.pool.base
    wanted = {i for place in places for i in pair_of(base, place)} | {ADDED + k for k in added}
    gone = [part for part in single(window.ranges) if part[0] % SPACE in wanted]
    if not gone:
        raise RunError("this message is no longer in the window", "choose one that is")
    return _removed(window, joined(sorted(gone)), at)


def _removed(window: Window, gone: Ranges, at: int) -> Compaction:
    after = Window(window.pool, without(window.ranges, gone))
    return Compaction(
        status="compacted",
        reason="removed manually",
        policy=BY_HAND,
        trigger="manual",
        at=at,
        layout_before=window.ranges,
        layout_after=after.ranges,
        edits=(Edit(action="dropped", ranges=gone, reason="removed manually"),),
        tokens_before=window.tokens,
        tokens_after=after.tokens,
        window_before=window.tokens,
        window_after=after.tokens,
    ).attach(window.pool)


def pair_of(base: Measured, place: int) -> list[int]:
    """The places of a message and of those that must stand with it: a call and its results. Raises RunError outside."""
    if not 0 <= place < len(base.messages):
        raise RunError(f"there is no message at place {place}", "choose one in the window")
    start = base.call_of[place] if base.messages[place].role == "tool" else place
    start = place if start < 0 else start
    return sorted({place, start, *base.answers.get(start, ())})


def with_pairs(base: Measured, places: Iterable[int]) -> frozenset[int]:
    """These places and those of the messages that must stand with them. Raises RunError where no message stands."""
    return frozenset(found for place in places for found in pair_of(base, place))
