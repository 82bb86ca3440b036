"""What of a policy can be turned, and the values worth trying, the nearest to today's first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.policy.formula import names_in
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.window.measured import Measured

_HUNDREDTH = 100
_ROOM = 10  # times the session: a context window of which a policy uses a tenth holds it
_RESERVE = 400_000  # tokens that a policy may keep free of a context window
_FAR = 1_000_000  # of a unit that the session does not bound, such as characters


@dataclass(frozen=True)
class Knob:
    """A parameter, today's value, and others in order of their distance; `more` is whether they are larger ones.

    `main` is whether the policy says by it how much stays at the end or when it acts: what a person turns first.
    """

    name: str
    now: Any
    values: Sequence[Any]
    more: bool = True
    main: bool = False


def knobs(policy: Policy, base: Measured) -> Iterator[Knob]:
    """Each parameter that can be turned up or down: what stays at the end first, then the limit, then the others.

    What stays and the limit are only turned up. Texts and lists of names are left alone, and what the model fixes, but for
    the context window of a policy without a limit of its own.
    """
    tails, limit = tail_names(policy), policy.limit_name or window_name(policy)
    order = sorted(policy.parameters, key=lambda p: (p.name not in tails, p.name != limit))
    for parameter in order:
        if parameter.session and parameter.name != limit:
            continue
        now = policy.settings.get(parameter.name)
        now = _of_model(policy, parameter) if now is None else now
        main = parameter.name in tails or parameter.name == limit
        for more in (True,) if main else (True, False):
            if values := _values(parameter, now, base, more):
                yield Knob(parameter.name, now, values, more, main)


def tail_names(policy: Policy) -> set[str]:
    """The parameters that say how much stays at the end."""
    scopes = [stage.scope for stage in policy.stages]
    parts = [part for scope in scopes for part in (scope.tail if isinstance(scope.tail, tuple) else (scope.tail,))]
    formulas = [part if isinstance(part, str) else part.value for part in parts if part is not None]
    return {name for formula in formulas if isinstance(formula, str) for name in names_in(formula)} & {
        p.name for p in policy.parameters
    }


def window_name(policy: Policy) -> str:
    """The parameter that is the model's context window, or ""."""
    return next((p.name for p in policy.parameters if p.session == "window"), "")


def _of_model(policy: Policy, parameter: Parameter) -> Any:
    """What stands for a value that is not set: the context window, or the limit that it gives."""
    if parameter.session == "window":
        return policy.names["window"]
    return policy.ceiling if parameter.name == policy.limit_name and parameter.kind == "number" else None


def _values(parameter: Parameter, now: Any, base: Measured, more: bool) -> Sequence[Any]:
    if parameter.kind == "switch":
        return [not now] if more else []
    if parameter.kind == "choice":
        return [choice for choice in parameter.choices if choice != now] if more else []
    if parameter.kind == "number" and isinstance(now, int | float) and not isinstance(now, bool):
        return _numbers(parameter, now, base, more)
    if parameter.kind == "size" and now:
        return _sizes(now, base, more)
    if parameter.kind == "thresholds" and now and more:
        return _thresholds(now, base)
    return []


def _numbers(parameter: Parameter, now: float, base: Measured, more: bool) -> Sequence[Any]:
    if not parameter.whole:
        most = parameter.at_most if parameter.at_most is not None else max(1.0, 2 * now)
        return _hundredths(now, most if more else parameter.at_least, more)
    top = _most(parameter.unit, base)
    top = _ROOM * top + _RESERVE if parameter.session == "window" else top
    if parameter.at_most is not None:
        top = min(top, int(parameter.at_most))
    return range(int(now) + 1, top + 1) if more else range(int(now) - 1, int(parameter.at_least) - 1, -1)


def _hundredths(now: float, end: float, more: bool) -> Sequence[float]:
    """Steps of 0.01 from the next one on."""
    first, last = round(now * _HUNDREDTH, 6), round(end * _HUNDREDTH, 6)
    steps = range(int(first) + 1, int(last) + 1) if more else range(-int(-first // 1) - 1, int(last) - 1, -1)
    return [k / _HUNDREDTH for k in steps]


def _sizes(now: Mapping[str, float], base: Measured, more: bool) -> Sequence[Any]:
    """More, or less, of the same unit."""
    ((unit, amount),) = now.items()
    if unit == "fraction":
        return [{unit: value} for value in _hundredths(amount, 1 if more else 0, more)]
    steps = range(int(amount) + 1, _most(unit, base) + 1) if more else range(int(amount) - 1, 0, -1)
    return _Wrapped(steps, unit)


def _thresholds(now: Sequence[Mapping[str, float]], base: Measured) -> Sequence[Any]:
    """A single threshold turned up; several are left alone."""
    if len(now) != 1 or len(now[0]) != 1:
        return []
    ((unit, amount),) = now[0].items()
    if unit == "fraction":
        return [[{unit: value}] for value in _hundredths(amount, 1, True)]
    return _Wrapped(range(int(amount) + 1, _most(unit, base) + 1), unit, listed=True)


class _Wrapped(Sequence[Any]):
    """Whole numbers of a unit, each made when asked for."""

    def __init__(self, numbers: range, unit: str, listed: bool = False) -> None:
        self._numbers, self._unit, self._listed = numbers, unit, listed

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: Any) -> Any:
        size = {self._unit: self._numbers[index]}
        return [size] if self._listed else size


def _most(unit: str, base: Measured) -> int:
    """As much of a unit as makes no difference any more in this session."""
    if unit.endswith("tokens"):
        return base.running[-1] + 1
    if unit.endswith("turns"):
        return len(base.turn_starts) + 1
    if unit in ("results", "tool_uses"):
        return len(base.results) + 1
    if unit == "messages":
        return 2 * len(base.messages) + 1  # a policy may count each call of a reply as a message
    return int(max(base.pauses)) + 1 if unit == "minutes" else 100 if unit == "percent" else _FAR
