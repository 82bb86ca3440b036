"""What the sessions of one file are called: by its path alone, or with the id of each behind it."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

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


def split_names(name: str) -> Iterator[tuple[str, str]]:
    """What a name may be made of, a path and an id or "" of none: all of it the path, or what stands in front of a `#`."""
    yield name, ""
    at = name.rfind("#")
    while at > 0:
        yield name[:at], name[at + 1 :]
        at = name.rfind("#", 0, at)
