"""The folder `storage` of opencode (2025): a file for each session, for each message, and for each part of one.

session/<project>/<session>.json, message/<session>/<message>.json, part/<message>/<part>.json: the ids rise with time, so that
the order of the files' names is theirs. A storage has very many files: only the folders that are needed are looked into.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from core.importers._files.folder import Folder, OnDisk
from core.importers._files.source import Source
from core.importers._files.text import parse
from core.importers._shapes.blocks import string
from core.importers.opencode.stored import MOST_BYTES, TOO_LONG, is_session
from core.model.errors import TranscriptError

_SAFE = re.compile(r"[\w-]{1,200}", re.ASCII)
_LOOKED_AT = 3
_PROJECTS = 10

_Family = dict[str, list[str]]
"""The paths of the session files by the session that they name as their parent."""


class Files:
    """The storage at `top` in a folder."""

    def __init__(self, folder: Folder, top: str) -> None:
        self.folder, self._top = folder, f"{top}/" if top else ""

    @property
    def above(self) -> str | None:
        """The path of the folder that the storage lies in; None where that is not at hand."""
        return self._top[:-1].rpartition("/")[0] if self._top else None

    def sessions(self) -> Iterator[dict[str, Any]]:
        """What is kept of each session; files that hold none are passed over."""
        for project in self._within("session")[0]:
            yield from (info for info, _ in self._in_project(project))

    def _in_project(self, project: str) -> Iterator[tuple[dict[str, Any], str]]:
        for name in self._json(f"session/{project}"):
            place = f"session/{project}/{name}"
            if info := self.session(place):
                yield info, place

    def session(self, place: str) -> dict[str, Any] | None:
        """The session in a file; None where there is none."""
        try:
            value = parse(self._text(place))
        except (TranscriptError, ValueError):
            return None
        return value if is_session(value) else None

    def below(self, info: dict[str, Any], project: str) -> list[dict[str, Any]]:
        """The sessions that descend from one, which are found by their parents; those files are taken."""
        family, found, waiting = self._family(project), [info], [string(info.get("id"))]
        seen = set(waiting)
        while waiting:
            for place in family.get(waiting.pop(), ()):
                child = self.session(place)
                if child and child["id"] not in seen:
                    seen.add(child["id"])
                    waiting.append(child["id"])
                    found.append(child)
                    self.folder.read_with_others.add(self._top + place)
        return found

    def _family(self, project: str) -> _Family:
        """Kept while a folder is open; on disk until a file comes or goes, for a parent never changes."""
        if isinstance(self.folder.store, OnDisk):
            try:
                stamp = (self.folder.store.root / self._top / "session" / project).stat().st_mtime_ns
            except OSError:
                return {}
            return _family_on_disk(self.folder.store, self._top, project, stamp)
        key = f"opencode sessions in {self._top}{project}"
        if key not in self.folder.known:
            self.folder.known[key] = self.family(project)
        known: _Family = self.folder.known[key]
        return known

    def family(self, project: str) -> _Family:
        """Looked up: every session file of the project is read."""
        found: _Family = {}
        for info, place in self._in_project(project):
            if parent := string(info.get("parentID")):
                found.setdefault(parent, []).append(place)
        return found

    def items(self, id: str, lost: list[str]) -> list[dict[str, Any]]:
        """The messages of a session with their parts."""
        found, size = list[dict[str, Any]](), 0
        for name, info, length in self._values("message", id, lost):
            parts = list(self._values("part", name, lost))
            found.append({"info": info, "parts": [part for _, part, _ in parts]})
            size += length + sum(more for _, _, more in parts)
            if size > MOST_BYTES:
                lost.append(TOO_LONG)
                break
        return found

    def _values(self, kind: str, id: str, lost: list[str]) -> Iterator[tuple[str, dict[str, Any], int]]:
        """The objects in the files of one folder, each with the file's name, which is its id, and its length."""
        for name in self._json(f"{kind}/{id}") if _SAFE.fullmatch(id) else ():
            try:
                text = self._text(f"{kind}/{id}/{name}")
                value = parse(text)
            except (TranscriptError, ValueError) as error:
                lost.append(f"{name}: {str(error).rpartition(f'{name}: ')[2]}")
                continue
            if not isinstance(value, dict):
                lost.append(f"{name}: is not an object")
                continue
            own = name.removesuffix(".json")
            yield own, {**value, "id": string(value.get("id")) or own}, len(text)

    def has_sessions(self) -> bool:
        """Whether one of the first files where the sessions should lie is one."""
        for project in self._within("session")[0][:_PROJECTS]:
            names = self._json(f"session/{project}")[:_LOOKED_AT]
            if any(self.session(f"session/{project}/{name}") for name in names):
                return True
        return False

    def _within(self, place: str) -> tuple[list[str], list[str]]:
        return self.folder.within(self._top + place)

    def _json(self, place: str) -> list[str]:
        """The names of the files there; one that is still being written has another ending."""
        return [name for name in self._within(place)[1] if name.endswith(".json")]

    def _text(self, place: str) -> str:
        return Source(place, folder=self.folder, place=self._top + place).text()


@lru_cache(maxsize=32)
def _family_on_disk(store: OnDisk, top: str, project: str, _: int) -> _Family:
    return Files(Folder(store), top.rstrip("/")).family(project)
