"""Several files: a folder on disk, a zip archive, or files that were uploaded together.

Nothing is unpacked to disk, links are not followed, and nothing outside the folder can be reached.
"""

import io
import os
import re
import stat
import struct
import weakref
import zipfile
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import islice, takewhile
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol

from core.importers._files.members import Members, Reason
from core.importers._files.unpack import TooLargeError, most_of, unzstd
from core.model.paths import SYSTEM

_WILD = re.compile(r"[*?\[]")

MOST_FILES = 20_000
"""The most files of a folder or an archive that are looked at."""

ASIDE = ("node_modules", "__pycache__")
"""Folders in which nobody keeps transcripts, with those whose name begins with a dot."""

ZSTD = 93
"""The number of zstd among the ways a zip archive compresses (APPNOTE 4.4.5); Python's own reader does not know it yet."""


class Store(Protocol):
    """The storage of a folder's files: a disk, an archive, or memory."""

    def names(self) -> Iterator[str]:
        """Their paths, with slashes, from the top of the folder."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """One of them, for reading. Raises OSError, zipfile.BadZipFile or TooLargeError."""
        ...

    def size(self, name: str) -> int:
        """How many bytes one of them has. Raises OSError."""
        ...


@dataclass
class Folder:
    """Files by their paths, in order: those near the top first. `read_with_others` are those that were read as part of another.

    `outer` is the archive this one lies in, if it does. `known` is for importers: what one found out about many files, so
    that it need not look at them again for each of them. `members` says which of the files were left out.
    """

    store: Store
    read_with_others: set[str] = field(default_factory=set)
    outer: "Folder | None" = None
    known: dict[str, Any] = field(default_factory=dict)
    members: Members = field(default_factory=Members)

    @cached_property
    def names(self) -> Sequence[str]:
        """The paths of the files, at most MOST_FILES of them."""
        found = [name for name, _ in zip(self.store.names(), range(MOST_FILES), strict=False)]
        return sorted(found, key=_order)

    def size(self) -> int:
        """How many bytes the files have."""
        found = 0
        for name in self.names:
            with suppress(OSError):
                found += self.store.size(name)
        return found

    def within(self, place: str = "") -> tuple[list[str], list[str]]:
        """The names of the folders and of the files right in one of its folders, in order; of each MOST_FILES at most.

        On disk that one folder is looked into: it is known whole where `names` had to end early.
        """
        return self.store.within(place) if isinstance(self.store, OnDisk) else self._tree.get(place, ([], []))

    @cached_property
    def _tree(self) -> dict[str, tuple[list[str], list[str]]]:
        """What lies right in each folder of an archive or an upload."""
        found: dict[str, tuple[dict[str, None], dict[str, None]]] = {"": ({}, {})}
        for name in self.store.names():
            above, _, last = name.rpartition("/")
            new = above not in found
            found.setdefault(above, ({}, {}))[1][last] = None
            while new and above:
                above, _, last = above.rpartition("/")
                new = above not in found
                found.setdefault(above, ({}, {}))[0][last] = None
        return {
            place: (sorted(folders)[:MOST_FILES], sorted(files)[:MOST_FILES])
            for place, (folders, files) in found.items()
        }

    def close(self) -> None:
        """Close the files."""
        close = getattr(self.store, "close", None)
        if close is not None:
            close()
        if self.outer is not None:
            self.outer.close()

    def matching(self, pattern: str, below: str = "") -> list[str]:
        """The paths that match a pattern like `agents/*.jsonl`, which counts from the folder `below`.

        Those that begin as it does lie together, so that looking for a few of very many files is quick.
        """
        before = f"{below}/" if below else ""
        deep, start = before.count("/") + pattern.count("/"), before + _WILD.split(pattern, maxsplit=1)[0]
        first = bisect_left(self.names, (deep, start), key=_order)
        found = takewhile(lambda n: n.startswith(start) and n.count("/") == deep, islice(self.names, first, None))
        return [name for name in found if fnmatchcase(name[len(before) :], pattern)]


def _order(name: str) -> tuple[int, str]:
    """How deep it lies, then its path."""
    return name.count("/"), name


def _is_walked(place: str, name: str) -> bool:
    """Whether a folder may hold transcripts: none that is hidden, is filled by a tool, or shows the system's processes."""
    return not name.startswith(".") and name not in ASIDE and os.path.join(place, name) not in SYSTEM


@dataclass(frozen=True)
class OnDisk:
    """A folder on disk. Links are left out, so that nothing outside of it is read; so is what cannot be read."""

    root: Path
    members: Members = field(default_factory=Members, compare=False, repr=False)

    def names(self) -> Iterator[str]:
        """Walked from the top."""
        for place, folders, files in os.walk(self.root, onerror=self._shut, followlinks=False):
            folders[:] = sorted(f for f in folders if _is_walked(place, f))
            found = (os.path.join(place, name) for name in (*folders, *sorted(files)))
            yield from (self._name(path) for path in found if self._is_file(path))

    def _name(self, path: str) -> str:
        return Path(path).relative_to(self.root).as_posix()

    def _is_file(self, path: str) -> bool:
        """Whether a path is a file to be read; a link is none, nor is what the system tells nothing of."""
        try:
            mode = os.lstat(path).st_mode
        except OSError as error:
            self._leave("unread", error)
            return False
        if stat.S_ISLNK(mode):
            self.members.leave("links", self._name(path))
        return stat.S_ISREG(mode)

    def _shut(self, error: OSError) -> None:
        self._leave("shut", error)

    def _leave(self, reason: Reason, error: OSError) -> None:
        name = self._name(str(error.filename))
        self.members.leave(reason, name, f"{name}: {error.strerror}")

    def within(self, place: str) -> tuple[list[str], list[str]]:
        """The folders and files right in one folder that is reached over no link; none where it cannot be read."""
        here = self.root
        for part in PurePosixPath(place).parts:
            here = here / part
            if part in ("/", "..") or here.is_symlink():
                return [], []
        try:
            with os.scandir(here) as entries:
                found = list(islice(entries, MOST_FILES))
        except OSError:
            return [], []
        folders = sorted(e.name for e in found if _is_folder(e) and _is_walked(str(here), e.name))
        return folders, sorted(e.name for e in found if _is_file(e))

    def open(self, name: str) -> IO[bytes]:
        """From the disk."""
        return open(self._path(name), "rb")

    def size(self, name: str) -> int:
        """As the system says."""
        return os.stat(self._path(name)).st_size

    def _path(self, name: str) -> Path:
        return self.root.joinpath(*PurePosixPath(name).parts)


def _is_file(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def is_plain(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a file and no link; False where the system does not say."""
    return os.path.isfile(path) and not os.path.islink(path)


@dataclass(frozen=True)
class InMemory:
    """Files in memory."""

    files: Mapping[str, bytes]

    def names(self) -> Iterator[str]:
        """As they were given."""
        return iter(self.files)

    def open(self, name: str) -> IO[bytes]:
        """From memory."""
        return io.BytesIO(self.files[name])

    def size(self, name: str) -> int:
        """As many as there are."""
        return len(self.files[name])


def _close(archive: zipfile.ZipFile, file: IO[bytes]) -> None:
    archive.close()
    file.close()


class Zipped:
    """A zip archive. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT"""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._zip = file, zipfile.ZipFile(file)
        self._closed = weakref.finalize(self, _close, self._zip, file)

    def close(self) -> None:
        """Close the archive, which closes by itself once nobody has it any more."""
        self._closed()

    def names(self) -> Iterator[str]:
        """The entries that are files."""
        return (info.filename for info in self._zip.infolist() if not info.is_dir() and not _litter(info.filename))

    def open(self, name: str) -> IO[bytes]:
        """One entry, unpacked while it is read."""
        info = self._zip.getinfo(name)
        if info.flag_bits & 1:
            raise OSError("is protected by a password")
        if info.file_size > most_of(info.compress_size):
            raise TooLargeError
        return (
            unzstd(io.BytesIO(self._packed(info)), info.compress_size)
            if info.compress_type == ZSTD
            else self._entry(info)
        )

    def size(self, name: str) -> int:
        """As the archive says: of an entry with more, no more is read."""
        return self._zip.getinfo(name).file_size

    def _entry(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """An entry as Python's own reader opens it. Raises zipfile.BadZipFile where it lies outside of the archive."""
        try:
            return self._zip.open(info)
        except ValueError:
            raise zipfile.BadZipFile("a damaged entry") from None

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        """The bytes of an entry as they lie in the archive, behind its local header of 30 bytes, name and extra field."""
        self._file.seek(max(0, info.header_offset))
        header = self._file.read(30)
        if len(header) < 30 or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("a damaged entry")
        name, extra = struct.unpack("<HH", header[26:30])
        self._file.seek(name + extra, os.SEEK_CUR)
        return self._file.read(info.compress_size)


def _litter(name: str) -> bool:
    """Whether an entry is what macOS adds to an archive."""
    return name.startswith("__MACOSX/") or name.endswith("/.DS_Store")
