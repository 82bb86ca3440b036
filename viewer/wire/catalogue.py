"""Every policy there is, as the chooser in the sidebar lists and explains it. Sent once; no Streamlit."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from core import policies
from core.parameters import Parameter
from core.policy import Policy
from core.vocabulary import PolicyFidelity
from viewer.miniature import as_rows, demo_rows, miniature

FIDELITY: dict[PolicyFidelity, str] = {
    "exact": "agrees with the real code on every case compared",
    "modelled": "built from the real code's rules, tried on cases worked out by hand",
    "approximate": "the real rule is not public in full; the gaps are filled in",
    "opaque": "what takes the messages' place cannot be read; its size is assumed",
}


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """`{fidelity: {name: words}, demo: [[role, tokens], …], families: [{name, policies: […]}]}`."""
    known = policies()
    return {"fidelity": FIDELITY, "demo": demo_rows(), "families": list(_families(known))}


def _families(known: Iterable[Policy]) -> Iterable[dict[str, Any]]:
    """The policies by family, both in order of name."""
    grouped: dict[str, list[Policy]] = {}
    for policy in known:
        grouped.setdefault(family_of(policy), []).append(policy)
    for family in sorted(grouped, key=str.casefold):
        yield {"name": family, "policies": [_entry(policy) for policy in grouped[family]]}


def family_of(policy: Policy) -> str:
    """The family a policy says it is of, else what its name begins with."""
    return policy.family or policy.name.partition(".")[0].replace("_", " ")


def _entry(policy: Policy) -> dict[str, Any]:
    kept = {"name", "title", "about", "rule", "faults", "fidelity"}
    return {
        **policy.model_dump(mode="json", include=kept),
        "source": policy.source.model_dump(mode="json"),
        "parameters": [[p.name, _told(p)] for p in policy.parameters],
        "picture": as_rows(miniature(policy)),
    }


def _told(parameter: Parameter) -> str:
    """Its default as a person would put it; what is empty by name."""
    default = parameter.default
    if default is None:
        return "not set"
    if isinstance(default, dict):
        return _amounts(default)
    if parameter.kind == "thresholds" and default:
        return " or ".join(map(_amounts, default))
    return parameter.spoken(parameter.default) or ("none" if parameter.kind == "names" else "empty")


def _amounts(amounts: Mapping[str, int | float]) -> str:
    """One size, or what must be met together: "input_tokens 100,000", "tokens 4,000 and messages 10"."""
    return " and ".join(f"{unit} {amount:,}" for unit, amount in amounts.items())


def card(name: str) -> dict[str, str]:
    """What the sidebar shows of the chosen policy: its name, fidelity and one line."""
    found = next((policy for policy in policies() if policy.name == name), None)
    if found is None:
        return {"name": name, "fidelity": "", "about": ""}
    return {"name": found.name, "fidelity": found.fidelity, "about": found.about}
