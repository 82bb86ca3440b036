"""Where the samples of an Inspect log lie: in the one object, or in files of their own, newer ones in pieces.

samples/<id>_epoch_<n>.json                                  one sample
samples/<id>_epoch_<n>/sample.json, messages/<start>.json …  one in pieces, each named by the place of its first item
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.source import Source
from core.model.errors import TranscriptError

HEADER, STARTED = "header.json", "_journal/start.json"

_PIECE = re.compile(r"(samples/.+_epoch_\d+)/(sample|messages/\d+|events/\d+|attachments/\d+)\.json")
_DIGITS = re.compile(r"(\d+)")

Sample = dict[str, Any]


def is_log(value: Any) -> bool:
    """Whether it is a log, or the header of one."""
    if not isinstance(value, dict) or not isinstance(value.get("eval"), dict):
        return False
    return bool(value["eval"].keys() & {"task", "task_id", "run_id"}) and bool(
        value.keys() & {"status", "plan", "samples", "results", "version"}
    )


def is_sample(value: Any) -> bool:
    """Whether it is one sample of a log."""
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    known = {"id", "epoch", "input"} <= value.keys() and isinstance(value["epoch"], int)
    return known and bool(value.keys() & {"target", "store", "events", "scores"})


def header_in(source: Source, names: Sequence[str]) -> Sample | None:
    """The header of a log in a folder; of one that is still being written what it began with; None of any other folder."""
    for name in (HEADER, STARTED):
        if name in names:
            try:
                value = source.inside(name).parsed()
            except TranscriptError:
                continue
            if isinstance(value, dict) and is_log(value):
                return value
    return None


@dataclass
class Place:
    """One sample in a folder: its own file, or the pieces by what they hold, with the place of their first item."""

    name: str
    pieces: defaultdict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))

    def read(self, source: Source) -> tuple[Any, Iterator[str]]:
        """The sample, with what was wrong with its file. Raises TranscriptError."""
        file = source.inside(self.name)
        value = file.parsed()
        return (self._joined(value, source) if self.pieces else value), file.damage.notes()

    def _joined(self, shell: Any, source: Source) -> Any:
        """A sample in pieces as it would be in one: attachments by their places, the end by places in the messages."""
        if not isinstance(shell, dict):
            return shell
        pool = self._items("messages", source)
        kept = {str(n): text for n, text in enumerate(self._items("attachments", source))}
        refs, end = shell.get("message_refs"), list[Any]()
        for ref in refs if isinstance(refs, list) else ():
            if isinstance(ref, list) and len(ref) == 2 and all(isinstance(n, int) for n in ref):
                end += pool[max(ref[0], 0) : max(ref[1], 0)] if len(end) <= len(pool) else []
        more = {"messages": end, "events": self._items("events", source), "events_data": {"messages": pool}}
        return {**shell, **more, "attachments": kept}

    def _items(self, what: str, source: Source) -> list[Any]:
        found = []
        for _, name in sorted(self.pieces.get(what, [])):
            value = source.inside(name).parsed()
            found += value if isinstance(value, list) else []
        return found


def places(names: Sequence[str]) -> list[Place]:
    """The samples of a folder, by id and epoch."""
    found: dict[str, Place] = {}
    for name in names:
        match = _PIECE.fullmatch(name)
        if match:
            place = found.setdefault(match[1], Place(f"{match[1]}/sample.json"))
            kind, _, start = match[2].partition("/")
            place.pieces[kind].append((int(start or 0), name))
    for name in names:
        apart = any(name[: i.start()] in found for i in re.finditer("/", name))
        if name.startswith("samples/") and name.endswith(".json") and not apart:
            found[name] = Place(name)
    return [place for _, place in sorted(found.items(), key=lambda item: _natural(item[0]))]


def _natural(name: str) -> list[tuple[int, str]]:
    """Names in the order people count: 9 before 10."""
    return [(int(part[:18]), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name)]
