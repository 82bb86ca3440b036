"""The headers of every response: transcripts and the network may be hostile.

The Content-Security-Policy lets the page load only from its own origin: an image, a font or a script that a transcript names
is never fetched. The inline scripts of the page, Streamlit's and ours, are allowed by their hashes.
https://developer.mozilla.org/docs/Web/HTTP/Headers/Content-Security-Policy
"""

import base64
import hashlib
import re
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viewer.api.guard import Guard
from viewer.api.streamlit_page import page

_INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)


def inline_hashes(page: str) -> list[str]:
    """The CSP sources that allow exactly the inline scripts of a page."""
    digests = (hashlib.sha256(script.encode()).digest() for script in _INLINE.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def content_security_policy(page: str) -> str:
    """The policy for an app with this page: its own origin, and the inline scripts of the page."""
    return "; ".join(
        (
            "default-src 'self'",
            " ".join(("script-src 'self' blob:", *inline_hashes(page))),
            "style-src 'self' 'unsafe-inline' blob:",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def headers() -> dict[str, str]:
    """The headers every response carries."""
    return {
        "Content-Security-Policy": content_security_policy(page()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


class AddHeaders:
    """ASGI middleware that puts headers on HTTP responses: all of them, or those of one kind of content."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str], content_type: str = "") -> None:
        self.app, self.headers, self.content_type = app, headers, content_type

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers added."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith(self.content_type):
                    headers.update(self.headers)
            await send(message)

        await self.app(scope, receive, add if scope["type"] == "http" else send)


MIDDLEWARE = [
    Middleware(AddHeaders, headers()),
    Middleware(Guard),
]
