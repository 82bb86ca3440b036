"""What a call brought back: which messages had shown it before, and whether its file was written in between."""

from typing import NamedTuple

from core.measure.read_again import files_of, is_same_file
from core.measure.tool_use import Repeat, tool_uses
from core.trace.trace import Trace


class BroughtBack(NamedTuple):
    """The call's message, the messages that showed it before, and how many calls wrote its file since the newest of these.

    A file that was written since is read again for that, whatever left the window.
    """

    at: int
    shown: tuple[int, ...]
    edits: int


def brought_back(trace: Trace, repeat: Repeat) -> BroughtBack:
    """What is known of a call that asks again. Where only the calls that wrote it had it, these showed it."""
    results = tuple(place for place in repeat.sources if trace.messages[place].role == "tool")
    shown = results or tuple(repeat.sources)
    files = files_of(repeat.use)
    edits = sum(
        shown[-1] < use.at < repeat.use.at
        and bool(use.written)
        and any(is_same_file(file, other) for file in files for other in files_of(use))
        for use in tool_uses(trace)
    )
    return BroughtBack(repeat.use.at, shown, edits)
