"""Secrets that a transcript holds as Base64: all of the encoded text is secret then, for a part of it cannot be masked.

https://datatracker.ietf.org/doc/html/rfc4648
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator

_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_STANDARD = str.maketrans("-_", "+/")


def encoded_in(text: str) -> Iterator[tuple[str, str]]:
    """Each run of Base64 in a text that encodes UTF-8, and what it encodes."""
    for match in _RUN.finditer(text):
        decoded = _decoded(match[0])
        if decoded:
            yield match[0], decoded


def _decoded(run: str) -> str:
    """What a run encodes; empty where that is no text."""
    digits = run.rstrip("=").translate(_STANDARD)
    try:
        return b64decode(digits + "=" * (-len(digits) % 4)).decode("utf-8")
    except (Error, UnicodeDecodeError):
        return ""
