"""The documentation as a site: what `make docs` builds."""

import re
from pathlib import Path

import pytest

import core
from core.cli import parser
from core.importers import importers
from core.policies import policies
from scripts.docs.site import build


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once; a link that leads nowhere fails here."""
    return build(tmp_path_factory.mktemp("docs") / "built")


def ids(page: Path) -> set[str]:
    """The places of a page that a link can name."""
    return set(re.findall(r' id="?([^\s">]+)', page.read_text(encoding="utf-8")))


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    """Each name of `core` stands on the library's page, under the name it has once installed."""
    assert {f"foldline.{name}" for name in core.__all__} - ids(site / "library.html") == set()


def test_every_policy_format_and_command_has_its_place(site: Path) -> None:
    """The generated pages leave none out."""
    shown = {name: (site / f"{name}.html").read_text(encoding="utf-8") for name in ("policies", "formats", "commands")}
    commands = next(action.choices for action in parser()._actions if action.dest == "==SUPPRESS==" or action.choices)
    assert commands is not None
    assert [p.name for p in policies() if p.name not in shown["policies"]] == []
    assert [name for name in importers() if f"<code>{name}</code>" not in shown["formats"]] == []
    assert [name for name in commands if f'id="{name}"' not in shown["commands"]] == []


def test_a_page_asks_nothing_of_other_machines(site: Path) -> None:
    """Scripts, styles, fonts and pictures are the site's own."""
    loaded = re.compile(
        r'<(?:script|img|link rel="?(?:stylesheet|preconnect|icon)"?)[^>]*(?:src|href)="?(https?:[^\s">]+)'
    )
    assert {url for page in site.rglob("*.html") for url in loaded.findall(page.read_text(encoding="utf-8"))} == set()
