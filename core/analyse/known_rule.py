"""At how many tokens the agent of a recorded compaction acts by the rule that is known of it."""

import re

from core.analyse.occasion import AUTOMATIC, occasion
from core.engine.policies_used import agent_policy, for_session_model
from core.policy.policy import Policy
from core.trace.trace import Trace

NEAR = 0.01  # of the limit: sizes of one window that differ by less are alike
OVER = 0.05  # of the limit: the last reply and its results may carry a window so far over it
_OLDER = "By its rule before version"


def known_rule(trace: Trace, k: int) -> list[str]:
    """The limit that the agent's policy gives, and whether recorded compaction k came earlier: sentences, one idea each.

    None where a person asked for it, and where the rule, the context window or the tokens are not known. That the agent keeps
    to the limit of older versions is said of the first compaction alone.
    """
    said = _rule(trace, k)
    again = any(one.startswith(_OLDER) for one in said) and any(_rule(trace, j) == said for j in range(k))
    return [] if again else said


def _rule(trace: Trace, k: int) -> list[str]:
    """What is known of one compaction, whatever is said of those before it."""
    event, rule, seen = trace.compactions[k], agent_policy(trace.session), occasion(trace, k)
    if rule is None or seen is None or seen.window is None or event.trigger not in ("", *AUTOMATIC):
        return []
    policy = for_session_model(rule.with_settings({}), trace.session)
    limit, formula = policy.ceiling, _formula(policy)
    if not limit or not formula or policy.names["window"] != seen.window:
        return []
    said = f"By its known rule the agent compacts at {limit:,} tokens: {formula}."
    if seen.tokens >= (1 - NEAR) * limit:
        return [said]
    if older := _older(policy, seen.tokens):
        return [older, f"Since then the limit is {limit:,}: {formula}."]
    asked = "" if event.trigger else "the user may have asked for it, "
    return [
        said,
        f"This one compacted at {seen.tokens:,}: {asked}a setting may be lower, or the agent counts differently.",
    ]


def _older(policy: Policy, tokens: int) -> str:
    """The limit that older versions of the agent had, where it acted at that one; else ""."""
    old = policy.earlier
    limit = policy.number(old.value) if old else None
    if old and limit and (1 - NEAR) * limit <= tokens <= (1 + OVER) * limit:
        return f"{_OLDER} {old.until} the agent compacts at {limit:,} tokens: {_plain(old.value)}."
    return ""


def _formula(policy: Policy) -> str:
    """The limit as it is worked out, where it is: "window − min(output, 20,000) − 13,000"."""
    values = (c.value for clause in policy.trigger.any_of for c in clause if c.of == "tokens")
    found = next((v for v in values if isinstance(v, str) and "window" in v and policy.number(v) == policy.ceiling), "")
    plain = re.sub(r"^\((window[^()]*\([^()]*\))\)", r"\1", found)
    return _plain(plain)


def _plain(formula: str) -> str:
    """A formula with commas in its numbers and the signs that people write."""
    plain = re.sub(r"\d{4,}", lambda number: f"{int(number[0]):,}", formula)
    return plain.replace(" - ", " \N{MINUS SIGN} ").replace(" // ", " / ").replace(" * ", " \N{MULTIPLICATION SIGN} ")
