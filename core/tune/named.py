"""The sessions that a path of `foldline tune` stands for: files, or one session by the name that its row has.

A row calls a session `log.jsonl#its-id` or `logs.zip/a.json`, so that a sweep over some of many is written with their names.
"""

from collections.abc import Iterator

from core.importers._naming import located
from core.model.errors import FoldlineError
from core.tune.files import Failure, File, failure, files_of, number_of
from core.tune.remote import is_url


def files_named(path: str) -> Iterator[tuple[File, int | None] | Failure]:
    """Every file that a path stands for, with the number of its session where the path names one."""
    container, inside, id = _parts(path)
    known = False
    for found in files_of(container):
        if isinstance(found, File) and inside in ("", found.inside):
            known = True
            yield _numbered(found, id) if id else (found, None)
        elif isinstance(found, Failure) and not inside:
            yield found
    if inside and not known:
        yield Failure(path, f"{container} has no file of this name", "`foldline show` lists its sessions")


def _numbered(file: File, id: str) -> tuple[File, int] | Failure:
    try:
        return file, number_of(file, id)
    except FoldlineError as error:
        return failure(file.name, error)


def _parts(path: str) -> tuple[str, str, str]:
    """The file on disk, the path inside it where it is an archive, the id of its session."""
    found = None if is_url(path) else located(path)
    return (str(found[0]), *found[1:]) if found else (path, "", "")
