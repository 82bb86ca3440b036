"""A folder that paths cannot lead out of, and how its files are read."""

import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from core.model.errors import FoldlineError
from core.model.paths import check_place
from core.toolbox.tools import BadCallError

MOST_BYTES = 2_000_000  # of a file that are read
_SAMPLE = 8_192  # bytes that tell text from binary
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_BY_HANDLE = os.open in os.supports_dir_fd and os.scandir in os.supports_fd  # not on Windows


class Folder:
    """A folder that paths cannot lead out of. `root` is an absolute path without links.

    What a path leads to is opened folder by folder from a handle of the root, and no link is followed on the way: one that
    takes the place of a folder after the path was checked leads nowhere. https://man7.org/linux/man-pages/man2/openat.2.html
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        if _BY_HANDLE:
            self._root = os.open(self.root, _FLAGS)
            weakref.finalize(self, os.close, self._root)

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
        try:
            check_place(str(found))
        except FoldlineError as error:
            raise BadCallError(str(error)) from None
        return found

    def _refuse_outside(self, path: str) -> None:
        """Reveal nothing about files outside the folder."""
        if not Path(os.path.normpath(self.root / path)).is_relative_to(self.root):
            raise BadCallError(f"{path!r} leads out of the folder")

    def entries(self, path: str) -> "Iterator[os.DirEntry[str]]":
        """What is in the folder a path leads to. Raises BadCallError if it is a file, outside, or may not be read."""
        found = self.real(path)
        with self._opened(found) if _BY_HANDLE else nullcontext(found) as folder:
            if not stat.S_ISDIR(os.stat(folder).st_mode):
                raise BadCallError(f"{path!r} is a file; read_file reads it")
            with os.scandir(folder) as entries:
                yield from entries

    def read(self, path: str) -> tuple[bytes, int]:
        """The first 2 MB of a file, and its whole size in bytes. Raises BadCallError if it is no file, or outside."""
        return self.first_bytes(self.real(path))

    def first_bytes(self, found: Path) -> tuple[bytes, int]:
        """The same of a path without links. Raises BadCallError for a device, a pipe, or what may not be read."""
        name = self.name(found)
        if found.is_dir():
            raise BadCallError(f"{name!r} is a folder; list_files lists it")
        with self._opened(found) as handle:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                raise BadCallError(f"{name!r} is not an ordinary file")
            try:
                with open(handle, "rb", closefd=False) as file:
                    return file.read(MOST_BYTES), info.st_size
            except OSError as error:
                raise BadCallError(f"{name!r} cannot be read: {error.strerror}") from None

    @contextmanager
    def _opened(self, found: Path) -> Iterator[int]:
        """A handle of what a path without links leads to. Raises BadCallError where it cannot be opened."""
        try:
            handle = self._descend(found.relative_to(self.root).parts) if _BY_HANDLE else os.open(found, _FLAGS)
        except OSError as error:
            raise BadCallError(f"{self.name(found)!r} cannot be read: {error.strerror}") from None
        try:
            yield handle
        finally:
            os.close(handle)

    def _descend(self, parts: tuple[str, ...]) -> int:
        handle = os.dup(self._root)
        for part in (".", *parts):  # "." first: copies of a handle share where they are in its list of names
            above = handle
            try:
                handle = os.open(part, _FLAGS, dir_fd=above)
            finally:
                os.close(above)
        return handle

    def name(self, path: Path) -> str:
        """The path of a file relative to the folder, with /."""
        return path.relative_to(self.root).as_posix()


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
