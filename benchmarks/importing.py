"""Import of every format: opening and counting a file beside parsing its JSON and tokenizing the same text."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile, is_zipfile

from benchmarks.engine import Row, beside, import_row, memory_row, text_of, timed
from benchmarks.lengthen import lengthened
from benchmarks.make_session import write
from core.importers import importers, load_all
from core.importers.foldline import save
from core.meters import measured, meter
from core.meters.tokenizer import new_encoding

SAMPLES = Path(__file__).parents[1] / "sample_sessions"
LARGE = 3_000_000
"""A format with no real file of a tenth of it is measured with a small one made so long."""

RUNS = 5


def rows(folder: Path) -> Iterator[Row]:
    """The table: Claude Code sessions of 10 and 50 MB first, then a file of each format; `folder` is for what is made."""
    for maker, small, large in generated(folder):
        for name, ours, floor, verdict in (import_row(small), memory_row(large)):
            yield f"{maker}: {name}", ours, floor, verdict
    for format in importers():
        yield format_row(format, _file(format, folder))


def generated(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """Who makes them, and sessions of 10 and 50 MB."""
    yield "make_session.py", write(10, folder / "10.jsonl"), write(50, folder / "50.jsonl")
    script = _shared() / "bench" / "make_claude_session.py"
    if script.is_file():
        small, large = folder / "shared-10.jsonl", folder / "shared-50.jsonl"
        for size, path in ((10, small), (50, large)):
            subprocess.run([sys.executable, str(script), str(size), str(path)], check=True, capture_output=True)
        yield "shared/bench", small, large


def _shared() -> Path:
    return Path(os.environ.get("FOLDLINE_SHARED") or "/nowhere")


def _file(format: str, folder: Path) -> Path:
    """The largest real file of a format, or the largest one there is made long."""
    if format == "foldline":
        return _own(folder)
    real, samples = (_largest(place / format) for place in (_shared() / "transcripts", SAMPLES))
    best = max(real, samples, key=_size)
    if _size(best) >= LARGE / 10 or is_zipfile(best):
        return best
    made = folder / f"{format}{best.suffix}"
    made.write_bytes(lengthened(best.read_bytes(), LARGE))
    return made


def _own(folder: Path) -> Path:
    """A session of ours, saved."""
    session = next(load_all(write(LARGE / 1e6, folder / "own.jsonl")))
    save(session, folder / "foldline.json")
    return folder / "foldline.json"


def _largest(folder: Path) -> Path:
    """The largest file below a folder; where there is none, the folder."""
    found = [p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("__")]
    return max(found, key=_size, default=folder)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def format_row(format: str, path: Path) -> Row:
    """One file: opened and counted, against its JSON parsed and its text tokenized."""
    texts, sessions, formats = list[str](), 0, set[str]()
    for session in load_all(path):
        sessions, formats = sessions + 1, formats | {session.format}
        texts += [text_of(m) for m in session.messages]
    encode = new_encoding().encode_ordinary

    def floor() -> None:
        _parse(path)
        for text in texts:
            encode(text)

    def ours() -> None:
        for session in load_all(path):
            measured(session, meter("o200k_base"))

    took, floored, ratio = beside(ours, floor, RUNS)
    parse = timed(lambda: _parse(path), RUNS)
    held = f"{sessions:,} sessions, " if sessions > 1 else ""
    name = f"{format}, {_size(path) / 1e6:.1f} MB, {held}{len(texts):,} messages"
    wrong = "" if formats == {format} or format == "foldline" else f"   opens as {', '.join(formats)}"
    return name, f"{took * 1000:.0f} ms", f"{floored * 1000:.0f} ms ({parse * 1000:.0f} parse)", f"{ratio:.2f} x{wrong}"


def _parse(path: Path) -> None:
    """The JSON in a file, or in each file of an archive; what is none is read line by line."""
    if is_zipfile(path):
        with ZipFile(path) as entries:
            for name in entries.namelist():
                _parse_bytes(entries.read(name))
    else:
        _parse_bytes(path.read_bytes())


def _parse_bytes(data: bytes) -> None:
    try:
        json.loads(data)
    except ValueError:
        for line in data.split(b"\n"):
            if line[:1] == b"{":
                with suppress(ValueError):
                    json.loads(line)
