"""The files of a folder, an archive or an upload as a whole: which were left out, and how much was read of all of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Reason = Literal["unread", "shut", "other", "links"]

_WORDS: dict[Reason, tuple[str, str, str]] = {
    "unread": ("file", "could not be read", "could not be read"),
    "shut": ("folder", "could not be read", "could not be read"),
    "other": ("file", "is no transcript", "are no transcripts"),
    "links": ("link", "is not followed", "are not followed"),
}
_OF_MEMBERS = re.compile(r"\d[\d,]* (?:file|folder|link)s? left out: ")


@dataclass
class Members:
    """What is known of them: `left` holds by reason the names of those left out, each with what is to be said of it."""

    left: dict[Reason, dict[str, str]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many were left out."""
        return sum(map(len, self.left.values()))

    def leave(self, reason: Reason, name: str, said: str = "") -> None:
        """Note one that is left out."""
        self.left.setdefault(reason, {}).setdefault(name, said or name)

    def take_back(self, names: Iterable[str]) -> None:
        """These are no transcripts by themselves, but were read as part of others."""
        for name in names:
            self.left.get("other", {}).pop(name, None)

    def notes(self) -> Iterator[str]:
        """What was left out, as notes for people."""
        for reason, (noun, one, many) in _WORDS.items():
            if found := self.left.get(reason):
                yield _note(len(found), noun, one if len(found) == 1 else many, next(iter(found.values())))


def _note(count: int, noun: str, why: str, first: str) -> str:
    if count == 1:
        return f"1 {noun} left out: it {why} ({first})"
    return f"{count:,} {noun}s left out: they {why} (the first one: {first})"


def tells_of_members(note: str) -> bool:
    """Whether a note is about files that were left out of a folder, an archive or an upload."""
    return _OF_MEMBERS.match(note) is not None
