"""Writes the tables of README.md and sample_sessions/README.md that follow from the code: `python -m scripts.readme_tables`."""

import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from core import Policy, load_all, policies
from core.importers import importers

ROOT = Path(__file__).resolve().parents[1]
BLOCK = "<!-- table: {name} (python -m scripts.readme_tables) -->\n"
END = "<!-- end -->"
FIDELITIES = ("exact", "exact, except …", "modelled", "approximate", "opaque")
SAMPLES = ROOT / "sample_sessions"
README, SAMPLES_README = ROOT / "README.md", SAMPLES / "README.md"
GROUPS = ("coding agents", "research agents", "provider APIs", "frameworks", "evaluation and traces", "data sets")
"""The rows of formats in their order; any other group follows, in order of name."""


def policy_table() -> str:
    """The policies by family, and in each by how faithful they are."""
    families: dict[str, list[Policy]] = {}
    for found in filter(committed, policies()):
        families.setdefault(found.family, []).append(found)
    rows = (f"| {family} | {_by_fidelity(families[family])} |\n" for family in sorted(families, key=str.casefold))
    return "| family | policies |\n|---|---|\n" + "".join(rows)


def _by_fidelity(found: list[Policy]) -> str:
    named = ((f, " · ".join(f"`{p.name}`" for p in found if claim(p) == f)) for f in FIDELITIES)
    return "; ".join(f"*{fidelity}*: {names}" for fidelity, names in named if names)


def claim(found: Policy) -> str:
    """How faithful it is; of an exact policy whether anything of the real system is left out."""
    return "exact, except …" if found.fidelity == "exact" and found.not_modelled else found.fidelity


def committed(found: Policy) -> bool:
    """Whether git knows the policy's file, or the project is no git checkout: a policy being written is in no table yet."""
    return _known(f"core/policies/{found.name.replace('.', '_')}.py")


def _known(place: str) -> bool:
    """Whether git knows a file, or files in a folder; always where the project is no git checkout."""
    return not _tracked() or place in _tracked() or any(name.startswith(f"{place}/") for name in _tracked())


@cache
def _tracked() -> frozenset[str]:
    listed = ["git", "ls-files", "core", "sample_sessions"]
    return frozenset(subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines())


def format_table() -> str:
    """The formats by group: LABEL and COVERS of the importers, in order of label."""
    groups: dict[str, list[str]] = {}
    for name, module in sorted(importers().items(), key=lambda item: item[1].LABEL.casefold()):
        place = f"core/importers/{name.replace('-', '_')}"
        if _known(f"{place}.py") or _known(place):
            covers = getattr(module, "COVERS", "")
            label = f"{module.LABEL} ({covers})" if covers else module.LABEL
            groups.setdefault(getattr(module, "GROUP", "others"), []).append(label)
    order = sorted(groups, key=lambda group: (GROUPS.index(group) if group in GROUPS else len(GROUPS), group))
    return "| group | formats |\n|---|---|\n" + "".join(f"| {g} | {' · '.join(groups[g])} |\n" for g in order)


def sample_table() -> str:
    """The samples in the order they have; what one is for stays as it is written, a new one begins with its format's label."""
    written = SAMPLES_README.read_text(encoding="utf-8")
    known = dict(re.findall(r"^\| `([^`]+)` \| [\d,]+ \| (.*) \|$", written, re.MULTILINE))
    found = dict(_samples())
    rows = [(name, found[name], known[name]) for name in known if name in found]
    rows += [(name, path, importers()[path.parent.name].LABEL) for name, path in found.items() if name not in known]
    counted = ((name, sum(len(session.messages) for session in load_all(path)), what) for name, path, what in rows)
    lines = (f"| `{name}` | {count:,} | {what} |\n" for name, count, what in counted)
    return "| file | messages | what it is for |\n|---|---:|---|\n" + "".join(lines)


def _samples() -> Iterator[tuple[str, Path]]:
    """The name in the table, a folder's with a slash, and the path of every sample."""
    for path in sorted(SAMPLES.glob("*/*")):
        if not path.name.startswith("__") and _known(path.relative_to(ROOT).as_posix()):
            yield path.relative_to(SAMPLES).as_posix() + "/" * path.is_dir(), path


TABLES: dict[str, Callable[[], str]] = {"policies": policy_table, "formats": format_table, "samples": sample_table}


def with_tables(text: str) -> str:
    """The text with the content of every marked block made anew."""
    for name, table in TABLES.items():
        start = BLOCK.format(name=name)
        before, marked, behind = text.partition(start)
        text = before + marked + table() + END + behind.partition(END)[2] if marked else text
    return text


if __name__ == "__main__":
    for readme in (README, SAMPLES_README):
        readme.write_text(with_tables(readme.read_text(encoding="utf-8")), encoding="utf-8")
