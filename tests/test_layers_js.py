"""The arrow of the front end: a module imports only from rooms to its left, types included. Read off the source."""

import re
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parent.parent / "viewer" / "frontend"
ARROW = (
    "lib",
    "run",
    "why",
    "message",
    "settings",
    "share",
    "compare",
    "library",
    "debugger",
    "live",
    "tune",
    "learn",
    "export",
    "main",
)
MODULES = sorted([*FRONTEND.rglob("*.js"), *FRONTEND.rglob("*.d.ts")])
RUN = re.compile(r'^(?:import|export)\b(?! type)[^;"]*"(\.[^"]+)"', re.MULTILINE)
ANY = re.compile(r'(?:\bfrom|\bimport\()\s*"(\.[^"]+)"')


def room(path: Path) -> str:
    """The room a module stands in: its folder, or its own name where it stands in none."""
    return path.relative_to(FRONTEND).parts[0].removesuffix(".js")


def imported(path: Path, pattern: re.Pattern[str]) -> set[Path]:
    """The modules whose address a pattern finds in a file."""
    return {(path.parent / address).resolve() for address in pattern.findall(path.read_text(encoding="utf-8"))}


def test_every_module_stands_in_a_room() -> None:
    """The arrow names every room, and main.js alone stands beside the rooms."""
    assert {room(path) for path in MODULES} == set(ARROW)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FRONTEND)))
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    """A module imports, and names types, from rooms before its own on the arrow, or from its own room."""
    right = {room(other) for other in imported(path, ANY) if ARROW.index(room(other)) > ARROW.index(room(path))}
    assert not right, f"{room(path)} stands left of {right}"


def test_no_two_modules_need_each_other() -> None:
    """Modules form no circle of imports, not even within a room; types may."""
    graph = {path: imported(path, RUN) - {path} for path in MODULES}
    assert all(other.exists() for needs in graph.values() for other in needs)
    while leaves := {path for path, needs in graph.items() if not needs & graph.keys()}:
        graph = {path: needs for path, needs in graph.items() if path not in leaves}
    assert not graph, f"in a circle: {sorted(str(path.relative_to(FRONTEND)) for path in graph)}"
