"""A grid of settings: every combination of the values that are given for each parameter."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from core.model.errors import ParameterError
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


def grid(name: str, fixed: Mapping[str, Any], values: Mapping[str, Sequence[Any]]) -> list[Policy]:
    """The policy with every combination of values, in the order given, those of the last parameter changing first.

    Raises what `policy` raises, and ParameterError for more than 100,000 combinations.
    """
    count = 1
    for listed in values.values():
        count *= len(listed)
    if count > MOST:
        raise ParameterError(f"{count:,} settings are too many", f"a grid has at most {MOST:,}")
    return [policy(name, **{**fixed, **chosen}) for chosen in _combinations(values)]


def _combinations(values: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))
