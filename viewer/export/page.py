"""The page of an exported file: what the browser runs, with the policy that lets it run nothing else.

Two inline scripts are allowed, each by its hash: the one that unpacks, and the program that it unpacks. Nothing may be fetched.
https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/script-src#hashes
"""

import base64
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from pathlib import Path

from viewer.export.blocks import Blocks
from viewer.export.font import font
from viewer.wire.joining import FRONTEND, SHEETS, joined, joined_sheets

BOOT, SESSION, LESSON, LANES = (
    FRONTEND / "export" / name for name in ("boot.js", "main.js", "lesson.js", "compare.js")
)
"""What unpacks; the program of a session's file, of a lesson's, and of lanes beside each other."""
ROOMS = {
    SESSION: ("lib", "debugger", "why", "settings", "export"),
    LESSON: ("lib", "debugger", "why", "settings", "learn", "export"),
    LANES: ("lib", "debugger", "compare", "export"),
}
"""Whose style sheets each program needs."""

STYLE = """
html { color-scheme: light dark; background: #fbfbfa; }
body { margin: 0; font: 13px/1.4 system-ui, sans-serif; }
#foldline { display: block; padding: 11px 16px; }
#foldline p { animation: late 5s; }
@keyframes late { from, to { visibility: hidden; } }
@media (prefers-color-scheme: dark) { html { background: #15161a; color: #a5a8b1; } }
"""


@lru_cache(4)
def script(first: Path) -> str:
    """A script of the file: a module with all that it imports."""
    return joined(first)


@lru_cache(3)
def styles(program: Path) -> str:
    """The style sheet of a program."""
    return joined_sheets(name for name in SHEETS if name.partition("/")[0] in ROOMS[program])


def add_program(blocks: Blocks, program: Path) -> None:
    """Add what the browser runs, its style sheet, and its font."""
    blocks.add_bytes("program", script(program).encode())
    blocks.add_bytes("styles", styles(program).encode())
    if font():
        blocks.add_bytes("font", font())


def policy(program: Path) -> str:
    """The Content-Security-Policy of a file that runs this program."""
    scripts = " ".join(_hash(script(first)) for first in (BOOT, program))
    return f"default-src 'none'; script-src {scripts}; style-src {_hash(STYLE)}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def html(title: str, program: Path, blocks: Blocks) -> Iterator[str]:
    """The file, piece by piece."""
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(program))}">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        '<div id="foldline">Opening…<p>This page needs JavaScript, and a whole file: is this one only the beginning of it? '
        "Then copy or download it again.</p></div>\n"
    )
    yield from blocks.html()
    yield f'<script type="module">{script(BOOT)}</script>\n</body>\n</html>\n'
