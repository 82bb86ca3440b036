"""Masks secrets in the output of MCP servers, which may repeat what they were started with."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

SHORTEST = 6
"""The shortest argument that may be a secret, in characters: shorter ones occur in any text."""

HIDDEN = "…"
_ADDRESS = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*://)([^\s'\"<>)]+)")
_AUTHORITY = re.compile(r"[/?#]")
_SCHEME_OF_KEY = re.compile(r"(?i)\b(bearer|basic)(\s+)[\w.~+/*=-]+")
_NAMED = re.compile(
    r"(?i)\b([\w-]*(?:token|key|secret|passwd|password|pwd|authorization|credentials?))\b(['\"]?\s*[=:]\s*)"
    r"((?:bearer|basic)\s+)?['\"]?[^\s'\",;&]+"
)
_KNOWN_SHAPE = re.compile(r"\b((sk|pk|rk|gsk|xai|pat|xox[a-z])[-_][\w*-]{6,}|gh[a-z]_\w{6,}|AIza[\w-]{10,})")
_RUN = re.compile(r"[A-Za-z0-9_+=~-]{16,}")
_SURE = 40
"""Characters of a run that is masked although it holds no digit."""


def masked(text: str, known: Iterable[str] = ()) -> str:
    """The text with … in place of each `known` secret, of what follows a word like token=, and of what looks like a key.

    A key is a run of 16 letters and digits or more. Of an address, scheme and host stay.
    """
    for secret in sorted({one for one in known if one}, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    text = _ADDRESS.sub(lambda found: found[1] + _host(found[2]), text)
    text = _SCHEME_OF_KEY.sub(rf"\1\2{HIDDEN}", text)
    text = _NAMED.sub(rf"\1\2{HIDDEN}", text)
    text = _KNOWN_SHAPE.sub(HIDDEN, text)
    return _RUN.sub(lambda run: HIDDEN if _is_key(run[0]) else run[0], text)


def _host(rest: str) -> str:
    """What stands behind the two slashes of an address, without user, password, path and query."""
    authority, *more = _AUTHORITY.split(rest, maxsplit=1)
    return authority.rpartition("@")[2] + (f"/{HIDDEN}" if more and more[0] else "")


def _is_key(run: str) -> bool:
    letters, digits = any(c.isalpha() for c in run), any(c.isdigit() for c in run)
    return (letters and digits) or len(run) >= _SURE


def secrets_of_arguments(args: Iterable[str]) -> Iterator[str]:
    """What may be secret of a command's arguments: each that is no flag, and the value in --flag=value or `Name: value`."""
    for arg in args:
        flag = arg.startswith("-")
        parts = [arg[2:] if flag and not arg.startswith("--") else "", "" if flag else arg]
        parts += [arg.partition("=")[2], arg.partition(":")[2].strip()]
        parts += arg.split()[-1:] if not flag or " " in arg else []
        yield from (part for part in parts if len(part) >= SHORTEST)


def secrets_of_address(url: str) -> Iterator[str]:
    """What may be secret of an address: password, parts of the path, values of the query."""
    parts = urlsplit(url)
    user = parts.netloc.rpartition("@")[0]
    found = [user, user.partition(":")[2], *parts.path.split("/"), parts.query]
    found += [pair.partition("=")[2] for pair in parts.query.split("&")]
    yield from (part for part in found if len(part) >= SHORTEST)
