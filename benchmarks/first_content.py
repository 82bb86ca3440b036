"""How long a person waits for the first content of an unread file, and for all of it, beside an empty app's first paint.

Every visit opens another copy of the file in a new browser context, on a server that has shown one sample: nothing is cached
but what any visitor finds. Floor and files are visited in turn, so that what else the machine does meets all alike.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from benchmarks.engine import Row
from benchmarks.serving import FIRST, SHOWN, empty, free, ours, served

BARS = {"10 MB": 1.5, "50 MB": 3.0, "100,000 messages": 4.0}
ROUNDS = 5


def first_rows(browser: Any, files: dict[str, Path], folder: Path) -> Iterator[Row]:
    """Two rows for each of the files, by the name that `BARS` knows it by."""
    floor_port, port = free(), free()
    with served(empty(floor_port), floor_port) as floor_url, served(ours(None, port), port) as url:
        seconds(browser, floor_url, "#echo")
        seconds(browser, url, SHOWN)
        rounds = [_round(browser, floor_url, url, files, folder / str(n)) for n in range(ROUNDS)]
    floors = [floor for floor, _ in rounds]
    for name in files:
        for k, what in enumerate(("first content", "all of it")):
            took = [found[name][k] for _, found in rounds]
            ratio = median(one / floor for one, floor in zip(took, floors, strict=True))
            yield (
                f"{what}, {name}, not read before",
                f"{median(took):.2f} s",
                f"{median(floors):.2f} s empty app",
                f"{ratio:.2f} x" + (f"   bar {BARS[name]} x" if not k else ""),
            )


def _round(
    browser: Any, floor_url: str, url: str, files: dict[str, Path], folder: Path
) -> tuple[float, dict[str, list[float]]]:
    """The seconds of one visit to the empty app, and of one to each file, by its name."""
    folder.mkdir()
    (floor,) = seconds(browser, floor_url, "#echo")
    took = {}
    for name, file in files.items():
        copy = Path(shutil.copy(file, folder / file.name))
        took[name] = seconds(browser, f"{url}/?source={quote(f'path:{copy}')}", FIRST, SHOWN)
        copy.unlink()
    return floor, took


def seconds(browser: Any, url: str, *selectors: str) -> list[float]:
    """From the request of a page in a new context until each of these, one after the other, is on it."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    start = time.perf_counter()
    page.goto(url)
    took = []
    for selector in selectors:
        page.wait_for_selector(selector, timeout=240_000)
        took.append(time.perf_counter() - start)
    page.close()
    return took
