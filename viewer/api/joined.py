"""The front end as two files: its modules as one module, its style sheets as one. A browser asks for two in the time of two.

The files are joined as they are, when they are asked for; docs/decisions/005-no-build-step.md. Each module becomes a function
that is called once, in the order of the imports, and gives what the module exports. That holds for modules like ours: static
imports of names, no cycle, and no exported variable that changes. https://tc39.es/ecma262/#sec-modules
"""

import gzip
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FRONTEND = Path(__file__).parent.parent / "frontend"
FIRST = "main.js"
"""The module that the page imports; the joined one exports what it does."""

DEBUGGER = ("parts", "windowlist", "inspector", "markdown", "card", "overlays", "findings", "overview", "opening")
WHY = ("lanes", "panel", "origins")
SHEETS = (
    "lib/base.css",
    *(f"debugger/{name}.css" for name in DEBUGGER),
    *(f"why/{name}.css" for name in WHY),
    "live/live.css",
    "settings/sidebar.css",
    "library/library.css",
    "compare/compare.css",
    "tune/tune.css",
    "lib/small.css",
)
"""In the order in which they overrule one another."""

_FROM = re.compile(r'^(import|export) (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined(first: Path) -> str:
    """The module and all that it imports as one text. Raises ValueError for a form of import or export not known here."""
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


class Joined(NamedTuple):
    """A joined text, packed once: Streamlit would pack it for each page anew, while everything else waits."""

    text: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, text: str) -> "Joined":
        """The text with its gzip form and a name for what it says."""
        plain = text.encode()
        return cls(plain, gzip.compress(plain, 6, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:16]}"')


def modules(request: Request) -> Response:
    """All modules."""
    return _answer(request, _joined_modules(_newest(".js")), "text/javascript")


def sheets(request: Request) -> Response:
    """All style sheets."""
    return _answer(request, _joined_sheets(_newest(".css")), "text/css")


def _newest(ending: str) -> int:
    """When the last of the files was written, so that a change shows without a restart."""
    return max(path.stat().st_mtime_ns for path in FRONTEND.rglob(f"*{ending}"))


@lru_cache(1)
def _joined_modules(_written: int) -> Joined:
    return Joined.of(joined(FRONTEND / FIRST))


@lru_cache(1)
def _joined_sheets(_written: int) -> Joined:
    return Joined.of("".join((FRONTEND / name).read_text("utf-8") for name in SHEETS))


def _answer(request: Request, found: Joined, media_type: str) -> Response:
    """The text, or that the browser has it. https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/ETag"""
    headers = {"ETag": found.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(found.text, headers=headers, media_type=media_type)
    return Response(found.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=media_type)


ROUTES = [Route("/viewer-assets/joined.js", modules), Route("/viewer-assets/joined.css", sheets)]
