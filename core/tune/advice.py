"""What a sweep recommends: which of its settings, and the sentence on that, as the Tune page and `foldline tune` give it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.policies import policy
from core.tune.choice import Point, best_of, lowest
from core.tune.recommendation import FEWEST, Outcome, Part, none_within, recommendation, refusal
from core.tune.task import Setting
from core.tune.totals import Totals

LIMIT = 0.05
"""The share of uses that a setting may miss, where nobody says another."""


def point_of(one: Totals, cost: float | None) -> Point:
    """What a setting comes to at a cost, or by the tokens it sends where there is none."""
    return Point(one.tokens_sent if cost is None else cost, one.miss_rate or 0.0, one.thrashes, one.given_up_calls > 0)


def advice(
    settings: Sequence[Setting],
    points: Mapping[int, Point],
    rate: Callable[[int], float | None],
    outcomes: Callable[[int], Sequence[Outcome]],
    sessions: int,
    *,
    limit: float = LIMIT,
    money: bool = True,
    chosen: int | None = None,
    so_far: bool = False,
) -> list[Part]:
    """The sentence on the setting that is best within the limit, or on a chosen one; or why there is none.

    Settings go by their place: `points` has those that every session has been tried under, `rate` gives the miss rate of one
    over all sessions, `outcomes` what it does to each of them.
    """
    if sessions < FEWEST:
        return refusal(sessions)
    about = chosen if chosen in points else best_of(points, limit)
    if about is None:
        closest = lowest(points)
        assert closest is not None
        return none_within(limit, label(settings, closest), points[closest].miss_rate, so_far)
    return recommendation(label(settings, about), rate(about), outcomes(about), money, so_far)


def label(settings: Sequence[Setting], k: int) -> str:
    """A setting in words: its policy, and what differs between the settings of that, else from its defaults."""
    one = settings[k]
    alike = [other.settings for other in settings if other.policy == one.policy]
    varied = [name for name in one.settings if any(other.get(name) != one.settings[name] for other in alike)]
    words = ", ".join(f"{name} {_value(one.settings[name])}" for name in varied or _set(one)) or "its defaults"
    return f"{one.policy}, {words}"


def _set(one: Setting) -> list[str]:
    """The parameters that have another value than their policy gives them."""
    usual = policy(one.policy).settings
    return [name for name, value in one.settings.items() if value != usual.get(name)]


def _value(value: Any) -> str:
    """A value in words: 80,000, 0.5, 25,000 tokens, on."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return " and ".join(f"{_value(amount)} {unit}" for unit, amount in value.items())
    if isinstance(value, list):
        return " or ".join(map(_value, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else "unset" if value is None else str(value)
