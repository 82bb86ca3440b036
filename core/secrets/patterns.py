"""Secrets that are told by what stands around them, and what is personal: fields, headers, addresses, home folders.

Keys of known makers are another tool's work, see `makers.py`. Each pattern has a group `secret`: only that is masked. None
looks further than some characters for what stands in front of it, so that no text takes more than linear time.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """Where in a text something secret stands, and of which kind it is."""

    start: int
    end: int
    kind: str


_NAMES = r"(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|api_?-?key|access_?-?key|private_?-?key|credential|auth_?-?key)"
_VALUE = r"[^\s\"'`,;<>(){}\[\]\\|]{6,}"
_QUOTE = r"\\?[\"']?"  # it may itself stand in JSON
_BEHIND_NAME = rf"{_QUOTE}\s{{0,9}}(?:=>|:=|=|:)"
_HOMES = r"(?:(?<![\w.])/(?:home|Users)/|\b[A-Za-z]:\\{1,4}Users\\{1,4}|(?<![\w-])-(?:home|Users)-)"
_SIGNED = (
    r"(?:author|commit(?:ter)?|tagger|from|(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested)-by)"
)
_IN_PATH = r"[^\s/\\\"'`:*?<>|,;()&$\[\]{}-]"

_PATTERNS = {
    "private key": r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?P<secret>(?:[^-]|-(?!----)){20,8000})(?=-----END|\Z)",
    "authorization header": (
        rf"(?i)\bauthorization{_QUOTE}\s{{0,9}}[:=]\s{{0,9}}{_QUOTE}(?:bearer|basic|token|digest)\s{{1,9}}(?P<secret>[^\s\"'\\,;]{{6,}})"
    ),
    "bearer token": r"(?i)\bbearer\s{1,9}(?P<secret>(?=[\w.~+/-]*\d)[\w.~+/-]{16,}=*)",
    "password in an address": r"(?<![\w+.-])[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s/@:\"'<>]{0,99}:(?P<secret>[^\s/@\"'<>]{3,200})@(?=\[?[\w.-])",
    "secret in an address": rf"(?i)[?&][\w-]{{0,40}}(?:{_NAMES}|sig|signature)=(?P<secret>[^\s&\"'#<>\\]{{8,}})",
    "secret option": rf"(?i)(?<![\w-])--[\w-]{{0,40}}{_NAMES}[ =]{_QUOTE}(?P<secret>{_VALUE})",
    "secret field": (
        rf"(?i)(?<![\w.-])[\w.-]{{0,40}}{_NAMES}[\w-]{{0,40}}{_BEHIND_NAME}\s{{0,9}}{_QUOTE}(?P<secret>{_VALUE})"
    ),
    "password of digits": (
        rf"(?i)(?<![\w.-])[\w.-]{{0,40}}(?:passw(?:or)?d|passwd|pwd|passphrase|pin_?code|(?<![a-z])pin)"
        rf"{_BEHIND_NAME}\s{{0,9}}{_QUOTE}(?P<secret>\d{{4,}})(?![\w.])"
    ),
    "AWS access key id": r"(?<![A-Z0-9])(?P<secret>(?:AKIA|ASIA)[A-Z0-9]{16})(?![A-Z0-9])",
    "Telegram bot token": r"(?<![\w-])(?P<secret>\d{8,10}:AA[\w-]{33})(?![\w-])",
    "e-mail address": r"(?<![\w.+-])(?P<secret>[A-Za-z0-9][\w.+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24})(?![\w-])",
    "name of a person": (
        rf"(?i)(?:(?:(?<![\w-])|(?<=\dm)){_SIGNED}{_QUOTE}:\s{{1,9}}{_QUOTE}|--author[= ]{_QUOTE}"
        r"|(?<![\w-])(?:author|committer|tagger) (?=[^<>\n]{1,60}<[^<>\s]{1,99}> \d{9}))"
        r"(?P<secret>[^\W\d][^<>\n\\\"]{0,60}?) <(?!no-?reply)[^\s<>@]{1,99}@"
    ),
    "user name": rf"{_HOMES}(?P<secret>{_IN_PATH}+)",
}
_FOUND = {kind: re.compile(pattern, re.DOTALL) for kind, pattern in _PATTERNS.items()}

_NAMING = ("pass", "pwd", "secret", "token", "key", "credential")
_NEEDED: dict[str, Sequence[Sequence[str]]] = {
    "private key": (["-----begin "],),
    "authorization header": (["authorization"],),
    "bearer token": (["bearer"],),
    "password in an address": (["://"], ["@"]),
    "secret in an address": (["="], (*_NAMING, "sig")),
    "secret option": (["--"], _NAMING),
    "secret field": (("=", ":"), _NAMING),
    "password of digits": (("=", ":"), ("pass", "pwd", "pin")),
    "AWS access key id": (("akia", "asia"),),
    "Telegram bot token": ([":aa"],),
    "e-mail address": (["@"],),
    "name of a person": (["<"], ["@"], ("author", "commit", "tagger", "from", "-by")),
    "user name": (("home", "users"),),
}
"""What a text has that a pattern finds something in: one of each group. To look for that takes a tenth of the time."""
_AHEAD = {
    "secret field": rf"{_NAMES}[\w-]{{0,40}}{_BEHIND_NAME}",
    "password of digits": rf"(?:passw(?:or)?d|passwd|pwd|passphrase|pin_?code|pin){_BEHIND_NAME}",
    "name of a person": rf"{_SIGNED}{_QUOTE}:\s|--author[= ]|(?:author|committer|tagger) ",
}
"""What patterns that take long cannot do without, as a pattern that takes a tenth of the time: it looks at nothing in front."""
_FOUND_AHEAD = {kind: re.compile(pattern) for kind, pattern in _AHEAD.items()}
_SHORT = 200  # characters: a text up to this long is read sooner than it is looked through

_NOBODY = re.compile(
    r"(?i)(git|no-?reply|nobody|someone|user|you|your\.?name|name|foo|bar|test|admin|info|support)@"
    r"|@(example|users\.noreply\.github|test|localhost)\b"
)
_MACHINE = re.compile(r"(?i)(claude|codex|copilot|cursor|gemini|github|gitlab|dependabot|renovate)\b")
_SHARED = frozenset(
    [
        "user",
        "users",
        "username",
        "you",
        "me",
        "name",
        "shared",
        "public",
        "runner",
        "ubuntu",
        "vscode",
        "node",
        "app",
        "root",
        "default",
        "linuxbrew",
        "...",
    ]
)
_FIELDS = ("secret field", "secret option", "secret in an address")
_CODE = re.compile(
    r"(?i)[\w.]*\.(env|environ|get\w*|config\w*|settings|self|this|process)\b"
    r"|(os|process|self|this|config|settings|req|request|args|options|ctx|env|params|body|data|props|state)\."
    r"|\w+\??\.\w+\??\.\w+$|[\w.]*\?\.|\w+::|[$%]\w*[({]?|[&*~]|[*x•.…]+$|<|/[\w./-]+$|https?:|[\d.]+[mµn]?s\b"
)
"""How a value begins, or is, that is code, a placeholder, a path or a duration."""


KINDS = tuple(_FOUND)
"""What patterns find."""


def spans_of(text: str, kinds: Iterable[str] = KINDS) -> Iterator[Span]:
    """Everything in a text that the patterns of these kinds take for secret or personal, kind by kind; spans may overlap."""
    low = lowered(text) if len(text) > _SHORT else ""
    for kind in kinds:
        if low and not _may_hold(low, kind):
            continue
        for match in _FOUND[kind].finditer(text):
            if _believed(kind, match["secret"]):
                start, end = match.span("secret")
                yield Span(start, end, kind)


def _may_hold(low: str, kind: str) -> bool:
    """Whether a text in lower case has what the pattern of a kind cannot do without."""
    for group in _NEEDED[kind]:
        for one in group:
            if one in low:
                break
        else:
            return False
    ahead = _FOUND_AHEAD.get(kind)
    return ahead is None or ahead.search(low) is not None


def lowered(text: str) -> str:
    """The text in lower case, with every letter that a pattern takes for an i or an s as one."""
    if not text.isascii():
        text = text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s")
    return text.lower()


def _believed(kind: str, value: str) -> bool:
    """Whether what a pattern found is no placeholder, no code, and nobody's in particular."""
    if kind == "e-mail address":
        return not _NOBODY.search(value)
    if kind == "name of a person":
        return not _MACHINE.match(value) and not value.endswith("[bot]")
    if kind == "user name":
        return value.lower() not in _SHARED and not value.startswith(("<", "{", "%"))
    return kind not in _FIELDS or _looks_random(value)


def _looks_random(value: str) -> bool:
    """Whether the value of a field may be a secret: letters with digits or signs, and neither code nor a path."""
    bare = value.strip("\"'`.:")
    if len(bare) < 6 or _CODE.match(bare):
        return False
    letters, digits = any(c.isalpha() for c in bare), any(c.isdigit() for c in bare)
    return letters and (digits or bool(re.search(r"[!@#$%^&*+~?]", bare)))
