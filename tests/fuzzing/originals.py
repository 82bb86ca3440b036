"""What is damaged: every sample, and of the real transcripts the small ones."""

import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from core.importers import importers, load_all
from core.model.session import Session
from tests.importers.test_opencode_disk import FAMILY, database

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
SMALL = 64 * 1024
"""Real files up to this size are used; of a folder with none so small, the smallest."""

Files = dict[str, bytes]
FILE = ""
"""The name of the only file of a transcript that is one file."""


@dataclass(frozen=True)
class Transcript:
    """A transcript in memory: its files, and whether they are given as they are or packed into one zip archive."""

    format: str
    name: str
    files: Files
    packed: bool = False
    is_sample: bool = True

    @property
    def size(self) -> int:
        """The bytes of its files."""
        return sum(map(len, self.files.values()))

    def load_arguments(self) -> dict[str, object]:
        """How `load` and `load_all` are called for it."""
        if self.packed:
            return {"name": self.name, "data": archive(self.files)}
        if FILE in self.files:
            return {"name": self.name, "data": self.files[FILE]}
        return {"name": self.name, "files": self.files}

    def opened(self) -> Iterator[Session]:
        """The sessions in it. Raises what `load_all` does."""
        return load_all(**self.load_arguments())  # type: ignore[arg-type]

    def with_files(self, files: Files) -> "Transcript":
        """The same with other files."""
        return replace(self, files=files)


def archive(files: Files) -> bytes:
    """The files as a zip archive, the same bytes for the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name or "transcript"), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


@cache
def originals(format: str) -> tuple[Transcript, ...]:
    """The samples and the small real transcripts of a format; of folders, and of what is packed, the files too."""
    samples, real = _inside(SAMPLES / format), _small(_inside(_shared() / format))
    paths = [*((path, True) for path in samples), *((path, False) for path in real)]
    found = (replace(made, is_sample=is_sample) for path, is_sample in paths for made in _shapes(format, path))
    return (*found, _database()) if format == "opencode" else tuple(found)


def _database() -> Transcript:
    """opencode's database with sessions and sub-agents."""
    with TemporaryDirectory() as folder:
        path = database(Path(folder) / "opencode.db", *FAMILY, journal="DELETE")
        return Transcript("opencode", path.name, {FILE: path.read_bytes()})


@cache
def everything() -> tuple[Transcript, ...]:
    """The originals of all formats."""
    return tuple(t for name in importers() for t in originals(name))


def _shared() -> Path:
    return Path(os.environ.get("FOLDLINE_SHARED") or "/nowhere") / "transcripts"


def _inside(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("*") if not p.name.startswith("__")) if folder.is_dir() else []


def _small(paths: list[Path]) -> list[Path]:
    ordered = sorted(paths, key=lambda p: (_size(p), p))
    return [p for p in ordered if _size(p) <= SMALL] or ordered[:1]


def _size(path: Path) -> int:
    return sum(p.stat().st_size for p in path.rglob("*") if p.is_file()) if path.is_dir() else path.stat().st_size


def _shapes(format: str, path: Path) -> Iterator[Transcript]:
    """The transcript at a path as it is; a folder packed too, an archive by its entries too."""
    whole = Transcript(format, path.name, _files(path))
    yield whole
    if FILE not in whole.files:
        yield replace(whole, packed=True)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as entries:
            if all(info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in entries.infolist()):
                files = {info.filename: entries.read(info) for info in entries.infolist() if not info.is_dir()}
                yield Transcript(format, path.name, files, packed=True)


def _files(path: Path) -> Files:
    if path.is_file():
        return {FILE: path.read_bytes()}
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
