"""What the page says of a policy: its facts, and when it acts, in words. No Streamlit."""

from collections.abc import Sequence
from typing import Any

from core.engine.due import WORDS
from core.policy.policy import Bound, Policy


def policy_facts(policy: Policy) -> dict[str, Any]:
    """What the page says of the policy that is shown."""
    return {
        "name": policy.name,
        "title": policy.title,
        "fidelity": policy.fidelity,
        "notModelled": list(policy.not_modelled),
        "about": policy.about,
        "limit": policy.limit,
        "ceiling": policy.ceiling,
        "limitName": limit_name(policy) or "the limit",
        "counts": policy.trigger.counts,
        "phase": policy.trigger.phase,
        "family": policy.family,
        "effect": policy.effect,
        "kind": policy.transform.kind,
        "tailAsText": bool(policy.placement and policy.placement.tail_as_text),
        "mayTakeMore": policy.may_take_more,
        "when": _when(policy),
    }


def limit_name(policy: Policy) -> str:
    """The parameter whose value is the limit, or "": one that is not set, or is higher than another limit, is not it."""
    name = policy.limit_name
    return name if policy.trigger.given or policy.settings.get(name) == policy.ceiling else ""


def _when(policy: Policy) -> str:
    """When the policy acts, in words: "messages > 40 or tokens ≥ 160,000", "always"; "" where only when it is asked.

    Of tiers each with its name, "tokens > 5,000 (clear results), then tokens > 8,000"; one that never acts is left out.
    """
    tiers = [(_clauses(policy.bounds(s.when)), s.name.replace("_", " ")) for s in policy.tiers if s.when is not None]
    said = {text: name for text, name in reversed([*tiers, (_clauses(policy.clauses), "")]) if text}
    parts = [f"{text} ({name})" if name and len(said) > 1 else text for text, name in reversed(said.items())]
    return ", then ".join(parts)


def _clauses(clauses: Sequence[Sequence[Bound]]) -> str:
    if not all(clauses):
        return "always"
    told = (clause for clause in clauses if not any(_moot(clause, other) for other in clauses))
    return " or ".join(dict.fromkeys(" and ".join(f"{WORDS[b.of]} {b.said}" for b in clause) for clause in told))


def _moot(clause: Sequence[Bound], other: Sequence[Bound]) -> bool:
    """Whether the other is met wherever this one is, and sooner: "tokens > 9" where there is "tokens > 5"."""
    sooner = len(other) < len(clause) or any(mine.above > its.above for mine, its in zip(clause, other, strict=False))
    return sooner and all(any(mine.of == its.of and mine.above >= its.above for mine in clause) for its in other)
