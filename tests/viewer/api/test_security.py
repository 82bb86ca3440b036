"""What every response says, and who may ask."""

import hashlib
import re
from base64 import b64encode

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.serving import ROOT
from viewer.api import debugger, library, live, uploads
from viewer.api.security import MIDDLEWARE, content_security_policy, inline_hashes


def client() -> TestClient:
    """A tiny app behind the middleware."""
    app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("hello"))], middleware=MIDDLEWARE)
    return TestClient(app, base_url="http://127.0.0.1:8501")


def test_every_response_carries_the_policy() -> None:
    """A page, and an error as well, may load only from its own origin."""
    for path in ("/", "/nowhere"):
        headers = client().get(path).headers

        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_every_route_of_the_app_carries_the_policy() -> None:
    """Whatever its path, also under another method and with an error for an answer."""
    routes = [*debugger.ROUTES, *library.ROUTES, *live.ROUTES, *uploads.ROUTES]
    asked = TestClient(Starlette(routes=routes, middleware=MIDDLEWARE), base_url="http://127.0.0.1:8501")
    paths = [re.sub(r"{[^}]*}", "0", route.path) for route in routes]

    assert len(paths) > 10
    for path in paths:
        assert "default-src 'self'" in asked.patch(path).headers["content-security-policy"], path


def test_the_app_is_served_with_this_middleware_around_all_routes() -> None:
    """The launcher names every list of routes, and the middleware that gives them their headers."""
    launcher = (ROOT / "app.py").read_text(encoding="utf-8")
    lists = re.findall(r"^from viewer\.api\.\w+ import ROUTES as (\w+)$", launcher, re.MULTILINE)

    modules = (ROOT / "viewer" / "api").glob("*.py")

    assert len(lists) == sum("\nROUTES = [" in path.read_text(encoding="utf-8") for path in modules)
    assert all(f"*{name}" in launcher for name in lists)
    assert "middleware=[*MIDDLEWARE, " in launcher


def test_only_inline_scripts_get_a_hash() -> None:
    """A script with an address is covered by its origin; one without is named by its digest."""
    page = '<script src="a.js"></script><script>let a = 1;</script>'
    digest = b64encode(hashlib.sha256(b"let a = 1;").digest()).decode()

    assert inline_hashes(page) == [f"'sha256-{digest}'"]
    assert f"script-src 'self' blob: 'sha256-{digest}'" in content_security_policy(page)


def test_no_source_allows_other_origins() -> None:
    """No directive names a host, a scheme that reaches the network, or a wildcard."""
    policy = content_security_policy("")

    assert not any(word in policy for word in ("http:", "https:", "*", "unsafe-eval"))
