"""Compactions that a trace says happened, put to what the prompts show to have changed.

A prompt after one holds what it left, word for word: where the change can be seen, the compaction is exact. Where it cannot,
only that there was one is kept, and what the record tells of its tokens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.importers._shapes.prompts import Prompts
from core.model.session import RecordedCompaction


@dataclass(frozen=True, slots=True)
class WrittenCompaction:
    """What a trace says of a compaction. The names are those of `RecordedCompaction`."""

    trigger: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    before_from: str = ""
    after_from: str = ""
    duration_ms: int | None = None
    line: int | None = None
    timestamp: str = ""


def write_down(prompts: Prompts, before: int, at: int, written: Sequence[WrittenCompaction]) -> int:
    """Say of the compactions of a model call, those from place `before` on, what was written down; the number not seen.

    `at` is how many messages had arrived when the call was made.
    """
    if not written:
        return 0
    unseen = len(prompts.compactions) == before
    if unseen:
        prompts.compactions += [RecordedCompaction(at=at, kind="microcompaction", edit="dropped") for _ in written]
    for place in range(before, len(prompts.compactions)):
        seen, one = prompts.compactions[place], written[min(place - before, len(written) - 1)]
        fidelity = "partial" if unseen or seen.unreadable else "exact"
        prompts.compactions[place] = seen.model_copy(update={**_known(one), "fidelity": fidelity})
    return len(written) if unseen else 0


def _known(one: WrittenCompaction) -> dict[str, Any]:
    """What is said at all."""
    fields = ((name, getattr(one, name)) for name in WrittenCompaction.__dataclass_fields__)
    return {name: value for name, value in fields if value not in (None, "")}


def written_or_flagged(written: Iterable[WrittenCompaction], flagged: bool) -> list[WrittenCompaction]:
    """Those that were written down, or where none was one of which nothing is told, if the call says there was one."""
    return list(written) or ([WrittenCompaction()] if flagged else [])
