"""What the sessions of one file are called: by its path alone, or with the id of each behind it; and which is meant."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from core.model.session import Session, id_of


def named(path: str, found: Iterator[Session]) -> Iterator[tuple[str, Session]]:
    """Each session of the file at a path by its name: the path, and of several `#` and its id behind it.

    So the name stays when a session is put in front of another. Of equal ids the second has `~2` behind it.
    """
    first, second = next(found), next(found, None)
    if second is None:
        yield path, first
        return
    taken = Counter[str]()
    for session in chain((first, second), found):
        id = id_of(session)
        taken[id] += 1
        yield f"{path}#{id}" if taken[id] == 1 else f"{path}#{id}~{taken[id]}", session


def located(name: str) -> tuple[Path, str, str] | None:
    """The file on disk that a name means, the path inside it where it is an archive, and the id of the session, "" of none.

    What exists is meant whole, `#` and all. None where nothing of that name is on this machine.
    """
    for whole, id in _partings(name):
        path = Path(whole)
        if path.exists():
            return path, "", id
        archive = next((one for one in path.parents if one.is_file()), None)
        if archive and (id or "#" not in path.name):
            return archive, path.relative_to(archive).as_posix(), id
    return None


def _partings(name: str) -> Iterator[tuple[str, str]]:
    """What a name may be made of, a path and an id or "" of none: all of it the path, or what stands in front of a `#`."""
    yield name, ""
    at = name.rfind("#")
    while at > 0:
        yield name[:at], name[at + 1 :]
        at = name.rfind("#", 0, at)
