"""Who may change something: a page of this server's own, and, where files or agents of this machine are meant, its user."""

from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import Request

from viewer.sources import LOOPBACK


class RefusedError(Exception):
    """A request that is not followed: why, what to do, and the status of the answer."""

    def __init__(self, why: str, hint: str, status: int = 400) -> None:
        super().__init__(why)
        self.hint, self.status = hint, status


def own_page(request: Request, hint: str) -> None:
    """Nothing, if the request is sent by a page of this server. Raises RefusedError for one from anywhere else."""
    origin = urlsplit(request.headers.get("origin", ""))
    if origin.netloc != request.headers.get("host"):
        raise RefusedError("not sent by foldline's own page", hint, 403)


def local() -> bool:
    """Whether the server runs for its own user only."""
    return st.get_option("server.address") in LOOPBACK
