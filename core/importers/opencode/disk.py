"""Where opencode keeps sessions on disk: a storage folder, a database, both in one folder, or one file of a storage."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from core.importers._files.folder import Folder, InMemory
from core.importers._files.source import SQLITE, Head, Source
from core.importers.opencode.database import Database, database
from core.importers.opencode.files import Files
from core.importers.opencode.stored import Kept, Shelf
from core.model.errors import TranscriptError

_MOST_BESIDE = 50
"""Databases are looked for among so many files beside a storage."""


def keeps(head: Head) -> bool:
    """Whether a folder is such a storage or holds one; or whether a file is such a database."""
    source = head.source
    if source is None:
        return False
    if source.folder is not None and source.is_folder:
        return _storage_in(source.folder) is not None
    return head.binary == "sqlite" and _is_database(source)


def _is_database(source: Source) -> bool:
    try:
        with database(source):
            return True
    except TranscriptError:
        return False


@contextmanager
def kept_in(source: Source) -> Iterator[Kept]:
    """The sessions of a folder or a database."""
    with ExitStack() as open:
        if not source.is_folder:
            only = open.enter_context(database(source))
            yield Kept((info, only) for info in only.sessions())
            return
        assert source.folder is not None
        files, notes = Files(source.folder, _storage_in(source.folder) or ""), list[str]()
        found: list[tuple[dict[str, Any], Shelf]] = []
        for one in _databases(source, files):
            try:
                shelf: Database = open.enter_context(database(one))
                found += [(info, shelf) for info in shelf.sessions()]
            except TranscriptError as error:
                notes.append(f"the database beside the storage was skipped: {error}")
        yield Kept([*found, *((info, files) for info in files.sessions())], notes)


def _storage_in(folder: Folder) -> str | None:
    """The path of the storage in a folder: the folder itself, the one called so in it, or in the only one in it."""
    folders, files = folder.within()
    inner = folders[0] if len(folders) == 1 and not files else ""
    places = ["", "storage", *((inner, f"{inner}/storage") if inner else ())]
    return next((place for place in places if Files(folder, place).has_sessions()), None)


def _databases(source: Source, files: Files) -> Iterator[Source]:
    """The databases in the folder that the storage lies in."""
    assert source.folder is not None
    above = files.above
    for name in source.folder.within(above)[1][:_MOST_BESIDE] if above is not None else ():
        file = source.inside(f"{above}/{name}" if above else name)
        try:
            with file.open() as data:
                is_database = data.read(len(SQLITE)) == SQLITE
        except TranscriptError:
            continue
        if is_database:
            yield file


def kept_with(source: Source) -> Kept:
    """The session whose file this is, with its messages and the sessions below it, from the storage in which it lies."""
    found = source.above("storage")
    if found is None:
        return Kept([(source.value, Files(Folder(InMemory({})), ""))])
    folder, top, place = found
    *above, kind, project, _ = ["", "", *place.split("/")]
    files = Files(
        folder, "/".join(filter(None, (top, *above)))
    )  # the storage in an opened folder may be called otherwise
    return Kept((info, files) for info in (files.below(source.value, project) if kind == "session" else [source.value]))
