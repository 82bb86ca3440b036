"""The data of an exported file: named blocks, each compressed by itself, so that a browser unpacks only what it shows.

Long texts are packed by bzip2, which takes a third less than zlib; what the first picture needs by zlib, which browsers know.
"""

import bz2
import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np

from core.model.copies import in_every_copy

ESCAPED = {0: "\u00a1", 13: "\u00a2", 60: "\u00a3"}
"""Characters that HTML does not keep as they are in an element of data, and what stands for them: NUL, CR and "<"."""


_LONG = 50_000
"""Bytes from which on a thread packs them, and JSON by bzip2."""


class Named(ABC):
    """Values and bytes by name."""

    def add(self, name: str, value: Any) -> None:
        """Add a value as JSON."""
        self.add_json(name, as_json(value))

    def add_each(self, name: str, values: Mapping[str, Any]) -> None:
        """Add values by key."""
        self.add(name, values)

    @abstractmethod
    def add_json(self, name: str, data: bytes) -> None:
        """Add JSON."""


def as_json(value: Any) -> bytes:
    """A value as JSON. A lone surrogate, which has no UTF-8, is written as an escape."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


class Bundle(Named):
    """What is alike, to become one block: packed together, for so it takes a quarter.

    Of values that are added by key, equal ones stand once, in a list of their own: a key has its number there.
    """

    def __init__(self) -> None:
        self._parts: dict[str, bytes] = {}
        self._once: dict[bytes, int] = {}

    def add_bytes(self, name: str, data: bytes) -> None:
        """Add bytes."""
        self._parts[name] = data

    add_json = add_bytes

    def add_each(self, name: str, values: Mapping[str, Any]) -> None:
        """Add values by key, each once."""
        self.add(name, {key: self._once.setdefault(as_json(value), len(self._once)) for key, value in values.items()})

    def once(self) -> bytes:
        """The values that were added by key, as JSON: a list without two that are equal."""
        return b"[" + b",".join(self._once) + b"]"

    def joined(self) -> bytes:
        """How long each part is, as a line of JSON, then the parts: those of a kind one behind the other."""
        names = sorted(self._parts, key=kind_of)
        head = json.dumps({name: len(self._parts[name]) for name in names}, separators=(",", ":"))
        return b"".join((head.encode(), b"\n", *map(self._parts.__getitem__, names)))


class Blocks(Named):
    """Blocks by name. In the file each is text of what zlib or bzip2 gives, in an element that no browser runs."""

    def __init__(self) -> None:
        self._texts: dict[str, str | Future[str]] = {}

    def add_json(self, name: str, data: bytes) -> None:
        """Add JSON; what is long by bzip2."""
        self._add(name, data, bz2.compress if len(data) >= _LONG else _soon)

    def add_bytes(self, name: str, data: bytes) -> None:
        """Add bytes that the first picture needs, or that a browser has to unpack soon."""
        self._add(name, data, _soon)

    def _add(self, name: str, data: bytes, pack: Callable[[bytes], bytes]) -> None:
        """Add bytes; what is long is packed in a thread, which works outside of Python's lock."""
        long = len(data) >= _LONG
        self._texts[name] = _packer().submit(_text_of, data, pack) if long else _text_of(data, pack)

    def add_packed(self, name: str, packed: bytes) -> None:
        """Add bytes that zlib or bzip2 has compressed already."""
        self._texts[name] = as_text(packed)

    def texts(self) -> dict[str, str]:
        """The text of each block, by its name, once all are packed."""
        return {name: self._text(name) for name in self._texts}

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Add blocks as their texts."""
        self._texts.update(texts)

    def size(self, *kinds: str) -> int:
        """Bytes that blocks of these kinds take in the file; of all without any."""
        some = [name for name in self._texts if not kinds or kind_of(name) in kinds]
        return sum(len(self._element(name).encode()) for name in some)

    def html(self) -> Iterator[str]:
        """The elements, in the order in which the blocks were added."""
        return map(self._element, self._texts)

    def _element(self, name: str) -> str:
        return f'<script type="text/plain" id="fl-{name}">{self._text(name)}</script>\n'

    def _text(self, name: str) -> str:
        text = self._texts[name]
        if isinstance(text, Future):
            text = self._texts[name] = text.result()
        return text


@lru_cache(maxsize=1)
def _packer() -> ThreadPoolExecutor:
    """The thread that packs what is long."""
    return ThreadPoolExecutor(1, "packer")


in_every_copy(_packer.cache_clear)


def _soon(data: bytes) -> bytes:
    """Bytes as zlib packs them best, which browsers unpack themselves."""
    return zlib.compress(data, 9)


def _text_of(data: bytes, pack: Callable[[bytes], bytes]) -> str:
    return as_text(pack(data))


def kind_of(name: str) -> str:
    """The kind of a block: its name up to the first "-"."""
    return name.partition("-")[0]


def as_text(data: bytes) -> str:
    """The bytes as text, seven bits a character: a sixth more, where base64 takes a third more.

    The idea is that of https://github.com/kevinAlbs/Base122; an element of HTML needs fewer escapes.
    """
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    sevens = np.pad(bits, (0, -len(bits) % 7)).reshape(-1, 7)
    text = (np.packbits(sevens, axis=1) >> 1).tobytes().decode("ascii")
    for code, stands_in in ESCAPED.items():
        text = text.replace(chr(code), stands_in)  # each takes one pass, where `translate` looks up every character
    return text
