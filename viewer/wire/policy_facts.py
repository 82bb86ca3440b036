"""What the page says of a policy: its facts, and when it acts, in words. No Streamlit."""

from collections.abc import Sequence
from typing import Any

from core.engine.due import WORDS
from core.policy.policy import Bound, Policy
from core.policy.vocabulary import Measure


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
        "acts": _acts(policy),
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


def _acts(policy: Policy) -> str:
    """In a sentence when a policy acts that a pause moves, its compaction first; "" of any other."""
    if pause := _only(policy.clauses, "pause"):
        return f"Acts {_long(pause)}."
    cleared = [stage for stage in policy.tiers if stage.when and stage.transform.kind == "clear"]
    pause = _only(policy.bounds(cleared[0].when or ()), "pause") if len(cleared) == len(policy.tiers) == 1 else None
    limit = _only(policy.clauses, "tokens")
    if not (pause and limit):
        return ""
    sign, number = limit.said.split()
    return f"Compacts {'at' if sign == '≥' else 'over'} {number} tokens; clears old tool results {_long(pause)}."


def _only(clauses: Sequence[Sequence[Bound]], of: Measure) -> Bound | None:
    """The one bound that decides, if it is of this."""
    told = _told(clauses)
    return told[0][0] if len(told) == 1 and [bound.of for bound in told[0]] == [of] else None


def _long(pause: Bound) -> str:
    return f"after a pause of over {pause.said.split()[-1]} min"


def _clauses(clauses: Sequence[Sequence[Bound]]) -> str:
    if not all(clauses):
        return "always"
    told = _told(clauses)
    return " or ".join(dict.fromkeys(" and ".join(f"{WORDS[b.of]} {b.said}" for b in clause) for clause in told))


def _told(clauses: Sequence[Sequence[Bound]]) -> list[Sequence[Bound]]:
    """The clauses without those that another one makes idle."""
    return [clause for clause in clauses if not any(_moot(clause, other) for other in clauses)]


def _moot(clause: Sequence[Bound], other: Sequence[Bound]) -> bool:
    """Whether the other is met wherever this one is, and sooner: "tokens > 9" where there is "tokens > 5"."""
    sooner = len(other) < len(clause) or any(mine.above > its.above for mine, its in zip(clause, other, strict=False))
    return sooner and all(any(mine.of == its.of and mine.above >= its.above for mine in clause) for its in other)
