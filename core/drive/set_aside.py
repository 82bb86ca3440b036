"""Deleted runs that can be put back: their files are set aside for a while, then removed."""

import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.model import private
from core.model.errors import RunError

KEPT = 90.0
"""Seconds that the files of a deleted run are kept. The page offers Undo for less."""


class SetAside:
    """A hidden folder beside the runs, with a folder for each deleted run; its time is that of the deletion."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ".deleted"

    def take(self, id: str, paths: Sequence[Path]) -> None:
        """Move what exists of these files and folders of a run out of the way. Raises OSError."""
        place = self.folder / id
        private.make_folder(place)
        for path in paths:
            if path.exists():
                os.replace(path, place / path.name)
        os.utime(place)

    def put_back(self, id: str) -> None:
        """Move the files of a run to where they were. Raises RunError where they are gone, or cannot be moved."""
        place = self.folder / id
        if not place.is_dir():
            raise RunError(f"run {id} is deleted for good", "a deleted run can be put back for about a minute")
        try:
            for path in place.iterdir():
                os.replace(path, self.folder.parent / path.name)
        except OSError as error:
            raise RunError(f"run {id} cannot be put back: {error.strerror}", f"its files are in {place}") from error
        self._clear(place)

    def remove_old(self) -> None:
        """Remove the runs that were deleted longer ago than they are kept."""
        with suppress(OSError):
            old = [place for place in self.folder.iterdir() if time.time() - place.stat().st_mtime >= KEPT]
            for place in old:
                self._clear(place)

    def _clear(self, place: Path) -> None:
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # another deleted run is in it
            self.folder.rmdir()
