"""What Claude Code puts into the window with a compaction beside its summary: files it had read, skills, tools, texts of hooks.

Newer versions write them as attachments behind the summary; the records of `/compact` may stand between. What stands behind
the next message was attached to that.
"""

from collections.abc import Sequence

from core.importers.claude_code.entries import Boundary, Draft


def put_back(entries: Sequence[Draft | Boundary]) -> dict[int, tuple[str, ...]]:
    """The ids of what each compaction with a summary put in beside it, by the line of its boundary."""
    found: dict[int, list[str]] = {}
    line = 0
    for entry in entries:
        if isinstance(entry, Boundary):
            line = entry.line if entry.summary else 0
        elif line and entry.attached:
            found.setdefault(line, []).append(entry.id)
        elif entry.ends_added:
            line = 0
    return {line: tuple(ids) for line, ids in found.items()}
