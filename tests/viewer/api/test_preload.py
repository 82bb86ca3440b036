"""What is begun before it is asked for."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from viewer.api import preload
from viewer.sessions import registry, sources
from viewer.sessions.sources import Source, open_source


def test_the_page_names_its_modules() -> None:
    """Every module of the front end is fetched along with the page; other answers name none."""
    routes = [Route("/", lambda r: HTMLResponse("<p>hi")), Route("/api", lambda r: PlainTextResponse("hi"))]
    client = TestClient(Starlette(routes=routes, middleware=[preload.MODULES]))
    modules = {path.relative_to(preload.FRONTEND).as_posix() for path in preload.FRONTEND.rglob("*.js")}

    named = client.get("/").headers["link"]

    assert {part.split(">")[0].removeprefix("<viewer-assets/") for part in named.split(", ")} == modules
    assert "link" not in client.get("/api").headers


def test_what_the_first_page_shows_is_read_ahead(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The session is in the registry before a browser asks; a file that does not open is left for the page to tell of."""
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "read ahead"}]')
    monkeypatch.setenv("FOLDLINE_FILE", str(path))
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "recent.json")
    preload._open_first()
    loaded = open_source(Source("path", str(path)), local=True)

    assert registry.OPENED.get(registry.digest(loaded.key, "o200k_base")) is not None
    monkeypatch.setenv("FOLDLINE_FILE", str(tmp_path / "nowhere"))
    preload._open_first()
