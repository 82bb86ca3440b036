"""Searches the files in a folder, for a text or a regular expression, within a time limit."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from core.model.errors import ParameterError
from core.toolbox._within import Folder, clipped, is_binary, text_of_file
from core.toolbox.patterns import LONGEST_PATTERN, Matches, matcher
from core.toolbox.tools import BadCallError

SKIPPED = frozenset({".git", ".hg", ".svn", ".venv", "__pycache__", "node_modules"})
LONGEST_LINE = 2_000  # characters of a line that an expression looks at
SHOWN = 240  # characters of a line in the answer
MOST_FOUND = 100  # lines
MOST_FILES = 2_000
SECONDS = 5.0  # for a whole search


class Search:
    """One search: its pattern and its time limit."""

    def __init__(self, within: Folder, pattern: str, by_regex: bool, seconds: float = SECONDS) -> None:
        if not pattern or len(pattern) > LONGEST_PATTERN:
            raise BadCallError(f"a pattern has 1 to {LONGEST_PATTERN} characters, not {len(pattern)}")
        self.within, self.pattern, self.seconds = within, pattern, seconds
        self.matches: Matches = _compiled(pattern) if by_regex else (lambda line: pattern in line)
        self.files = 0

    def under(self, path: str) -> str:
        """The matching lines of a file, or of all files in a folder, and a note on what was left out."""
        ends, found, note = time.monotonic() + self.seconds, list[str](), ""
        try:
            for line in self._found(self.within.real(path), ends):
                if len(found) == MOST_FOUND:
                    note = f"[only the first {MOST_FOUND} lines; search a smaller folder or a longer text for the rest]"
                    break
                found.append(line)
        except TimeoutError:
            note = f"[stopped after {self.seconds:g} seconds and {self.files:,} files; search a smaller folder]"
        if self.files > MOST_FILES:
            note = f"[only {MOST_FILES:,} files were searched; search a smaller folder for the rest]"
        return "\n".join([*(found or ["nothing found"]), *filter(None, [note])])

    def _found(self, top: Path, ends: float) -> Iterator[str]:
        for file in _files(top, ends):
            self.files += 1
            if self.files > MOST_FILES:
                return
            try:
                data, _ = self.within.first_bytes(file)
            except BadCallError:
                if file == top:
                    raise
                continue
            if not is_binary(data):
                yield from self._in(file, text_of_file(data), ends)

    def _in(self, file: Path, text: str, ends: float) -> Iterator[str]:
        for number, line in enumerate(text.splitlines(), 1):
            _check_time(ends)
            if self.matches(line):
                yield f"{self.within.name(file)}:{number}: {clipped(line.strip(), SHOWN)}"


def _files(top: Path, ends: float) -> Iterator[Path]:
    """Every ordinary file, in order of name, without links and the folders in SKIPPED. Raises TimeoutError at that time."""
    if not top.is_dir():
        yield top
        return
    for folder, inside, names in os.walk(top):
        _check_time(ends)
        inside[:] = sorted(name for name in inside if name not in SKIPPED)
        for name in sorted(names):
            _check_time(ends)
            path = Path(folder, name)
            if not path.is_symlink() and path.is_file():
                yield path


def _check_time(ends: float) -> None:
    if time.monotonic() >= ends:
        raise TimeoutError


def _compiled(pattern: str) -> Matches:
    """A function that matches lines with an expression; it looks at the beginning of a long one."""
    try:
        matches = matcher(pattern)
    except ParameterError as error:
        raise BadCallError(str(error)) from None
    return lambda line: matches(line[:LONGEST_LINE])
