"""Playing, a compaction that is told, scrubbing: frames a second beside those of a blank page with the same input.

On a busy machine a blank page has fewer than the screen's 60, too: the share of its frames says more. Beside it stands how
long the page's own thread works for a frame, of the 16.7 ms that there are: its processor time, whatever else the machine does.
"""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page

from benchmarks.engine import Row

ROUNDS = 3
TOLD, PLAYED = 1600, 3000
"""Milliseconds that a compaction is told for, and that are played."""

BAR = 55
FRAME = 1000 / 60
BLANK = "data:text/html,<!doctype html><title>blank</title><body style='margin:0;height:100vh'></body>"
FRAMES = """
async (milliseconds) => {
  const stamps = [];
  let going = true;
  const tick = (now) => { stamps.push(now); if (going) requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
  await new Promise((r) => setTimeout(r, milliseconds));
  going = false;
  return [stamps.length - 1, stamps[stamps.length - 1] - stamps[0]];
}
"""
STAMP_FRAMES = """
() => {
  const stamps = (window.flStamps = []);
  const tick = (now) => {
    stamps.push(now);
    if (stamps === flStamps && stamps.length < 2000) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
"""
COUNT_NODES = """
() => {
  const inside = (node) => (node.shadowRoot ? count(node.shadowRoot) : 0);
  const count = (root) => [...root.querySelectorAll('*')].reduce((sum, node) => sum + 1 + inside(node), 0);
  return count(document);
}
"""


class Seen(NamedTuple):
    """What was seen of a motion: frames a second, and the milliseconds of the page's thread for each."""

    rate: float
    busy: float


def motion_rows(page: Page, count: int) -> Iterator[Row]:
    """The motions of the debugger on a page, which has a view and a run with compactions, and the nodes it has then."""
    browser = page.context.browser
    assert browser
    blank = browser.new_page(viewport={"width": 1400, "height": 900})
    blank.goto(BLANK)
    page.evaluate("() => flView().focus()")
    for what, move in (("playing", _played), ("a compaction told", _next_compaction), ("scrubbing", _scrubbed)):
        rounds = [(move(page, True), move(blank, False)) for _ in range(ROUNDS)]
        yield from _rows(f"{what}, {count:,} messages", rounds)
    blank.close()
    yield f"DOM nodes, {count:,} messages", f"{page.evaluate(COUNT_NODES):,}", "", "bar 3,000"


def _rows(what: str, rounds: list[tuple[Seen, Seen]]) -> Iterator[Row]:
    rate, floor, busy = (median(side) for side in zip(*((a.rate, b.rate, a.busy) for a, b in rounds), strict=True))
    share = median(a.rate / b.rate for a, b in rounds)
    yield what, f"{rate:.0f} frames/s", f"{floor:.0f} frames/s blank page", f"{share:.2f} x   bar {BAR} of 60"
    yield (
        f"the page's thread for each frame, {what}",
        f"{busy:.1f} ms",
        f"{FRAME:.1f} ms a frame",
        f"{busy / FRAME:.2f} x",
    )


def _seen(page: Page, move: Callable[[], tuple[int, float]]) -> Seen:
    """What is seen while a page moves, which gives the frames it had and their milliseconds."""
    measure = page.context.new_cdp_session(page)
    measure.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _worked(measure)
    frames, milliseconds = move()
    busy = 1000 * (_worked(measure) - before) / max(1, frames)
    measure.detach()
    return Seen(frames * 1000 / milliseconds, busy)


def _worked(measure: CDPSession) -> float:
    """Seconds of the processor that the page's thread has worked."""
    found: list[dict[str, Any]] = measure.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in found if one["name"] == "TaskDuration")


def _frames(page: Page, milliseconds: int) -> tuple[int, float]:
    frames, took = page.evaluate(FRAMES, milliseconds)
    return int(frames), float(took)


def _played(page: Page, ours: bool) -> Seen:
    """Played from the beginning."""
    for key in ("g", "Space") if ours else ():
        page.keyboard.press(key)
    seen = _seen(page, lambda: _frames(page, PLAYED))
    page.keyboard.press("Space")
    return seen


def _next_compaction(page: Page, ours: bool) -> Seen:
    """The next compaction, once the one before it is told."""
    if ours:
        page.keyboard.press("n")
        page.wait_for_timeout(2 * TOLD)
    page.keyboard.press("n")
    return _seen(page, lambda: _frames(page, TOLD))


def _scrubbed(page: Page, ours: bool) -> Seen:
    """The pointer is drawn across the timeline, as fast as the page takes its moves."""
    box = page.locator(".fl-slot-timeline" if ours else "body").bounding_box()
    assert box
    page.evaluate(STAMP_FRAMES)
    middle = box["y"] + min(box["height"] / 2, 90)

    def scrub() -> tuple[int, float]:
        page.mouse.move(box["x"] + 60, middle)
        page.mouse.down()
        start = time.perf_counter()
        while (part := (time.perf_counter() - start) * 1000 / PLAYED) < 1:
            page.mouse.move(box["x"] + 60 + part * (box["width"] - 90), middle)
        page.mouse.up()
        frames, took = page.evaluate("() => [flStamps.length - 1, flStamps[flStamps.length - 1] - flStamps[0]]")
        return int(frames), float(took)

    return _seen(page, scrub)
