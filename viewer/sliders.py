"""The parameters of a policy as sliders that suit a session, and the settings to begin with. No Streamlit."""

from bisect import bisect_left, bisect_right
from typing import Any

from core.measured import Measured
from core.parameters import Parameter
from core.policy import Policy
from viewer.trial import MOST, tried

MOST_KEPT = 200  # messages or turns
FEW = 8  # messages: a session of fewer is not worth compacting
SELDOM = 0.2  # of the steps, over the limit
_NICE = sorted(
    {int(part * 10**k) for k in range(12) for part in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8) if part * 10**k % 1 == 0}
)
_STEPS = [part * 10**k for k in range(11, -1, -1) for part in (5, 2, 1)]


def parameter_panel(policy: Policy, measured: Measured) -> list[dict[str, Any]]:
    """A slider for each parameter: `{name, unit, min, max, step, value, default, about, why}`.

    Every range holds the value. Where there is nothing to turn, min equals max
    and `why` says the reason; else `why` is empty. A parameter that is a text has no range: its numbers are None.
    """
    return [_slider(parameter, policy, measured) for parameter in policy.parameters]


def suggested(policy: Policy, measured: Measured) -> dict[str, Any]:
    """Settings that show something of this session: the policy's own, but for a token limit that does not suit it.

    The default limit stays where it gives 1 to 30 compactions with most steps within it. Otherwise the limit is the
    first nice number that does, from a sixth of the session upward, with room for what the policy pins; where none does,
    and in a session too small to be compacted, it is a little above the session, so that nothing happens.
    """
    known = measured.__dict__.setdefault("suggested", {})  # worked out once, and gone with what it was worked out from
    if policy.name not in known:
        known[policy.name] = _suited(policy, measured)
    return dict(known[policy.name])


def _suited(policy: Policy, measured: Measured) -> dict[str, Any]:
    settings = {parameter.name: parameter.default for parameter in policy.parameters}
    name, total = _limit_name(policy), _counted(policy, measured)
    default = settings.get(name)
    if not isinstance(default, int) or total <= _head(policy, measured):
        return settings
    pinned = _pinned(policy, settings, measured)
    tries = [] if len(measured.messages) < FEW or total < 3 * pinned else _limits(total, pinned, default)
    calm = default if total <= default <= 4 * total else nice_above(total)
    settings[name] = next((n for n in tries if _sensible(policy.with_settings({**settings, name: n}), measured)), calm)
    return settings


def _limits(total: int, pinned: float, default: int) -> list[int]:
    """The limits worth trying, the default first if it is one: nice numbers from a sixth of the session up to all of it."""
    low = nice_near(max(total / 6, 1.25 * pinned))
    nice = _NICE[bisect_left(_NICE, low) : bisect_left(_NICE, total)]
    return [default, *nice] if max(total / MOST, pinned) <= default < total else nice


def _sensible(policy: Policy, measured: Measured) -> bool:
    """Whether it compacts now and then, not all the time, and is seldom over its limit."""
    trial = tried(policy, measured)
    return 1 <= trial.compactions <= min(30, len(measured.messages) // 4) and trial.over <= SELDOM


def nice_near(amount: float) -> int:
    """The number of the kind 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is nearest, 1 or more."""
    place = bisect_left(_NICE, amount)
    around = _NICE[max(0, place - 1) : place + 1] or _NICE[-1:]
    return min(around, key=lambda nice: abs(nice - amount))


def nice_above(amount: float) -> int:
    """The smallest such number that is larger."""
    place = bisect_right(_NICE, amount)
    return _NICE[place] if place < len(_NICE) else int(amount) + 1


def _limit_name(policy: Policy) -> str:
    """The parameter that holds the limit, or ""."""
    return policy.limit_name


def _counted(policy: Policy, measured: Measured) -> int:
    """The tokens of the whole session that the policy's trigger would count."""
    return measured.counted(policy.trigger.counts)[-1]


def _head(policy: Policy, measured: Measured) -> int:
    """The tokens of the system messages at the front, where the trigger counts them."""
    return measured.running[measured.leading_systems] if policy.trigger.counts in ("window", "history") else 0


def _pinned(policy: Policy, settings: dict[str, Any], measured: Measured) -> float:
    """About how many tokens stay verbatim under these settings."""
    head, sizes = _head(policy, measured), policy.with_settings(settings).tail_of(policy.scope)
    if not sizes or not measured.messages:
        return head
    tail = sizes[0]
    keep = policy.with_settings(settings).number(tail.value)
    if tail.unit == "tokens":
        return head + float(keep)
    parts = len(measured.messages) if tail.unit == "messages" else len(measured.turn_starts)
    return head + (_counted(policy, measured) - head) / max(1, parts) * float(keep)


def _slider(parameter: Parameter, policy: Policy, measured: Measured) -> dict[str, Any]:
    value = policy.settings.get(parameter.name, parameter.default)
    known = {"name": parameter.name, "unit": parameter.unit, "value": value, "default": parameter.default}
    ranged = {"min": None, "max": None, "step": None, "why": ""}
    if isinstance(value, int):
        ranged = _range(parameter, value, policy, measured)
    return {**known, **ranged, "about": parameter.about}


def _range(parameter: Parameter, value: int, policy: Policy, measured: Measured) -> dict[str, Any]:
    if parameter.unit == "tokens" and parameter.name == _limit_name(policy):
        return _limit_range(parameter, value, policy, measured)
    if parameter.unit in ("messages", "turns"):
        return _kept_range(parameter, value, measured)
    default = parameter.default if isinstance(parameter.default, int) else value
    scaled = any(size.value == parameter.name for size in policy.tail_of(policy.scope))
    top = nice_above(measured.running[-1]) if scaled else 4 * default
    return _stepped(max(int(parameter.at_least), 1 if default else 0), max(top, value, default), value)


def _limit_range(parameter: Parameter, value: int, policy: Policy, measured: Measured) -> dict[str, Any]:
    """From a 200th of the session, but not below what is pinned at the front, to where nothing would be compacted."""
    total, head = _counted(policy, measured), _head(policy, measured)
    if total <= max(head, 1):
        whole = measured.running[-1]
        why = f"all {whole:,} tokens of the session are pinned" if whole else "the session has no messages"
        return {"min": value, "max": value, "step": 1, "why": f"{why}: no {parameter.name} makes a difference"}
    default = parameter.default if isinstance(parameter.default, int) else value
    low = max(int(parameter.at_least), 1, nice_near(total / 200), head)
    high = max(nice_above(total), value, default if default <= 4 * total else 0)
    return _stepped(low, high, value)


def _kept_range(parameter: Parameter, value: int, measured: Measured) -> dict[str, Any]:
    """From the least the parameter takes to all there are, and no more than 200."""
    there = len(measured.messages) if parameter.unit == "messages" else len(measured.turn_starts)
    high = max(min(MOST_KEPT, there), value, int(parameter.at_least))
    why = "" if high > parameter.at_least else f"the session has no {parameter.unit}"
    return {"min": min(parameter.at_least, value), "max": high, "step": 1, "why": why}


def _stepped(low: int, high: int, value: int) -> dict[str, Any]:
    """The range in 150 or more nice steps, its ends whole steps, moved outward where the value lies beyond them.

    The step does not follow the value: a slider that changes under the pointer cannot be dragged. So the value may lie
    between two steps.
    """
    step = next(step for step in _STEPS if step <= max(1, (high - low) / 150))
    start, end = -(-low // step) * step, -(-high // step) * step
    return {"min": min(start, value), "max": end, "step": step, "why": ""}
