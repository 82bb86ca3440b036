"""At how many tokens the agent of a recorded compaction acts by the rule that is known of it."""

import re

from core.analyse.occasion import AUTOMATIC, occasion
from core.engine.policies_used import agent_policy, for_session_model
from core.policy.policy import Policy
from core.trace.trace import Trace

NEAR = 0.01  # of the limit: sizes of one window that differ by less are alike
OVER = 0.05  # of the limit: the last reply and its results may carry a window so far over it


def known_rule(trace: Trace, k: int) -> list[str]:
    """The limit that the agent's policy gives, and whether recorded compaction k came earlier: sentences, one idea each.

    None where a person asked for it, and where the rule, the context window or the tokens are not known.
    """
    event, rule, seen = trace.compactions[k], agent_policy(trace.session), occasion(trace, k)
    if rule is None or seen is None or seen.window is None or event.trigger not in ("", *AUTOMATIC):
        return []
    policy = for_session_model(rule.with_settings({}), trace.session)
    limit, formula = policy.ceiling, _formula(policy)
    if not limit or not formula or policy.names["window"] != seen.window:
        return []
    said = f"By its known rule the agent compacts at {limit:,} tokens: {formula}."
    return [said] if seen.tokens >= (1 - NEAR) * limit else [said, *_early(policy, seen.tokens)]


def _early(policy: Policy, tokens: int) -> list[str]:
    """Why it acted below the limit, as far as can be told: older versions had a lower one, or nobody knows."""
    old = policy.earlier
    limit = policy.number(old.value) if old else None
    if old and limit and (1 - NEAR) * limit <= tokens <= (1 + OVER) * limit:
        older = f"Versions before {old.until} compact at {limit:,}: {_plain(old.value)}."
        return [older, f"This one compacted at {tokens:,}: by the older limit."]
    return [f"This one compacted at {tokens:,}: a setting may be lower, or the agent counts differently."]


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
