"""Selecting a text on the page with the mouse."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import TimeoutError

from tests.browser.looking import DEEP, idle, wait_for
from tests.serving import RETRY

PLACE = f"""
(text) => {{
  const walker = document.createTreeWalker(({DEEP})('.fl-ibody'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {{
    const from = node.nodeValue.indexOf(text);
    if (from < 0) continue;
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, from + text.length);
    const lines = [...range.getClientRects()];
    const [first, last] = [lines[0], lines[lines.length - 1]];
    return [first.left, first.top + first.height / 2, last.right, last.top + last.height / 2];
  }}
  return null;
}}
"""
DRAWN = f"() => !({DEEP})('.fl-ibody [aria-busy]')"
SELECTED = f"""
([first, last]) => {{
  const text = String(({DEEP})('.fl-ibody').getRootNode().getSelection()).trim();
  return text.startsWith(first) && text.endsWith(last);
}}
"""


def select(page: Any, first: str, last: str = "") -> None:
    """Drag the mouse over a text of the message that is shown, or from one text to the end of another.

    Once more where the message was drawn anew meanwhile, which ends a selection or makes it another one.
    """
    idle(page)
    for _ in range(12):
        wait_for(page, DRAWN)
        wait_for(page, f"(text) => ({PLACE})(text) !== null", first)
        page.evaluate("() => document.getSelection().removeAllRanges()")  # what is selected would be dragged
        left, top, *_ = page.evaluate(PLACE, first)
        *_, right, bottom = page.evaluate(PLACE, last or first)
        page.mouse.move(left + 1, top)
        page.mouse.down()
        page.mouse.move(right - 1, bottom, steps=4)
        page.mouse.up()
        with suppress(TimeoutError):
            page.locator(".fl-whychip").wait_for(timeout=1000 * RETRY)
            if page.evaluate(SELECTED, [first, last or first]):
                return
    raise AssertionError("nothing stays selected")
