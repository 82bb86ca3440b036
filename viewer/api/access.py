"""The token that the user of this server has: in the link that is printed, then in a cookie of the browser."""

import hashlib
import hmac
import os
import secrets
from functools import cache
from urllib.parse import quote

import streamlit as st

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_VARIABLE = "FOLDLINE_TOKEN"
NO_TOKEN_VARIABLE = "FOLDLINE_NO_TOKEN"


def local() -> bool:
    """Whether the server can be reached from this machine alone."""
    return st.get_option("server.address") in LOOPBACK


def token() -> str:
    """What a browser must know: FOLDLINE_TOKEN, else one that is made when the server starts.

    "" where `--no-token` turned it off, which works only where no other machine reaches the server.
    """
    if os.environ.get(NO_TOKEN_VARIABLE) and local():
        return ""
    return os.environ.get(TOKEN_VARIABLE) or _made()


@cache
def _made() -> str:
    return secrets.token_urlsafe(24)


def is_token(given: str) -> bool:
    """Whether this is the token; takes as long for any other text of its length."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token().encode("utf-8", "replace"))


def cookie(port: int) -> tuple[str, str]:
    """The name and value of the cookie that stands for the token.

    A browser gives a cookie to every port of a host, so that its name holds the port: two servers keep one each. The value
    does not tell the token.
    """
    return f"foldline-{port}", hashlib.sha256(f"foldline {token()}".encode("utf-8", "replace")).hexdigest()


def is_cookie(port: int, cookies: dict[str, str]) -> bool:
    """Whether the cookie is among those of a request."""
    name, value = cookie(port)
    return hmac.compare_digest(cookies.get(name, "").encode("utf-8", "replace"), value.encode())


def link() -> str:
    """The address to open: with the token, if there is one."""
    address = st.get_option("server.address") or ""
    host = f"[{address}]" if ":" in address.strip("[]") else address if local() else "localhost"
    query = f"/?token={quote(token(), safe='')}" if token() else ""
    return f"http://{host}:{st.get_option('server.port')}{query}"
