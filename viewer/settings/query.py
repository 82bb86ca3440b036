"""A policy's settings as the address holds them."""

from collections.abc import Mapping
from typing import Any

from core import Policy
from core.policy.parameters import Parameter

UNSET = "none"  # of a number, in the address


def parse_value(parameter: Parameter, text: str) -> Any:
    """The value of a parameter from the text in an address. Raises ParameterError if the parameter refuses it."""
    unset = text == UNSET and parameter.kind == "number" and (parameter.optional or parameter.session)
    return None if unset else parameter.check(text)


def settings_query(rule: Policy, defaults: Mapping[str, Any]) -> dict[str, str]:
    """The settings of a policy as query parameters that `parse_value` reads back.

    An unset parameter is left out, unless `defaults` would set it. An empty list of names is written as a comma.
    """
    query: dict[str, str] = {}
    for parameter in rule.parameters:
        value = rule.settings.get(parameter.name)
        if value is None and defaults.get(parameter.name) is None:
            continue
        empty = {"names": ",", "number": UNSET}.get(parameter.kind, "")
        query[parameter.name] = parameter.to_text(value) or empty
    return query
