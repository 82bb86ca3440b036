"""The first of many values that holds: by scan where that is affordable, else by bisection."""

from collections.abc import Callable

Holds = Callable[[int], bool]
Same = Callable[[int], tuple[int, int]]


def alone(k: int) -> tuple[int, int]:
    """The first and last index that are known to be as index k: k and k. `least` takes it where nothing is known."""
    return k, k


def least(count: int, holds: Holds, scan: int, same: Same = alone) -> int | None:
    """The first index at which something holds that does not hold right before it; None where it is found to hold nowhere.

    Up to `scan` indexes each is asked. Of more, some are asked, near ones first: where it holds from one place on, the
    answer is that place; where it comes and goes, it is a place at which it begins to hold, the first among those seen.
    """
    if count <= scan:
        return next((k for k in range(count) if holds(k)), None)
    low, high = -1, 0
    while not holds(high):
        low = same(high)[1]
        if low >= count - 1:
            return None
        high = min(count - 1, max(low + 1, 4 * high + 3))
    found = _between(low, high, holds, same)
    step = max(1, found // max(1, scan))
    for earlier in range(step, found, step) if scan else ():
        if holds(earlier):
            return _between(earlier - step, earlier, holds, same)
    return found


def settled(guess: int, count: int, holds: Holds, same: Same = alone, reach: int = 64) -> int | None:
    """The same near a guess: the next index, up or down, at which it begins to hold. None where it holds nowhere above.

    Above it `reach` indexes are asked at most, each twice as far away as the one before.
    """
    low, high, step = guess - 1, guess, 1
    while not holds(high):
        low = same(high)[1]
        if low >= count - 1 or step >> reach:
            return None
        high, step = min(count - 1, low + step), 2 * step
    if low >= guess:
        return _between(low, high, holds, same)
    low, step = same(high)[0] - 1, 1
    while low >= 0 and holds(low):
        high = same(low)[0]
        low, step = max(-1, high - step), 2 * step
    return _between(low, high, holds, same)


def _between(low: int, high: int, holds: Holds, same: Same) -> int:
    """An index at which it begins to hold: it does at `high`, and does not at `low`, which may be -1."""
    high = max(low + 1, same(high)[0])
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = max(low + 1, same(middle)[0])
        else:
            low = min(high - 1, same(middle)[1])
    return high
