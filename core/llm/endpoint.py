"""Where a model is reached: address, key, patience. Keys come from the caller or the environment, and stay in memory.

A key that the environment holds is sent only to the provider's own address, or to the one the environment names beside it:
never to an address that somebody typed. There a key must be typed too; a server that needs none gets a placeholder.
"""

import os
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from core.errors import ModelError
from core.llm.provider import Provider
from core.llm.watched import refuse_if_stopped

PLACEHOLDER = "none"
"""Sent in place of a key to servers that want none: the SDKs refuse to send nothing."""

TIMEOUT, CONNECT = 300.0, 10.0
"""Seconds to wait for the next piece of a reply, and for a connection."""

PATIENCE = 30.0
"""The longest wait, in seconds, that a server may ask for before a retry; where it asks for more, the error is told at once."""

_SECRET = re.compile(r"(?i)key|token|secret|sig|pass|auth|cred")


@dataclass(frozen=True)
class Line:
    """A model at an address. `key` is never shown, and of the address only the host: it may hold a password, or a key.

    `key_variable` is the environment variable the key came from, if any.
    """

    provider: Provider
    model: str
    base_url: str
    key: str = field(repr=False)
    key_variable: str = ""
    timeout: float = TIMEOUT
    max_retries: int = 2

    def __repr__(self) -> str:
        return f"Line({self.provider.name!r}, {self.model!r}, {self.host!r})"

    @property
    def address(self) -> str:
        """The base URL up to its path, without a slash at the end: the SDKs put the path of a request right behind it."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))

    @property
    def query(self) -> dict[str, str]:
        """What the base URL asks to have in the query of every request; of a name that is there twice, the last."""
        return dict(parse_qsl(urlsplit(self.base_url).query, keep_blank_values=True))

    @property
    def secrets(self) -> list[str]:
        """What no message may repeat: the key, the address's password, and what its query holds that is named as a secret."""
        query = [value for name, value in self.query.items() if _SECRET.search(name)]
        found = [self.key, urlsplit(self.base_url).password or "", *query]
        return sorted((one for one in found if len(one) > len(PLACEHOLDER)), key=len, reverse=True)

    @property
    def host(self) -> str:
        """Host and port, as an error names them: without user, password and path."""
        return host_of(self.base_url)

    @property
    def is_own(self) -> bool:
        """Whether it is the provider's own address, and not another that speaks its language."""
        return bool(self.provider.base_url) and host_of(self.provider.base_url) == self.host

    def client(self, sdk: Any, kind: str) -> Any:
        """A client of an SDK (`sdk.<kind>`): its own retries with backoff, our patience."""
        return getattr(sdk, kind)(
            api_key=self.key,
            base_url=self.address,
            default_query=self.query or None,
            max_retries=self.max_retries,
            timeout=sdk.Timeout(self.timeout, connect=min(CONNECT, self.timeout)),
            http_client=sdk.DefaultHttpxClient(event_hooks={"request": [refuse_if_stopped], "response": [_impatient]}),
        )


def _impatient(response: Any) -> None:
    """Tell the SDK not to retry where the server asks for a longer wait than anybody would sit through."""
    if wait_of(response.headers) > PATIENCE:
        response.headers["x-should-retry"] = "false"


def wait_of(headers: Any) -> float:
    """Seconds that a server asks to wait before the next request; 0 where it does not say."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers.get(name)) / unit)
        except (TypeError, ValueError):
            continue
    return 0.0


def line_to(provider: Provider, model: str, key: str, base_url: str, timeout: float, max_retries: int) -> Line:
    """The line to a model; "" takes what the environment says, else the provider's default.

    Raises ModelError: `no_key` naming the variable, `bad_request` where there is no model or the address is none.
    """
    told = _set(provider.base_url_variables)[1]
    address = (base_url.strip() or told or provider.base_url).rstrip("/")
    if not _is_address(address):
        raise ModelError("bad_request", f"the base URL of {provider.label} is no http(s) address", _WANTED)
    if not model.strip():
        raise ModelError("bad_request", f"no model named for {provider.label}", "type the name the server knows it by")
    variable, found = ("", key.strip()) if key.strip() else _set(provider.key_variables)
    if variable and _origin(address) not in {_origin(one) for one in (told, provider.base_url) if one}:
        variable, found = "", ""
    if not _could_be_a_key(found):
        raise ModelError("no_key", f"the key for {provider.label} holds a space or a sign that no key has", _AGAIN)
    line = Line(provider, model.strip(), address, found or PLACEHOLDER, variable, timeout, max_retries)
    if not found and provider.needs_key and line.is_own:
        raise ModelError("no_key", f"no key for {provider.label}", _where_keys_go(provider))
    return line


_AGAIN = "copy it again, in one piece and without quotes around it"
_WANTED = "it looks like http://localhost:11434/v1"


def _set(variables: tuple[str, ...]) -> tuple[str, str]:
    """The first of the environment variables that is set, and what it holds."""
    return next(((name, os.environ[name].strip()) for name in variables if os.environ.get(name, "").strip()), ("", ""))


def _where_keys_go(provider: Provider) -> str:
    return f"set {' or '.join(provider.key_variables)} in the environment, or type it into the key field"


def _origin(url: str) -> tuple[str, str]:
    return url.partition(":")[0].lower(), host_of(url)


def _could_be_a_key(text: str) -> bool:
    """Whether it can stand in a header: what cannot would be repeated by an error far from here."""
    return text.isascii() and text.isprintable() and not set(text) & set(" \"'")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def host_of(url: str) -> str:
    """Host and port of an address, as `localhost:11434`; "" where it is none. A user and a password are left out."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return f"{parts.hostname}:{port}" if parts.hostname else ""
    except ValueError:
        return ""
