"""The sessions that a path of `foldline tune` stands for: files, or one session by the name that its row has.

A row calls a session `log.jsonl#3` or `logs.zip/a.json`, so that a sweep over some of many is written with their names.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from core.tune.files import Failure, File, files_of
from core.tune.remote import is_url

_NUMBERED = re.compile(r"(.+)#(\d{1,9})", re.DOTALL)


def files_named(path: str) -> Iterator[tuple[File, int | None] | Failure]:
    """Every file that a path stands for, with the number of its session where the path names one."""
    container, inside, number = _parts(path)
    known = False
    for found in files_of(container):
        if isinstance(found, File) and inside in ("", found.inside):
            known = True
            yield found, number
        elif isinstance(found, Failure) and not inside:
            yield found
    if inside and not known:
        yield Failure(path, f"{container} has no file of this name", "`foldline show` lists its sessions")


def _parts(path: str) -> tuple[str, str, int | None]:
    """The file on disk, the path inside it where it is an archive, the number of its session. What exists is meant whole."""
    if is_url(path) or Path(path).exists():
        return path, "", None
    numbered = _NUMBERED.fullmatch(path)
    whole, number = (numbered[1], int(numbered[2])) if numbered else (path, None)
    archive = next((str(one) for one in Path(whole).parents if one.is_file()), "")
    if not archive or Path(whole).exists():
        return whole, "", number
    return archive, whole[len(archive) :].lstrip("/\\"), number
