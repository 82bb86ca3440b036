"""The parameters of a policy as the widgets that suit them, with ranges that suit a session. No Streamlit."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from core.engine.policies_used import SessionModel
from core.meters.context_windows import limits_of
from core.model.cached import cached
from core.policy.parameters import Parameter
from core.policy.policy import OUTPUT, WINDOW, Policy
from core.window.measured import Measured
from viewer.settings.scales import fine, nice_above, nice_near, stepped
from viewer.settings.suggest import NO_MODEL, Settings, counted, head_tokens, how_many, suggested, what_is

COUNTED = ("messages", "turns", "results")
MOST_KEPT = 200  # messages, turns or results
FEW = 10  # of what nobody has counted
FILLED = "so that this session fills it"
Row = dict[str, Any]


def parameter_panel(
    policy: Policy,
    measured: Measured,
    model: SessionModel = NO_MODEL,
    wanted: Settings | None = None,
    because: str = FILLED,
) -> list[Row]:
    """A row for each parameter: `{name, kind, unit, value, default, suggested, optional, about, why}` and, by its kind,

    - number: `min, max, step, whole, at_least, at_most, start`; one that the model settles has `own`, `whose`, `because`
    - choice: `choices`; names: `known`, the session's tools
    - size, thresholds: `units`, a list of `{unit, min, max, step, whole, at_least, at_most, start}`

    Every range holds the value; `start` stands where there is none yet. Where there is nothing to turn, min equals max and
    `why` says the reason; else `why` is empty. `wanted` are the settings to suggest, by default what suits the session, and
    `because` says why they are not the model's own.
    """
    wanted = suggested(policy, measured, model) if wanted is None else wanted
    rows = [_row(parameter, policy, measured, model, wanted) for parameter in policy.parameters]
    return [row | {"because": because} if "whose" in row else row for row in rows]


def _row(parameter: Parameter, policy: Policy, measured: Measured, model: SessionModel, wanted: dict[str, Any]) -> Row:
    value = policy.settings.get(parameter.name, parameter.default)
    known = parameter.model_dump(mode="json", include={"name", "kind", "unit", "default", "optional", "about"})
    shape = _SHAPES[parameter.kind](parameter, value, policy, measured) if parameter.kind in _SHAPES else {}
    if parameter.session:
        shape |= _settled_by(parameter, value, measured, model)
    suits = wanted.get(parameter.name, parameter.default)
    return {**known, "value": value, "suggested": suits, "why": "", **shape}


def _number(parameter: Parameter, value: Any, policy: Policy, measured: Measured) -> Row:
    start = value if _is_number(value) else _start(parameter, policy, measured)
    return {**_bounds(parameter), "start": start, **_range(parameter, start, policy, measured)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bounds(parameter: Parameter) -> Row:
    least = int(parameter.at_least) if float(parameter.at_least).is_integer() else parameter.at_least
    most = parameter.at_most
    return {
        "whole": parameter.whole,
        "at_least": least,
        "at_most": int(most) if most is not None and float(most).is_integer() else most,
    }


def _start(parameter: Parameter, policy: Policy, measured: Measured) -> int | float:
    """What an unset number is when it is switched on: its default, else about what would show something."""
    if _is_number(parameter.default):
        number: int | float = parameter.default
        return number
    if parameter.unit == "tokens":
        found: int | float = max(nice_near(counted(policy, measured) / 3), int(parameter.at_least))
    else:
        found = max(parameter.at_least, 4 if parameter.whole else 0.5)
    return found if parameter.at_most is None else min(found, parameter.at_most)


def _range(parameter: Parameter, value: Any, policy: Policy, measured: Measured) -> Row:
    if not parameter.whole:
        most = parameter.at_most if parameter.at_most is not None else max(1.0, 4 * value)
        return fine(parameter.at_least, most, value)
    value = int(value)
    if parameter.unit == "tokens" and parameter.name == policy.limit_name:
        return _limit_range(parameter, value, policy, measured)
    if parameter.unit in COUNTED:
        return _kept_range(parameter, value, measured)
    default = parameter.default if isinstance(parameter.default, int) else value
    scaled = parameter.unit == "tokens" and (not default or _is_tail(parameter, policy))
    top = nice_above(measured.running[-1]) if scaled else 4 * default or FEW
    top = top if parameter.at_most is None else min(top, int(parameter.at_most))
    return stepped(max(int(parameter.at_least), 1 if default else 0), max(top, value, default, 1), value)


def _is_tail(parameter: Parameter, policy: Policy) -> bool:
    return any(size.value == parameter.name for size in policy.tail_of(policy.scope))


def _limit_range(parameter: Parameter, value: int, policy: Policy, measured: Measured) -> Row:
    """From a 200th of the session, but not below what is pinned at the front, to where nothing would be compacted."""
    total, head = counted(policy, measured), head_tokens(policy, measured)
    if total <= max(head, 1):
        whole = measured.running[-1]
        why = f"all {whole:,} tokens of the session are pinned" if whole else "the session has no messages"
        return {"min": value, "max": value, "step": 1, "why": f"{why}, so {parameter.name} makes no difference"}
    default = parameter.default if isinstance(parameter.default, int) else value
    low = max(int(parameter.at_least), 1, nice_near(total / 200), head)
    high = max(nice_above(total), value, default if default <= 4 * total else 0)
    return stepped(low, high, value)


def _kept_range(parameter: Parameter, value: int, measured: Measured) -> Row:
    """From the least the parameter takes to all there are, and no more than 200."""
    least, there = int(parameter.at_least), how_many(parameter.unit, measured)
    high = max(min(MOST_KEPT, there), value, least)
    named = "tool results" if what_is(parameter.unit) == "results" else parameter.unit
    why = "" if high > least else f"the session has no {named}"
    return {"min": min(least, value), "max": high, "step": 1, "why": why}


def _settled_by(parameter: Parameter, value: Any, measured: Measured, model: SessionModel) -> Row:
    """What the session's model says where the parameter is not set, and a range that runs over decades."""
    window = parameter.session == "window"
    own, whose = _own_window(model) if window else _own_output(model)
    total = measured.running[-1]
    low = max(int(parameter.at_least), min(nice_near(max(total, 1_000) / 20), own), 1)
    high = max(own, nice_above(total) if window else 0, value or 0)
    ranged = {"min": min(low, value or low), "max": high, "step": 1, "scale": "log", "why": ""}
    return {**ranged, "own": own, "whose": whose, "start": own, "session": parameter.session}


def _own_window(model: SessionModel) -> tuple[int, str]:
    """The context window that stands where none is set, and whose it is; "" for one that is assumed."""
    if model.given_window:
        return model.given_window, "this transcript"
    limits = limits_of(model.name) if model.name else None
    return (limits.window, model.name) if limits else (WINDOW, "")


def _own_output(model: SessionModel) -> tuple[int, str]:
    """The longest reply, likewise."""
    limits = limits_of(model.name) if model.name else None
    return (limits.output, model.name) if limits else (OUTPUT, "")


def _units(parameter: Parameter, value: Any, policy: Policy, measured: Measured) -> Row:
    """The ranges of each unit a size or a threshold may be given in."""
    given = [value] if isinstance(value, dict) else value or []
    known = {unit: amount for clause in given for unit, amount in clause.items()}
    return {"units": [_unit(parameter, unit, known.get(unit), policy, measured) for unit in parameter.units]}


def _unit(parameter: Parameter, unit: str, value: Any, policy: Policy, measured: Measured) -> Row:
    part = what_is(unit) == "part"
    alone = Parameter(
        name=parameter.name,
        default=None,
        unit=unit,
        whole=not part,
        at_least=0 if part else parameter.at_least,
        at_most=1 if part else None,
    )
    start = value if value is not None else _usual(parameter, unit, policy, measured)
    if what_is(unit) == "tokens":
        ranged = stepped(int(alone.at_least), max(nice_above(measured.running[-1]), start, FEW), start)
    elif part:
        ranged = fine(0, 1, start)
    else:
        ranged = _kept_range(alone, start, measured)
    return {"unit": unit, **_bounds(alone), "start": start, **ranged}


def _usual(parameter: Parameter, unit: str, policy: Policy, measured: Measured) -> Any:
    """The amount of the default if it has this unit, else one that would show something of this session."""
    default = parameter.default if isinstance(parameter.default, dict) else {}
    if unit in default:
        return default[unit]
    if what_is(unit) == "part":
        return 0.8 if parameter.kind == "thresholds" else 0.3
    if what_is(unit) == "tokens":
        return max(nice_near(counted(policy, measured) / 4), int(parameter.at_least))
    return max(nice_near(how_many(unit, measured) / 4), int(parameter.at_least))


def _names(parameter: Parameter, value: Any, policy: Policy, measured: Measured) -> Row:
    """The tools of the session, those most called first: worked out once for its messages."""
    return {"known": cached(measured, "tool names", _tool_names)}


def _tool_names(measured: Measured) -> list[str]:
    called = Counter(call.name for i in measured.groups for call in measured.messages[i].tool_calls)
    return sorted(called, key=lambda name: (-called[name], name))[:40]


def _choice(parameter: Parameter, value: Any, policy: Policy, measured: Measured) -> Row:
    return {"choices": list(parameter.choices)}


_SHAPES: dict[str, Callable[[Parameter, Any, Policy, Measured], Row]] = {
    "number": _number,
    "size": _units,
    "thresholds": _units,
    "names": _names,
    "choice": _choice,
}
