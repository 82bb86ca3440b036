"""The settings a user can turn: what each takes, how it is read from text, and how it is said again.

number      12, 0.8, "12"                  whole unless `whole` is False; None where `optional`
switch      True, "on", "no"
choice      one of `choices`
text        any text, or None
names       ["bash", "grep"], "bash,grep"
size        {"messages": 20}, ("tokens", 4000), "fraction:0.3"
thresholds  {"messages": 8, "tokens": 60}  all of these; a list of such: any of them; None: never.
            As text "messages:8+tokens:60,fraction:0.8"
"""

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Literal

from core.model.errors import ParameterError
from core.model.session import Frozen

Kind = Literal["number", "switch", "choice", "text", "names", "size", "thresholds"]

_SAID = {"true": True, "on": True, "yes": True, "1": True, "false": False, "off": False, "no": False, "0": False}
_NEVER = ("", "never", "none")


class Parameter(Frozen):
    """One setting: its default, its unit, the least and the most it takes.

    `units` are those a size or a threshold may be given in. `session` says that the default is the session's own: None
    stands for the context window of its model ("window") or the longest reply of it ("output").
    """

    name: str
    default: Any
    kind: Kind = "number"
    unit: str = ""
    at_least: float = 0
    at_most: float | None = None
    whole: bool = True
    optional: bool = False
    choices: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    session: Literal["", "window", "output"] = ""
    about: str = ""

    def check(self, value: Any) -> Any:
        """The value as the policy keeps it: numbers, texts, lists and dictionaries as JSON has them.

        Raises ParameterError, with the rule as its hint, on anything else.
        """
        if value is None and (self.optional or self.session):
            return None
        return _CHECKS[self.kind](self, value)

    def to_text(self, value: Any) -> str:
        """The value as text that `check` takes: for an address or a command line."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if self.kind == "size" and value is not None:
            return _size_text(value)
        if self.kind == "thresholds":
            return ",".join(map(_size_text, value)) if value else "never"
        return ",".join(value) if self.kind == "names" else "" if value is None else str(value)

    @property
    def rule(self) -> str:
        """What it takes, in words."""
        return f"{self.name} must be {_RULES[self.kind](self)}"

    def refuse(self, value: Any) -> ParameterError:
        """The error that says that this value will not do, and what would."""
        return ParameterError(f"{self.name}={value!r} is not valid", self.rule)


def _size_text(size: Mapping[str, Any]) -> str:
    return "+".join(f"{unit}:{value}" for unit, value in size.items())


def _number(parameter: Parameter, value: Any) -> int | float | None:
    if isinstance(value, str):
        if parameter.optional and value.strip().lower() in _NEVER:
            return None
        value = _from_text(value)
    if isinstance(value, float) and value.is_integer() and parameter.whole:
        value = int(value)
    wanted = int if parameter.whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted) or not _finite(value):
        raise parameter.refuse(value)
    if value < parameter.at_least or (parameter.at_most is not None and value > parameter.at_most):
        raise parameter.refuse(value)
    return value


def _finite(value: int | float) -> bool:
    """Whether a number is none of the infinities, and no whole number that a float cannot hold."""
    return isfinite(value) if isinstance(value, float) else abs(value) < 10**300


def _from_text(text: str) -> Any:
    plain = text.strip()
    try:
        return int(plain) if plain.lstrip("+-").isdecimal() else float(plain)
    except ValueError:
        return text


def _switch(parameter: Parameter, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str | int) and str(value).strip().lower() in _SAID:
        return _SAID[str(value).strip().lower()]
    raise parameter.refuse(value)


def _choice(parameter: Parameter, value: Any) -> str:
    if value not in parameter.choices:
        raise parameter.refuse(value)
    return str(value)


def _text(parameter: Parameter, value: Any) -> str | None:
    return value if value is None else str(value)


def _names(parameter: Parameter, value: Any) -> list[str]:
    read = _from_json(value)
    if isinstance(read, str):
        read = [name.strip() for name in read.split(",") if name.strip()]
    read = [] if read is None else read
    if not isinstance(read, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in read):
        raise parameter.refuse(value)
    return sorted(read) if isinstance(read, set | frozenset) else list(read)


def _size(parameter: Parameter, value: Any) -> dict[str, int | float]:
    found = _sizes(parameter, _from_json(value), value)
    if len(found) != 1:
        raise parameter.refuse(value)
    return found


def _thresholds(parameter: Parameter, value: Any) -> list[dict[str, int | float]] | None:
    read = _from_json(value)
    if read is None or (isinstance(read, str) and read.strip().lower() in _NEVER):
        return None
    if isinstance(read, str):
        read = read.split(",")
    alone = isinstance(read, Mapping) or (isinstance(read, list | tuple) and _is_pair(read))
    clauses = [read] if alone else read
    if not isinstance(clauses, list | tuple):
        raise parameter.refuse(value)
    return [_sizes(parameter, clause, value) for clause in clauses] or None


def _from_json(value: Any) -> Any:
    """A text that is a JSON list or object as that: what `policies --json` prints can be typed back."""
    if not isinstance(value, str) or not value.strip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _is_pair(value: Any) -> bool:
    """Whether it is ("tokens", 4000)."""
    return (
        len(value) == 2
        and isinstance(value[0], str)
        and not isinstance(value[1], Mapping | list | tuple)
        and (not isinstance(value[1], str) or _from_text(value[1]) != value[1])
    )


def _sizes(parameter: Parameter, value: Any, said: Any) -> dict[str, int | float]:
    """Amounts by their unit, each checked. Fractions lie between 0 and 1, everything else is a whole number.

    Anthropic's way of writing one, {"type": unit, "value": amount}, is read too; `said` is what an error repeats.
    """
    if isinstance(value, str):
        value = dict(part.split(":", 1) for part in value.split("+") if ":" in part)
    elif isinstance(value, list | tuple) and _is_pair(value):
        value = {value[0]: value[1]}
    if isinstance(value, Mapping) and set(value) == {"type", "value"} and isinstance(value["type"], str):
        value = {value["type"]: value["value"]}
    if not isinstance(value, Mapping) or not value or not set(value) <= set(parameter.units):
        raise parameter.refuse(said)
    return {unit: _amount(parameter, unit, amount) for unit, amount in value.items()}


def _amount(parameter: Parameter, unit: str, amount: Any) -> int | float:
    amount = _from_text(amount) if isinstance(amount, str) else amount
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not _finite(amount) or amount < 0:
        raise parameter.refuse(amount)
    if unit == "fraction":
        if amount > 1 or (parameter.at_least > 0 and not amount):
            raise parameter.refuse(amount)
        return amount
    if amount != int(amount) or amount < parameter.at_least:
        raise parameter.refuse(amount)
    return int(amount)


_CHECKS: dict[Kind, Callable[[Parameter, Any], Any]] = {
    "number": _number,
    "switch": _switch,
    "choice": _choice,
    "text": _text,
    "names": _names,
    "size": _size,
    "thresholds": _thresholds,
}


def _number_rule(parameter: Parameter) -> str:
    kind = "a whole number" if parameter.whole else "a number"
    most = "" if parameter.at_most is None else f", {parameter.at_most:g} or less"
    unit = parameter.unit or "units"
    return f"{kind} {unit if unit.startswith('of ') else f'of {unit}'}, {parameter.at_least:g} or more{most}"


_RULES: dict[Kind, Callable[[Parameter], str]] = {
    "number": _number_rule,
    "switch": lambda parameter: "on or off",
    "choice": lambda parameter: f"one of {', '.join(parameter.choices)}",
    "text": lambda parameter: "text",
    "names": lambda parameter: "names, separated by commas",
    "size": lambda parameter: f"an amount of {' or '.join(parameter.units)}, as in {parameter.units[0]}:10",
    "thresholds": lambda parameter: (
        f"amounts of {', '.join(parameter.units)}, as in {parameter.units[0]}:10 or "
        f"{parameter.units[0]}:10+{parameter.units[-1]}:1 for both; or never"
    ),
}


def amount(name: str, default: int | None, unit: str, about: str, **more: Any) -> Parameter:
    """A parameter that is a whole number of a unit, such as tokens or messages."""
    return Parameter(name=name, default=default, unit=unit, about=about, **more)


def share(name: str, default: float | None, unit: str, about: str, at_most: float = 1, **more: Any) -> Parameter:
    """A parameter that is a fraction of something: 0.8 is four fifths."""
    return Parameter(name=name, default=default, unit=unit, about=about, at_most=at_most, whole=False, **more)


def switch(name: str, default: bool, about: str) -> Parameter:
    """A parameter that is on or off."""
    return Parameter(name=name, kind="switch", default=default, about=about)


def of_window(name: str, about: str = "the model's context window") -> Parameter:
    """A parameter that is the context window of the session's model, in tokens, unless it is set."""
    return _of_model(name, "window", about)


def of_output(name: str, about: str = "the longest reply of the model", at_least: int = 1) -> Parameter:
    """A parameter that is the longest reply of the session's model, in tokens, unless it is set."""
    return _of_model(name, "output", about, at_least)


def _of_model(name: str, session: Literal["window", "output"], about: str, at_least: int = 1) -> Parameter:
    known = {"unit": "tokens", "optional": True, "default": None}
    return Parameter(name=name, session=session, about=about, at_least=at_least, **known)
