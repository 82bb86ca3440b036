"""What is begun before it is asked for."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from viewer.api import preload
from viewer.api.streamlit_page import STREAMLIT_FILES
from viewer.sessions import registry, sources
from viewer.sessions.entries import stamp
from viewer.sessions.opening import opening
from viewer.sessions.sources import Source, open_source


def test_the_page_names_its_module() -> None:
    """The front end is fetched along with the page, with what Streamlit loads late; an answer that is no page names nothing."""
    routes = [Route("/", lambda r: HTMLResponse("<p>hi")), Route("/api", lambda r: PlainTextResponse("hi"))]
    client = TestClient(Starlette(routes=routes, middleware=[preload.MODULES]))

    named = client.get("/").headers["link"].split(", ")

    assert named[-2:] == [
        "<viewer-assets/joined.js>; rel=modulepreload; fetchpriority=low",
        "<viewer-assets/joined.css>; rel=preload; as=fetch; crossorigin",
    ]
    assert all(part.endswith(">; rel=modulepreload; fetchpriority=low") for part in named[:-1])
    assert "link" not in client.get("/api").headers


def test_what_streamlit_loads_late_is_named_too() -> None:
    """Its modules for components and what they import, but none that its own page names; they are files of this Streamlit."""
    named = preload.widget_modules()
    page = (STREAMLIT_FILES / "index.html").read_text("utf-8")

    assert {name.split(".")[0] for name in named} >= {*preload.WIDGETS, "serialization"}
    assert all((preload.STREAMLIT / name).is_file() and f"/{name}" not in page for name in named)


def test_a_session_is_read_from_the_first_request_of_its_page_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The page finds it counted by the meter of the address. A path is read only where the server is on this machine alone."""
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "recent.json")
    client = TestClient(
        Starlette(routes=[Route("/", lambda r: HTMLResponse("<p>hi"))], middleware=[preload.READ_AHEAD])
    )
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "asked for"}]')
    source, key = Source("path", str(path)), f"path:{path}:{stamp(path)}"

    for here in (False, True):
        monkeypatch.setattr(preload, "local", lambda here=here: here)
        client.get(f"/?source=path:{path}&meter=agentkit")
        client.get("/?policy=agentkit.memory")
        begun = opening(source, here, meter_name="agentkit")
        assert begun.wait(60)
        assert (begun.error is None) is here
        assert (registry.OPENED.get(registry.digest(key, "agentkit")) is not None) is here


def test_what_the_first_page_shows_is_read_ahead(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The session is in the registry before a browser asks; a file that does not open is left for the page to report."""
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "read ahead"}]')
    monkeypatch.setenv("FOLDLINE_FILE", str(path))
    monkeypatch.setattr(sources, "_recent_file", lambda: tmp_path / "recent.json")
    preload._read_first()
    assert opening(Source("path", str(path)), True).wait(60)
    loaded = open_source(Source("path", str(path)), local=True)

    assert registry.OPENED.get(registry.digest(loaded.key, "o200k_base")) is not None
    monkeypatch.setenv("FOLDLINE_FILE", str(tmp_path / "nowhere"))
    preload._read_first()
    assert opening(Source("path", str(tmp_path / "nowhere")), True).wait(60)
