"""The model calls of a session: where each reply begins, what belongs to it, and when it was asked for and ended."""

from collections.abc import Iterator
from typing import NamedTuple

from core.model.cached import cached
from core.model.give_way import give_way
from core.window.measured import Measured, seconds


class Call(NamedTuple):
    """One model call. `at` messages had arrived when it was made, so that its reply begins with message `at`.

    `parts` are the messages of the reply, by place, and `tokens` those of all of them. `time` is the last one known before the
    call, `ended` the last one known of its reply, in seconds since 1970; None where nobody knows.
    """

    at: int
    parts: tuple[int, ...]
    tokens: int
    time: float | None = None
    ended: float | None = None

    def gap(self, before: "Call | None") -> float:
        """Seconds from the end of the reply before to this call; 0 where one of them is not known."""
        if before is None or before.ended is None or self.time is None:
            return 0.0
        return max(0.0, self.time - before.ended)


def calls_of(base: Measured) -> tuple[Call, ...]:
    """The calls in order, one for each reply of the messages (`Measured.replies`)."""
    return cached(base, "calls of replies", lambda base: tuple(_calls(base)))


def _calls(base: Measured) -> Iterator[Call]:
    times = [seconds(m.timestamp) for m in base.messages]
    known: list[float | None] = [None]
    for time in times:
        known.append(known[-1] if time is None else time)
    for parts in base.replies:
        give_way()
        ended = next((times[i] for i in reversed(parts) if times[i] is not None), None)
        yield Call(parts[0], tuple(parts), sum(base.tokens[i] for i in parts), known[parts[0]], ended)
