"""Notes that an agent keeps beside its window: what stands here is still known when the window has forgotten it."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.model.session import ToolCall
from core.toolbox.tools import BadCallError, Family, Tool, tool

FAMILY = Family(
    name="notes", label="Notes", about="Notes the agent takes for itself; kept for one run, outside the window."
)

MOST_NOTES = 100
LONGEST = 1_000  # characters of one note


def make(folder: Path | None = None) -> list[Tool]:
    """A pair of tools over notes of their own."""
    held: list[str] = []

    @tool
    def add_note(text: str) -> str:
        """Keep a note for later.

        text: one finding or decision, in a sentence or two
        """
        if not text.strip():
            raise BadCallError("an empty note says nothing")
        if len(text) > LONGEST:
            raise BadCallError(
                f"the note has {len(text):,} characters; the most is {LONGEST:,}: write less, or two notes"
            )
        if len(held) >= MOST_NOTES:
            raise BadCallError(f"there are {MOST_NOTES} notes, which is the most; read_notes gives them")
        held.append(text.strip())
        return f"note {len(held)} kept"

    @tool
    def read_notes(start: int = 1) -> str:
        """Every note so far, numbered, oldest first.

        start: the number of the first note to give
        """
        if start < 1:
            raise BadCallError(f"start={start}: notes are numbered from 1")
        return _page(held, start) if held else "there are no notes yet"

    return [add_note, read_notes]


MOST_CHARACTERS = 12_000  # characters of one answer


def _page(held: Sequence[str], start: int) -> str:
    lines, size = list[str](), 0
    for number, note in enumerate(held[start - 1 :], start):
        size += len(note)
        if lines and size > MOST_CHARACTERS:
            return "\n".join(
                [*lines, f"[notes {start}-{number - 1} of {len(held)}; read_notes(start={number}) reads on]"]
            )
        lines.append(f"{number}. {note}")
    return "\n".join(lines) or f"there are {len(held)} notes; none is number {start}"


def replay(tools: Sequence[Tool], calls: Sequence[ToolCall]) -> None:
    """Take the notes of recorded calls again, in their order; a call that was refused then is refused again."""
    add_note = next(made for made in tools if made.name == "add_note")
    for call in calls:
        if call.name == "add_note":
            with suppress(BadCallError):
                add_note(**add_note.checked(call.arguments))
