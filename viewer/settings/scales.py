"""Round numbers, and the ranges and steps of sliders made of them."""

from bisect import bisect_left, bisect_right
from typing import Any

NICE = sorted(
    {int(part * 10**k) for k in range(12) for part in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8) if part * 10**k % 1 == 0}
)
_STEPS = [part * 10**k for k in range(11, -1, -1) for part in (5, 2, 1)]
_FINE = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001]


def nice_near(amount: float) -> int:
    """The number of the kind 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is nearest, 1 or more."""
    place = bisect_left(NICE, amount)
    around = NICE[max(0, place - 1) : place + 1] or NICE[-1:]
    return min(around, key=lambda nice: abs(nice - amount))


def nice_above(amount: float) -> int:
    """The smallest such number that is larger."""
    place = bisect_right(NICE, amount)
    return NICE[place] if place < len(NICE) else int(amount) + 1


def nice_between(low: float, high: float) -> list[int]:
    """Those from `low` up to, not including, `high`."""
    return NICE[bisect_left(NICE, low) : bisect_left(NICE, high)]


def stepped(low: int, high: int, value: int) -> dict[str, Any]:
    """The range in 150 or more nice steps, its ends whole steps, moved outward where the value lies beyond them.

    The step does not follow the value: a slider that changes under the pointer cannot be dragged. So the value may lie
    between two steps.
    """
    step = next(step for step in _STEPS if step <= max(1, (high - low) / 150))
    start, end = -(-low // step) * step, -(-high // step) * step
    return {"min": min(start, value), "max": end, "step": step, "why": ""}


def fine(low: float, high: float, value: float) -> dict[str, Any]:
    """A range of fractions in 100 or more steps; it holds the value."""
    step = next((step for step in _FINE if step <= (high - low) / 100), _FINE[-1])
    return {"min": min(low, value), "max": max(high, value), "step": step, "why": ""}
