"""Lets a request through that names this server, comes from its own pages or from none, and has the cookie of its user.

One ASGI layer in front of everything: pages, static files, uploads, the API, Streamlit's routes and its WebSocket. What is
refused here is not seen by Streamlit, which compares less (and asks the network for its own address when an origin is strange).

A browser that opens the link gets a cookie (HttpOnly, SameSite=Strict) and is sent on to the same address without the token.
Such a cookie is not sent when a page of another site leads here. That page view is answered with a page that loads itself
again, which a browser counts as a step of our own: https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site
"""

from html import escape
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from viewer.api.access import cookie, is_cookie, is_known, is_token, token
from viewer.api.answers import as_json

SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>foldline</title>
<style>
  :root {{ color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }}
  body {{ max-width: 38rem; margin: 18vh auto 0; padding: 0 1.5rem; }}
  h1 {{ font-size: 1.4rem; }}
  code {{ font: 0.95em ui-monospace, monospace; }}
  .more {{ opacity: 0.75; }}
</style>
<h1>{title}</h1>
{body}
"""
NO_TOKEN = """<p>Only the user who started foldline can open it. Use the link in the terminal where foldline runs. It looks
like this:</p>
<p><code>{address}/?token=…</code></p>
<p class="more">Each start makes a new token, unless <code>FOLDLINE_TOKEN</code> sets one; then older links and open tabs stop
working.</p>
"""
AGAIN = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0"><title>foldline</title>'


class Guard:
    """ASGI middleware that answers 403 itself where a request may not go on; a WebSocket is refused before it opens."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it."""
        answer = _answer(HTTPConnection(scope)) if scope["type"] in ("http", "websocket") else None
        if answer is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008, "only pages of this server may connect to it")(scope, receive, send)
        else:
            await answer(scope, receive, send)


def _answer(request: HTTPConnection) -> Response | None:
    """The answer to a request that does not go on; None for one that does."""
    host, origins = request.headers.get("host", ""), request.headers.getlist("origin")
    if len(request.headers.getlist("host")) != 1 or not is_known(host):
        return _refused(request, "Unknown host", "foldline does not answer to this host name")
    if origins and origins != [f"{SCHEMES[request.scope['scheme']]}://{host}"]:
        return _refused(request, "Another site", "only pages of this server may send requests to it")
    if _from_elsewhere(request) and not _is_navigation(request):
        return _refused(request, "Another site", "only pages of this server may load its files")
    if not token():
        return (
            None
            if _is_local(request)
            else _refused(request, "Another machine", "without a token, only this machine may connect")
        )
    if request.scope.get("method") == "GET" and is_token(request.query_params.get("token", "")):
        return _let_in(request)
    if is_cookie(_port(request), request.cookies):
        return None
    if _from_elsewhere(request):  # a navigation
        return HTMLResponse(AGAIN, headers={"Cache-Control": "no-store"})
    body = NO_TOKEN.format(address=escape(f"{request.url.scheme}://{host}"))
    return _refused(request, "This page needs its link", "open the link that foldline printed in its terminal", body)


def _port(request: HTTPConnection) -> int:
    """The port in the browser's address bar."""
    return request.url.port or (443 if SCHEMES[request.scope["scheme"]] == "https" else 80)


def _is_local(request: HTTPConnection) -> bool:
    """Whether the request came in at a loopback address, whatever the options say."""
    try:
        return ip_address((request.scope.get("server") or ("",))[0]).is_loopback
    except ValueError:
        return False


def _let_in(request: HTTPConnection) -> Response:
    """Give the cookie, and lead to the same address without the token."""
    rest = [(name, value) for name, value in parse_qsl(request.url.query, keep_blank_values=True) if name != "token"]
    path = "/" + request.url.path.lstrip("/")  # never //host, which is another server
    answer = RedirectResponse(f"{path}?{urlencode(rest)}" if rest else path, 303, {"Cache-Control": "no-store"})
    name, value = cookie(_port(request))
    answer.set_cookie(name, value, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return answer


def _from_elsewhere(request: HTTPConnection) -> bool:
    """Whether a page of another site, or of another port, made the browser ask."""
    return request.headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _is_navigation(request: HTTPConnection) -> bool:
    """Whether the answer is to be the page of a tab."""
    headers = request.headers
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _refused(request: HTTPConnection, title: str, why: str, body: str = "") -> Response:
    """403: a page for a person, JSON for a program."""
    if "text/html" not in request.headers.get("accept", ""):
        return as_json({"error": why}, 403)
    page = PAGE.format(title=title, body=body or f"<p>{escape(why.capitalize())}.</p>")
    return HTMLResponse(page, 403, {"Cache-Control": "no-store"})
