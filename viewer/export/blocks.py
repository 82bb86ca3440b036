"""The data of an exported file: named blocks, each compressed by itself, so that a browser unpacks only what it shows."""

import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

ESCAPED = {0: "\u00a1", 13: "\u00a2", 60: "\u00a3"}
"""Characters that HTML does not keep as they are in an element of data, and what stands for them: NUL, CR and "<"."""


class Blocks:
    """Blocks by name. In the file each is text of zlib, in an element that no browser runs."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def add(self, name: str, value: Any) -> None:
        """Add a value as JSON. A lone surrogate, which has no UTF-8, is written as an escape."""
        try:
            data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            data = json.dumps(value, separators=(",", ":")).encode()
        self.add_bytes(name, data)

    def add_bytes(self, name: str, data: bytes) -> None:
        """Add bytes."""
        self.add_packed(name, zlib.compress(data, 9))

    def add_packed(self, name: str, packed: bytes) -> None:
        """Add bytes that zlib has compressed already."""
        self._texts[name] = as_text(packed)

    def size(self, *kinds: str) -> int:
        """Bytes that blocks of these kinds take in the file; of all without any. A kind is a name up to its first "-"."""
        some = [name for name in self._texts if not kinds or name.partition("-")[0] in kinds]
        return sum(len(self._element(name).encode()) for name in some)

    def html(self) -> Iterator[str]:
        """The elements, in the order in which the blocks were added."""
        return map(self._element, self._texts)

    def _element(self, name: str) -> str:
        return f'<script type="text/plain" id="fl-{name}">{self._texts[name]}</script>\n'


def as_text(data: bytes) -> str:
    """The bytes as text, seven bits a character: a sixth more, where base64 takes a third more.

    The idea is that of https://github.com/kevinAlbs/Base122; an element of HTML needs fewer escapes.
    """
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    sevens = np.pad(bits, (0, -len(bits) % 7)).reshape(-1, 7)
    return (np.packbits(sevens, axis=1) >> 1).tobytes().decode("ascii").translate(ESCAPED)
