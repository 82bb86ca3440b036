"""Whether a policy needs the context window of the session's model: `window_needed(policy)`."""

import json
import re
from typing import Any

from core.policy.policy import Policy

_RULES = ("trigger", "scope", "transform", "placement", "tiers", "fallback", "guards", "passes")


def window_needed(policy: Policy) -> str:
    """The parameter that stands for the model's context window, where it is not set and what the policy does depends on it.

    "" for a policy that has no such parameter, that has it set, or that needs it only for fractions of the window and has none.
    """
    unset = [p.name for p in policy.parameters if p.session == "window" and policy.settings.get(p.name) is None]
    if not unset:
        return ""
    for_fractions = any("fraction" in p.units for p in policy.parameters)
    needed = not for_fractions or any(map(_is_fraction, policy.settings.values())) or _is_named(policy, unset[0])
    return unset[0] if needed else ""


def _is_fraction(value: Any) -> bool:
    """Whether a size or a threshold is given in parts of the window."""
    listed = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and "fraction" in one for one in listed)


def _is_named(policy: Policy, parameter: str) -> bool:
    """Whether a rule of the policy speaks of the window."""
    rules = json.dumps(policy.model_dump(mode="json", include=set(_RULES)))
    formula = rf'"(?!counts")\w+": "[^"]*\b({re.escape(parameter)}|window)\b'
    return re.search(formula, rules) is not None
