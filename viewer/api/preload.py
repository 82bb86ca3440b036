"""Starts early what the first page needs: its modules while Streamlit's load, its session while the browser loads the page."""

import re
import sys
import threading

from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from viewer.api.access import local
from viewer.api.security import AddHeaders
from viewer.api.streamlit_page import STREAMLIT_FILES
from viewer.sessions.garbage import keep_collections_short

STREAMLIT = STREAMLIT_FILES / "static" / "js"

WIDGETS = ("BidiComponent", "Html", "PageLink", "ButtonGroup", "Selectbox")
"""What Streamlit loads only once the page asks for it, which each page here does."""

SWITCH = 0.0005
"""Seconds that a thread works before another may. Python's own 5 ms would delay each file of a page while a session is read."""

_IMPORT = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')


def links() -> str:
    """The Link header that names the page's own module and style sheet, and the modules of Streamlit that it loads late.

    https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Link
    """
    return ", ".join(
        (
            *(f"<static/js/{name}>; rel=modulepreload; fetchpriority=low" for name in widget_modules()),
            "<viewer-assets/joined.js>; rel=modulepreload; fetchpriority=low",
            "<viewer-assets/joined.css>; rel=preload; as=fetch; crossorigin",
        )
    )


def widget_modules() -> list[str]:
    """The modules of Streamlit's WIDGETS, with all that they import and its page does not name; none where it has others."""
    page = STREAMLIT_FILES / "index.html"
    known = set(re.findall(r"static/js/([\w.-]+\.js)", page.read_text("utf-8"))) if page.exists() else set()
    found: dict[str, None] = {}
    waiting = [path.name for name in WIDGETS for path in STREAMLIT.glob(f"{name}.*.js")]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in known:
            found[name] = None
            waiting += _IMPORT.findall((STREAMLIT / name).read_text("utf-8"))
    return list(found)


class ReadAhead:
    """ASGI middleware: the session that the address of a page names is read from its first request on, in a thread."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        sys.setswitchinterval(SWITCH)
        keep_collections_short()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, after the reading has begun."""
        if scope["type"] == "http" and scope["path"] in ("/", "/debug") and b"source=" in scope["query_string"]:
            _open(dict(HTTPConnection(scope).query_params), local())
        await self.app(scope, receive, send)


MODULES = Middleware(AddHeaders, {"Link": links()}, "text/html")  # fetched along with the page itself
READ_AHEAD = Middleware(ReadAhead)


def read_ahead() -> None:
    """Open and count the first session, and read the policies, in a thread. The page itself reports errors."""
    threading.Thread(target=_read_first, daemon=True).start()


def _read_first() -> None:
    from viewer.sessions.sources import first_source
    from viewer.wire.catalogue import catalogue

    _open({"source": str(first_source())}, True)
    catalogue()  # reads every policy and draws its rule: a third of a second


def _open(asked: dict[str, str], here: bool) -> None:
    """Begin to open and count what an address names, as the page will. The page itself reports errors."""
    from viewer.sessions.opening import opening
    from viewer.sessions.sources import Source

    source = Source.parse(asked.get("source", ""))
    if source is not None:
        opening(source, here, *(asked.get(name, "") for name in ("session", "lane", "meter")), again=True)
