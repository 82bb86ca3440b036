"""How large sessions are: what the ranges of a sweep are proposed from."""

from collections.abc import Sequence
from statistics import median

from core.model.session import Frozen
from core.window.measured import Measured


class SessionSize(Frozen):
    """How much one session holds: tokens by the meter of the sweep, `pinned` of them in system messages at the front.

    `added` are those of recorded summaries, which are no part of them: a sweep makes its own. `window` is the context window
    of its model, 0 where that is not known.
    """

    messages: int
    tokens: int
    turns: int
    results: int
    pinned: int
    added: int = 0
    window: int = 0


def size_of(measured: Measured, added: int = 0, window: int = 0) -> SessionSize:
    """The size of measured messages, beside which recorded compactions added so many tokens, with a model of this window."""
    return SessionSize(
        messages=len(measured.messages),
        tokens=measured.running[-1],
        turns=len(measured.turn_starts),
        results=len(measured.results),
        pinned=measured.running[measured.leading_systems],
        added=added,
        window=window,
    )


def middle(sizes: Sequence[SessionSize], what: str) -> float:
    """The median of one figure over sessions; 0 of none."""
    return median(getattr(size, what) for size in sizes) if sizes else 0.0


def largest(sizes: Sequence[SessionSize], what: str) -> int:
    """The largest of one figure over sessions; 0 of none."""
    return max((getattr(size, what) for size in sizes), default=0)
