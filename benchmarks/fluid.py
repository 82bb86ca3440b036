"""A long session while its findings are worked out: what a person does then, beside the same done once all is there.

Opened as recorded, the server still works out what was forgotten and the findings of every compaction. Meanwhile keys step,
a compaction's card is opened and a text is found: with nothing else to do the same takes so long.
A card of then comes with its findings, one of before without them: its bar is easier by what these take to write and to send.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page

from benchmarks.engine import Row
from benchmarks.serving import SHOWN, free, ours, served

TIMES = 12
BARS = {"a step": 1.5, "a card": 3.0, "find": 3.0}
STEPPED = """
async () => {
  const view = flView(), before = view.dataset.step, start = performance.now();
  view.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, composed: true }));
  while (view.dataset.step === before) await new Promise((r) => setTimeout(r, 1));
  await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
  return performance.now() - start;
}
"""
ANSWERED = """
async (path) => {
  const start = performance.now();
  await (await fetch(path)).text();
  return performance.now() - start;
}
"""
IDLE = "() => flFind('.fl-found') && !flFind('.fl-found').textContent.includes('…')"
"""Whether the findings are there."""


def fluid_rows(browser: Any, file: Path, init: str) -> Iterator[Row]:
    """A step to its paint, a card and a search to their answers: while the server works, and beside it at rest."""
    port = free()
    with served(ours(None, port), port) as url:
        page = browser.new_page(
            viewport={"width": 1400, "height": 900}, reduced_motion="reduce"
        )  # else a key ends an animation first
        page.add_init_script(init)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{url}/?source={quote(f'path:{file}')}")
        page.wait_for_selector(SHOWN, timeout=240_000)
        page.wait_for_function("() => flFind('.fl-found')", timeout=240_000)
        sid, tid = _names(page, asked)
        busy = _measured(page, sid, tid, 0)
        page.wait_for_function(IDLE, timeout=600_000)
        rest = _measured(page, sid, tid, TIMES)
        page.close()
    for what, bar in BARS.items():
        yield _row(what, busy[what], rest[what], bar)


def _names(page: Page, asked: list[str]) -> tuple[str, str]:
    """The names of the session and of the trace, as the page asks for what happened and for what was lost."""
    while not all(any(f"/api/{what}/" in url for url in asked) for what in ("overview", "losses")):
        page.wait_for_timeout(20)
    last = {what: next(url for url in asked if f"/api/{what}/" in url) for what in ("overview", "losses")}
    sid, tid = (url.rpartition("/")[2].partition("?")[0] for url in last.values())
    return sid, tid


def _measured(page: Page, sid: str, tid: str, first: int) -> dict[str, list[float]]:
    """Milliseconds of each; every card and text is another one: what was asked before is kept."""
    found: dict[str, list[float]] = {what: [] for what in BARS}
    for k in range(first, first + TIMES):
        found["a step"].append(page.evaluate(STEPPED))
        found["a card"].append(page.evaluate(ANSWERED, f"api/compaction/{tid}/{k}"))
        found["find"].append(page.evaluate(ANSWERED, f"api/find/{sid}?q=word{k}"))
    return found


def _row(what: str, busy: list[float], rest: list[float], bar: float) -> Row:
    name = f"{what} at 50 MB while findings are worked out; at most {max(busy):.0f} ms"
    ms, floor = median(busy), median(rest)
    return name, f"{ms:.0f} ms", f"{floor:.0f} ms once they are there", f"{ms / floor:.2f} x   bar {bar} x"
