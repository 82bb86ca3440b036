"""Sessions that opencode keeps apart from their messages, put together as `opencode export` would write them."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from core.importers._files.text import LIMIT
from core.importers._shapes.blocks import label, string
from core.importers._shapes.notes import pluralize
from core.importers.opencode.messages import time_of

MOST_BYTES = 4 * LIMIT
"""Of one session not more than this is read."""

TOO_LONG = f"the session continues beyond {MOST_BYTES >> 20} MB"


class Shelf(Protocol):
    """Where sessions stand: a storage folder, or a database."""

    def items(self, id: str, lost: list[str]) -> list[dict[str, Any]]:
        """The messages of a session, each with its parts; `lost` is told what could not be read."""
        ...


def is_session(value: Any) -> bool:
    """Whether this is what opencode keeps of a session beside its messages."""
    if not isinstance(value, dict) or value.keys() & {"info", "messages"}:
        return False
    named = string(value.get("id")).startswith("ses_") and isinstance(value.get("title"), str)
    return named and isinstance(value.get("time"), dict) and bool(value.keys() & {"projectID", "version"})


class Kept:
    """Sessions by their ids, each with the shelf that it stands on: of an id that is there twice the first one counts.

    Every session is given once: with its parent, or by itself where that is not here.
    """

    def __init__(self, found: Iterable[tuple[dict[str, Any], Shelf]], notes: Iterable[str] = ()) -> None:
        self._all: dict[str, tuple[dict[str, Any], Shelf]] = {}
        for info, shelf in found:
            self._all.setdefault(string(info.get("id")), (info, shelf))
        self._left, self._notes, self._lost = dict.fromkeys(self._all), tuple(notes), dict[str, list[str]]()
        self._children: dict[str, list[str]] = {}
        for id, (info, _) in self._all.items():
            self._children.setdefault(string(info.get("parentID")), []).append(id)

    def exports(self) -> Iterator[dict[str, Any]]:
        """Every session that is no other's, the newest first; then those that are left: each is its own grandparent."""
        newest = sorted(self._all, key=lambda id: (-_changed(self._all[id][0]), id))
        for alone in (True, False):
            for id in newest:
                if id in self._left and (string(self._all[id][0].get("parentID")) not in self._all or not alone):
                    yield self.export(id)

    def take(self, parent: str) -> list[dict[str, Any]]:
        """The sessions that name this one as their parent and have not been given yet."""
        return [self.export(id) for id in self._children.get(parent, ()) if id in self._left]

    def export(self, id: str) -> dict[str, Any]:
        """One session with its messages."""
        self._left.pop(id, None)
        info, shelf = self._all[id]
        return {"info": info, "messages": shelf.items(id, self._lost.setdefault(id, []))}

    def lost(self, id: str) -> list[str]:
        """What could not be read of a session."""
        return self._lost.get(id, [])

    def notes(self, id: str) -> Iterator[str]:
        """The same in words, with what is to be said of all of them."""
        yield from self._notes
        if lost := self.lost(id):
            yield f"{pluralize(len(lost), 'record')} could not be read, the first one: {label(lost[0])}"


def _changed(info: dict[str, Any]) -> int:
    return time_of(info.get("time"), "updated", "created")
