"""How long an agent waited for its recorded compactions."""

from collections.abc import Iterator

from core.model.cached import cached
from core.trace.trace import Trace
from core.window.measured import Measured, seconds


def waits(trace: Trace) -> list[float]:
    """Seconds for each recorded compaction that tells them, by its own duration or by the time since the message before it.

    The latter is an upper bound, as idle time is in it. A simulated compaction has none.
    """
    return list(_waits(trace))


def total_wait(trace: Trace) -> float | None:
    """All of them together; None where nobody knows any."""
    found = waits(trace)
    return round(sum(found), 3) if found else None


def _waits(trace: Trace) -> Iterator[float]:
    for found in trace.compactions:
        if not found.recorded:
            continue
        if found.duration_ms is not None:
            yield found.duration_ms / 1000
            continue
        end, start = seconds(found.timestamp), _known_times(trace.measured)[found.at]
        if end is not None and start is not None:
            yield max(0.0, end - start)


def _known_times(base: Measured) -> list[float | None]:
    """The last time known before message i, for every i and behind the last."""
    return cached(base, "known times", _made_times)


def _made_times(base: Measured) -> list[float | None]:
    known: list[float | None] = [None]
    for message in base.messages:
        time = seconds(message.timestamp)
        known.append(known[-1] if time is None else time)
    return known
