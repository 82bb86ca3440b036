"""Streamlit's own files, answered from memory."""

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.serving import ROOT
from viewer.api.security import MIDDLEWARE
from viewer.api.streamlit_files import FOLDER, STREAMLIT, files


def client() -> TestClient:
    """An app that says where it was asked itself, behind the headers of every response."""
    asked = Route("/{path:path}", lambda _: PlainTextResponse("asked"), methods=["GET", "HEAD", "POST"])
    app = Starlette(routes=[asked], middleware=[MIDDLEWARE[0], STREAMLIT])
    return TestClient(app, base_url="http://127.0.0.1:8501")


def test_a_file_of_streamlit_is_answered_whole_for_a_year() -> None:
    """A script, a style sheet and a font: their bytes, kind and age, with the headers of every response."""
    for ending, kind in ((".js", "javascript"), (".css", "text/css"), (".woff2", "font/woff2")):
        path = min(FOLDER.rglob(f"*{ending}"))
        found = client().get(f"/static/{path.relative_to(FOLDER).as_posix()}")

        assert (found.status_code, found.content) == (200, path.read_bytes())
        assert kind in found.headers["content-type"]
        assert found.headers["cache-control"] == "public, immutable, max-age=31536000"
        assert "default-src 'self'" in found.headers["content-security-policy"]


def test_all_else_goes_on() -> None:
    """The page, other methods, and names that are none of its files, however they are written."""
    script = next(name for name in files() if name.endswith(".js"))
    ways = ("/", "/static", "/static/js/nothing.js", "/static/../index.html", "/static/%2e%2e/index.html", f"/{script}")

    assert all(client().get(path).text == "asked" for path in ways)
    assert client().post(script).text == "asked"
    assert "cache-control" not in client().head(script).headers


def test_the_app_has_it_inside_the_guard() -> None:
    """Who may not enter gets no file either."""
    guarded = TestClient(Starlette(middleware=[*MIDDLEWARE, STREAMLIT]), base_url="http://127.0.0.1:8501")

    assert guarded.get(next(iter(files()))).status_code == 403
    assert "middleware=[*MIDDLEWARE, STREAMLIT, " in (ROOT / "app.py").read_text(encoding="utf-8")
