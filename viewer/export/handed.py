"""A file that is ready to be handed on, in any form."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from core.model.errors import FoldlineError


class Handed(ABC):
    """A file: the bytes that its parts take, what it does not hold, in sentences, and its pieces."""

    left_out: list[str]

    @property
    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """Bytes of each kind of content."""

    @abstractmethod
    def pieces(self) -> Iterator[bytes]:
        """The file, piece by piece."""

    def write(self, path: Path) -> int:
        """Write the file; returns its bytes. Raises FoldlineError where that cannot be done."""
        try:
            with path.open("wb") as out:
                out.writelines(self.pieces())
            return path.stat().st_size
        except OSError as error:
            raise FoldlineError(f"{path} cannot be written: {error.strerror}", "give another path") from None
