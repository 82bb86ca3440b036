"""An HTTP client that notes each request it sends in the exchange of the call: when, for how long, what came of it."""

import time
from contextlib import suppress
from typing import Any

from core.llm.endpoint import Endpoint, wait_of
from core.llm.exchange import Attempt, Exchange, NextTry, current
from core.llm.masking import mask_secrets

RATE_LIMITED = 429

MOST_ERROR = 2_000
"""Characters of an error response that are kept."""


def noting(client: type[Any], endpoint: Endpoint) -> type[Any]:
    """The HTTP client of an SDK as a class whose `send` notes what it sends. Retries of the SDK are attempts of their own."""

    class NotingClient(client):  # type: ignore[misc]
        def send(self, request: Any, **how: Any) -> Any:
            exchange = current()
            if exchange is None:
                return super().send(request, **how)
            at, begun = exchange.seconds, time.monotonic()
            exchange.url = f"{request.method} {address_of(request.url.path, endpoint)}"
            try:
                response = super().send(request, **how)
            except BaseException as error:
                _note(exchange, at, begun, None, _words(error), endpoint)
                exchange.on_next_try(None)
                raise
            _note(exchange, at, begun, response.status_code, _error_text(response), endpoint)
            exchange.on_next_try(_next_try(response, request, endpoint))
            return response

    return NotingClient


def _next_try(response: Any, request: Any, endpoint: Endpoint) -> NextTry | None:
    """What the SDK does after this response, if it was one too many requests and the SDK sends it again."""
    if response.status_code != RATE_LIMITED or response.headers.get("x-should-retry") == "false":
        return None
    sent = int(request.headers.get("x-stainless-retry-count", 0)) + 1
    if sent > endpoint.max_retries:
        return None
    return NextTry(wait_of(response.headers), sent + 1, endpoint.max_retries + 1)


def address_of(path: str, endpoint: Endpoint) -> str:
    """The address of a request as it may be shown: without user, with [key] for what may be a key in its path or its query."""
    for secret in endpoint.secrets:
        path = path.replace(secret, "[key]")
    query = "&".join(f"{name}=[key]" for name in endpoint.query)
    scheme = endpoint.base_url.partition(":")[0]
    return f"{scheme}://{endpoint.host}{path}" + (f"?{query}" if query else "")


def _note(exchange: Exchange, at: float, begun: float, status: int | None, error: str, endpoint: Endpoint) -> None:
    text = mask_secrets(error[: 10 * MOST_ERROR], endpoint)[:MOST_ERROR]  # masked first: a cut may leave half a key
    exchange.attempts.append(Attempt(round(at, 3), round(time.monotonic() - begun, 3), status, text))


def _words(error: BaseException) -> str:
    """What kept an answer from coming: an exception of the HTTP library in words, with its own text if it has one."""
    name = type(error).__name__
    what = next((words for part, words in _FAILURES if part in name), "the request failed")
    return f"{what}: {text}" if (text := str(error).strip()) not in ("", what) else what


_FAILURES = (
    ("ConnectTimeout", "no connection in time"),
    ("Timeout", "no answer in time"),
    ("Connect", "no connection"),
    ("Cancelled", "stopped"),
    ("Protocol", "the connection was lost"),
    ("ReadError", "the connection was lost"),
)


def _error_text(response: Any) -> str:
    """The text of an error response, which the SDK does not read where it tries again."""
    if response.status_code < 400:
        return ""
    with suppress(Exception):
        response.read()
        return str(response.text).strip()
    return ""
