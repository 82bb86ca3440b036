"""The arrow: a file imports only from its left. Read off the source, so that no import has to be run."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ARROW = (
    *(
        "errors",
        "collecting",
        "text",
        "masking",
        "words",
        "model",
        "lanes",
        "inferred",
        "context_windows",
        "formula",
        "parameters",
        "vocabulary",
        "policy",
    ),
    *(
        "measured",
        "shadow",
        "lighten",
        "window",
        "snap",
        "heads",
        "spared",
        "tails",
        "partition",
        "trace",
        "bands",
        "unseen",
        "growing",
        "events",
    ),
    *("tokenizer", "actions", "outcomes", "facts", "ledger", "failing", "summarizers"),
    *("importers", "folders", "library", "meters", "compact", "policies", "simulate", "course", "replay", "plan"),
    *("rival", "analyse", "llm", "exports", "tools", "toolbox", "mcp_servers", "memory", "recorder", "loop", "agent"),
    *("summarizing_memory", "chat_agent", "drive"),
    *("__init__", "cli", "__main__"),
)
NETWORK = (
    "socket",
    "http",
    "urllib.request",
    "urllib3",
    "requests",
    "httpx",
    "httpx2",
    "aiohttp",
    "anthropic",
    "openai",
    "mcp",
)
PLAIN = (  # of the viewer, without Streamlit
    *("present", "pack", "api", "preview", "registry", "sources"),
    *("catalogue", "miniature", "sliders", "suggest"),
)


def files(folder: str) -> list[Path]:
    """The Python files of a top-level folder, in order."""
    return sorted((ROOT / folder).rglob("*.py"))


def names(path: Path) -> list[str]:
    """What a file is called from the outside, in parts: `core/compact/engine.py` is core, compact, engine."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return list(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, wherever in the file, by its whole name; names of a package as its modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports out in full"
            inside = node.module in ("core", "viewer") and path.parent.name == node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names) if inside else (node.module or "",)


def test_every_file_of_core_has_its_place() -> None:
    """The arrow names every file and folder of core: a new one is put in its place here."""
    assert {names(path)[1] for path in files("core")} <= set(ARROW)


@pytest.mark.parametrize("path", files("core"), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_from_its_left(path: Path) -> None:
    """A file of core imports what stands before it on the arrow, or files of its own folder."""
    own = names(path)[1]
    taken = {[*name.split("."), "__init__"][1] for name in imports(path) if name.split(".")[0] == "core"}
    wrong = {other for other in taken - {own} if ARROW.index(other) > ARROW.index(own)}
    assert not wrong, f"{own} stands left of {wrong}"


@pytest.mark.parametrize("path", files("core"), ids=lambda path: str(path.relative_to(ROOT)))
def test_core_knows_of_no_browser(path: Path) -> None:
    """Core imports neither Streamlit nor the viewer; the command line alone may start the viewer."""
    allowed = {"viewer.serve"} if names(path)[1] in ("cli", "__main__") else set()
    wrong = {name for name in imports(path) if name.split(".")[0] in ("streamlit", "starlette", "viewer")}
    assert wrong <= allowed


@pytest.mark.parametrize("path", files("core"), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_models_open_sockets(path: Path) -> None:
    """Nothing outside core/llm imports what can reach a network, but for the package mcp in the file on MCP servers."""
    if "llm" not in names(path):
        allowed = {"mcp"} if "mcp_servers" in names(path) else set()
        wrong = tuple(f"{name}." for name in NETWORK if name not in allowed)
        assert not [name for name in imports(path) if f"{name}.".startswith(wrong)]


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_shown_is_worked_out_without_streamlit(name: str) -> None:
    """Rows, labels, packed messages and the routes are made without Streamlit, and so are what they import."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        seen.add(module := waiting.pop())
        found = list(imports(ROOT / "viewer" / f"{module}.py"))
        assert not [one for one in found if one.split(".")[0] == "streamlit"], module
        nearby = {one.split(".")[1] for one in found if one.startswith("viewer.")}
        waiting += sorted(nearby - seen)


def test_one_file_keeps_the_state() -> None:
    """viewer/state.py is the one user of st.session_state."""
    users = {
        path.name
        for path in files("viewer")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "session_state"
    }
    assert users <= {"state.py"}


def test_no_two_files_of_the_project_need_each_other() -> None:
    """The viewer's files form no circle of imports."""
    graph = {
        path.stem: {n.split(".")[1] for n in imports(path) if n.startswith("viewer.")}
        & {p.stem for p in files("viewer")}
        for path in files("viewer")
    }
    while leaves := {name for name, needs in graph.items() if not needs & graph.keys()}:
        graph = {name: needs for name, needs in graph.items() if name not in leaves}
    assert not graph, f"in a circle: {sorted(graph)}"


def test_the_standard_library_is_no_file_of_ours() -> None:
    """No file of core or the viewer at the top level hides a module of the standard library."""
    assert not {p.stem for p in ROOT.glob("*.py")} & sys.stdlib_module_names


def test_everything_imported_is_declared() -> None:
    """What core, viewer and app.py import is theirs, the standard library's, or a dependency in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[^\w-]", wanted)[0].replace("-", "_") for wanted in project["dependencies"]}
    paths = [*files("core"), *files("viewer"), ROOT / "app.py"]
    taken = {name.split(".")[0] for path in paths for name in imports(path)}
    assert taken - sys.stdlib_module_names - {"core", "viewer", "app"} <= declared
