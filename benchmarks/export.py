"""A session of 10 MB as one HTML file, secrets masked and its sliders computed, beside one import of its transcript."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.engine import Row, timed
from core import load, meter
from core.meters import measured

METER = meter("o200k_base")
SETTINGS = ("--policy", "agentkit.memory", "--set", "budget=160000", "--set", "keep_recent=40")


def rows(path: Path) -> Iterator[Row]:
    """As recorded, then under a policy with a grid of settings."""
    for name, given in (("as recorded", ()), ("agentkit.memory, 8 x 6 settings", SETTINGS)):
        out = path.with_suffix(".html")
        before = _children()
        command = [sys.executable, "-m", "core", "export", str(path), "-o", str(out), *given]
        subprocess.run(command, check=True, capture_output=True)
        took, imported = _children() - before, timed(lambda: measured(load(path), METER), 1)
        what = f"export {path.stat().st_size / 1e6:.0f} MB, {name}: {out.stat().st_size / 1e6:.2f} MB, bar 3 MB"
        yield what, f"{took:.2f} s", f"{imported:.2f} s import + count", f"{took / imported:.1f} x   bar 10 s"


def _children() -> float:
    """Seconds of the processor that ended children took, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
