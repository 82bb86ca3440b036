"""The branch of a conversation: a question asked otherwise, or a reply asked for once more, stands beside the first one.

llama.cpp's app writes them all, each message with the `parent` it answers, and in the header, as `currNode`, the message that
the conversation was shown up to. It shows the path from there to the root; where that message is not there, from the newest.
https://github.com/ggml-org/llama.cpp/blob/master/tools/ui/src/lib/utils/branching.ts
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from core.importers._shapes.blocks import string
from core.importers._shapes.times import since_1970


@dataclass(frozen=True, slots=True)
class Line:
    """A message in the file: its line, its id, and what it says."""

    number: int
    id: str
    message: dict[str, Any]

    @property
    def time(self) -> float:
        """When it was made, in milliseconds; -1 where that is not recorded."""
        found = self.message.get("timestamp")
        if isinstance(found, str):
            since = since_1970(found)
            return -1 if since is None else since / timedelta(milliseconds=1)
        return found if isinstance(found, int | float) and not isinstance(found, bool) else -1


def branch(lines: Sequence[Line], last: str) -> tuple[list[Line], list[int]]:
    """The messages up to `last`, in order, and the lines of those on other branches. Without parents, all are one branch.

    Where `last` is not there, it is the newest: of those made at the same time, or at no known one, the last in the file.
    """
    if not any(string(line.message.get("parent")) for line in lines):
        return list(lines), []
    known = {line.id: line for line in lines}
    here: Line | None = known.get(last) or max(lines, key=lambda line: (line.time, line.number))
    path: dict[str, Line] = {}
    while here is not None and here.id not in path:
        path[here.id] = here
        here = known.get(string(here.message.get("parent")))
    taken = {
        line.number for line in path.values()
    }  # not by id: a line whose id another one has as well is left out too
    return list(path.values())[::-1], [line.number for line in lines if line.number not in taken]
