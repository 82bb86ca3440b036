"""A folder that paths cannot lead out of, and how its files are read."""

import os
import stat
from pathlib import Path

from core.toolbox.tools import BadCallError

MOST_BYTES = 2_000_000  # of a file that are read
_SAMPLE = 8_192  # bytes that tell text from binary
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Folder:
    """A folder that paths cannot lead out of. `root` is an absolute path without links."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def real(self, path: str) -> Path:
        """The path with links resolved. Raises BadCallError if it is outside the folder, or does not exist."""
        if "\0" in path or Path(path).anchor or Path(path).drive:
            raise BadCallError(f"{path!r}: paths are relative to the folder, such as 'docs/guide.md'")
        try:
            found = (self.root / path).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            self._refuse_outside(path)
            raise BadCallError(f"there is no {path!r} in the folder; list_files('.') says what there is") from None
        if not found.is_relative_to(self.root):
            raise BadCallError(f"{path!r} leads out of the folder")
        return found

    def _refuse_outside(self, path: str) -> None:
        """Reveal nothing about files outside the folder."""
        if not Path(os.path.normpath(self.root / path)).is_relative_to(self.root):
            raise BadCallError(f"{path!r} leads out of the folder")

    def folder(self, path: str) -> Path:
        """The folder a path leads to. Raises BadCallError if it is a file, or outside."""
        found = self.real(path)
        if not found.is_dir():
            raise BadCallError(f"{path!r} is a file; read_file reads it")
        return found

    def read(self, path: str) -> tuple[bytes, int]:
        """The first 2 MB of a file, and its whole size in bytes. Raises BadCallError if it is no file, or outside."""
        found = self.real(path)
        if found.is_dir():
            raise BadCallError(f"{path!r} is a folder; list_files lists it")
        return first_bytes(found, path)

    def name(self, path: Path) -> str:
        """The path of a file relative to the folder, with /."""
        return path.relative_to(self.root).as_posix()


def first_bytes(found: Path, path: str) -> tuple[bytes, int]:
    """The first 2 MB of an ordinary file and its size. Raises BadCallError for a device, a pipe, or what may not be read."""
    try:
        handle = os.open(found, _FLAGS)
    except OSError as error:
        raise BadCallError(f"{path!r} cannot be read: {error.strerror}") from None
    with open(handle, "rb") as file:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise BadCallError(f"{path!r} is not an ordinary file")
        return file.read(MOST_BYTES), info.st_size


def is_binary(data: bytes) -> bool:
    """Whether the bytes are not text: they have a NUL near the beginning."""
    return b"\0" in data[:_SAMPLE]


def text_of_file(data: bytes) -> str:
    """The bytes as UTF-8 text, with U+FFFD for invalid bytes."""
    return data.decode("utf-8-sig", "replace")


def clipped(line: str, most: int) -> str:
    """The line in about `most` characters; a longer one says how long it is."""
    return line if len(line) <= most else f"{line[:most]}… [line of {len(line):,} characters cut]"


def sized(size: int) -> str:
    """A size in bytes, with its unit."""
    return f"{size:,} byte{'s' * (size != 1)}"
