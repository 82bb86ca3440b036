"""What an SDK raises, as a ModelError: one kind, one sentence, and what to do. A key is never part of it.

Kinds come from the status, and from the codes and words of the two providers and of servers that speak their language
(vLLM, llama.cpp, Ollama, LM Studio, LiteLLM), as these gave them when `CHECKED`:
https://platform.claude.com/docs/en/api/errors
https://developers.openai.com/api/docs/guides/error-codes
"""

import re
from typing import Any

from core.errors import ModelError, ModelErrorKind
from core.llm.line import PLACEHOLDER, Line, wait_of

CHECKED = "2026-11-20"
LONGEST = 400
"""Characters of a provider's own words that are quoted."""

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
"""Statuses that say all there is to say, whatever code stands beside them."""

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
    "server": "the fault is the server's: try again",
    "timeout": "try again, or allow more time",
    "context_too_long": "compact now, or give the policy a smaller budget",
    "refused": "change what was asked, or take another model",
    "bad_request": "the request as it was sent can be looked at before a call in step mode",
}


_BROKEN = ("RemoteProtocolError", "ReadError")
"""What is raised where a stream breaks off before its first event."""


def failure(error: Exception, line: Line, heard: int | None = None) -> ModelError:
    """The error to tell of what a call raised. `heard` is how many characters of text had come, None before any reply."""
    if isinstance(error, ModelError):
        return error
    name = type(error).__name__
    if getattr(error, "body", None) is not None or hasattr(error, "status_code"):
        return _refused(error, line)
    if "Timeout" in name:
        return _timeout(line, heard)
    if heard is not None or name in _BROKEN:
        return cut_off(line, heard or 0)
    if "Connect" in name:
        return _network(error, line)
    return bad_reply(line, f"{name}: {error}")


def cut_off(line: Line, heard: int) -> ModelError:
    """The stream ended before the reply did."""
    got = f"{heard:,} characters of text had come" if heard else "no text had come"
    return ModelError("cut_off", f"the reply of {line.model} broke off", f"{got}; try again to ask once more")


def bad_reply(line: Line, what: str) -> ModelError:
    """A reply that is none."""
    hint = f"is {line.host} a server for {line.provider.label}? The base URL says where requests go"
    return ModelError("bad_reply", f"{line.host} sent no reply that can be read: {_short(masked(what, line))}", hint)


def refused(line: Line, said: str, came: str = "") -> ModelError:
    """The model would not answer; `said` is its reason, `came` what it had written before."""
    why = f": {_short(masked(said or came, line))}" if said or came else ""
    return ModelError("refused", f"{line.model} refused{why}", _HINTS["refused"])


def coded(line: Line, code: str, message: str) -> ModelError:
    """An error that came in the place of a reply, with a code of the provider's and its words."""
    kind = _CODES.get(code, "context_too_long" if _TOO_LONG.search(message) else "server")
    return ModelError(kind, f"{line.host}: {_short(masked(message or code, line))}", _HINTS.get(kind, ""))


def masked(text: str, line: Line) -> str:
    """A text without the line's secrets, without anything that looks like one, and without a user in an address."""
    for secret in line.secrets:
        text = text.replace(secret, "[key]")
    text = re.sub(r"//[^/@\s]+@", "//", text)
    text = re.sub(r"(?i)\b(bearer|basic)\s+(?=\S*\d)[\w.~+/*=-]{6,}", r"\1 [key]", text)
    return re.sub(r"\b((sk|pk|rk|gsk|xai)[-_][\w*.-]{6,}|AIza[\w-]{10,})", "[key]", text)


def _refused(error: Any, line: Line) -> ModelError:
    """An answer of the server that is an error, by its status or in the middle of a stream."""
    inner = _inner(getattr(error, "body", None))
    codes = [str(inner[k]) for k in ("code", "type") if inner.get(k)]
    message = _short(masked(_words(inner, error), line))
    kind = _kind(getattr(error, "status_code", 0), codes, message)
    return ModelError(kind, _sentence(kind, line, message), _hint(kind, codes, error, line))


def _inner(body: Any) -> dict[str, Any]:
    """The error inside a body, which one SDK hands on whole and the other opened."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    return inner if isinstance(inner, dict) else {"message": inner} if isinstance(inner, str) else {}


def _words(inner: dict[str, Any], error: Exception) -> str:
    """What the server says, with the numbers it gives beside (llama.cpp tells the sizes in fields of their own)."""
    said = next((inner[k] for k in ("message", "detail") if isinstance(inner.get(k), str) and inner[k].strip()), "")
    sizes = (inner.get("n_prompt_tokens"), inner.get("n_ctx"))
    told = f" ({sizes[0]} tokens, {sizes[1]} fit)" if all(isinstance(size, int) for size in sizes) else ""
    return (said or str(error)) + told


def _kind(status: int, codes: list[str], message: str) -> ModelErrorKind:
    """The kind by the code, where it is known; else by the words, then by the status."""
    if status in _PLAIN:
        return _STATUS[status]
    if known := next((_CODES[code] for code in codes if code in _CODES), None):
        return known
    if status in (0, 200, 400, 413, 422, 500) and _TOO_LONG.search(message):
        return "context_too_long"
    return _STATUS.get(status, "server" if status >= 500 or status in (0, 200) else "bad_request")


def _sentence(kind: ModelErrorKind, line: Line, message: str) -> str:
    starts: dict[ModelErrorKind, str] = {
        "auth": f"{line.host} does not take the key",
        "not_found": f"{line.host} does not know {line.model!r}, or nothing is at this address",
        "rate_limit": f"{line.host} takes no more requests for now",
        "overloaded": f"{line.host} is overloaded",
        "context_too_long": f"the window is too long for {line.model}",
        "refused": f"{line.host} refused to answer",
        "timeout": f"{line.host} took too long",
        "server": f"{line.host} failed",
    }
    return f"{starts.get(kind, f'{line.host} does not take the request')}: {message}"


def _hint(kind: ModelErrorKind, codes: list[str], error: Any, line: Line) -> str:
    wait = wait_of(error.response.headers) if hasattr(error, "response") else 0
    if "insufficient_quota" in codes:
        return "the account has no credit left: waiting does not help"
    if kind == "rate_limit" and wait:
        return f"wait {wait:.0f} seconds, as the server asks, then try again"
    if kind == "auth":
        return _key_hint(line)
    if kind == "not_found":
        return "check the model's name and the base URL" + ("" if line.is_own else ": it often ends in /v1")
    return _HINTS.get(kind, "")


def _key_hint(line: Line) -> str:
    if line.key_variable:
        return f"the key came from {line.key_variable}: check it, or give the run another key"
    if line.key == PLACEHOLDER:
        return "no key was sent: a key of the environment goes to the provider's own address only; give the run one for this"
    return "check the key that was typed, and that its account may use this model; the run can be given another"


def _timeout(line: Line, heard: int | None) -> ModelError:
    had = f" after {heard:,} characters of text" if heard else ""
    return ModelError("timeout", f"{line.host} said nothing for {line.timeout:g} seconds{had}", _HINTS["timeout"])


def _network(error: Exception, line: Line) -> ModelError:
    """No connection: refused, no such host, no certificate. The cause says which."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    why = _short(masked(str(cause) or type(cause).__name__, line))
    near = line.host.startswith(("localhost:", "127.", "::1"))
    hint = "is the server running, and on this port?" if near else "check the network and the base URL"
    return ModelError("network", f"no connection to {line.host}: {why}", hint)


def _short(text: str) -> str:
    """One line of at most LONGEST characters; a page of HTML is its words."""
    words = " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL | re.IGNORECASE).split())
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
