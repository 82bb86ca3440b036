"""The sessions that a check is given, each by a name that stays when others come or go, so that a baseline knows it again."""

from collections.abc import Iterator

from core.importers import load_all
from core.importers._files.folder import MOST_FILES
from core.importers._listing import Listing, listing, read_member
from core.importers._naming import named
from core.model.errors import NoTranscriptError, TranscriptError
from core.model.session import Session

Named = tuple[str, Session | TranscriptError]


def sessions_at(path: str) -> Iterator[Named]:
    """Every session at a path by its name; or why a file has none.

    The session in a file has the path of the file; of several each has its id behind it. A file of a folder or an archive is
    read as if it were given by itself: its name is its path there, below that of the folder. Files of other kinds are left out.
    """
    try:
        found = listing(path, most=MOST_FILES)
        yield from named(path, load_all(path)) if found is None else _in_folder(path, found)
    except TranscriptError as error:
        yield path, error


def _in_folder(path: str, found: Listing) -> Iterator[Named]:
    """Those of every file in it, and of each that could not be read, why. Raises TranscriptError where there are none."""
    top, count = path.rstrip("/") or path, 0
    for member in found.members:
        place, name = found.path(member.name), f"{top}/{member.name}"
        try:
            for one in named(name, read_member(path, member.name) if place is None else load_all(place)):
                count += 1
                yield one
        except NoTranscriptError:
            continue
        except TranscriptError as error:
            count += 1
            yield name, error
    for name, why in found.left.unread():
        count += 1
        yield name, TranscriptError(f"{name}: {why}")
    if not count:
        raise NoTranscriptError(f"{path}: contains no transcript")
