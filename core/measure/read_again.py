"""Reads of a file whose text stood in the window before, read or written there: by the lines, whatever the call looks like."""

import re
from collections.abc import Iterator, Sequence

from core.entities.lines import COMMANDS
from core.measure.answers import brings_back, is_empty_answer, lines_of_call, lines_of_result, searches, shows_text
from core.measure.had import put_in_lines, unshown_quotes
from core.measure.standing import Standing, standing
from core.measure.tool_use import Repeat, Use, tool_uses
from core.model.cached import cached
from core.model.give_way import give_way
from core.model.session import ToolCall
from core.trace.trace import Trace

_MOST = 24  # texts of one file, the newest, that a read is compared with
File = tuple[str, ...]
"""A file by its folders and its name, without case."""
_SLASH = re.compile(r"[\\/]")
_FILE = re.compile(r"[\w@+~./\\-]*\w\.[A-Za-z]\w{0,7}(?![\w.])")


def reads_again(trace: Trace) -> Iterator[Repeat]:
    """Reads that bring back lines of a file that no message of the window has any more: half of what they bring, or more.

    The sources of each are the messages that had those lines and are gone: results that showed them, calls that wrote them.
    A read of a file of which the agent still had lines (`had.py`) asks for nothing that was gone.
    """
    windows = standing(trace)
    for use, sources in cached(trace.measured, "reads of known files", lambda _: tuple(_known(trace))):
        give_way()
        if (gone := _gone(trace, windows, use, sources)) and not _had(trace, use, gone):
            yield Repeat(use, gone, False)


def _known(trace: Trace) -> Iterator[tuple[Use, tuple[int, ...]]]:
    """The reads that bring lines which a message before them had of the same file, with these messages."""
    shown: dict[str, list[tuple[File, int]]] = {}
    for use in tool_uses(trace):
        give_way()
        command = _command(use.call)
        reads = use.result >= 0 and (use.does == "read" or bool(command))
        files = files_of(use)
        known = ((file, one) for file in files for one in shown.get(file[-1], ())[-_MOST:])
        before = sorted({place for file, (other, place) in known if place < use.reply and is_same_file(file, other)})
        if reads and before and not searches(command) and not is_empty_answer(trace, use):
            yield use, tuple(before)
        if reads or use.written:
            for file in files:
                shown.setdefault(file[-1], []).append((file, use.result if reads else use.at))


def _gone(trace: Trace, windows: Standing, use: Use, sources: tuple[int, ...]) -> tuple[int, ...]:
    """The messages that had half of what a read brings and stand no more; none where others that stand have it too."""
    gone = [place for place in sources if not windows.stands(place, use.at)]
    if not gone:
        return ()
    lines = _lines(trace, use.result)
    stand = put_in_lines(trace, use.reply).union(
        *(_lines(trace, place) for place in sources if windows.stands(place, use.at))
    )
    missing = lines - stand
    had = {place: _lines(trace, place) & missing for place in gone}
    known = set[str]().union(*had.values())
    return tuple(place for place, some in had.items() if some) if brings_back(lines, known) else ()


def _had(trace: Trace, use: Use, gone: tuple[int, ...]) -> bool:
    """Whether an edit of the same file shows that the agent had lines of the messages that are gone."""
    lines, files = set[str]().union(*(_lines(trace, place) for place in gone)), files_of(use)
    return any(
        lines & quote and any(is_same_file(file, other) for file in files for other in files_of(edit))
        for edit, quote in unshown_quotes(trace, use.reply)
    )


def _lines(trace: Trace, place: int) -> frozenset[str]:
    """The lines of a result, or those that the calls of a reply have."""
    known = cached(trace.measured, "lines of files", lambda _: dict[int, frozenset[str]]())
    if place not in known:
        message = trace.messages[place]
        calls = set[str]().union(*map(lines_of_call, message.tool_calls))
        known[place] = frozenset(lines_of_result(message) if message.role == "tool" else calls)
    return known[place]


def named_file(use: Use) -> tuple[str, File]:
    """The file that a call names first, as it is written there and as it is compared; empty where it names none."""
    return next(((name, file) for name in _names(use) if (file := _file(name))), ("", ()))


def files_of(use: Use) -> set[File]:
    """The files that a call reads or writes."""
    return {file for name in _names(use) if (file := _file(name))}


def _names(use: Use) -> Sequence[str]:
    return use.files or (_FILE.findall(_command(use.call)) if not use.does else ())


def files_in(text: str) -> set[File]:
    """The files that a text names."""
    return {file for name in _FILE.findall(text) if (file := _file(name))}


def _file(name: str) -> File:
    parts = (part.lstrip("@") for part in _SLASH.split(name.casefold()))
    return tuple(part for part in parts if part.strip(".~"))


def is_same_file(file: File, other: File) -> bool:
    """Whether two names may be of one file: a command names it from where it is, with fewer folders in front."""
    shared = min(len(file), len(other))
    return file[-shared:] == other[-shared:]


def _command(call: ToolCall) -> str:
    """The command of a call that shows a text; "" of any other."""
    commands = [value for name in COMMANDS if isinstance(value := call.arguments.get(name), str)]
    return commands[0] if len(commands) == 1 and shows_text(commands[0]) else ""
