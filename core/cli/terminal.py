"""Text for a terminal: hostile characters made visible, tables that fit, JSON that is ASCII."""

import json
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Any

PREVIEW = 96
FRONT = 48  # columns that any but the last column of a table may take
_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def line(text: str) -> str:
    """The text on one line, nothing in it that a terminal would act on.

    Line ends and tabs become spaces; other control characters, and those that turn the direction of writing or have no
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


def preview(text: str, limit: int = PREVIEW) -> str:
    """The beginning of the text on one line, at most `limit` columns wide; … where something was left out."""
    return fitted(line(text[: limit * 8]), limit, more=len(text) > limit * 8)


def fitted(text: str, width: int, more: bool = False) -> str:
    """The text cut to a width in columns, … where it was cut."""
    if not more and columns(text) <= width:
        return text
    kept, used = [], 1
    for character in text:
        used += columns(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def columns(text: str) -> int:
    """How many columns the text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def width() -> int:
    """Columns of the terminal; 160 where the output goes elsewhere, unless COLUMNS says."""
    return shutil.get_terminal_size((160, 24)).columns


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]], cut: bool = False) -> None:
    """Print rows under their heads: numbers to the right, the last column in the room that is left.

    There it is wrapped, or, with `cut`, cut and marked with ….
    """
    texts = [[*(fitted(_cell(value), FRONT) for value in row[:-1]), _cell(row[-1])] for row in rows]
    right = [any(_number(row[k]) for row in rows) for k in range(len(heads))]
    widths = [max(columns(t) for t in column) for column in zip(heads, *texts, strict=True)]
    room = max(20, width() - sum(widths[:-1]) - 2 * len(widths[:-1]))
    _row(heads, widths, right, room)
    _row(["-" * w for w in (*widths[:-1], min(widths[-1], room))], widths, right, room)
    for *front, last in texts:
        _row([*front, fitted(last, room) if cut else last], widths, right, room)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else line(str(value))


def _number(value: Any) -> bool:
    return bool(re.fullmatch(r"~?[\d,]+", str(value)))


def _row(texts: Sequence[str], widths: Sequence[int], right: Sequence[bool], room: int) -> None:
    *front, last = texts
    cells = [
        " " * (w - columns(t)) + t if r else t + " " * (w - columns(t))
        for t, w, r in zip(front, widths, right, strict=False)
    ]
    if right[-1]:
        last = " " * (widths[-1] - columns(last)) + last
    first, *rest = wrapped(last, room)
    indent = " " * (sum(widths[:-1]) + 2 * len(front))
    print("\n".join([("  ".join([*cells, first])).rstrip(), *(indent + text for text in rest)]))


def wrapped(text: str, room: int) -> list[str]:
    """The text in lines of at most so many columns, nothing left out."""
    if columns(text) <= room:
        return [text]
    narrow = columns(text) == len(text)
    return textwrap.wrap(text, room if narrow else max(10, room // 2)) or [""]


def facts(pairs: Sequence[tuple[str, Any]]) -> None:
    """Print names and values, one pair a line, the values under each other; what is empty is left out."""
    shown = [(name, _cell(value)) for name, value in pairs if value not in (None, "", (), [])]
    wide = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        first, *rest = wrapped(value, max(20, width() - wide - 2))
        print("\n".join([f"{name:<{wide}}  {first}", *(" " * (wide + 2) + text for text in rest)]))


def as_json(value: Any) -> None:
    """Print the value as JSON in ASCII, so that no terminal and no encoding is in the way."""
    json.dump(value, sys.stdout, indent=1, default=str)
    print()
