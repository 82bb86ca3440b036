"""What a person feels, in real Chromium: first content, a slider's move, playing and scrubbing; each beside its floor."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, WebSocket, sync_playwright

from benchmarks.engine import Row, long_session
from benchmarks.first_content import first_rows
from benchmarks.fluid import fluid_rows
from benchmarks.motion import motion_rows
from benchmarks.serving import SHOWN, empty, free, ours, processor, served, used_since
from core.importers.foldline import save
from scripts import chromium
from tests.browser.looking import DEEP

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROUNDS, MOVED = 4, 5
"""Rounds of slider moves, and the moves of each on both apps."""

FIND_VIEW = f"window.flFind = {DEEP}; window.flView = () => flFind('[data-rendered]');"
MOVE = """
async () => {
  const slider = flFind('input[type=range]'), view = flView(), before = view.dataset.rendered;
  const step = (Number(slider.max) - Number(slider.min)) / 20;
  slider.value = String(Number(slider.value) + (Number(slider.value) + step > Number(slider.max) ? -8 : 1) * step);
  const start = performance.now();
  slider.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  while (view.dataset.rendered === before) await new Promise((r) => setTimeout(r, 1)); // set once the frame is painted
  return performance.now() - start;
}
"""
FLOOR_MOVE = """
() => {
  const before = document.querySelector('#echo').dataset.value;
  window.flFloor = new Promise((done, fail) => {
    const deadline = setTimeout(() => fail(new Error('the slider did not answer')), 10000);
    addEventListener('keydown', async () => {
      const start = performance.now();
      while (document.querySelector('#echo').dataset.value === before) await new Promise((r) => setTimeout(r, 1));
      await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
      clearTimeout(deadline);
      done(performance.now() - start);
    }, { once: true, capture: true });
  });
}
"""


def rows(small: Path, large: Path) -> Iterator[Row]:
    """All browser figures; `small` and `large` are Claude Code sessions of some 10 and 50 MB."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=FLAGS)
        files = {n: _long_file(Path(folder), n) for n in (10_000, 100_000)}
        opened = {"10 MB": small, "50 MB": large, "100,000 messages": files[100_000]}
        yield from first_rows(browser, opened, Path(folder))
        port = free()
        with served(empty(port), port) as url:
            floor = _floor_page(browser, url)
            for count, file in files.items():
                yield from _live_rows(browser, file, count, floor)
        yield from fluid_rows(browser, large, FIND_VIEW)
        browser.close()


def _long_file(folder: Path, count: int) -> Path:
    path = folder / f"{count}.json"
    save(long_session(count), path)
    return path


def _floor_page(browser: Any, url: str) -> Page:
    """The empty app, with the keys on its slider."""
    page: Page = browser.new_page()
    page.goto(url)
    page.wait_for_selector("#echo")
    page.locator("input[type=range]").focus()
    return page


def _moves(move: Callable[[], float], times: int) -> tuple[float, float, float]:
    """The milliseconds until a move is painted, in the median and at most, and those of the processor, in the mean."""
    before = processor()
    took = [move() for _ in range(times)]
    return median(took), max(took), used_since(before) / times


def _floor_key(page: Page) -> float:
    """Milliseconds from a key on the empty app's own slider to its echo painted."""
    page.evaluate(FLOOR_MOVE)
    page.keyboard.press("ArrowRight")
    return float(page.evaluate("() => window.flFloor"))


def _live_rows(browser: Any, file: Path, count: int, floor: Page) -> Iterator[Row]:
    port = free()
    with served(ours(file, port), port) as url:
        page, sent = browser.new_page(viewport={"width": 1400, "height": 900}), [0]
        page.add_init_script(FIND_VIEW)
        page.on("websocket", lambda socket: _count(socket, sent))
        page.goto(f"{url}/?policy=agentkit.memory")
        page.wait_for_selector(SHOWN, timeout=240_000)
        page.wait_for_timeout(1500)
        sent[0] = 0
        yield from _slider_rows(page, floor, count)
        yield f"bytes per slider move, {count:,} messages", f"{sent[0] / MOVED / ROUNDS / 1024:.1f} KB", "", "bar 64 KB"
        yield from motion_rows(page, count)
        page.close()


def _slider_rows(page: Page, floor: Page, count: int) -> Iterator[Row]:
    """Some moves on both in turn, so that what else the machine does meets both alike; the first round has the first move."""
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_moves(lambda: float(page.evaluate(MOVE)), MOVED))
        theirs.append(_moves(lambda: _floor_key(floor), MOVED))
    named: list[tuple[str, Callable[[Iterable[float]], float]]] = [
        ("slider to paint", median),
        ("the slowest move from the first on", max),
        ("processor per slider move", median),
    ]
    for k, (what, of) in enumerate(named):
        took, least = of([one[k] for one in ours]), of([one[k] for one in theirs])
        bar = "" if k else f"   bar {1.5 if count <= 10_000 else 2.5} x"
        ratio = median(a[k] / b[k] for a, b in zip(ours, theirs, strict=True))
        yield f"{what}, {count:,} messages", f"{took:.0f} ms", f"{least:.0f} ms empty app", f"{ratio:.2f} x{bar}"


def _count(socket: WebSocket, sent: list[int]) -> None:
    def add(payload: str | bytes) -> None:
        sent[0] += len(payload)

    socket.on("framereceived", add)
