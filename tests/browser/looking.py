"""What the browser tests do over and over: open an address, wait for the picture, read it."""

import re
from typing import Any
from urllib.parse import urlencode

ROOT = ".fl-app"
COUNT_NODES = """
() => {
  const inside = (node) => (node.shadowRoot ? count(node.shadowRoot) : 0);
  const count = (root) => [...root.querySelectorAll('*')].reduce((sum, node) => sum + 1 + inside(node), 0);
  return count(document);
}
"""


def look(page: Any, url: str, **query: Any) -> Any:
    """Open the app with this query and wait until something is painted; returns the debugger's root element."""
    page.goto(f"{url}/?{urlencode(query)}" if query else url)
    root = page.locator(ROOT)
    root.wait_for()
    page.wait_for_function(PAINTED, arg=None, timeout=60_000)
    return root


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
    page.wait_for_function(f"(step) => ({DEEP})('{ROOT}').dataset.step === String(step)", arg=step)


def press(page: Any, *keys: str) -> None:
    """Press keys with the debugger focused."""
    page.locator(ROOT).focus()
    for key in keys:
        page.keyboard.press(key)


def wait_painted_anew(page: Any, before: str) -> None:
    """Wait until another trace is on screen than the one stamped `before`."""
    page.wait_for_function(f"(before) => ({DEEP})('{ROOT}').dataset.rendered !== before", arg=before, timeout=30_000)


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
    box = knob.bounding_box()
    low, high, now = (float(knob.evaluate(f"(n) => n.{what}")) for what in ("min", "max", "value"))
    start = box["x"] + 8 + (box["width"] - 16) * (now - low) / (high - low)
    page.mouse.move(start, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 8 + (box["width"] - 16) * part, box["y"] + box["height"] / 2, steps=6)


def numbers(text: str) -> list[int]:
    """The whole numbers of a text, thousands separators taken out."""
    return [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", text)]
