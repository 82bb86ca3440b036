"""Streamlit's own scripts, styles and fonts, answered from memory: a page asks for some ninety at once.

Streamlit reads each in pieces of 64 KB, every piece in a thread of its own; that takes most of the time until a page is there.
Their names hold a digest of what they hold, so that neither browser nor server need look at one twice.
"""

from functools import cache
from mimetypes import guess_type
from pathlib import Path

from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from viewer.api.streamlit_page import STREAMLIT_FILES

FOLDER = STREAMLIT_FILES / "static"
AGE = 31_536_000
"""Seconds that a browser keeps a file, as Streamlit has it: a year."""


class StreamlitFiles:
    """ASGI middleware that answers GET of a file of Streamlit's; all else goes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the file, or pass the request on."""
        wanted = scope["type"] == "http" and scope["method"] == "GET"
        path = files().get(scope["path"]) if wanted else None
        await (_answer(path) if path else self.app)(scope, receive, send)


@cache
def files() -> dict[str, Path]:
    """Every such file by its path in an address. What is not among them is Streamlit's to answer."""
    return {f"/static/{path.relative_to(FOLDER).as_posix()}": path for path in FOLDER.rglob("*.*") if path.is_file()}


def _answer(path: Path) -> Response:
    headers = {"Cache-Control": f"public, immutable, max-age={AGE}"}
    return Response(_content(path), headers=headers, media_type=guess_type(path.name)[0])


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


STREAMLIT = Middleware(StreamlitFiles)
