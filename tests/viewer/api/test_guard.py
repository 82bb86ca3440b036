"""Who is answered: every route and the WebSocket, by Host, Origin and cookie."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from viewer.api import access, debugger, library, live, uploads
from viewer.api.security import MIDDLEWARE

PORT = 8501
OURS = f"http://127.0.0.1:{PORT}"
NAVIGATION = {"accept": "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.fixture(autouse=True)
def options(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The app's own options, and a token."""
    before = {name: st.get_option(name) for name in ("server.address", "server.allowedHosts")}
    st.config.set_option("server.address", "127.0.0.1")
    st.config.set_option("server.allowedHosts", ["localhost", "127.0.0.1", "::1"])
    monkeypatch.setenv("FOLDLINE_TOKEN", "open sesame")
    monkeypatch.delenv("FOLDLINE_NO_TOKEN", raising=False)
    yield
    for name, value in before.items():
        st.config.set_option(name, value)


async def echo(socket: WebSocket) -> None:
    """Accept, and say so."""
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


def client(cookie: bool = True) -> TestClient:
    """A tiny app behind the middleware, and a browser with the cookie or without."""
    routes = [
        Route("/{path:path}", lambda request: PlainTextResponse("hello"), methods=["GET", "POST"]),
        WebSocketRoute("/_stcore/stream", echo),
    ]
    made = TestClient(_at_home(Starlette(routes=routes, middleware=MIDDLEWARE)), base_url=OURS)
    return with_cookie(made) if cookie else made


def _at_home(app: Any) -> Any:
    """The app as if it listened on 127.0.0.1, which the test client does not say."""

    async def at_home(scope: Any, receive: Any, send: Any) -> None:
        await app(scope | {"server": ("127.0.0.1", PORT)}, receive, send)

    return at_home


def with_cookie(made: TestClient) -> TestClient:
    """The same browser after it has opened the link."""
    made.headers["cookie"] = "; ".join("=".join(access.cookie(port)) for port in (PORT, 9000))
    return made


def opens(asker: TestClient, **headers: str) -> bool:
    """Whether the WebSocket opens."""
    try:
        with asker.websocket_connect(f"ws://127.0.0.1:{PORT}/_stcore/stream", headers=headers) as socket:
            return socket.receive_text() == "hello"
    except WebSocketDisconnect:
        return False


HOSTS = [
    ("127.0.0.1:8501", True),
    ("localhost:8501", True),
    ("LOCALHOST:8501", True),
    ("[::1]:8501", True),
    ("127.0.0.1:9000", True),  # forwarded from another port
    ("evil.example", False),
    ("evil.example:8501", False),
    ("127.0.0.1.evil.example:8501", False),
    ("localhost@evil.example", False),
    ("localhost:x", False),
    ("", False),
]


@pytest.mark.parametrize(("host", "answered"), HOSTS)
def test_a_name_of_this_server_is_answered(host: str, answered: bool) -> None:
    """Any other name that leads here (DNS rebinding) gets nothing, on HTTP and WebSocket alike."""
    assert (client().get("/", headers={"host": host}).status_code == 200) == answered
    assert opens(client(), host=host) == answered


ORIGINS = [
    (OURS, True),
    ("http://127.0.0.1:8502", False),
    ("http://127.0.0.1", False),
    ("http://localhost:8501", False),
    ("https://127.0.0.1:8501", False),
    ("http://evil.example", False),
    ("http://evil.127.0.0.1:8501", False),
    ("http://127.0.0.1:8501.evil.example", False),
    (f"{OURS}/", False),
    ("null", False),
    ("", False),
]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(("origin", "answered"), ORIGINS)
def test_a_page_of_another_origin_is_refused(method: str, origin: str, answered: bool) -> None:
    """Scheme, host and port are compared, also where the browser sends the cookie along."""
    assert (client().request(method, "/", headers={"origin": origin}).status_code == 200) == answered
    assert opens(client(), origin=origin) == answered


def test_two_origins_are_none() -> None:
    """A header that stands twice is read as neither."""
    twice: Any = [("origin", OURS), ("origin", "http://evil.example"), ("cookie", "=".join(access.cookie(PORT)))]
    assert client(cookie=False).get("/", headers=twice).status_code == 403


def test_no_route_answers_a_stranger() -> None:
    """Without the cookie: no page, file, API or upload, whatever the method, and no WebSocket."""
    routes = [*debugger.ROUTES, *library.ROUTES, *live.ROUTES, *uploads.ROUTES]
    asked = TestClient(Starlette(routes=routes, middleware=MIDDLEWARE), base_url=OURS)
    paths = [re.sub(r"{[^}]*}", "0", route.path) for route in routes]
    assert len(paths) > 10
    for path in (*paths, "/", "/_stcore/health", "/viewer-assets/main.js"):
        for method in ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"):
            assert asked.request(method, path).status_code == 403, (method, path)
    assert not opens(client(cookie=False))


@pytest.mark.parametrize("wrong", ["", "open", "open sesame!", "öpen sesame", "x" * 5000])
def test_another_token_gives_no_cookie(wrong: str) -> None:
    """The answer is the page that says where the link is."""
    answer = client(cookie=False).get("/", params={"token": wrong}, headers=NAVIGATION, follow_redirects=False)
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    assert "Use the link in the terminal" in answer.text
    assert "127.0.0.1:8501/?token=…" in answer.text


def test_the_link_gives_a_cookie_and_leads_on_without_the_token() -> None:
    """HttpOnly, SameSite=Strict, named by the port; path and the rest of the query stay; no page holds the token."""
    query = "/live?source=path%3A%2Fa+b.json&token=open%20sesame&step=5&empty="
    answer = client(cookie=False).get(query, headers=NAVIGATION, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/live?source=path%3A%2Fa+b.json&step=5&empty="
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("foldline-8501=")
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert "sesame" not in cookie


def test_the_link_leads_to_no_other_server() -> None:
    """A path that begins with two slashes would name one."""
    answer = client(cookie=False).get(f"{OURS}//evil.example/?token=open+sesame", follow_redirects=False)
    assert answer.headers["location"] == "/evil.example/"


def test_a_browser_with_the_cookie_is_let_in_everywhere() -> None:
    """Pages, deep links and the WebSocket, as often as it asks."""
    browser = client()
    for path in ("/", "/?source=sample:x", "/live", "/api/find/x"):
        assert browser.get(path, headers=NAVIGATION).status_code == 200
    assert opens(browser)
    assert opens(browser, origin=OURS)


def test_a_cookie_of_another_server_is_none() -> None:
    """Of another port, or of a start before with another token."""
    other = client(cookie=False)
    other.headers["cookie"] = f"foldline-8502={access.cookie(PORT)[1]}; foldline-{PORT}=0"
    assert other.get("/").status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_link_on_another_page_leads_in(site: str) -> None:
    """The browser keeps the cookie back at first: the page loads itself again, which is a step of our own."""
    stranger = client(cookie=False)
    answer = stranger.get("/?step=5", headers=NAVIGATION | {"sec-fetch-site": site})
    assert (answer.status_code, 'http-equiv="refresh" content="0"' in answer.text) == (200, True)
    again = stranger.get("/?step=5", headers=NAVIGATION | {"sec-fetch-site": "same-origin"})
    assert (again.status_code, "refresh" in again.text) == (403, False)
    for other in ({"sec-fetch-dest": "iframe"}, {"sec-fetch-mode": "no-cors"}):
        assert stranger.get("/", headers=NAVIGATION | {"sec-fetch-site": site} | other).status_code == 403


def test_no_token_is_asked_for_where_it_is_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Host and origin still are; where other machines reach the server it cannot be turned off."""
    monkeypatch.setenv("FOLDLINE_NO_TOKEN", "1")
    stranger = client(cookie=False)
    assert stranger.get("/").status_code == 200
    assert opens(stranger)
    assert stranger.get("/", headers={"origin": "http://evil.example"}).status_code == 403
    assert stranger.get("/", headers={"host": "evil.example"}).status_code == 403
    assert access.link().endswith(":8501")
    for address in ("0.0.0.0", "192.168.1.5", "::", None):
        st.config.set_option("server.address", address)
        assert stranger.get("/").status_code == 403, address
    st.config.set_option("server.address", "127.0.0.1")
    monkeypatch.setenv("FOLDLINE_NO_TOKEN", "0")
    assert stranger.get("/").status_code == 403


@pytest.mark.parametrize(("reached", "answered"), [("127.0.0.1", 200), ("::1", 200), ("192.0.2.2", 403), ("", 403)])
def test_without_a_token_only_this_machine_is_answered(
    monkeypatch: pytest.MonkeyPatch, reached: str, answered: int
) -> None:
    """By the address that the request came in at: a server may listen elsewhere than its options say."""
    monkeypatch.setenv("FOLDLINE_NO_TOKEN", "1")
    app = Starlette(routes=[Route("/", lambda request: PlainTextResponse("hello"))], middleware=MIDDLEWARE)

    async def elsewhere(scope: Any, receive: Any, send: Any) -> None:
        await app(scope | {"server": (reached, PORT) if reached else None}, receive, send)

    assert TestClient(elsewhere, base_url=OURS).get("/").status_code == answered


def test_the_address_of_the_server_is_a_name_of_it() -> None:
    """Without a list of names only loopback names are, whatever Streamlit allows."""
    st.config.set_option("server.address", "192.168.1.5")
    assert access.is_known("192.168.1.5:8501")
    assert not access.is_known("192.168.1.6:8501")
    st.config.set_option("server.allowedHosts", [])
    assert [access.is_known(host) for host in ("localhost:8501", "evil.example")] == [True, False]


def test_a_page_of_another_site_loads_no_file() -> None:
    """A picture or a script sends no origin, but how it is asked for is known."""
    browser = client()
    for site in ("cross-site", "same-site"):
        headers = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
        assert browser.get("/api/live/x/news", headers=headers).status_code == 403
        assert browser.get("/", headers=NAVIGATION | {"sec-fetch-site": site}).status_code == 200
    assert browser.get("/", headers={"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}).status_code == 200


def test_without_a_variable_the_token_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long, and the same for as long as the server runs; an empty variable is none."""
    monkeypatch.setenv("FOLDLINE_TOKEN", "")
    made = access.token()
    assert len(made) >= 32
    assert access.token() == made
    assert access.link() == f"http://127.0.0.1:8501/?token={made}"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("127.0.0.1", "http://127.0.0.1:8501/?token=open%20sesame"),
        ("::1", "http://[::1]:8501/?token=open%20sesame"),
        ("0.0.0.0", "http://127.0.0.1:8501/?token=open%20sesame"),
        ("192.168.1.5", "http://192.168.1.5:8501/?token=open%20sesame"),
    ],
)
def test_the_link_names_where_the_server_listens(address: str, link: str) -> None:
    """And no name that could lead to another server."""
    st.config.set_option("server.address", address)
    assert access.link() == link
