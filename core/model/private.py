"""Files and folders that only their user may read: what foldline keeps names paths, and holds what agents were told."""

import os
from pathlib import Path
from typing import IO

FILE, FOLDER = 0o600, 0o700  # on Windows a folder of the user's profile is private already


def make_folder(path: Path) -> None:
    """Create a folder, and those above it that are missing, for the user alone. Raises OSError where that fails."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Create an empty file for the user alone, in a folder of that kind, or make one that exists private. Raises OSError."""
    make_folder(path.parent)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    except FileExistsError:
        if path.is_file():
            path.chmod(FILE)


def open_to_append(path: Path) -> IO[bytes]:
    """The file without a buffer, to write at its end; created for the user alone. Raises OSError."""
    make_file(path)
    return path.open("ab", buffering=0)


def write(path: Path, text: str) -> None:
    """Write a whole file, created for the user alone. Raises OSError."""
    make_file(path)
    path.write_text(text, "utf-8")
