"""A policy set to act at so many tokens, through its limit or else through its context window."""

from core.model.errors import FoldlineError
from core.policy.policy import Policy
from core.why.knobs import window_name

_LARGEST = 4_000_000  # tokens of a context window


def acting_at(rule: Policy, tokens: int) -> Policy | None:
    """The policy with its limit, or else its context window, set so that it acts at so many tokens; None if neither can be."""
    found = _with(rule, rule.limit_name, tokens)
    if found is not None and found.ceiling == tokens:
        return found
    low, high = 0, _LARGEST  # windows under which it acts at no more, and at more
    name = window_name(rule)
    while name and high - low > 1:
        middle = (low + high) // 2
        one = _with(rule, name, middle)
        low, high = (middle, high) if one is None or one.ceiling is None or one.ceiling <= tokens else (low, middle)
    return _with(rule, name, low) if low else None


def _with(rule: Policy, name: str, value: int) -> Policy | None:
    known = next((p for p in rule.parameters if p.name == name and p.kind == "number"), None)
    try:
        return rule.with_settings({**rule.settings, name: value}) if known else None
    except FoldlineError:
        return None
