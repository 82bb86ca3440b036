"""`foldline policies`, `foldline formats` and `foldline meters`."""

import argparse
from typing import Any

from core.cli.terminal import print_facts, print_json
from core.policy.parameters import Parameter
from core.policy.policy import Policy


def run(options: argparse.Namespace) -> int:
    """Print the policies, the formats or the meters; returns 0."""
    found = {"policies": policies, "formats": formats, "meters": meters}[options.what]()
    if options.json:
        print_json(found)
    elif options.what == "policies":
        _print([_policy_facts(one) for one in found])
    else:
        _print([list(one.items()) for one in found])
    return 0


def formats() -> list[dict[str, Any]]:
    """Every format: name, label, docs."""
    from core.importers import formats as known

    return [info.model_dump() for info in known()]


def meters() -> list[dict[str, Any]]:
    """Every meter: name, kind of numbers (estimated, counted, calibrated, recorded), about, source."""
    from core.meters import meters as known

    return [info.model_dump() for info in known()]


def policies() -> list[dict[str, Any]]:
    """Every policy: what it does and does not do, its parameters and defaults, its source and its fidelity."""
    from core.policies import policies as known

    return [described(found) for found in known()]


def described(found: Policy) -> dict[str, Any]:
    """A policy as plain values."""
    source = found.source
    return {
        **{name: getattr(found, name) for name in ("name", "title", "fidelity", "about", "rule")},
        "faults": list(found.faults),
        "not_modelled": list(found.not_modelled),
        "meter": found.meter,
        "defaults": dict(found.settings),
        "parameters": [p.model_dump() for p in found.parameters],
        "source": source.url,
        "version": source.version,
        "licence": source.licence,
        "checked": source.checked,
    }


def _print(blocks: list[list[tuple[str, Any]]]) -> None:
    for k, block in enumerate(blocks):
        print(end="\n" if k else "")
        print_facts(block)


def _claim(one: dict[str, Any]) -> str:
    """How faithful a policy is; of an exact one also what it is not exact in."""
    excepted = "; ".join(one["not_modelled"]) if one["fidelity"] == "exact" else ""
    return f"{one['fidelity']}, except {excepted}" if excepted else str(one["fidelity"])


def _policy_facts(one: dict[str, Any]) -> list[tuple[str, Any]]:
    return [
        ("name", f"{one['name']} ({_claim(one)})"),
        ("about", one["about"]),
        ("not modelled", "" if one["fidelity"] == "exact" else "; ".join(one["not_modelled"])),
        ("defaults", " ".join(f"{p['name']}={Parameter(**p).to_text(p['default'])}" for p in one["parameters"])),
        ("meter", one["meter"]),
        ("source", f"{one['source']} {one['version']}, checked {one['checked']}"),
    ]
