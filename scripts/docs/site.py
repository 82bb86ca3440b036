"""Gathers what the site is made of in one folder, and has Zensical make it.

Zensical reads `zensical.toml`; mkdocstrings reads the docstrings without running the code. https://zensical.org/docs/
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from hatch_build import renamed
from scripts.docs.commands import commands
from scripts.docs.formats import formats
from scripts.docs.policies import policies

ROOT = Path(__file__).resolve().parents[2]
GENERATED: dict[str, Callable[[], str]] = {"commands": commands, "formats": formats, "policies": policies}
"""What fills the place `<!-- generated: NAME -->` of a page."""


def build(folder: Path) -> Path:
    """Gather and build in a folder, which is emptied first; returns the folder of the site in it.

    Raises subprocess.CalledProcessError if a page cannot be built or a link of one leads nowhere.
    """
    shutil.rmtree(folder, ignore_errors=True)
    _gather_pages(folder / "pages")
    _gather_package(folder / "foldline")
    shutil.copy(ROOT / "zensical.toml", folder)
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=True)
    return folder / "site"


def _gather_pages(pages: Path) -> None:
    shutil.copytree(ROOT / "docs", pages)
    for page in pages.rglob("*.md"):
        page.write_text(with_generated(page.read_text(encoding="utf-8")), encoding="utf-8")
    for room in ("core", "viewer"):
        shutil.copy(ROOT / room / "README.md", pages / f"{room}.md")
    (pages / "frontend").mkdir()
    shutil.copy(ROOT / "viewer" / "frontend" / "README.md", pages / "frontend")


def with_generated(text: str) -> str:
    """The text with each marked place filled in."""
    for name, make in GENERATED.items():
        mark = f"<!-- generated: {name} -->"
        if mark in text:
            text = text.replace(mark, make())
    return text


def _gather_package(package: Path) -> None:
    """The modules as they are installed, so that they are documented under the names they are imported by."""
    for path in (ROOT / "core").rglob("*.py"):
        to = package / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copy(package / "core" / "__init__.py", package)
