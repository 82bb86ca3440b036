"""The files of a folder, an archive or an upload as a whole: which were left out, and how much was read of all of them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from core.importers._files.unpack import ALWAYS

Reason = Literal["unread", "shut", "other", "links", "no room", "late"]

WHOLE = 256 * 1024 * 1024
"""So many bytes at most are read of all files together, unpacked: sessions take more memory than their files.

Where one file is read at a time, as it is chosen, this is what it may give with the files that are parts of it: an archive made
to harm gives no more, and no two are in memory at once.
"""

RATIO = 50
"""So many times their size at most comes out of all packed files together. Of one it may be more (`unpack.RATIO`)."""

_WORDS: dict[Reason, tuple[str, str, str]] = {
    "unread": ("file", "could not be read", "could not be read"),
    "shut": ("folder", "could not be read", "could not be read"),
    "other": ("file", "is not a transcript", "are not transcripts"),
    "links": ("link", "is not followed", "are not followed"),
    "no room": (
        "file",
        "exceeds the total limit of {most:,} MB",
        "exceed the total limit of {most:,} MB",
    ),
    "late": ("file", "exceeds the number of files that are tried", "exceed the number of files that are tried"),
}
_OF_MEMBERS = re.compile(r"\d[\d,]* (?:file|folder|link)s? left out: ")


@dataclass
class Members:
    """What is known of them: `left` holds by reason the names of those left out, each with what is to be said of it.

    `most` is how many bytes may be read of all together, None where there is no limit; `read` how many came of each.
    """

    left: dict[Reason, dict[str, str]] = field(default_factory=dict)
    most: int | None = None
    read: Counter[str] = field(default_factory=Counter)
    total: int = 0

    def limit(self, size: int) -> None:
        """Set how many bytes are read of all files of a folder or an archive of this size, and of those inside of it."""
        if self.most is None:
            self.most = min(WHOLE, max(ALWAYS, RATIO * size))

    def room(self, name: str) -> int | None:
        """How many bytes may be read of one; None where there is no limit. What is read again counts once."""
        return None if self.most is None else max(0, self.most - self.total + self.read[name])

    def took(self, name: str, size: int) -> None:
        """Note how many bytes were read of one, from its beginning."""
        self.total += max(0, size - self.read[name])
        self.read[name] = max(size, self.read[name])

    @property
    def count(self) -> int:
        """How many were left out."""
        return sum(map(len, self.left.values()))

    def leave(self, reason: Reason, name: str, said: str = "") -> None:
        """Note one that is left out; the first reason stays."""
        if not any(name in found for found in self.left.values()):
            self.left.setdefault(reason, {})[name] = said or name

    def take_back(self, names: Iterable[str]) -> None:
        """These are no transcripts by themselves, but were read as part of others."""
        for name in names:
            self.left.get("other", {}).pop(name, None)

    def found(self, name: str) -> None:
        """It was read after all."""
        for found in self.left.values():
            found.pop(name, None)

    def why(self, name: str, place: str) -> str:
        """Why a file at this place gave no session; "" where it did, or where there was no room for it."""
        if name in self.left.get("other", {}):
            return "is no transcript"
        return self.left.get("unread", {}).get(name, "").removeprefix(f"{place}: ")

    def unread(self) -> Iterator[tuple[str, str]]:
        """Every one that may hold a session and was not read: its name, and why."""
        for reason, (_, why, _) in _WORDS.items():
            for name, said in (
                self.left.get(reason, {}).items() if reason in ("unread", "shut", "no room", "late") else ()
            ):
                place, colon, told = said.partition(": ")
                yield name, told if colon and name.endswith(place) else why.format(most=(self.most or 0) >> 20)

    def notes(self) -> Iterator[str]:
        """What was left out, as notes for people."""
        for reason, (noun, one, many) in _WORDS.items():
            if found := self.left.get(reason):
                why = (one if len(found) == 1 else many).format(most=(self.most or 0) >> 20)
                yield _note(len(found), noun, why, next(iter(found.values())))


def _note(count: int, noun: str, why: str, first: str) -> str:
    if count == 1:
        return f"1 {noun} left out: it {why} ({first})"
    return f"{count:,} {noun}s left out: they {why} (the first one: {first})"


def tells_of_members(note: str) -> bool:
    """Whether a note is about files that were left out of a folder, an archive or an upload."""
    return _OF_MEMBERS.match(note) is not None
