"""What the browser tests do over and over: open an address, wait for the picture, read it."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from tests.serving import PATIENCE

ROOT = ".fl-app"
COUNT_NODES = """
() => {
  const inside = (node) => (node.shadowRoot ? count(node.shadowRoot) : 0);
  const count = (root) => [...root.querySelectorAll('*')].reduce((sum, node) => sum + 1 + inside(node), 0);
  return count(document);
}
"""


DROP = """
(text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "dropped.json", { type: "application/json" }));
  for (const name of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
}
"""
"""Drops a file with this text on the page."""


def look(page: Any, url: str, **query: Any) -> Any:
    """Open the app with this query and wait until something is painted; returns the debugger's root element."""
    page.goto(f"{url}/?{urlencode(query)}" if query else url)
    wait_for(page, PAINTED)
    return page.locator(ROOT)


def wait_for(page: Any, condition: str, arg: Any = None) -> None:
    """Wait until a condition of the page holds: between two pictures the nodes it reads may be missing, and it does not hold.

    Asked at every frame it would cost more than the page does.
    """
    page.wait_for_function(f"(arg) => {{ try {{ return ({condition})(arg); }} {NOT_YET} }}", arg=arg, polling=100)


NOT_YET = "catch (error) { if (/ of (null|undefined)/.test(error.message)) return false; throw error; }"
"""What a condition in the browser throws that reads from a node that is not there. The engine says it in these words."""


DEEP = """
(selector) => {
  const hunt = (root) => {
    const direct = root.querySelector(selector);
    if (direct) return direct;
    for (const node of root.querySelectorAll('*')) {
      const inner = node.shadowRoot && hunt(node.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  return hunt(document);
}
"""
PAINTED = f"() => {{ const root = ({DEEP})('{ROOT}'); return !!root && !!root.dataset.rendered; }}"


def value(page: Any, name: str) -> str:
    """A data attribute of the root: "step", "steps", "tokens", "rendered", "mounts"."""
    found: str = page.locator(ROOT).get_attribute(f"data-{name}")
    return found


def at(page: Any) -> int:
    """The step the cursor is at."""
    return int(value(page, "step"))


def tokens(page: Any) -> int:
    """The tokens in the window, as the debugger says they are."""
    return int(value(page, "tokens"))


def wait_step(page: Any, step: int) -> None:
    """Wait until the cursor is at this step."""
    wait_for(page, f"(step) => ({DEEP})('{ROOT}')?.dataset.step === String(step)", step)


def wait_steps(page: Any, steps: int) -> None:
    """Wait until the run on screen has so many steps."""
    wait_for(page, f"(n) => ({DEEP})('{ROOT}')?.dataset.steps === String(n)", steps)


def wait_addressed(page: Any, part: str) -> None:
    """Wait until the query of the address holds this text."""
    wait_for(page, "(part) => location.search.includes(part)", part)


def drawn(page: Any) -> None:
    """Wait until what was asked for just now is drawn: two frames of the browser."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def idle(page: Any) -> None:
    """Wait until the script on the server has run: a widget that is about to be drawn anew loses what is typed into it.

    And until the code of all widgets has come: a gray bar stands for one that waits for it.
    """
    drawn(page)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(state="attached")
    page.locator("[data-testid=stSkeleton]").first.wait_for(state="detached")


WATCH_MOVES = f"""
() => {{
  const root = ({DEEP})('{ROOT}');
  const moves = {{ flying: () => root.querySelector('.fl-stage > *') !== null, seen: false }};
  window.moves = moves;
  const note = () => (moves.seen ||= moves.flying());
  new MutationObserver(note).observe(root, {{ childList: true, subtree: true, attributes: true }});
}}
"""


@contextmanager
def moving(page: Any) -> Iterator[None]:
    """Let compactions be animated; afterwards wait until the rows were seen to move and all have arrived."""
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(WATCH_MOVES)
    yield
    wait_for(page, "() => window.moves.seen && !window.moves.flying()")
    page.emulate_media(reduced_motion="reduce")


def hold_clock(page: Any) -> None:
    """Let compactions be told, and hold the page's clock: from now on it goes only as far as the test says.

    It is held for all pages of a context: the page is to have one of its own.
    """
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))  # not past when it is heard


def place(page: Any, node: Any) -> dict[str, float]:
    """Where on the page a node is, once it has been there for two frames and the script on the server has run."""
    idle(page)
    before: dict[str, float] | None = None
    now: dict[str, float] | None = None
    while now is None or before != now:
        before = node.bounding_box()
        drawn(page)
        now = node.bounding_box()
    return now


def until(page: Any, holds: Callable[[], bool]) -> None:
    """Wait until something holds of what the browser has told, request by request."""
    patience = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < patience, "it does not come to hold"
        page.wait_for_timeout(50)


def carded(page: Any) -> None:
    """Wait until the card of a compaction is whole: what the server knows of it, and of the sources of its summary, is there.

    Until then its lines come one after the other, and what stands below them moves.
    """
    page.locator(".fl-tab[data-tab=findings] .fl-count").filter(has_text=re.compile(r"\d")).wait_for(state="attached")
    if page.locator(".fl-tab[data-tab=ledger]").count():
        page.locator(".fl-tab[data-tab=ledger] .fl-count").filter(has_text=re.compile(r"\d")).wait_for(state="attached")


def press(page: Any, *keys: str) -> None:
    """Press keys with the debugger focused."""
    page.locator(ROOT).focus()
    for key in keys:
        page.keyboard.press(key)


def wait_painted_anew(page: Any, before: str) -> None:
    """Wait until another trace is on screen than the one stamped `before`."""
    wait_for(page, f"(before) => ({DEEP})('{ROOT}').dataset.rendered !== before", before)


def source_box(page: Any) -> Any:
    """The list of samples in the sidebar."""
    return page.locator("[data-testid=stSidebar] [data-testid=stSelectbox]").first


def slider(page: Any, name: str) -> Any:
    """The slider of a parameter in the sidebar."""
    return page.locator(f"input[type=range][aria-label^='{name},']")


def slide(page: Any, name: str, to: int) -> None:
    """Set a slider of the panel while it is held, and wait until the picture has followed."""
    before = value(page, "rendered")
    slider(page, name).evaluate(
        "(node, to) => { node.value = to; node.dispatchEvent(new Event('input', {bubbles: true})); }", to
    )
    wait_painted_anew(page, before)


def held_down(page: Any, name: str, part: float) -> None:
    """Press the mouse on a slider's knob and drag it to a part of its track; the button stays down."""
    knob = slider(page, name)
    low, high, now = (float(knob.evaluate(f"(n) => n.{what}")) for what in ("min", "max", "value"))
    page.mouse.move(*on_track(page, name, (now - low) / (high - low)))
    page.mouse.down()
    dragged(page, name, part)


def dragged(page: Any, name: str, part: float) -> None:
    """Move the knob that is held to a part of its track."""
    page.mouse.move(*on_track(page, name, part), steps=6)


def on_track(page: Any, name: str, part: float) -> tuple[float, float]:
    """Where on the page this part of a slider's track is."""
    box = place(page, slider(page, name))
    return box["x"] + 8 + (box["width"] - 16) * part, box["y"] + box["height"] / 2


def numbers(text: str) -> list[int]:
    """The whole numbers of a text, thousands separators taken out."""
    return [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", text)]
