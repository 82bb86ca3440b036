"""The routes of the joined front end. A browser asks for two files in the time of two."""

import gzip
import hashlib
from functools import lru_cache
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viewer.wire.joining import FRONTEND, joined, joined_sheets

FIRST = "main.js"
"""The module that the page imports; the joined one exports what it does."""


class Joined(NamedTuple):
    """A joined text, packed once: Streamlit would pack it for each page anew, while everything else waits."""

    text: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, text: str) -> "Joined":
        """The text with its gzip form and a name for what it says."""
        plain = text.encode()
        return cls(plain, gzip.compress(plain, 6, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:16]}"')


def modules(request: Request) -> Response:
    """All modules."""
    return _answer(request, _joined_modules(_newest(".js")), "text/javascript")


def sheets(request: Request) -> Response:
    """All style sheets."""
    return _answer(request, _joined_sheets(_newest(".css")), "text/css")


def _newest(ending: str) -> int:
    """When the last of the files was written, so that a change shows without a restart."""
    return max(path.stat().st_mtime_ns for path in FRONTEND.rglob(f"*{ending}"))


@lru_cache(1)
def _joined_modules(_written: int) -> Joined:
    return Joined.of(joined(FRONTEND / FIRST))


@lru_cache(1)
def _joined_sheets(_written: int) -> Joined:
    return Joined.of(joined_sheets())


def _answer(request: Request, found: Joined, media_type: str) -> Response:
    """The text, or that the browser has it. https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/ETag"""
    headers = {"ETag": found.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(found.text, headers=headers, media_type=media_type)
    return Response(found.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=media_type)


ROUTES = [Route("/viewer-assets/joined.js", modules), Route("/viewer-assets/joined.css", sheets)]
