"""What a file that was exported holds, read from its page."""

import bz2
import re
import zlib

from viewer.export.blocks import ESCAPED


def block_names(page: str) -> list[str]:
    """The names of its blocks, in order."""
    return re.findall(r'id="fl-([\w-]+)">', page)


def block_of(page: str, name: str) -> bytes:
    """A block, unpacked; a view stays packed once more."""
    (text,) = re.findall(rf'id="fl-{name}">([^<]*)</script>', page)
    escaped = {ord(code): plain for plain, code in ESCAPED.items()}
    bits = "".join(f"{ord(character):07b}" for character in text.translate(escaped))
    return _unpacked(bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits) - 7, 8)))


def everything_in(page: str) -> dict[str, bytes]:
    """Every block by its name, unpacked to its end: nothing that stands in the file is hidden by how it is packed."""
    return {name: _to_the_end(block_of(page, name)) for name in block_names(page)}


def _to_the_end(data: bytes) -> bytes:
    try:
        return _unpacked(data)
    except zlib.error:
        return data


def _unpacked(data: bytes) -> bytes:
    return bz2.decompress(data) if data[:3] == b"BZh" else zlib.decompressobj().decompress(data)
