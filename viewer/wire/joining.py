"""The front end as one text: its modules as one module, its style sheets as one.

Nothing is generated on disk; docs/decisions/005-no-build-step.md. Each module becomes a function that is called once, in the
order of the imports, and gives what the module exports. That holds for modules like ours: static imports of names, no cycle,
and no exported variable that changes. https://tc39.es/ecma262/#sec-modules
"""

import re
from collections.abc import Iterable
from pathlib import Path

FRONTEND = Path(__file__).parent.parent / "frontend"

DEBUGGER = (
    "parts",
    "windowlist",
    "toscale",
    "inspector",
    "markdown",
    "card",
    "overlays",
    "findings",
    "overview",
    "opening",
)
WHY = ("lanes", "panel", "origins")
SHEETS = (
    "lib/base.css",
    *(f"debugger/{name}.css" for name in DEBUGGER),
    *(f"why/{name}.css" for name in WHY),
    "share/share.css",
    "live/live.css",
    "settings/sidebar.css",
    "export/export.css",
    "library/library.css",
    "compare/compare.css",
    "tune/tune.css",
    "learn/learn.css",
    "debugger/room.css",
    "learn/present.css",
    "lib/small.css",
)
"""In the order in which they overrule one another."""

_FROM = re.compile(r'^(import|export) (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*\n|/\*\*.*?\*/[ \t]*\n?)", re.MULTILINE | re.DOTALL)
"""Comments at the start of a line: none of our texts has a line like that."""
_REMARK = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
"""Comments of a style sheet: none of its strings holds one."""


def joined(first: Path) -> str:
    """The module and all that it imports as one text, without comments on lines of their own, which are a quarter of it."""
    return without_comments(joined_whole(first))


def without_comments(module: str) -> str:
    """The text of a module, or of many, without comments on lines of their own."""
    return _COMMENT.sub("", module)


def joined_whole(first: Path) -> str:
    """The same with its comments. Raises ValueError for a form of import or export not known here."""
    found: dict[Path, int | None] = {}
    parts: list[str] = []
    names = _join(first.resolve(), found, parts)
    return "".join(parts) + f"export const {{ {', '.join(names)} }} = m{found[first.resolve()]};\n"


def _join(path: Path, found: dict[Path, int | None], parts: list[str]) -> list[str]:
    """Add a module to the parts, behind those that it imports; gives the names that it exports."""
    text = path.read_text("utf-8")
    found[path] = None  # until it is among the parts
    for _, _, other in _FROM.findall(text):
        imported = (path.parent / other).resolve()
        if imported not in found:
            _join(imported, found, parts)
    passed_on = [
        name.strip() for how, names, _ in _FROM.findall(text) if how == "export" for name in names[1:-1].split(",")
    ]
    exported = [*passed_on, *(name for _, name in _EXPORT.findall(text))]
    body = _FROM.sub(lambda line: _taken(line, path, found), text)
    body = _EXPORT.sub(r"\1 \2", body)
    if left := _LEFT.search(body):
        raise ValueError(f"{path}: cannot be joined at {left[0]!r}; import and export names only, as other modules do")
    found[path] = len(parts)
    parts.append(
        f"// {path.name}\nconst m{len(parts)} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"
    )
    return exported


def _taken(line: re.Match[str], path: Path, found: dict[Path, int | None]) -> str:
    """An import as a constant."""
    imported = (path.parent / line[3]).resolve()
    if found[imported] is None:
        raise ValueError(f"{path}: imports {line[3]!r}, which imports it; take out what both need")
    return f"const {line[2].replace(' as ', ': ')} = m{found[imported]};"


def joined_sheets(names: Iterable[str] = SHEETS) -> str:
    """These style sheets, one behind the other, without comments."""
    return _REMARK.sub("", "".join((FRONTEND / name).read_text("utf-8") for name in names))
