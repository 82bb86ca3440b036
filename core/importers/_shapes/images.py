"""The size of an embedded picture, from the first bytes of its file: pictures are never counted as text.

PNG https://www.w3.org/TR/png/#11IHDR · GIF https://www.w3.org/Graphics/GIF/spec-gif89a.txt
JPEG https://www.w3.org/Graphics/JPEG/itu-t81.pdf · WebP https://developers.google.com/speed/webp/docs/riff_container
"""

import base64
import binascii
import re
from typing import Any

from core.model.session import Image

_HEADER = 64 * 1024
_DATA_URL = re.compile(r"data:([\w.+/-]*)(?:;[\w=-]+)*;base64,")


def embedded(media_type: Any, data: Any) -> Image:
    """A picture given as base64, with its width and height where its header tells."""
    width, height = size_of(_header(data))
    return Image(
        media_type=media_type if isinstance(media_type, str) else "", width=width, height=height, source="base64"
    )


def linked(url: Any) -> Image:
    """A picture given by its address; a data: address is one that is embedded."""
    text = url if isinstance(url, str) else ""
    found = _DATA_URL.match(text[:200])
    return embedded(found[1], text[found.end() : found.end() + _HEADER]) if found else Image(source=text[:2000])


def _header(data: Any) -> bytes:
    if not isinstance(data, str):
        return b""
    text = data[:_HEADER]
    try:
        return base64.b64decode(text[: len(text) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""


def size_of(data: bytes) -> tuple[int, int]:
    """(width, height) in pixels by the header of a PNG, GIF, JPEG or WebP file; (0, 0) where it does not tell."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return _big(data[16:20]), _big(data[20:24])
    if data[:4] == b"GIF8" and len(data) >= 10:
        return _little(data[6:8]), _little(data[8:10])
    if data[:2] == b"\xff\xd8":
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    return 0, 0


def _jpeg(data: bytes) -> tuple[int, int]:
    """From marker to marker, up to the frame header (SOF0 to SOF15, without DHT, JPG and DAC)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7])
        at += 2 + _big(data[at + 2 : at + 4])
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8 ":
        return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF
    if kind == b"VP8L":
        bits = _little(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return (_little(data[24:27]) + 1, _little(data[27:30]) + 1) if kind == b"VP8X" else (0, 0)


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
