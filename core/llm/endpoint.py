"""Where a model is reached: address, key, timeouts. Keys come from the caller or the environment, and stay in memory.

A key from the environment is sent only to the provider's own address, or to the address that the environment names, never to
a typed address. There the key must be typed too; a server that needs none gets a placeholder.
"""

import os
import re
from dataclasses import dataclass, field
from email.utils import mktime_tz, parsedate_tz
from time import time
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from core.llm.provider import Provider
from core.llm.watched import refuse_if_stopped
from core.model.errors import ModelError

PLACEHOLDER = "none"
"""Sent as the key to servers that need none: the SDKs refuse to send nothing."""

TIMEOUT, CONNECT = 300.0, 10.0
"""Seconds to wait for the next piece of a reply, and for a connection."""

PATIENCE = 30.0
"""The longest wait in seconds that a server may ask for before a retry. If it asks for more, the error is raised at once."""

_SECRET = re.compile(r"(?i)key|token|secret|sig|pass|auth|cred|code")


@dataclass(frozen=True)
class Endpoint:
    """A model at an address. Its `repr` holds no key, and only the host of the address, which may hold a password.

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
        return f"Endpoint({self.provider.name!r}, {self.model!r}, {self.host!r})"

    @property
    def address(self) -> str:
        """The base URL up to its path, without a slash at the end: the SDKs append the path of a request."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))

    @property
    def query(self) -> dict[str, str]:
        """The query of the base URL, for every request; of a repeated name, the last value."""
        return dict(parse_qsl(urlsplit(self.base_url).query, keep_blank_values=True))

    @property
    def secrets(self) -> list[str]:
        """What no error may repeat: the key, and of the address its password, values of its query and parts of its path."""
        query = [value for name, value in self.query.items() if _SECRET.search(name)]
        parts = urlsplit(self.base_url)
        found = [self.key, parts.username or "", parts.password or "", *query, *_unusual(parts.path)]
        return sorted((one for one in found if len(one) > len(PLACEHOLDER)), key=len, reverse=True)

    @property
    def host(self) -> str:
        """Host and port, without user, password and path."""
        return host_of(self.base_url)

    @property
    def is_own(self) -> bool:
        """Whether it is the provider's own address, and not that of a compatible server."""
        return bool(self.provider.base_url) and host_of(self.provider.base_url) == self.host

    def client(self, sdk: Any, kind: str, http_client: type[Any]) -> Any:
        """A client of an SDK (`sdk.<kind>`) over this HTTP client, with its retries and our timeouts."""
        return getattr(sdk, kind)(
            api_key=self.key,
            base_url=self.address,
            default_query=self.query or None,
            max_retries=self.max_retries,
            timeout=sdk.Timeout(self.timeout, connect=min(CONNECT, self.timeout)),
            http_client=http_client(event_hooks={"request": [refuse_if_stopped], "response": [_refuse_long_waits]}),
        )


def without_secrets(url: str) -> str:
    """An address without user, password and query; without its path, too, where part of it may be a key.

    A path that is kept is made of words that many APIs use, such as `/openai/v1`. A run that is reopened with less than the
    whole address needs that again.
    """
    parts = urlsplit(url)
    path = "" if _unusual(parts.path) else parts.path
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], path, "", "")) if url else ""


def _unusual(path: str) -> list[str]:
    """The parts of a base URL's path that are no words of common APIs: some servers take a key there."""
    return [part for part in path.split("/") if not _USUAL.fullmatch(part)]


_USUAL = re.compile(
    r"(v\d{1,2}((alpha|beta)\d?)?|api|openai|anthropic|chat|compatible-mode|inference|llm|models|paas|proxy|serving-endpoints)?"
)


def _refuse_long_waits(response: Any) -> None:
    """Tell the SDK not to retry where the server asks for a longer wait than PATIENCE."""
    if wait_of(response.headers) > PATIENCE:
        response.headers["x-should-retry"] = "false"


def wait_of(headers: Any) -> float:
    """The seconds a server asks to wait before the next request, as the SDKs read it; 0 if it asks for none."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return max(0.0, float(headers.get(name)) / unit)
        except (TypeError, ValueError):
            continue
    return max(0.0, _until(headers.get("retry-after")))


def _until(date: str | None) -> float:
    """The seconds from now until an HTTP date; 0 for what is none."""
    try:
        parts = parsedate_tz(date)
        return mktime_tz(parts) - time() if parts else 0.0
    except (ValueError, OverflowError, OSError):
        return 0.0


def endpoint_for(provider: Provider, model: str, key: str, base_url: str, timeout: float, max_retries: int) -> Endpoint:
    """The endpoint of a model; "" is what the environment says, or the provider's default.

    Raises ModelError: `no_key`, which names the variable, or `bad_request` for a missing model or an invalid address.
    """
    from_environment = _first_set(provider.base_url_variables)[1]
    address = (base_url.strip() or from_environment or provider.base_url).rstrip("/")
    if not _is_address(address):
        raise ModelError("bad_request", f"the base URL of {provider.label} is not an http(s) address", _URL_HINT)
    if not model.strip():
        raise ModelError("bad_request", f"no model given for {provider.label}", "type the name that the server uses")
    variable, found = ("", key.strip()) if key.strip() else _first_set(provider.key_variables)
    if variable and _origin(address) not in {_origin(one) for one in (from_environment, provider.base_url) if one}:
        variable, found = "", ""
    if not _may_be_key(found):
        raise ModelError(
            "no_key", f"the key for {provider.label} contains a space or another invalid character", _KEY_HINT
        )
    endpoint = Endpoint(provider, model.strip(), address, found or PLACEHOLDER, variable, timeout, max_retries)
    if not found and provider.needs_key and endpoint.is_own:
        where = f"set {' or '.join(provider.key_variables)} in the environment, or type it into the key field"
        raise ModelError("no_key", f"no key for {provider.label}", where)
    return endpoint


_KEY_HINT = "copy it again, in one piece and without quotes"
_URL_HINT = "it looks like http://localhost:11434/v1"


def _first_set(variables: tuple[str, ...]) -> tuple[str, str]:
    """The first of these environment variables that is set, and its value."""
    return next(((name, os.environ[name].strip()) for name in variables if os.environ.get(name, "").strip()), ("", ""))


def _origin(url: str) -> tuple[str, str]:
    return url.partition(":")[0].lower(), host_of(url)


def _may_be_key(text: str) -> bool:
    """Whether a text can be sent in a header: an error of the SDK would repeat one that cannot."""
    return text.isascii() and text.isprintable() and not set(text) & set(" \"'")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def host_of(url: str) -> str:
    """Host and port of an address, as `localhost:11434`, without user and password; "" for an invalid address."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return f"{parts.hostname}:{port}" if parts.hostname else ""
    except ValueError:
        return ""
