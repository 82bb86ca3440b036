"""What a person told a compaction to keep: the words behind `/compact`.

The record of the command stands behind the boundary, which some versions have in front of it.
"""

from collections.abc import Iterable, Sequence

from core.importers.claude_code.entries import Boundary, Draft
from core.model.text import command_as_typed

_COMMAND = "/compact"


def instructions_of(entries: Sequence[Draft | Boundary]) -> dict[int, str]:
    """The words for each compaction that has some, by the line of its boundary."""
    found: dict[int, str] = {}
    for k, entry in enumerate(entries):
        if isinstance(entry, Boundary) and entry.data.get("trigger") == "manual":
            words = _words(entries, range(k + 1, len(entries))) or _words(entries, range(k - 1, -1, -1))
            if words:
                found[entry.line] = words
    return found


def _words(entries: Sequence[Draft | Boundary], places: Iterable[int]) -> str:
    """The words of the first command at these places, up to what somebody says or to another compaction."""
    for entry in (entries[k] for k in places):
        if isinstance(entry, Boundary) or entry.ends_added:
            return ""
        if entry.injected == "command" and (text := _typed(entry)).startswith(f"{_COMMAND} "):
            return text.removeprefix(_COMMAND).strip()
    return ""


def _typed(entry: Draft) -> str:
    text = entry.message().content
    return command_as_typed(text) or text.strip()
