"""Every policy, as the dialog of policies lists and explains it; sent once."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from core import policies
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from core.policy.vocabulary import PolicyFidelity
from viewer.wire.miniature import as_rows, demo_rows, miniature

FIDELITY: dict[PolicyFidelity, str] = {
    "exact": "agrees with the real code in every case compared",
    "modelled": "built from the rules of the real code, checked against worked examples",
    "approximate": "the real rule is only partly public; assumptions fill the gaps",
    "opaque": "the content of the summary cannot be read; its size is assumed",
}


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


def card(name: str) -> dict[str, Any]:
    """The chosen policy in the sidebar: its name, fidelity, what it does not model, and one line."""
    found = next((policy for policy in policies() if policy.name == name), None)
    if found is None:
        return {"name": name, "fidelity": "", "not_modelled": [], "about": ""}
    told = {"not_modelled": list(found.not_modelled), "about": found.about}
    return {"name": found.name, "fidelity": found.fidelity, **told}
