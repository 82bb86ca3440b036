"""What a call brought back: which messages had shown it before, and whether its file was written in between."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import NamedTuple

from core.measure.read_again import File, files_of, is_same_file
from core.measure.tool_use import Repeat, tool_uses
from core.model.cached import cached
from core.model.give_way import give_way
from core.trace.trace import Trace

Writes = Mapping[str, Mapping[File, list[tuple[int, int]]]]
"""The calls that wrote files, by the last part of a file's name, then by the file: where each is, and its number, in order."""


class BroughtBack(NamedTuple):
    """The call's message, the messages that showed it before, and how many calls wrote its file since the newest of these.

    A file that was written since is read again for that, whatever left the window.
    """

    at: int
    shown: tuple[int, ...]
    edits: int


def brought_back(trace: Trace, repeat: Repeat) -> BroughtBack:
    """What is known of a call that asks again. Where only the calls that wrote it had it, these showed it."""
    give_way()
    results = tuple(place for place in repeat.sources if trace.messages[place].role == "tool")
    shown = results or tuple(repeat.sources)
    return BroughtBack(repeat.use.at, shown, _edits(trace, repeat, shown[-1]))


def _edits(trace: Trace, repeat: Repeat, since: int) -> int:
    """How many calls between a message and the call that asks again wrote a file of that call."""
    writes = cached(trace.measured, "writes of files", lambda _: _writes(trace))
    found = set[tuple[int, int]]()
    for file in files_of(repeat.use):
        for other, calls in writes.get(file[-1], {}).items():
            if is_same_file(file, other):
                found.update(calls[bisect_left(calls, (since + 1, 0)) : bisect_left(calls, (repeat.use.at, 0))])
    return len(found)


def _writes(trace: Trace) -> Writes:
    """Every call that wrote a file."""
    found: dict[str, dict[File, list[tuple[int, int]]]] = {}
    for number, use in enumerate(tool_uses(trace)):
        give_way()
        for file in files_of(use) if use.written else ():
            found.setdefault(file[-1], {}).setdefault(file, []).append((use.at, number))
    for calls in (calls for files in found.values() for calls in files.values()):
        calls.sort()
    return found
