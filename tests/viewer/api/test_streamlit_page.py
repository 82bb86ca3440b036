"""Streamlit's page, and where its client looks for the server."""

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.serving import ROOT
from viewer.api.security import MIDDLEWARE, inline_hashes
from viewer.api.streamlit_page import BASE, BEGINNING, PAGE, STREAMLIT_FILES


def client() -> TestClient:
    """An app that says where it was asked itself, behind the headers of every response."""
    asked = Route("/{path:path}", lambda _: PlainTextResponse("asked"), methods=["GET", "HEAD", "POST"])
    return TestClient(Starlette(routes=[asked], middleware=[MIDDLEWARE[0], PAGE]), base_url="http://127.0.0.1:8501")


def test_a_page_is_streamlits_with_two_scripts_more() -> None:
    """One is the first of its scripts, the other stands where the body is whole; both are allowed by the policy. The page is
    never kept by the browser: the next Streamlit has other files.
    """
    for path in ("/", "/learn", "/anything?step=2"):
        found = client().get(path)
        plain = (STREAMLIT_FILES / "index.html").read_text("utf-8")

        assert found.text.replace(f"{BASE}\n    ", "").replace(f"{BEGINNING}\n  ", "") == plain
        assert found.text.index(BASE) == found.text.index("<script")
        assert found.headers["cache-control"] == "no-cache"
        assert all(known in found.headers["content-security-policy"] for known in inline_hashes(BASE + BEGINNING))


def test_all_else_goes_on() -> None:
    """What is deeper than a page, files, and other methods."""
    assert all(client().get(path).text == "asked" for path in ("/api/x", "/_stcore/health", "/favicon.png", "/learn/"))
    assert client().post("/learn").text == "asked"


def test_the_app_has_it_behind_what_names_the_modules() -> None:
    """So that a page still comes with its Link header, and its session is read from the first request on."""
    assert "MODULES, READ_AHEAD, PAGE]" in (ROOT / "app.py").read_text(encoding="utf-8")
