"""List, read and search files under one folder, and nowhere else.

A path is taken relative to the folder and followed to where it really leads; what does not end inside the folder is
refused, and only ordinary files are opened: a device or a pipe could hang, or never end.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.toolbox._search import Search
from core.toolbox._within import MOST_BYTES, Folder, clipped, is_binary, sized, text_of_file
from core.toolbox.tools import BadCallError, Family, Tool, tool

FAMILY = Family(
    name="files",
    label="Files",
    about="Lists, reads and searches files in one folder; it changes nothing and cannot leave the folder.",
    needs_folder=True,
)

MOST_LISTED = 200  # entries of one answer
MOST_ENTRIES = 20_000  # of a folder that are looked at
MOST_LINES = 400  # of one answer
MOST_ANSWER = 12_000  # characters of one answer
LONGEST_LINE = 1_000  # characters of a line that are shown


def make(folder: Path | None) -> list[Tool]:
    """The three tools over a folder."""
    assert folder is not None
    within = Folder(folder)
    return [_list_files(within), _read_file(within), _search_files(within)]


def _list_files(within: Folder) -> Tool:
    @tool
    def list_files(path: str = ".", start: int = 1) -> str:
        """What is in a folder, one name a line: folders end with /, files have their size in bytes.

        path: the folder, relative to the top
        start: the number of the first entry to give
        """
        return _listing(within, path, start)

    return list_files


def _read_file(within: Folder) -> Tool:
    @tool
    def read_file(path: str, start_line: int = 1, lines: int = 200) -> str:
        """The lines of a text file.

        path: the file, relative to the top
        start_line: the first line to give, counted from 1
        lines: how many lines to give, 400 at most
        """
        return _lines(within, path, start_line, lines)

    return read_file


def _search_files(within: Folder) -> Tool:
    @tool
    def search_files(pattern: str, path: str = ".", regex: bool = False) -> str:
        """The lines that hold a text, as path:line: text. Upper and lower case differ.

        pattern: the text to look for
        path: the folder or file to search, relative to the top
        regex: take the pattern as a regular expression, as RE2 has them: without lookaround and backreferences
        """
        return Search(within, pattern, regex).under(path)

    return search_files


def _listing(within: Folder, path: str, start: int) -> str:
    if start < 1:
        raise BadCallError(f"start={start}: entries are counted from 1")
    found = sorted(map(_entry, islice(within.entries(path), MOST_ENTRIES)))
    lines = found[start - 1 : start - 1 + MOST_LISTED]
    end = start - 1 + len(lines)
    if len(found) == MOST_ENTRIES:
        lines.append(f"[only {MOST_ENTRIES:,} entries of this folder were looked at; list one of its folders]")
    if end < len(found):
        lines.append(f"[entries {start}-{end} of {len(found):,}; list_files({path!r}, start={end + 1}) reads on]")
    return "\n".join(lines) or ("(empty)" if not found else f"there are {len(found)} entries; none is number {start}")


def _entry(entry: "os.DirEntry[str]") -> str:
    try:
        if entry.is_symlink():
            return f"{entry.name} (link)"
        if entry.is_dir():
            return f"{entry.name}/"
        return f"{entry.name} ({entry.stat().st_size:,} bytes)" if entry.is_file() else f"{entry.name} (no file)"
    except OSError:
        return f"{entry.name} (gone)"


def _lines(within: Folder, path: str, start_line: int, lines: int) -> str:
    if start_line < 1 or lines < 1:
        raise BadCallError(f"start_line={start_line}, lines={lines}: both are 1 or more")
    data, size = within.read(path)
    if is_binary(data):
        return f"{path} is binary ({sized(size)}): it is not shown"
    text = text_of_file(data).splitlines()
    if not text:
        return f"{path} is empty"
    if start_line > len(text):
        raise BadCallError(f"{path} has {len(text):,} lines; there is no line {start_line:,}")
    shown = [*_fitting(text[start_line - 1 : start_line - 1 + min(lines, MOST_LINES)])]
    end = start_line - 1 + len(shown)
    return "\n".join(
        [f"{path}, lines {start_line}-{end} of {len(text):,}", *shown, *_missing(path, end, len(text), size)]
    )


def _fitting(text: list[str]) -> Iterator[str]:
    """The lines as far as one answer holds them, the first in any case; long ones are cut, and say so."""
    size = 0
    for number, line in enumerate(text):
        short = clipped(line, LONGEST_LINE)
        size += len(short) + 1
        if number and size > MOST_ANSWER:
            return
        yield short


def _missing(path: str, end: int, count: int, size: int) -> Iterator[str]:
    """What the answer does not show, and how to see it."""
    if end < count:
        yield f"[{count - end:,} more lines; read_file({path!r}, start_line={end + 1}) reads on]"
    if size > MOST_BYTES:
        yield f"[only the first {MOST_BYTES:,} of {size:,} bytes of this file can be read]"
