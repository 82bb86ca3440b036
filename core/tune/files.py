"""The files of a sweep, listed without reading them whole; and the sessions in one of them.

A path may be a file, an archive, a folder, or a URL that fsspec opens, such as `s3://bucket/sessions/`. Of a folder or an
archive each file that may hold sessions is listed, by its beginning; of a URL each file below it.
"""

import os
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from core.importers import load_all
from core.importers._files.folder import MOST_FILES
from core.importers._listing import listing, read_member
from core.importers._naming import named
from core.model.errors import FoldlineError, TranscriptError, format_error
from core.model.session import Session, id_of
from core.tune.let_go import let_go
from core.tune.remote import is_url, read_url, remote_files

_TOLD = 5  # ids in a sentence


@dataclass(frozen=True)
class File:
    """A file of sessions: its path or URL, and the path inside it where that is an archive.

    `size` is in bytes; `version` is another one when the file has changed. `data` is the file itself where it has no place of
    its own, such as an upload.
    """

    path: str
    inside: str = ""
    size: int = 0
    version: str = ""
    data: bytes = field(default=b"", repr=False)

    @property
    def name(self) -> str:
        """What its sessions are called by."""
        return f"{self.path}/{self.inside}" if self.inside else self.path


@dataclass(frozen=True)
class Failure:
    """A session, a file or a path that gives no rows: its name, why, and the way out; and the policy if it is that one only."""

    name: str
    why: str
    hint: str = ""
    policy: str = ""


def failure(name: str, error: Exception) -> Failure:
    """What is said of an error; of one that is no fault of the file, that it is ours."""
    if isinstance(error, FoldlineError):
        return Failure(name, str(error).removeprefix(f"{name}: "), error.hint)
    if os.environ.get("FOLDLINE_DEBUG"):
        traceback.print_exception(error)
    return Failure(name, f"internal error: {format_error(error)}", "set FOLDLINE_DEBUG=1 for the traceback")


def files_of(path: str) -> Iterator[File | Failure]:
    """Every file that a path stands for; and why there is none, or what of a folder was left out."""
    try:
        if is_url(path):
            yield from (File(url, "", size, version) for url, size, version in remote_files(path))
        else:
            yield from _on_disk(path)
    except FoldlineError as error:
        yield failure(path, error)


def _on_disk(path: str) -> Iterator[File | Failure]:
    found = listing(path, most=MOST_FILES)
    if found is None:
        yield file_at(path)
        return
    for member in found.members:
        place = found.path(member.name)
        yield file_at(path, member.name, member.size) if place is None else file_at(str(place), size=member.size)
    yield from (Failure(path, note) for note in found.left.notes())


def file_at(path: str, inside: str = "", size: int = 0) -> File:
    """A file on disk, or one inside an archive there. A folder that is one transcript is as large and as new as its files."""
    top = Path(path)
    stats = [found.stat() for found in (top.rglob("*") if top.is_dir() else (top,)) if found.is_file()]
    whole, newest = sum(stat.st_size for stat in stats), max((stat.st_mtime_ns for stat in stats), default=0)
    return File(path, inside, size or whole, f"{whole}-{newest}")


_kept: tuple[tuple[File, int | None], tuple[str, Session]] | None = None


def sessions_of(file: File, number: int | None = None) -> Iterator[tuple[str, Session]]:
    """The sessions in a file, or the one of this number, from 0; each with its name. Raises TranscriptError.

    The name is the file's, and of several sessions `#` and its id behind it. A session that was the only one asked for is kept:
    the next task of this process is most often over the same one.
    """
    global _kept
    kept = _kept  # another thread may keep another one
    if kept is not None and kept[0] == (file, number):
        yield kept[1]
        return
    kept = None
    forget()  # before the next one needs its room
    found = _named(file, number)
    first = next(found)
    second = next(found, None)
    if second is None:
        _kept = (file, number), first
        yield first
        return
    for one in chain((first, second), found):
        yield one
        let_go(one[1])


def number_of(file: File, id: str) -> int:
    """Which session of a file, from 0, has the id that stands in its name; all before it are read. Raises TranscriptError."""
    others = list[str]()
    for name, session in named(file.name, _read(file)):
        if f"{file.name}#{id}" in (name, f"{file.name}#{id_of(session)}"):
            return len(others)
        others.append(name.removeprefix(f"{file.name}#") if name != file.name else id_of(session))
    shown = ", ".join(others[:_TOLD]) + f" and {len(others) - _TOLD:,} more" * (len(others) > _TOLD)
    raise TranscriptError(f"{file.name}: has no session {id!r}", f"it has {shown}")


def forget() -> None:
    """Let go of the session that is kept."""
    global _kept
    kept, _kept = _kept, None
    if kept is not None:
        let_go(kept[1][1])


def _named(file: File, number: int | None) -> Iterator[tuple[str, Session]]:
    for k, found in enumerate(named(file.name, _read(file))):
        if number in (None, k):
            yield found
        if k == number:
            return
    if number is not None:
        raise TranscriptError(f"{file.name}: has no session {number}", "`foldline show` lists its sessions")


def _read(file: File) -> Iterator[Session]:
    if file.data:
        return load_all(name=file.name, data=file.data)
    if is_url(file.path):
        return load_all(name=file.path, data=read_url(file.path))
    return read_member(file.path, file.inside) if file.inside else load_all(file.path)
