"""The settings to begin with: a policy's own, but for what would not show anything of this session. No Streamlit."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from core.engine.policies_used import SessionModel, for_model
from core.engine.quick_trial import MOST, Trial, tried
from core.model.cached import cached
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.window.measured import Measured
from core.window.sizes import SIZES
from viewer.settings.scales import NICE, nice_above, nice_between, nice_near

FEW = 8  # messages: a session of fewer is not worth compacting
SMALL = 10_000  # tokens: a session of fewer has no room for what stays and something to go
SELDOM = 0.2  # of the steps, over the limit
REACH = 400_000  # tokens: reserves that a window may hold on top of what is compacted

NO_MODEL = SessionModel()

Settings = dict[str, Any]


def suggested(policy: Policy, measured: Measured, model: SessionModel = NO_MODEL) -> Settings:
    """Settings that show something of this session: the policy's own, but for one that does not suit it.

    A limit in tokens stays where it gives 1 to 30 compactions with most steps within it. Otherwise it is the first nice
    number that does, from a sixth of the session upward, with room for what the policy pins; where none does, and in a
    session too small to be compacted, it is a little above the session, so that nothing happens. Thresholds, a count that
    the policy acts at, or else the model's context window are changed only where the policy would never act.
    """
    return dict(cached(measured, ("suggested", policy.name, model), lambda base: _suited(policy, base, model)))


def counted(policy: Policy, measured: Measured) -> int:
    """The tokens of the whole session that the policy's trigger would count."""
    return measured.counted(policy.trigger.counts)[-1]


def head_tokens(policy: Policy, measured: Measured) -> int:
    """The tokens of the system messages at the front, where the trigger counts them."""
    return 0 if policy.trigger.counts in ("active", "spoken") else measured.running[measured.leading_systems]


def _suited(policy: Policy, measured: Measured, model: SessionModel) -> Settings:
    own = policy.with_settings({})
    if counted(own, measured) <= head_tokens(own, measured):
        return own.settings
    limit = _parameter(own, own.limit_name)
    if limit and limit.kind == "number" and isinstance(limit.default, int):
        return _with_limit(own, limit, limit.default, measured, model)
    for name, values in _knobs(own, limit, measured):
        if len(measured.messages) < FEW or _trial(own, measured, model).compactions:
            return own.settings
        tries = ({**own.settings, name: value} for value in values)
        return next((s for s in tries if _sensible(own.with_settings(s), measured, model)), own.settings)
    return own.settings


def _parameter(policy: Policy, name: str) -> Parameter | None:
    return next((p for p in policy.parameters if p.name == name), None)


def _knobs(policy: Policy, limit: Parameter | None, measured: Measured) -> Iterator[tuple[str, Iterator[Any]]]:
    """What may be changed of a policy without a number of tokens of its own, and the values worth trying."""
    if limit and limit.kind == "thresholds":
        unit = next((unit for unit in limit.units if what_is(unit) == "tokens"), limit.units[0])
        yield limit.name, ([{unit: n}] for n in _amounts(policy, measured, unit))
    elif limit and limit.kind == "number" and not limit.session:
        yield limit.name, _taken(limit, _amounts(policy, measured, "tokens"))
    for condition in (c for clause in policy.trigger.any_of for c in clause):
        counts = _parameter(policy, str(condition.value))
        if counts and counts.kind == "number" and condition.of in ("messages", "turns", "new_turns", "results"):
            yield counts.name, _taken(counts, _amounts(policy, measured, condition.of))
    window = next((p for p in policy.parameters if p.session == "window"), None)
    if window:
        yield window.name, _windows(policy, window.name, measured)


def _amounts(policy: Policy, measured: Measured, unit: str) -> list[int]:
    """Nice numbers from a sixth of the session, or of what can go, up to all there is."""
    if what_is(unit) == "tokens":
        total = counted(policy, measured)
        return _limits(total, _pinned(policy, policy.settings, measured), 0)
    there = how_many(unit, measured)
    return nice_between(max(2, there / 6), there)


def what_is(unit: str) -> Literal["tokens", "results", "turns", "part", "messages"]:
    """What a unit counts, whatever the real system calls it: input_tokens are tokens, tool_uses results."""
    if unit.endswith("tokens"):
        return "tokens"
    if unit in ("results", "tool_uses"):
        return "results"
    if unit in ("fraction", "share"):
        return "part"
    return "turns" if unit.endswith("turns") else "messages"


def how_many(unit: str, measured: Measured) -> int:
    """Messages, turns or tool results of the session."""
    if what_is(unit) == "results":
        return len(measured.results)
    return len(measured.turn_starts) if what_is(unit) == "turns" else len(measured.messages)


def _windows(policy: Policy, name: str, measured: Measured) -> Iterator[int]:
    """The nice context windows whose limit lies between a sixth of the session and all of it."""
    total, pinned = counted(policy, measured), _pinned(policy, policy.settings, measured)
    for n in nice_between(total / 6, 3 * total + REACH):
        limit = policy.with_settings({**policy.settings, name: n}).limit
        if limit is not None and max(total / 6, 1.25 * pinned) <= limit < total:
            yield n


def _with_limit(policy: Policy, limit: Parameter, default: int, measured: Measured, model: SessionModel) -> Settings:
    """The default limit if it suits, else one that does, else one that nothing reaches."""
    settings, total = policy.settings, counted(policy, measured)
    pinned = _pinned(policy, settings, measured)
    cramped = len(measured.messages) < FEW or total < (3 if total < SMALL else 1) * pinned
    tries = [] if cramped else _limits(total, pinned, default)
    calm = default if total <= default <= 4 * total else nice_above(total)
    choices = ({**settings, limit.name: n} for n in tries if _takes(limit, n))
    quiet = {limit.name: calm} if _takes(limit, calm) else {}
    fits = (s for s in choices if _sensible(policy.with_settings(s), measured, model))
    return next(fits, {**settings, **quiet})


def _taken(parameter: Parameter, values: Iterable[int]) -> Iterator[int]:
    return (n for n in values if _takes(parameter, n))


def _takes(limit: Parameter, value: int) -> bool:
    return value >= limit.at_least and (limit.at_most is None or value <= limit.at_most)


def _limits(total: int, pinned: float, default: int) -> list[int]:
    """The limits worth trying, the default first if it is one: nice numbers from a sixth of the session up to all of it."""
    low = nice_near(max(total / 6, 1.25 * pinned))
    nice = NICE[bisect_left(NICE, low) : bisect_left(NICE, total)]
    return [default, *nice] if max(total / MOST, pinned) <= default < total else nice


def _sensible(policy: Policy, measured: Measured, model: SessionModel) -> bool:
    """Whether it compacts now and then, not all the time, and is seldom over its limit."""
    trial = _trial(policy, measured, model)
    return 1 <= trial.compactions <= min(30, len(measured.messages) // 4) and trial.over <= SELDOM


def _trial(policy: Policy, measured: Measured, model: SessionModel) -> Trial:
    return tried(for_model(policy, model), measured)


def _pinned(policy: Policy, settings: Settings, measured: Measured) -> float:
    """About how many tokens stay verbatim under these settings."""
    head, chosen = head_tokens(policy, measured), policy.with_settings(settings)
    sizes = chosen.tail_of(policy.scope)
    if not sizes or not measured.messages:
        return head
    pick = min if policy.scope.of_tails == "shortest" else max
    return head + pick(
        SIZES[s.unit].about(float(chosen.number(s.value)), counted(policy, measured) - head, measured) for s in sizes
    )
