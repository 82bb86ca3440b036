"""How long others wait while one person opens a large transcript on the same server.

A tab on that server and one on an idle server move a slider, and ask for an answer, in turn: what the machine does besides
meets both alike, the opening too, which keeps both cores busy. What is left is what the one process of a server makes others
wait. The longest step of the opening, in which nobody else has a turn at all, is measured alone, in time of the processor.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright

from benchmarks.browser import FIND_VIEW, FLAGS, MOVE
from benchmarks.engine import Row, long_session
from benchmarks.fluid import ANSWERED
from benchmarks.serving import ROOT, SHOWN, free, ours, served
from core.importers.foldline import save
from scripts import chromium

BARS = {"a slider's move": 2.0, "an answer": 3.0}
LONGEST = 100
"""Milliseconds that no step of opening a file may take."""

ROUNDS, WARM = 3, 6
Waits = dict[str, tuple[list[float], list[float]]]
"""Milliseconds of what was done, by its name: on the server that opens the file, and on the idle one."""


def rows(fifty: Path, folder: Path) -> Iterator[Row]:
    """Two rows for each file, and one of its longest step; `fifty` is a Claude Code session of 50 MB."""
    save(long_session(100_000), folder / "100000.json")
    files = {"50 MB": fifty, "100,000 messages": folder / "100000.json"}
    with sync_playwright() as playwright, served(ours(None, port := free()), port) as url:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=FLAGS)
        with served(ours(None, port := free()), port) as idle:
            tabs = [_tab(browser, one) for one in (url, idle)]
            for name, file in files.items():
                yield from _rows(name, _waits(browser, url, tabs, file))
        browser.close()
    for name, file in files.items():
        yield _longest_row(name, file)


def _tab(browser: Any, url: str) -> Any:
    """The first sample under a policy, its slider moved a few times: the first move takes longer."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.add_init_script(FIND_VIEW)
    page.goto(f"{url}/?policy=agentkit.memory")
    page.wait_for_selector(SHOWN, timeout=240_000)
    for _ in range(WARM):
        page.evaluate(MOVE)
    return page


def _waits(browser: Any, url: str, tabs: list[Any], file: Path) -> Waits:
    """Every round opens another copy of the file in a new tab; until it is on the page, the tabs are used in turn."""
    found: Waits = {what: ([], []) for what in BARS}
    for k in range(ROUNDS):
        copy = Path(shutil.copy(file, file.with_stem(f"{file.stem}-{k}")))
        opening = browser.new_page(viewport={"width": 1400, "height": 900})
        opening.goto(f"{url}/?source={quote(f'path:{copy}')}", wait_until="commit")
        while opening.query_selector(SHOWN) is None:
            for side, tab in enumerate(tabs):
                found["a slider's move"][side].append(tab.evaluate(MOVE))
                found["an answer"][side].append(tab.evaluate(ANSWERED, "_stcore/health"))
        opening.close()
        copy.unlink()
    return found


def _rows(name: str, waits: Waits) -> Iterator[Row]:
    """The median on the busy server beside that on the idle one, and the longest wait on each."""
    for what, (busy, idle) in waits.items():
        here, there = median(busy), median(idle)
        told = f"{what} while {name} {'is' if 'MB' in name else 'are'} opened; at most {max(busy):.0f} ms"
        beside = f"{there:.0f} ms idle server, {max(idle):.0f} ms"
        yield told, f"{here:.0f} ms", beside, f"{here / there:.2f} x   bar {BARS[what]} x"


def _longest_row(name: str, file: Path) -> Row:
    """The longest step, measured in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.holds", str(file)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, inside, _ = run.stdout.splitlines()
    ms = 1000 * float(seconds)
    return f"the longest step of opening {name}", f"{ms:.0f} ms", inside, f"bar {LONGEST} ms"
