"""A session of 10 MB as one HTML file, secrets masked and its sliders computed, beside one import of its transcript.

Then how soon its first content is there, opened from disk in real Chromium, beside an empty app's first paint.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser import FLAGS
from benchmarks.engine import Row, timed
from benchmarks.first_content import ROUNDS, Visit, visited
from benchmarks.serving import SHOWN, empty, free, served
from core import load, meter
from core.meters import measured
from scripts import chromium

METER = meter("o200k_base")
SETTINGS = ("--policy", "agentkit.memory", "--set", "budget=160000", "--set", "keep_recent=40")


def rows(path: Path) -> Iterator[Row]:
    """As recorded, then under a policy with a grid of settings."""
    for name, given in (("as recorded", ()), ("agentkit.memory, 8 x 6 settings", SETTINGS)):
        out = path.with_suffix(f".{len(given)}.html")
        before, start = _children(), time.perf_counter()
        command = [sys.executable, "-m", "core", "export", str(path), "-o", str(out), *given]
        subprocess.run(command, check=True, capture_output=True)
        took, used = time.perf_counter() - start, _children() - before
        imported = timed(lambda: measured(load(path), METER), 1)
        what = f"export {path.stat().st_size / 1e6:.0f} MB, {name}: {out.stat().st_size / 1e6:.2f} MB, bar 3 MB"
        beside = f"{imported:.2f} s import + count"
        yield what, f"{took:.2f} s", beside, f"{took / imported:.1f} x   bar 10 s"
        yield f"processor of its processes, {name}", f"{used:.2f} s", beside, f"{used / imported:.1f} x"
        yield from first_rows(name, out)


def first_rows(name: str, out: Path) -> Iterator[Row]:
    """Until the debugger of a file has painted, in seconds and of the processor."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=FLAGS)
        pairs = list(_visits(browser, out))
        browser.close()
    took, floor = (median(one.took[0] for one in side) for side in zip(*pairs, strict=True))
    yield (
        f"first content from disk, {name}",
        f"{took:.2f} s",
        f"{floor:.2f} s empty app",
        f"{took / floor:.2f} x   bar 1.5 s",
    )
    used, least = (median(one.used for one in side) for side in zip(*pairs, strict=True))
    yield f"processor until then, {name}", f"{used:.2f} s", f"{least:.2f} s empty app", f"{used / least:.2f} x"


def _visits(browser: Browser, out: Path) -> Iterator[tuple[Visit, Visit]]:
    """The file and the empty app, opened in turn; the first visit of each is not counted."""
    port = free()
    with served(empty(port), port) as url:
        for number in range(ROUNDS + 1):
            pair = visited(browser, out.as_uri(), SHOWN), visited(browser, url, "#echo")
            if number:
                yield pair


def _children() -> float:
    """Seconds of the processor that ended children took, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
