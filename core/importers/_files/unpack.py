"""A file that may be packed with gzip or zstd, as it is without: sniffed by its first bytes, unpacked while it is read.

https://www.rfc-editor.org/rfc/rfc1952 · https://www.rfc-editor.org/rfc/rfc8878
"""

import io
import os
import zlib
from collections.abc import Callable
from typing import IO, Any

import zstandard

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
RATIO = 200
"""Text packs to a tenth or a thirtieth. What unpacks to more than this many times its size is no transcript."""

ALWAYS = 64 * 1024 * 1024
"""As many bytes may come out of any file, in spite of RATIO."""


class TooLargeError(Exception):
    """A packed file unpacks to more than any transcript needs."""


class NoRoomError(TooLargeError):
    """A file is larger than what may still be read of all the files of a folder or an archive."""


PIECE = 1024
"""Bytes that are unpacked at once: little is lost where the rest is damaged, and little can come out at once."""


def unpacked(file: IO[bytes], room: int | None = None) -> IO[bytes]:
    """The file, from its beginning, without what packed it.

    A packed file that breaks off gives what it still holds: `torn` of what comes back is True then. Reading raises
    TooLargeError where more comes out than RATIO allows, NoRoomError where it is more than `room`.
    """
    start = file.read(4)
    file.seek(0)
    if start[:2] == GZIP:
        return _Buffered(_Unpacking(file, _gunzip, _size(file), room))
    return unzstd(file, _size(file), room) if start == ZSTD else file


def unzstd(file: IO[bytes], size: int, room: int | None = None) -> IO[bytes]:
    """What zstd packed, read from a file of `size` bytes."""
    return _Buffered(_Unpacking(file, lambda: zstandard.ZstdDecompressor().decompressobj(), size, room))


def read_of(file: IO[bytes]) -> int:
    """How many bytes were read of what `unpacked` gave."""
    return file.unpacking.given if isinstance(file, _Buffered) else file.tell()


def _gunzip() -> Any:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def most_of(size: int) -> int:
    """How many bytes may come out of a packed file of `size`."""
    return max(ALWAYS, RATIO * size)


def _size(file: IO[bytes]) -> int:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return size


class _Unpacking(io.RawIOBase):
    """Reads what was packed in one or several pieces one after the other (members, frames), counting what comes out.

    `fresh` makes what unpacks one of them.
    """

    def __init__(self, file: IO[bytes], fresh: Callable[[], Any], size: int, room: int | None) -> None:
        self.file, self.fresh, self.given = file, fresh, 0
        self.most, self.room = most_of(size), room
        self.inner, self.begun, self.torn = fresh(), False, False
        self.packed, self.ready = b"", b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """As many bytes as there are, and fit. Raises TooLargeError."""
        while not self.ready and not self.torn:
            self.packed = self.packed or self.file.read(PIECE)
            if not self.packed:
                self.torn = self.begun
                break
            self._unpack()
        data, self.ready = self.ready[: len(buffer)], self.ready[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def _unpack(self) -> None:
        """The next piece; behind the end of one member the next one begins."""
        try:
            self.ready, self.begun = self.inner.decompress(self.packed), True
        except (zlib.error, zstandard.ZstdError):
            self.torn = True
            return
        self.packed = b""
        self.given += len(self.ready)
        if self.given > self.most:
            raise TooLargeError
        if self.room is not None and self.given > self.room:
            raise NoRoomError
        if self.inner.eof:
            self.packed, self.inner, self.begun = self.inner.unused_data.lstrip(b"\0"), self.fresh(), False


class _Buffered(io.BufferedReader):
    """Lines and pieces of what is unpacked."""

    def __init__(self, raw: _Unpacking) -> None:
        super().__init__(raw, 1 << 16)
        self.unpacking = raw

    @property
    def torn(self) -> bool:
        """Whether the packed file broke off, or was damaged."""
        return self.unpacking.torn
