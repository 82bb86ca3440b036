"""The files of a folder of transcripts, an archive or an upload, listed by their beginnings; each is read when asked for.

Only the first 64 KB of a file are looked at here. What these show to be no transcript is left out; a file of which they do
not tell, such as one long JSON value, is listed. Reading one file has the limits that reading all of them has: no archive gives
more at once than `load_all` would take of it. Nothing of it is held between two files.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.importers import (
    MOST_TRIED,
    alone,
    claimed_by,
    each_member,
    given_source,
    guarded,
    importers,
    is_part_by,
    leave_out,
)
from core.importers._files.folder import Folder
from core.importers._files.members import Members
from core.importers._files.source import HEAD_BYTES, SQLITE, Head, Source, head_of, opened
from core.model.errors import TranscriptError
from core.model.session import Session

_ID = re.compile(r'"(?:id|session_?[iI]d|parentID|parent_thread_id)"\s*:\s*"([^"]{1,100})"')
_ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True)
class Member:
    """A file that holds sessions as far as its beginning tells: its path in the folder, and its size in bytes."""

    name: str
    size: int


@dataclass(frozen=True)
class Listing:
    """The files of a folder of transcripts: `members` are those to choose from, `names` all that may be read.

    `left` says which were left out; `top` is the name of the folder in errors.
    """

    given: Callable[[], Source]
    top: str
    names: frozenset[str]
    members: tuple[Member, ...]
    left: Members

    def path(self, name: str) -> Path | None:
        """Where a file lies on disk; None in an archive or an upload."""
        source = self.given()
        return source.path / name if source.path is not None and source.path.is_dir() else None

    def walk(self) -> "Walk":
        """Every file in the order in which `load_all` reads them."""
        return Walk(opened(self.given()))

    def read(self, name: str, taken: set[str]) -> Iterator[Session]:
        """The sessions in one file, and into `taken` the names of those read as parts of them. Raises TranscriptError."""
        with _opened(self.given) as source:
            assert source.folder is not None
            yield from alone(source, name)
            taken |= source.folder.read_with_others


class Walk:
    """The files of a folder one after the other, with the sessions in each, which are to be taken before the next file is."""

    def __init__(self, source: Source) -> None:
        assert source.folder is not None
        self.source, self.folder = source, source.folder
        self._members = each_member(source)

    def __iter__(self) -> Iterator[tuple[str, Iterator[Session]]]:
        return self

    def __next__(self) -> tuple[str, Iterator[Session]]:
        name, found = next(self._members)
        return name, guarded(self.source, found)

    @property
    def left(self) -> Members:
        """Which files were left out so far."""
        return self.source.members

    @property
    def taken(self) -> set[str]:
        """The names of the files that were read as parts of others so far."""
        return self.folder.read_with_others


def listing(
    path: str | os.PathLike[str] | None = None,
    *,
    name: str = "",
    data: bytes | str | None = None,
    files: Mapping[str, bytes] | None = None,
    most: int = MOST_TRIED,
) -> Listing | None:
    """The files of a folder of transcripts; None for a single file, and for a folder that is one transcript.

    At most `most` files are looked at; the others are left out. Raises TranscriptError where there is nothing to read.
    """
    given = partial(given_source, path, name, data, files)
    with _opened(given) as source:
        return None if not source.is_folder or claimed_by(head_of(source)) else _listed(given, source, most)


def read_member(path: str | os.PathLike[str], name: str) -> Iterator[Session]:
    """The sessions in one file of an archive or a folder of transcripts, by its path there. Raises TranscriptError."""
    with _opened(partial(given_source, path, "", None, None)) as source:
        yield from alone(source, name)


@contextmanager
def _opened(given: Callable[[], Source]) -> Iterator[Source]:
    source = opened(given())
    try:
        yield source
    finally:
        if source.folder is not None:
            source.folder.close()


@dataclass(frozen=True)
class _Look:
    """What the beginning of a file tells: whether it is part of another's session, and the ids that are named there."""

    name: str
    part: bool = False
    ids: frozenset[str] = frozenset()


def _listed(given: Callable[[], Source], source: Source, most: int) -> Listing:
    assert source.folder is not None
    folder, left = source.folder, source.members
    left.most = None  # of each file only the beginning is read
    names = folder.names[:most]
    looks = list(_looks(source, names))
    parts = list(_parts(looks))
    left.take_back(source.inside(name).name for name in _beside(names, parts))
    for late in folder.names[most:]:
        left.leave("late", source.inside(late).name, late)
    members = [look for look in looks if not look.part] + [look for look in looks if look.part and look not in parts]
    sized = tuple(Member(look.name, _size(folder, look.name)) for look in members)
    if not sized and not parts:
        raise source.refuse("contains no transcript", "; ".join(left.notes()))
    return Listing(given, source.name, frozenset(names), sized, left)


def _looks(source: Source, names: Iterable[str]) -> Iterator[_Look]:
    """What the beginnings tell, without the files that are left out, and those that are read with an earlier one."""
    groups = set[tuple[str, str]]()
    for name in names:
        group = _group(name)
        if group in groups:
            continue
        if found := _look(source.inside(name)):
            yield found
            if group:
                groups.add(group)


def _group(name: str) -> tuple[str, str] | None:
    """The format whose sessions are several files called so, and the folder that this one lies in."""
    patterns = ((format, getattr(importer, "TOGETHER", "")) for format, importer in importers().items())
    format = next((format for format, pattern in patterns if pattern and re.fullmatch(pattern, f"/{name}")), "")
    return (format, name.rpartition("/")[0]) if format else None


def _parts(looks: list[_Look]) -> Iterator[_Look]:
    """Those that are parts of sessions in the folder: the session, or another part of it, is named in them."""
    known = {id for look in looks if not look.part for id in look.ids}
    waiting = [look for look in looks if look.part]
    while found := [look for look in waiting if look.ids & known]:
        yield from found
        known.update(*(look.ids for look in found))
        waiting = [look for look in waiting if look not in found]


def _beside(names: Iterable[str], parts: list[_Look]) -> Iterator[str]:
    """The files that are called as a part is, but for what follows the first dot: they tell more of it."""
    stems = {_stem(part.name) for part in parts}
    return (name for name in names if _stem(name) in stems)


def _stem(name: str) -> str:
    above, _, last = name.rpartition("/")
    return f"{above}/{last.partition('.')[0]}"


def _size(folder: Folder, name: str) -> int:
    with suppress(OSError):
        return folder.store.size(name)
    return 0


def _look(file: Source) -> _Look | None:
    """What the beginning of a file tells; None for one that is left out."""
    try:
        with file.open() as data:
            start = data.read(HEAD_BYTES + 1)
        if start.startswith(_ARCHIVES):
            return _Look(file.place)
        if start.startswith(SQLITE) or len(start) <= HEAD_BYTES:
            return _look_at_head(file, head_of(file))
        return _begun(file, start)
    except TranscriptError as error:
        leave_out(file, error)
        return None


def _look_at_head(file: Source, head: Head) -> _Look:
    """What the head of a file tells. Raises TranscriptError where nobody reads it."""
    if not claimed_by(head):
        raise head.problem or file.refuse("is of an unknown format")
    return _Look(file.place, is_part_by(head), frozenset(_ID.findall(head.text)))


def _begun(file: Source, start: bytes) -> _Look:
    """What the first lines of a longer file tell; where that is JSON, only reading all of it can tell that it is none."""
    lines = Source(file.name, data=start[: start.rfind(b"\n") + 1] or start)
    try:
        return _look_at_head(file, head_of(lines))
    except TranscriptError:
        if start.lstrip()[:1] in (b"{", b"["):
            return _Look(file.place)
        raise
