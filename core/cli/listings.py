"""`foldline policies`, `formats` and `meters`: what there is."""

import argparse
from typing import Any

from core.cli.terminal import as_json, facts
from core.parameters import Parameter
from core.policy import Policy


def listing(options: argparse.Namespace) -> int:
    """Print what there is of one kind; returns 0."""
    found = {"policies": policies, "formats": formats, "meters": meters}[options.what]()
    if options.json:
        as_json(found)
    elif options.what == "policies":
        _print([_policy_facts(one) for one in found])
    else:
        _print([list(one.items()) for one in found])
    return 0


def formats() -> list[dict[str, Any]]:
    """Every format that can be read: name, label, docs."""
    from core.importers import formats as known

    return [info.model_dump() for info in known()]


def meters() -> list[dict[str, Any]]:
    """Every meter: name, how its numbers are got, about, source."""
    from core.meters import meters as known

    return [info.model_dump() for info in known()]


def policies() -> list[dict[str, Any]]:
    """Every policy: what it does, its parameters with their defaults, where it comes from, how sure that is."""
    from core.policies import policies as known

    return [described(found) for found in known()]


def described(found: Policy) -> dict[str, Any]:
    """What is known of a policy, as plain values."""
    source = found.source
    return {
        "name": found.name,
        "title": found.title,
        "fidelity": found.fidelity,
        "about": found.about,
        "rule": found.rule,
        "faults": list(found.faults),
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
        print("" if k == 0 else "\n", end="")
        facts(block)


def _policy_facts(one: dict[str, Any]) -> list[tuple[str, Any]]:
    return [
        ("name", f"{one['name']} ({one['fidelity']})"),
        ("about", one["about"]),
        ("defaults", " ".join(f"{p['name']}={Parameter(**p).spoken(p['default'])}" for p in one["parameters"])),
        ("meter", one["meter"]),
        ("source", f"{one['source']} {one['version']}, checked {one['checked']}"),
    ]
