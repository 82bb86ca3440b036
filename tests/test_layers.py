"""The arrow: a file imports only from its left. Read off the source, so that no import has to be run."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ARROW = (
    *(
        "model",
        "entities",
        "policy",
        "window",
        "policies",
        "trace",
        "summaries",
        "meters",
        "importers",
        "engine",
        "measure",
    ),
    *("why", "origins", "analyse", "tune", "check", "lessons", "secrets"),
    *("llm", "exports", "toolbox", "agents", "demo", "drive", "library", "notebook"),
    *("__init__", "cli", "__main__"),
)
VIEWER = ("settings", "wire", "sessions", "export", "api", "pages", "serve")
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
    "distributed",
    "fsspec",
)
PLAIN = ("settings", "wire", "sessions", "export", "api")  # rooms of the viewer that do without Streamlit


def files(folder: str) -> list[Path]:
    """The Python files of a top-level folder, in order."""
    return sorted((ROOT / folder).rglob("*.py"))


def names(path: Path) -> list[str]:
    """What a file is called from the outside, in parts: `core/engine/compaction.py` is core, compact, engine."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return list(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


@cache
def imports(path: Path) -> list[str]:
    """Every module a file imports, wherever in the file, by its whole name; names of a package as its modules."""
    return list(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports out in full"
            inside = node.module in ("core", "viewer") and path.parent.name == node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names) if inside else (node.module or "",)


def room(path: Path) -> str:
    """The room a file stands in: the folder under core or viewer, or the file's own name where it stands in none."""
    return names(path)[1]


def rooms_imported(path: Path, top: str) -> set[str]:
    """The rooms of `top` that a file imports from; "__init__" for a public name of the package itself."""
    return {[*name.split("."), "__init__"][1] for name in imports(path) if name.split(".")[0] == top}


@pytest.mark.parametrize(("top", "arrow"), [("core", ARROW), ("viewer", ("__init__", *VIEWER))])
def test_every_file_stands_in_a_room(top: str, arrow: tuple[str, ...]) -> None:
    """The arrow names every room, and nothing stands loose beside the rooms but what the arrow names."""
    assert {room(path) for path in files(top)} <= set(arrow)


ROOMS = pytest.mark.parametrize(
    "name", [f"core.{name}" for name in ARROW] + [f"viewer.{name}" for name in ("__init__", *VIEWER)]
)
CORE = pytest.mark.parametrize("name", [f"core.{name}" for name in ARROW])


def in_room(name: str) -> list[Path]:
    """The files of a room, such as `core.engine`; never none."""
    found = [path for path in files(name.partition(".")[0]) if ".".join(names(path)[:2]) == name]
    assert found, f"no file in {name}"
    return found


@ROOMS
def test_a_room_imports_only_from_its_left(name: str) -> None:
    """A file imports from rooms that stand before its own on the arrow, or from its own room."""
    top, own = name.split(".")
    arrow = ARROW if top == "core" else ("__init__", *VIEWER)
    left = arrow[: arrow.index(own) + 1]
    wrong = {str(path.relative_to(ROOT)): rooms_imported(path, top) - {*left} for path in in_room(name)}
    assert not {path: right for path, right in wrong.items() if right}


@CORE
def test_core_knows_of_no_browser(name: str) -> None:
    """Core imports neither Streamlit nor the viewer; the command line alone may start the viewer."""
    allowed = {"viewer.serve"} if name in ("core.cli", "core.__main__") else set()
    used = {module for path in in_room(name) for module in imports(path)}
    assert {module for module in used if module.split(".")[0] in ("streamlit", "starlette", "viewer")} <= allowed


@CORE
def test_only_models_open_sockets(name: str) -> None:
    """Nothing outside core/llm imports what can reach a network, but for MCP servers, and a sweep's cluster and URLs."""
    alone = {"mcp_servers": "mcp", "cluster": "distributed", "remote": "fsspec"}
    for path in in_room(name) if name != "core.llm" else ():
        allowed = {alone[part] for part in names(path) if part in alone}
        wrong = tuple(f"{module}." for module in NETWORK if module not in allowed)
        assert not [module for module in imports(path) if f"{module}.".startswith(wrong)], path


@pytest.mark.parametrize("name", PLAIN)
def test_only_pages_import_streamlit(name: str) -> None:
    """Rows, packed messages, settings and routes are made without Streamlit, but for what asks Streamlit about itself."""
    users = {path.name for path in files(f"viewer/{name}") if "streamlit" in {n.split(".")[0] for n in imports(path)}}
    assert users <= {"access.py", "guard.py", "streamlit_page.py"}


def test_one_file_keeps_the_state() -> None:
    """viewer/pages/state.py is the one user of st.session_state."""
    users = {
        path.name
        for path in files("viewer")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "session_state"
    }
    assert users <= {"state.py"}


def test_the_readme_draws_the_arrow() -> None:
    """core/README.md lists every room in the order of the arrow, and draws the arrow in that order."""
    readme = (ROOT / "core" / "README.md").read_text(encoding="utf-8")
    rooms = [name for name in ARROW if not name.startswith("__")]
    drawn = re.search(r"```\n(model → .*)\n```", readme)

    assert re.findall(r"^\| `(\w+)/` \|", readme, re.MULTILINE) == rooms
    assert drawn
    assert re.split(r" → |, ", drawn[1]) == rooms


def module(path: Path) -> str:
    """The dotted name a file is imported by."""
    return ".".join(names(path))


@pytest.mark.parametrize("top", ["core", "viewer"])
def test_no_two_files_need_each_other(top: str) -> None:
    """Files form no circle of imports, not even within a room."""
    known = {module(path) for path in files(top)}
    graph = {module(path): set(imports(path)) & known - {module(path)} for path in files(top)}
    while leaves := {name for name, needs in graph.items() if not needs & graph.keys()}:
        graph = {name: needs for name, needs in graph.items() if name not in leaves}
    assert not graph, f"in a circle: {sorted(graph)}"


def test_the_standard_library_is_no_file_of_ours() -> None:
    """No file of core or the viewer at the top level hides a module of the standard library."""
    assert not {p.stem for p in ROOT.glob("*.py")} & sys.stdlib_module_names


def test_everything_imported_is_declared() -> None:
    """What core, viewer and app.py import is theirs, the standard library's, or a dependency in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = (*project["dependencies"], *chain(*project["optional-dependencies"].values()))
    declared = {re.split(r"[^\w-]", one)[0].replace("-", "_") for one in wanted}
    paths = [*files("core"), *files("viewer"), ROOT / "app.py"]
    taken = {name.split(".")[0] for path in paths for name in imports(path)}
    declared.add("pytest")  # its plugin is loaded by pytest alone
    declared |= {"re2"} if "google_re2" in declared else set()  # the one whose module has another name
    assert taken - sys.stdlib_module_names - {"core", "viewer", "app", "sample_sessions"} <= declared


def module_names(path: Path) -> list[str]:
    """The texts in a file that name a module of this project, or begin so, and are not given to import_name."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    calls = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    renamed = {id(inner) for call in calls if call.func.id == "import_name" for inner in ast.walk(call)}  # type: ignore[attr-defined]
    texts = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [
        node.value
        for node in texts
        if id(node) not in renamed and re.match(r"(core|viewer|sample_sessions)\.[a-z_]+(\.|$)", node.value)
    ]


def test_modules_are_named_as_they_are_installed() -> None:
    """In the installed package every module has another name: a text that names one goes through import_name."""
    found = {path.name: named for room in ("core", "viewer") for path in files(room) if (named := module_names(path))}
    assert found == {"import_name.py": ["core.model"]}
