"""Which file may be meant by a path where there is none."""

import os
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

MOST = 5_000
"""Entries of a folder that are looked at."""

_ALIKE = 0.8  # a letter that is missing, added or mistyped


def near_name(path: Path) -> str:
    """The name of a file beside it that is nearly the same; "" where there is none, or the folder cannot be read."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in islice(entries, MOST) if entry.is_file() and entry.name.isprintable()]
    except OSError:
        return ""
    return next(iter(get_close_matches(path.name, names, 1, _ALIKE)), "")
