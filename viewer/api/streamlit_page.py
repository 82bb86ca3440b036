"""Streamlit's page, with two scripts of our own.

The one before its scripts tells its client where the server is: it would ask for it at the page's own path first,
`/learn/_stcore/health`, and get two errors on each page but one. The other shows how a large transcript begins, while
Streamlit's scripts load.
"""

import re
from functools import cache
from pathlib import Path

import streamlit
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

STREAMLIT_FILES = Path(streamlit.__file__).parent / "static"
"""The page of Streamlit and what it loads."""

BASE = '<script>window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };</script>'
"""The folder of the page's address, as for its scripts: every page is one level below it."""

BEGINNING = """<script>
      if (/\\/(debug)?$/.test(location.pathname) && location.search.includes("source=")) {
        const answer = fetch(`api/beginning${location.search}`);
        import("./viewer-assets/joined.js").then((frontEnd) => frontEnd.paintBeginning(answer));
      }
    </script>"""
"""Shows the first messages of a large transcript. It asks for them while the front end loads, to be done sooner."""

_A_PAGE = re.compile(r"/\w*")  # no route of the app is at this level


class StreamlitPage:
    """ASGI middleware that answers GET of a page; all else goes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the page, or pass the request on."""
        wanted = scope["type"] == "http" and scope["method"] == "GET" and _A_PAGE.fullmatch(scope["path"])
        answer = HTMLResponse(page(), headers={"Cache-Control": "no-cache"}) if wanted and page() else self.app
        await answer(scope, receive, send)


@cache
def page() -> str:
    """Streamlit's page with our scripts; empty where it has no page."""
    index = STREAMLIT_FILES / "index.html"
    plain = index.read_text("utf-8") if index.exists() else ""
    return plain.replace("<script", f"{BASE}\n    <script", 1).replace("</body>", f"{BEGINNING}\n  </body>", 1)


PAGE = Middleware(StreamlitPage)
