"""Exports of sub-agents beside an opencode export: each task is a session of its own, which names its parent."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

from core.importers._files.source import HEAD_BYTES, Source
from core.importers._files.text import decoded
from core.importers._shapes.blocks import string
from core.model.errors import TranscriptError

MOST = 50
"""Where more files than this lie beside an export they are not looked through."""

_PARENT = re.compile(r'"parentID"\s*:\s*"(ses_[^"\\]{1,100})"')  # a message's parent is a message: "msg_…"


class Family(Protocol):
    """Where the sub-agents of a session are found."""

    def take(self, parent: str) -> list[Any]:
        """The exports of those that name a session as their parent; each is given once."""
        ...

    def lost(self, id: str) -> list[str]:
        """What could not be read of a session that stands there."""
        ...

    def notes(self, id: str) -> Iterator[str]:
        """What else is to be said of it."""
        ...


class SiblingExports:
    """The exports beside one. Looking at them does not make them this one's: those that are taken are."""

    def __init__(self, source: Source) -> None:
        self.source, self.seen = source, set[str]()

    def take(self, parent: str) -> list[Any]:
        """What the exports hold that name a session as their parent; of each session once."""
        if not parent or parent in self.seen:
            return []
        self.seen.add(parent)
        found = []
        for file in self._children.get(parent, ()):
            try:
                value = file.parsed()
            except TranscriptError:
                continue
            if _id_of(value) in self.seen:  # a child of its own child
                continue
            found.append(value)
            if self.source.folder:
                self.source.folder.read_with_others.add(file.place)
        return found

    def lost(self, _: str) -> list[str]:
        """Nothing: an export is read whole or not at all."""
        return []

    def notes(self, _: str) -> Iterator[str]:
        """None."""
        return iter(())

    @cached_property
    def _children(self) -> dict[str, list[Source]]:
        folder = self.source.folder
        if folder is None:
            return _by_parent(self.source)
        key = f"opencode exports in {self.source.place.rpartition('/')[0]}"
        if key not in folder.known:
            taken = set(folder.read_with_others)
            folder.known[key] = _by_parent(self.source)
            folder.read_with_others.intersection_update(taken)
        found: dict[str, list[Source]] = folder.known[key]
        return found


def _by_parent(source: Source) -> dict[str, list[Source]]:
    """The files beside this one by the session that they name as their parent."""
    files = source.near("*.json*")
    found: defaultdict[str, list[Source]] = defaultdict(list)
    for file in files if len(files) <= MOST else ():
        if parent := _parent_in(file):
            found[parent].append(file)
    return found


def _parent_in(file: Source) -> str:
    try:
        with file.open() as data:
            named = _PARENT.search(decoded(data.read(HEAD_BYTES))[0])
    except TranscriptError:
        return ""
    return named[1] if named else ""


def _id_of(value: Any) -> str:
    info = value.get("info") if isinstance(value, dict) else None
    return string(info.get("id")) if isinstance(info, dict) else ""
