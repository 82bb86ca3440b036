"""Printing to a terminal: hostile characters made visible, tables that fit, JSON in ASCII, errors with a hint."""

import json
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Any

PREVIEW_WIDTH = 96
CELL_WIDTH = 48  # of all but the last column of a table
_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def safe_line(text: str) -> str:
    """The text on one line, without anything that a terminal would act on.

    Line ends and tabs become spaces. Other control characters, and those that change the direction of text or have no
    width, are written as \\x1b or \\u202e.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _safe(c) else _escaped(c) for c in " ".join(text.split()))


def _safe(character: str) -> bool:
    return unicodedata.category(character) not in _UNSAFE


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def preview(text: str, limit: int = PREVIEW_WIDTH) -> str:
    """The beginning of the text on one line, at most `limit` columns wide; … where it was cut."""
    return truncate(safe_line(text[: limit * 8]), limit, more=len(text) > limit * 8)


def truncate(text: str, width: int, more: bool = False) -> str:
    """The text cut to a width in columns, … where it was cut; `more`: the text itself is already cut."""
    if not more and display_width(text) <= width:
        return text
    kept, used = [], 1
    for character in text:
        used += display_width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def display_width(text: str) -> int:
    """The columns that a text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def terminal_width() -> int:
    """Columns of the terminal; if the output is not a terminal, those of the variable COLUMNS, else 160."""
    return shutil.get_terminal_size((160, 24)).columns


def print_table(heads: Sequence[str], rows: Sequence[Sequence[Any]], cut: bool = False) -> None:
    """Print rows under their heads, numbers aligned to the right.

    The last column has the room that is left; it is wrapped there or, with `cut`, cut and marked with ….
    """
    texts = [[*(truncate(_cell(value), CELL_WIDTH) for value in row[:-1]), _cell(row[-1])] for row in rows]
    right = [any(_number(row[k]) for row in rows) for k in range(len(heads))]
    widths = [max(display_width(t) for t in column) for column in zip(heads, *texts, strict=True)]
    room = max(20, terminal_width() - sum(widths[:-1]) - 2 * len(widths[:-1]))
    _row(heads, widths, right, room)
    _row(["-" * w for w in (*widths[:-1], min(widths[-1], room))], widths, right, room)
    for *front, last in texts:
        _row([*front, truncate(last, room) if cut else last], widths, right, room)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else safe_line(str(value))


def _number(value: Any) -> bool:
    return bool(re.fullmatch(r"~?[\d,]+", str(value)))


def _row(texts: Sequence[str], widths: Sequence[int], right: Sequence[bool], room: int) -> None:
    *front, last = texts
    cells = [
        " " * (w - display_width(t)) + t if r else t + " " * (w - display_width(t))
        for t, w, r in zip(front, widths, right, strict=False)
    ]
    if right[-1]:
        last = " " * (widths[-1] - display_width(last)) + last
    first, *rest = wrapped(last, room)
    indent = " " * (sum(widths[:-1]) + 2 * len(front))
    print("\n".join([("  ".join([*cells, first])).rstrip(), *(indent + text for text in rest)]))


def wrapped(text: str, room: int) -> list[str]:
    """The whole text in lines of at most `room` columns."""
    if display_width(text) <= room:
        return [text]
    narrow = display_width(text) == len(text)
    return textwrap.wrap(text, room if narrow else max(10, room // 2)) or [""]


def print_facts(pairs: Sequence[tuple[str, Any]]) -> None:
    """Print names and values, one pair per line and the values aligned; empty values are left out."""
    shown = [(name, _cell(value)) for name, value in pairs if value not in (None, "", (), [])]
    wide = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        first, *rest = wrapped(value, max(20, terminal_width() - wide - 2))
        print("\n".join([f"{name:<{wide}}  {first}", *(" " * (wide + 2) + text for text in rest)]))


def print_json(value: Any) -> None:
    """Print the value as JSON in ASCII, which every terminal and every encoding can show."""
    json.dump(value, sys.stdout, indent=1, default=str)
    print()


def print_error(message: str, hint: str = "") -> int:
    """Print an error on one line of stderr, and a hint on another; returns 1."""
    print(f"error: {safe_line(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {safe_line(hint)}", file=sys.stderr)
    return 1
