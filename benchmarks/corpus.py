"""A sweep over many small sessions: how time and memory grow with their number, and how long a question to the result takes."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.engine import Row
from benchmarks.make_session import write
from core.tune.parts import merge
from core.tune.results import Results, results_in

SIZES = (100, 1_000)
"""How many sessions, unless sizes are given: `make bench ARGS="corpus 100 1000 10000"`."""

MEGABYTES = 0.05
GRID = ("budget=1000,1500,2000,3000,4000,6000,8000,12000,16000,24000", "keep_recent=4,8,16,32,64")
RUNS, PROCESSES, ASKED = 50, 2, 10_000


def rows(folder: Path, sizes: Sequence[int] = ()) -> Iterator[Row]:
    """A row for each size, then one for each question to 10,000 sessions."""
    first: float | None = None
    for size in sizes or SIZES:
        row, each, out = _sweep_row(folder, size, first)
        first = first or each
        yield row
    yield from _question_rows(folder, out)


def _sweep_row(folder: Path, size: int, first: float | None) -> tuple[Row, float, Path]:
    """The sweep on two processes: its row, seconds of the processor a session, and where its result is."""
    out = folder / f"rows-{size}"
    command = [
        "tune",
        str(_sessions(folder / f"sessions-{size}", size)),
        "--policy",
        "agentkit.memory",
        "--grid",
        *GRID,
    ]
    before, start = _children(), time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "core", *command, "--workers", str(PROCESSES), "--parquet", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = _peak_memory(process)
    assert process.returncode == 0
    wall, each = time.monotonic() - start, (_children() - before) / size
    bytes_a_row = (out / "rows.parquet").stat().st_size / (size * RUNS)
    name = f"tune {size:,} sessions x {RUNS} settings, {PROCESSES} processes, {bytes_a_row:.0f} bytes a row"
    growth = f"; {each / first:.2f} x the processor a session of the first" if first else ""
    verdict = f"{peak / 1e6:.0f} MB   bar 1,000 MB{growth}"
    return (name, f"{wall:.0f} s", f"{each * 1000:.0f} ms of processor a session", verdict), each, out


def _sessions(folder: Path, size: int) -> Path:
    folder.mkdir()
    for number in range(size):
        write(MEGABYTES, folder / f"{number:05}.jsonl", number)
    return folder


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak_memory(process: "subprocess.Popen[bytes]") -> int:
    """The most bytes that a process and those it started had at once; what they share counts for each."""
    top, peak = psutil.Process(process.pid), 0
    while process.poll() is None:
        try:
            peak = max(peak, sum(one.memory_info().rss for one in (top, *top.children(recursive=True))))
        except psutil.NoSuchProcess:
            continue
        time.sleep(0.1)
    return peak


def _question_rows(folder: Path, out: Path) -> Iterator[Row]:
    with results_in(_grown(folder / "rows-grown", out)) as found:
        setting = found.totals()[0][0]
        questions: dict[str, Callable[[Results], object]] = {
            "totals of every setting": Results.totals,
            "percentiles of every setting": lambda results: results.percentiles("miss_rate"),
            "the 20 sessions that miss most": lambda results: results.worst(setting),
        }
        for name, ask in questions.items():
            took = _wall(lambda ask=ask: ask(found))  # type: ignore[misc]
            yield f"{name}, {ASKED:,} sessions x {RUNS}", f"{took * 1000:.0f} ms", "", "bar 300 ms"


def _wall(work: Callable[[], object]) -> float:
    """Seconds of the second quickest of five: what a person waits, with other work on the machine left aside."""
    took = []
    for _ in range(5):
        start = time.monotonic()
        work()
        took.append(time.monotonic() - start)
    return sorted(took)[1]


def _grown(folder: Path, out: Path) -> Path:
    """The same rows again and again under other names, until there are those of 10,000 sessions."""
    folder.mkdir()
    (folder / "sweep.json").write_bytes((out / "sweep.json").read_bytes())
    table = pq.read_table(out / "rows.parquet")
    with pq.ParquetWriter(folder / "part-000001.parquet", table.schema, compression="zstd") as file:
        for number in range(max(1, ASKED * RUNS // table.num_rows)):
            names = pa.array([f"{number:05}-{name}" for name in table["session"].to_pylist()])
            file.write_table(table.set_column(table.column_names.index("session"), "session", names))
    merge(folder)
    return folder
