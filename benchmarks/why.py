"""What is said where: search and index beside the import of the file, what they keep, and how long a question takes."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from benchmarks import origins
from benchmarks.engine import Row, timed
from benchmarks.importing import generated
from core import Message, load
from core.entities.said import Said
from core.entities.search import TextSearch

RUNS = 5
CYRILLIC = {ord(latin) + i: ord(other) + i for latin, other in ("AА", "aа") for i in range(26)}


def rows(folder: Path) -> Iterator[Row]:
    """The table: over the sessions of 50 MB that are made for the import; `folder` is for what is made."""
    for maker, _, large in generated(folder):
        messages = load(large).messages
        yield _build_row(maker, large, messages)
        yield _memory_row(maker, large)
        yield from _query_rows(maker, messages)
        yield from _query_rows(f"{maker}, in Cyrillic", [_in_cyrillic(message) for message in messages])
        yield from origins.rows(messages)


def _build_row(maker: str, path: Path, messages: tuple[Message, ...]) -> Row:
    """Reading the messages for both beside loading the file, in turn."""
    pairs = [(timed(lambda: Said(messages), 1), timed(lambda: load(path), 1)) for _ in range(RUNS)]
    took, loaded = (median(seconds) for seconds in zip(*pairs, strict=True))
    name = f"{maker}: search and index of {path.stat().st_size / 1e6:.0f} MB, {len(messages):,} messages"
    return name, f"{took:.2f} s", f"{loaded:.2f} s import", f"{took / loaded:.2f} x   bar 1 x"


def _in_cyrillic(message: Message) -> Message:
    """The message with other letters, of which case changes each: its copy without case takes longest to make."""
    return message.model_copy(update={"content": message.content.translate(CYRILLIC)})


def _query_rows(maker: str, messages: Sequence[Message], count: int = 100_000) -> Iterator[Row]:
    """Questions to 100,000 messages: one nothing has, of which the first has to leave case aside; one many have."""
    many = list(islice(cycle(messages), count))
    search = TextSearch(many)
    for what, text in (("no message has, first", "zq zq"), ("no message has, again", "zq zx"), ("many have", "e")):
        took = timed(lambda text=text: search.places(text), 1 if "first" in what else RUNS)  # type: ignore[misc]
        found = len(search.places(text).places)
        name = f"{maker}: a text {what}, {count:,} messages"
        yield name, f"{took * 1000:.0f} ms", f"{found:,} found", f"{took / 0.2:.2f} x   bar 200 ms"


PEAK = """
import sys
from core import load
from core.entities.index import index_of
from core.entities.search import search_of

def held():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

session = load(sys.argv[1])
before = held()
index, search = index_of(session), search_of(session)
search.places("zq zq")
print(before, held())
"""


def _memory_row(maker: str, path: Path) -> Row:
    """What index and search hold together, with the copy without case, beside the size of the file."""
    run = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    before, after = map(int, run.stdout.split())
    size = path.stat().st_size
    name = f"{maker}: memory of index and search, {size / 1e6:.0f} MB file"
    return (
        name,
        f"{(after - before) / 1e6:.0f} MB",
        f"{before / 1e6:.0f} MB session",
        f"{(after - before) / size:.2f} x   bar 2 x",
    )
