"""Every policy, as the dialog of policies lists and explains it; sent once."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from core import Session, policies
from core.engine.policies_used import agent_policy
from core.importers import agent_of
from core.model.text import cut
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.policy.vocabulary import PolicyFidelity
from viewer.wire.miniature import as_rows, demo_rows, miniature

FIDELITY: dict[PolicyFidelity, str] = {
    "exact": "agrees with the real code in every case that was compared",
    "modelled": "built from the rules of the real code, checked against worked examples",
    "approximate": "the real rule is only partly public; assumptions fill the gaps",
    "opaque": "the content of the summary cannot be read; its size is assumed",
}

LONGEST_RULE = 300
"""Characters of the policy and parameters of a driven run: a parameter may be a long text."""


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """`{fidelity: {name: words}, demo: [[role, tokens], …], families: [{name, policies: […]}]}`."""
    grouped: dict[str, list[dict[str, Any]]] = {}
    for policy in policies():
        grouped.setdefault(family_of(policy), []).append(_entry(policy))
    families = [{"name": name, "policies": grouped[name]} for name in sorted(grouped, key=str.casefold)]
    return {"fidelity": FIDELITY, "demo": demo_rows(), "families": families}


def family_of(policy: Policy) -> str:
    """The family of a policy; by default the first part of its name."""
    return policy.family or policy.name.partition(".")[0].replace("_", " ")


def _entry(policy: Policy) -> dict[str, Any]:
    fields = {"name", "title", "about", "rule", "faults", "not_modelled", "fidelity", "source"}
    return {
        **policy.model_dump(mode="json", include=fields),
        "parameters": [[p.name, _default_text(p)] for p in policy.parameters],
        "picture": as_rows(miniature(policy)),
    }


def _default_text(parameter: Parameter) -> str:
    """The default of a parameter, to be read by people."""
    default = parameter.default
    if default is None:
        return "not set"
    if isinstance(default, dict):
        return _amounts(default)
    if parameter.kind == "thresholds" and default:
        return " or ".join(map(_amounts, default))
    return parameter.to_text(default) or ("none" if parameter.kind == "names" else "empty")


def _amounts(amounts: Mapping[str, int | float]) -> str:
    """A size, or thresholds that must all be met: "input_tokens 100,000", "tokens 4,000 and messages 10"."""
    return " and ".join(f"{unit} {amount:,}" for unit, amount in amounts.items())


def what_if(session: Session) -> list[dict[str, str]]:
    """What could have compacted a recorded run: its agent's own policy first, then those that contrast with any.

    Empty for a session without messages; of a run driven here, its own policy comes first. Each has `name`, and `label`, what
    it does.
    """
    if not session.messages:
        return []
    if session.driven:
        used = session.driven.policies[-1].name
        return [{"name": used, "label": "The run's own policy, simulated"}, *_contrasts(without=used)]
    agent = agent_of(session) or "this agent"
    own = agent_policy(session)
    return [*([{"name": own.name, "label": f"As {agent} does it"}] if own else []), *_contrasts()]


def _contrasts(without: str = "") -> list[dict[str, str]]:
    found = (p for p in policies() if p.contrast and p.name != without)
    return [{"name": p.name, "label": p.contrast.capitalize()} for p in found]


def own_settings(session: Session, name: str) -> dict[str, Any]:
    """The parameters that the policy with this name had last in a run that was driven under it; empty for any other."""
    used = session.driven.policies if session.driven else ()
    return next((dict(one.parameters) for one in reversed(used) if one.name == name), {})


def ran_under(session: Session) -> str:
    """What a driven run was under, for the card of the recorded run: "agentkit.memory: budget 900 tokens"; else ""."""
    if not session.driven:
        return ""
    used = session.driven.policies[-1]
    units = {p.name: p.unit for found in policies() if found.name == used.name for p in found.parameters}
    given = ((name, value) for name, value in used.parameters.items() if value is not None)
    told = (f"{name} {_value_text(value)}{_unit_text(value, units.get(name, ''))}" for name, value in given)
    known = ", ".join(told)
    return cut(f"Under {used.name}{': ' if known else ''}{known}.", LONGEST_RULE)


def _unit_text(value: Any, unit: str) -> str:
    """The unit behind a number, one of it named as one: " messages", " message"; "" of what is no number."""
    if not unit or isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return f" {unit.removesuffix('s') if value == 1 else unit}"


def _value_text(value: Any) -> str:
    """The value of a parameter, to be read by people."""
    if isinstance(value, dict):
        return _amounts(value)
    if isinstance(value, list | tuple):
        return " or ".join(map(_value_text, value)) or "none"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def card(name: str) -> dict[str, Any]:
    """The chosen policy in the sidebar: its name, fidelity, what it does not model, and one line."""
    found = next((policy for policy in policies() if policy.name == name), None)
    if found is None:
        return {"name": name, "fidelity": "", "not_modelled": [], "about": ""}
    told = {
        "fidelity_words": FIDELITY[found.fidelity],
        "not_modelled": list(found.not_modelled),
        "about": found.about,
    }
    return {"name": found.name, "fidelity": found.fidelity, **told}
