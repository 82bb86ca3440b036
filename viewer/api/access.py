"""The token that the user of this server has: in the link that is printed, then in a cookie of the browser.

A browser sends a cookie to every port of a host. So a page of another server on this machine that the user opens could take it;
only a host of its own would prevent that.
"""

import hashlib
import hmac
import os
import secrets
from functools import cache
from urllib.parse import quote, urlsplit

import streamlit as st
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

LOOPBACK = ("127.0.0.1", "localhost", "::1")
WILDCARDS = ("", "0.0.0.0", "::")  # every address of the machine
TOKEN_VARIABLE = "FOLDLINE_TOKEN"
NO_TOKEN_VARIABLE = "FOLDLINE_NO_TOKEN"
PAGE_VARIABLE = "FOLDLINE_PAGE"


def local() -> bool:
    """Whether the server can be reached from this machine alone."""
    return _address() in LOOPBACK


def _address() -> str:
    return (st.get_option("server.address") or "").strip("[]")


def token() -> str:
    """What a browser must know: FOLDLINE_TOKEN, else one that is made when the server starts.

    "" where `--no-token` turned it off, which works only where no other machine reaches the server.
    """
    if os.environ.get(NO_TOKEN_VARIABLE) == "1" and local():
        return ""
    return os.environ.get(TOKEN_VARIABLE) or _made()


@cache
def _made() -> str:
    return secrets.token_urlsafe(24)


def is_token(given: str) -> bool:
    """Whether this is the token; takes as long for any other text of its length. Where it was turned off, nothing is."""
    return bool(token()) and hmac.compare_digest(_bytes(given), _bytes(token()))


def cookie(port: int) -> tuple[str, str]:
    """The name and value of the cookie that stands for the token.

    A browser gives a cookie to every port of a host, so that its name holds the port: two servers keep one each. The value
    does not tell the token. The port is that of the address in the browser, which may be forwarded.
    """
    return f"foldline-{port}", hashlib.sha256(_bytes(f"foldline {token()}")).hexdigest()


def is_cookie(port: int, cookies: dict[str, str]) -> bool:
    """Whether the cookie is among those of a request."""
    name, value = cookie(port)
    return hmac.compare_digest(_bytes(cookies.get(name, "")), _bytes(value))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # a variable may hold any bytes


def link() -> str:
    """The address to open: of the page that FOLDLINE_PAGE names, with the token, if there is one."""
    address = _address()
    host = "127.0.0.1" if address in WILDCARDS else f"[{address}]" if ":" in address else address
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    page = os.environ.get(PAGE_VARIABLE, "/" if token() else "")
    known = f"{'&' if '?' in page else '?'}token={quote(token(), safe='', errors='surrogateescape')}" if token() else ""
    return f"{scheme}://{host}:{st.get_option('server.port')}{page}{known}"


def is_known(host: str) -> bool:
    """Whether this Host is a name of the server: one of `server.allowedHosts`, or the address that it is bound to."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if is_host_allowed(host) and (st.get_option("server.allowedHosts") or name in LOOPBACK):
        return True  # where it has no list, Streamlit allows every name
    return name == _address() not in WILDCARDS
