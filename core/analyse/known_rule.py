"""At how many tokens the agent of a recorded compaction acts by the rule that is known of it."""

import re

from core.analyse.occasion import AUTOMATIC, occasion
from core.engine.policies_used import agent_policy, for_session_model
from core.policy.policy import Policy
from core.trace.trace import Trace

EARLY = 0.01  # of the limit: an agent that acted this much below it has a reason that is not known


def known_rule(trace: Trace, k: int) -> str:
    """The limit that the agent's policy gives, in words, and whether recorded compaction k came earlier.

    "" where a person asked for it, and where the rule, the context window or the tokens are not known.
    """
    event, rule, seen = trace.compactions[k], agent_policy(trace.session), occasion(trace, k)
    if rule is None or seen is None or seen.window is None or event.trigger not in ("", *AUTOMATIC):
        return ""
    policy = for_session_model(rule.with_settings({}), trace.session)
    limit, formula = policy.ceiling, _formula(policy)
    if not limit or not formula or policy.names["window"] != seen.window:
        return ""
    said = f"By its known rule, {formula}, it acts at {limit:,}"
    if seen.tokens >= (1 - EARLY) * limit:
        return said
    return f"{said}. It acted at {seen.tokens:,}: a setting may be lower, or it counts differently"


def _formula(policy: Policy) -> str:
    """The limit as it is worked out, where it is: "window − min(output, 20,000) − 13,000"."""
    values = (c.value for clause in policy.trigger.any_of for c in clause if c.of == "tokens")
    found = next((v for v in values if isinstance(v, str) and "window" in v and policy.number(v) == policy.ceiling), "")
    plain = re.sub(r"^\((window[^()]*\([^()]*\))\)", r"\1", found)
    plain = re.sub(r"\d{4,}", lambda number: f"{int(number[0]):,}", plain)
    return plain.replace(" - ", " \N{MINUS SIGN} ").replace(" // ", " / ").replace(" * ", " \N{MULTIPLICATION SIGN} ")
