"""Translates what an SDK raises into a ModelError: a kind, a sentence and a way out, without any key.

The kind comes from the status, the codes and the texts of the two providers and of compatible servers (vLLM, llama.cpp,
Ollama, LM Studio, LiteLLM), as they were when `CHECKED`:
https://platform.claude.com/docs/en/api/errors
https://developers.openai.com/api/docs/guides/error-codes
"""

import re
from typing import Any

from core.llm.endpoint import PLACEHOLDER, Endpoint, wait_of
from core.llm.masking import mask_secrets
from core.model.errors import ModelError, ModelErrorKind, format_error

CHECKED = "2026-11-20"
LONGEST = 400
"""Characters of a provider's own text that are quoted."""

_STATUS: dict[int, ModelErrorKind] = {
    401: "auth",
    402: "auth",
    403: "auth",
    404: "not_found",
    408: "timeout",
    413: "context_too_long",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_PLAIN = (401, 403, 429, 503, 529)
"""Statuses that decide the kind alone, whatever the code."""

_KINDS: dict[ModelErrorKind, str] = {
    "context_too_long": "context_length_exceeded exceed_context_size_error request_too_large ContextWindowExceededError",
    "auth": "authentication_error permission_error billing_error invalid_api_key",
    "not_found": "not_found_error model_not_found",
    "rate_limit": "rate_limit_error rate_limit_exceeded insufficient_quota",
    "overloaded": "overloaded_error server_is_overloaded slow_down",
    "timeout": "timeout_error",
    "server": "api_error server_error",
    "refused": "content_filter content_policy_violation invalid_prompt",
}
_CODES = {code: kind for kind, codes in _KINDS.items() for code in codes.split()}
_TOO_LONG = re.compile(
    r"prompt is too long|context (length|window|size)|exceed(s|ed)? (the )?context|maximum (context|model|prompt) length"
    r"|input tokens exceed|exceeds the maximum number of tokens|reduce the length of the (messages|prompt)",
    re.IGNORECASE,
)
_HINTS: dict[ModelErrorKind, str] = {
    "rate_limit": "wait, then try again; the SDK has tried again already",
    "overloaded": "wait a little, then try again; the SDK has tried again already",
    "server": "the server has a problem: try again",
    "timeout": "try again, or allow more time",
    "context_too_long": "compact now, or give the policy a smaller budget",
    "refused": "change the request, or choose another model",
    "bad_request": "look at the request in step mode, before it is sent",
}


_BROKEN = ("RemoteProtocolError", "ReadError")
"""The exceptions of a stream that breaks off before its first event."""


def failure(error: Exception, endpoint: Endpoint, received: int | None = None) -> ModelError:
    """The error for what a call raised. `received` is how many characters of text had arrived, None before any reply."""
    if isinstance(error, ModelError):
        return error
    name = type(error).__name__
    if getattr(error, "body", None) is not None or hasattr(error, "status_code"):
        return _refused(error, endpoint)
    if "Timeout" in name:
        return _timeout(endpoint, received)
    if received is not None or name in _BROKEN:
        return cut_off(endpoint, received or 0)
    if "Connect" in name:
        return _network(error, endpoint)
    return bad_reply(endpoint, format_error(error))


def cut_off(endpoint: Endpoint, received: int) -> ModelError:
    """The error for a stream that ended before the reply did."""
    got = f"{received:,} characters of text had arrived" if received else "no text had arrived"
    return ModelError("cut_off", f"the reply of {endpoint.model} was interrupted", f"{got}; try again")


def bad_reply(endpoint: Endpoint, what: str) -> ModelError:
    """The error for a reply that cannot be read."""
    hint = f"is {endpoint.host} a server for {endpoint.provider.label}? The base URL says where requests go"
    return ModelError(
        "bad_reply", f"{endpoint.host} sent a reply that cannot be read: {_short(mask_secrets(what, endpoint))}", hint
    )


def refused(endpoint: Endpoint, reason: str, text: str = "") -> ModelError:
    """The error for a refusal; `reason` is the model's own, `text` what it had written before."""
    why = f": {_short(mask_secrets(reason or text, endpoint))}" if reason or text else ""
    return ModelError("refused", f"{endpoint.model} refused{why}", _HINTS["refused"])


def coded(endpoint: Endpoint, code: str, message: str) -> ModelError:
    """The error for an error that came in place of a reply, with the provider's code and message."""
    kind = _CODES.get(code, "context_too_long" if _TOO_LONG.search(message) else "server")
    return ModelError(kind, f"{endpoint.host}: {_short(mask_secrets(message or code, endpoint))}", _HINTS.get(kind, ""))


def _refused(error: Any, endpoint: Endpoint) -> ModelError:
    """The error for an error response, or for an error in the middle of a stream."""
    inner = _inner(getattr(error, "body", None))
    codes = [str(inner[k]) for k in ("code", "type") if inner.get(k)]
    message = _short(mask_secrets(_text(inner, error), endpoint))
    kind = _kind(getattr(error, "status_code", 0), codes, message)
    return ModelError(kind, _sentence(kind, endpoint, message), _hint(kind, codes, error, endpoint))


def _inner(body: Any) -> dict[str, Any]:
    """The error object of a body, which one SDK has unwrapped already."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    return inner if isinstance(inner, dict) else {"message": inner} if isinstance(inner, str) else {}


def _text(inner: dict[str, Any], error: Exception) -> str:
    """The server's message, with the sizes that llama.cpp sends in fields of their own."""
    message = next((inner[k] for k in ("message", "detail") if isinstance(inner.get(k), str) and inner[k].strip()), "")
    sizes = (inner.get("n_prompt_tokens"), inner.get("n_ctx"))
    fit = f" ({sizes[0]} tokens, {sizes[1]} fit)" if all(isinstance(size, int) for size in sizes) else ""
    return (message or str(error)) + fit


def _kind(status: int, codes: list[str], message: str) -> ModelErrorKind:
    """The kind by the code if it is known, else by the text, then by the status."""
    if status in _PLAIN:
        return _STATUS[status]
    if known := next((_CODES[code] for code in codes if code in _CODES), None):
        return known
    if status in (0, 200, 400, 413, 422, 500) and _TOO_LONG.search(message):
        return "context_too_long"
    return _STATUS.get(status, "server" if status >= 500 or status in (0, 200) else "bad_request")


def _sentence(kind: ModelErrorKind, endpoint: Endpoint, message: str) -> str:
    starts: dict[ModelErrorKind, str] = {
        "auth": f"{endpoint.host} does not accept the key",
        "not_found": f"{endpoint.host} does not know {endpoint.model!r}, or has nothing at this address",
        "rate_limit": f"{endpoint.host} accepts no more requests at the moment",
        "overloaded": f"{endpoint.host} is overloaded",
        "context_too_long": f"the window is too long for {endpoint.model}",
        "refused": f"{endpoint.host} refused to answer",
        "timeout": f"{endpoint.host} took too long",
        "server": f"{endpoint.host} failed",
    }
    return f"{starts.get(kind, f'{endpoint.host} does not accept the request')}: {message}"


def _hint(kind: ModelErrorKind, codes: list[str], error: Any, endpoint: Endpoint) -> str:
    wait = wait_of(error.response.headers) if hasattr(error, "response") else 0
    if "insufficient_quota" in codes:
        return "the account has no credit left: add some, or use another key"
    if kind == "rate_limit" and wait:
        return f"wait {wait:.0f} seconds, as the server asks, then try again"
    if kind == "auth":
        return _key_hint(endpoint)
    if kind == "not_found":
        return "check the model's name and the base URL" + ("" if endpoint.is_own else ": it often ends in /v1")
    return _HINTS.get(kind, "")


def _key_hint(endpoint: Endpoint) -> str:
    if endpoint.key_variable:
        return f"the key came from {endpoint.key_variable}: check it, or type another key"
    if endpoint.key == PLACEHOLDER:
        return "no key was sent: keys from the environment go only to the provider's own address; type one for this address"
    return "check the typed key, and that its account may use this model, or type another"


def _timeout(endpoint: Endpoint, received: int | None) -> ModelError:
    had = f" after {received:,} characters of text" if received else ""
    return ModelError(
        "timeout", f"{endpoint.host} sent nothing for {endpoint.timeout:g} seconds{had}", _HINTS["timeout"]
    )


def _network(error: Exception, endpoint: Endpoint) -> ModelError:
    """The error for no connection: refused, unknown host or bad certificate, as the innermost cause says."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    why = _short(mask_secrets(str(cause) or type(cause).__name__, endpoint))
    local = endpoint.host.startswith(("localhost:", "127.", "::1"))
    hint = "is the server running, and on this port?" if local else "check the network and the base URL"
    return ModelError("network", f"no connection to {endpoint.host}: {why}", hint)


def _short(text: str) -> str:
    """One line of at most LONGEST characters, without HTML tags."""
    words = " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL | re.IGNORECASE).split())
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
