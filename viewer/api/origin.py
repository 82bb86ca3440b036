"""Who may use a route: only a page of this server, and for files and agents of this machine only its own user."""

from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import Request

from viewer.sessions.sources import LOOPBACK


class RefusedError(Exception):
    """A request that is refused: the reason, a hint, and the status of the answer."""

    def __init__(self, why: str, hint: str, status: int = 400) -> None:
        super().__init__(why)
        self.hint, self.status = hint, status


def own_page(request: Request, hint: str) -> None:
    """Raises RefusedError unless a page of this server sent the request."""
    origin = urlsplit(request.headers.get("origin", ""))
    if origin.netloc != request.headers.get("host"):
        raise RefusedError("the request was not sent by a page of this foldline", hint, 403)


def local() -> bool:
    """Whether the server runs for its own user only."""
    return st.get_option("server.address") in LOOPBACK
