"""A grid of settings: every combination of the values that are given for each parameter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from core.model.errors import ParameterError, UnknownParameterError
from core.policies import policy
from core.policy.policy import Policy

MOST = 100_000


def parse_grid(parts: Sequence[str]) -> dict[str, list[str]]:
    """Values by parameter, of parts such as "budget=8000,16000". Raises ParameterError for another form."""
    found: dict[str, list[str]] = {}
    for part in parts:
        name, equals, values = part.partition("=")
        listed = [value.strip() for value in values.split(",") if value.strip()]
        if not equals or not name.strip() or not listed:
            raise ParameterError(
                f"{part!r} is no line of a grid", "write name=value,value,…, such as budget=8000,16000"
            )
        if name.strip() in found:
            raise ParameterError(f"{name.strip()} is given twice", "put all its values into one list")
        found[name.strip()] = list(dict.fromkeys(listed))
    return found


def grid(names: str | Sequence[str], fixed: Mapping[str, Any], values: Mapping[str, Sequence[Any]]) -> list[Policy]:
    """A policy, or several, with every combination of values, in the order given, those of the last parameter changing first.

    Of several policies each takes those of the parameters that it has. Raises what `policy` raises, UnknownParameterError for a
    parameter that none of them has, and ParameterError for more than 100,000 combinations.
    """
    rules = [policy(name) for name in dict.fromkeys([names] if isinstance(names, str) else names)]
    _check_known(rules, [*fixed, *values])
    grids = [(rule, _own(rule, fixed), _own(rule, values)) for rule in rules]
    count = sum(prod(map(len, own.values())) for _, _, own in grids)
    if count > MOST:
        raise ParameterError(f"{count:,} settings are too many", f"a grid has at most {MOST:,}")
    return [rule.with_settings({**set_, **chosen}) for rule, set_, own in grids for chosen in _combinations(own)]


def _check_known(rules: Sequence[Policy], names: Iterable[str]) -> None:
    known = dict.fromkeys(name for rule in rules for name in _parameters(rule))
    for name in names:
        if name not in known:
            raise UnknownParameterError(" or ".join(rule.name for rule in rules), name, known)


def _own(rule: Policy, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in _parameters(rule)}


def _parameters(rule: Policy) -> list[str]:
    return [parameter.name for parameter in rule.parameters]


def _combinations(values: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))
