"""An HTML file that can be written: a program, and the blocks that it reads."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from viewer.export import page
from viewer.export.blocks import Blocks
from viewer.export.handed import Handed

CONTENT = {"program": ("program", "styles", "font"), "messages": ("bodies", "store", "overview", "called")}
"""What sizes are told of, and the kinds of blocks that it is; all others are of runs."""


@dataclass
class Exported(Handed):
    """A file that can be written: its title, its program, its blocks, and what it does not hold, in sentences."""

    title: str
    program: Path
    blocks: Blocks
    left_out: list[str] = field(default_factory=list)

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes in the file of each kind of content, all of them together; the page around it is of the program."""
        sizes = {name: self.blocks.size(*kinds) for name, kinds in CONTENT.items()}
        runs = self.blocks.size() - sum(sizes.values())
        return {**sizes, "program": sizes["program"] + self._around(), "runs": runs}

    def _around(self) -> int:
        return sum(map(len, _encoded(page.html(self.title, self.program, Blocks()))))

    def pieces(self) -> Iterator[bytes]:
        """The file, piece by piece."""
        return _encoded(page.html(self.title, self.program, self.blocks))


def _encoded(pieces: Iterator[str]) -> Iterator[bytes]:
    return (piece.encode("utf-8", "replace") for piece in pieces)
