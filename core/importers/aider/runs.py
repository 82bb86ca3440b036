"""The runs of an aider chat history, and the blocks of lines they are made of.

A line that begins with `#### ` is the person's, one with `> ` is aider's, any other the model's: as aider's own reader has
it, so a reply that quotes or has small headings is cut there. Two things that reader gets wrong are put right: lines with a
`#` are kept (code has comments), and an edit that failed to match, of which aider quotes the first line only, is aider's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from core.importers._files.source import Source

HEADER = re.compile(r"# [Aa]ider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)")

FRONT = 100
"""The most lines that are taken for front matter, which a published file may begin with."""

_BOX = '<div class="chat-transcript"'
_FAILED_EDIT = re.compile(r"> # \d+ SEARCH/REPLACE block")
_END = "  "
"""What aider ends its own lines and the person's with."""

Kind = Literal["user", "aider", "assistant"]


@dataclass(slots=True)
class Block:
    """Lines of one kind that stand together, with the number of the first."""

    kind: Kind
    line: int
    lines: list[str] = field(default_factory=list)


@dataclass
class Run:
    """From one start of aider to the next. `doubtful` are the numbers of lines that may be the model's after all."""

    started: str = ""
    first: int = 1
    last: int = 1
    blocks: list[Block] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    _spaced: bool = False
    _failing: bool = False

    @property
    def has_messages(self) -> bool:
        """Whether the run holds a message of a person or of the model."""
        return any(block.kind != "aider" for block in self.blocks)

    def add(self, number: int, line: str) -> None:
        """One line more."""
        kind = self._kind(line)
        if kind != "assistant":
            self._doubt(number, line)
        self._failing = self._still_failing(kind, line)
        if not (self.blocks and self.blocks[-1].kind == kind):
            self._close()
            self.blocks.append(Block(kind, number))
        self.blocks[-1].lines.append(line)
        self.last = number

    def _kind(self, line: str) -> Kind:
        before = self.blocks[-1].kind if self.blocks else "assistant"
        if line.startswith("> ") or (line == ">" and before == "aider"):
            return "aider"
        if line.startswith("#### ") or (line == "####" and before == "user"):
            return "user"
        return "aider" if self._failing else "assistant"

    def _still_failing(self, kind: Kind, line: str) -> bool:
        """Whether the next line goes on with an edit that failed: up to the one that ends as aider's do."""
        if line.endswith(_END):
            return False
        return bool(_FAILED_EDIT.match(line)) or (self._failing and kind == "aider" and not line.startswith("> "))

    def _doubt(self, number: int, line: str) -> None:
        spaced = line.endswith(_END)
        if self._spaced and not spaced and self._replying() and line != "> ":
            self.doubtful.append(number)
        self._spaced = self._spaced or spaced

    def _replying(self) -> bool:
        last = self.blocks[-1] if self.blocks else None
        return last is not None and last.kind == "assistant" and bool(last.lines[-1].strip())

    def _close(self) -> None:
        """Leave out the last block if it is blank."""
        if self.blocks and not any(line.strip("> \t") for line in self.blocks[-1].lines):
            self.blocks.pop()

    def done(self) -> "Run":
        """The run with its last block closed."""
        self._close()
        return self


def runs(source: Source) -> Iterator[Run]:
    """Every run of a file, one after the other; what stands before the first header is one without a start."""
    run, front, boxes = Run(), _Front(), _Boxes()
    for number, line in source.lines():
        found = HEADER.match(line)
        if found:
            front.give_back(run)
            front.begun = True
            boxes.held.clear()
            yield run.done()
            run = Run(f"{found[1]}T{found[2]}", number, number)
            continue
        for place, kept in boxes.without(number, line) if front.closed else [(number, line)]:
            if not front.takes(run, place, kept):
                run.add(place, kept)
    front.give_back(run)
    yield run.done()


@dataclass
class _Front:
    """Holds what may be front matter at the beginning of a file; `held` is None once that is decided.

    Behind front matter that was `closed`, an introduction by whoever published the chat goes up to the first line of a
    person's or of aider's.
    """

    held: list[tuple[int, str]] | None = field(default_factory=list)
    closed: bool = False
    begun: bool = False

    def takes(self, run: Run, number: int, line: str) -> bool:
        """Whether the line is, or may still be, front matter or an introduction."""
        if self.closed and not self.begun:
            self.begun = line.startswith(("> ", "#### "))
            return not self.begun
        if self.held is None or not (self.held or line.strip()):
            return False
        if not self.held and line.rstrip() != "---":
            self.held = None
            return False
        if self.held and line.rstrip() in ("---", "..."):  # Jekyll takes either
            self.held, self.closed = None, True
            return True
        self.held.append((number, line))
        if len(self.held) > FRONT:
            self.give_back(run)
        return True

    def give_back(self, run: Run) -> None:
        """It was none after all: it is part of the run."""
        for number, line in self.held or ():
            run.add(number, line)
        self.held = None


@dataclass
class _Boxes:
    """The boxes in which a published page shows a chat. `held` is what may be the end of one, with the blank lines behind."""

    opened: bool = False
    held: list[tuple[int, str]] = field(default_factory=list)

    def without(self, number: int, line: str) -> list[tuple[int, str]]:
        """The lines that are now known to be of the chat."""
        if line.startswith(_BOX):
            self.opened, self.held = True, []
            return []
        end = self.opened and line.rstrip() == "</div>"
        if self.held and not line.strip():
            self.held.append((number, line))
            return []
        known, self.held = self.held, [(number, line)] if end else []
        return known if end else [*known, (number, line)]
