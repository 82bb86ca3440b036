"""How long a person waits for the first content of an unread file, and for all of it, beside an empty app's first paint.

Every visit opens another copy of the file in a new browser context, on a server that has shown one sample: nothing is cached
but what any visitor finds. Floor and files are visited in turn, so that what else the machine does meets all alike. Beside the
seconds stands the processor until the first content, of servers and browser: on a busy machine it says more.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

from benchmarks.engine import Row
from benchmarks.serving import FIRST, SHOWN, empty, free, ours, processor, served, used_since

BARS = {"10 MB": 1.5, "50 MB": 3.0, "100,000 messages": 4.0}
ROUNDS = 5


class Visit(NamedTuple):
    """A page that was opened: the seconds until each selector was on it, and those of the processor until the first was."""

    took: list[float]
    used: float


def first_rows(browser: Any, files: dict[str, Path], folder: Path) -> Iterator[Row]:
    """Three rows for each of the files, by the name that `BARS` knows it by."""
    floor_port, port = free(), free()
    with served(empty(floor_port), floor_port) as floor_url, served(ours(None, port), port) as url:
        visited(browser, floor_url, "#echo")
        visited(browser, url, SHOWN)
        rounds = [_round(browser, floor_url, url, files, folder / str(n)) for n in range(ROUNDS)]
    for name in files:
        pairs = [(found[name], floor) for floor, found in rounds]
        for k, what in enumerate(("first content", "all of it")):
            bar = f"   bar {BARS[name]} x" if not k else ""
            yield _row(f"{what}, {name}, not read before", [(one.took[k], floor.took[0]) for one, floor in pairs], bar)
        yield _row(f"processor until first content, {name}", [(one.used, floor.used) for one, floor in pairs])


def _row(what: str, pairs: list[tuple[float, float]], bar: str = "") -> Row:
    """Seconds of ours beside those of the empty app in the same round, in the median."""
    took, floor = (median(side) for side in zip(*pairs, strict=True))
    ratio = median(ours / theirs for ours, theirs in pairs)
    return what, f"{took:.2f} s", f"{floor:.2f} s empty app", f"{ratio:.2f} x{bar}"


def _round(
    browser: Any, floor_url: str, url: str, files: dict[str, Path], folder: Path
) -> tuple[Visit, dict[str, Visit]]:
    """One visit to the empty app, and one to each file, by its name."""
    folder.mkdir()
    floor, found = visited(browser, floor_url, "#echo"), {}
    for name, file in files.items():
        copy = Path(shutil.copy(file, folder / file.name))
        found[name] = visited(browser, f"{url}/?source={quote(f'path:{copy}')}", FIRST, SHOWN)
        copy.unlink()
    return floor, found


def visited(browser: Any, url: str, *selectors: str) -> Visit:
    """From the request of a page in a new context until each of these, one after the other, is on it."""
    before = processor()
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    start, took, used = time.perf_counter(), list[float](), 0.0
    page.goto(url)
    for selector in selectors:
        page.wait_for_selector(selector, timeout=240_000)
        took.append(time.perf_counter() - start)
        used = used or used_since(before) / 1000
    page.close()
    return Visit(took, used)
