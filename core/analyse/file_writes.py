"""The files that tool calls wrote, by the names that they have in the end."""

from collections.abc import Iterator, Sequence

from core.analyse.commands_run import parts_run
from core.measure.moves import moves, names_at_end
from core.measure.tool_use import Use, tool_uses
from core.model.cached import cached
from core.trace.trace import Trace


def file_writes(trace: Trace) -> Sequence[tuple[Use, str, str]]:
    """Each call that wrote a file, in order, with its name then, and the one that later moves leave it with; computed once."""
    return cached(trace.measured, "file writes", lambda _: tuple(_file_writes(trace)))


def _file_writes(trace: Trace) -> Iterator[tuple[Use, str, str]]:
    uses = tool_uses(trace)
    moved = [(part.at, part.does) for part in parts_run(trace, moves) if part.answered]
    written = [(use, name) for use in uses for name in use.written]
    known = {name: use.at for use in reversed(uses) for name in use.files} if moved else {}
    places = [(use.at, name) for use, name in written]
    names = names_at_end(places, moved, [(at, name) for name, at in known.items()])
    return ((use, first, last) for (use, _), (first, last) in zip(written, names, strict=True))
