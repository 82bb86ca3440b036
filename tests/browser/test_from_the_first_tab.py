"""The keyboard alone, from the page's first Tab: Library, a compaction's ledger, why, a change, compare, share, and back."""

import re
import shutil
from typing import Any

import pytest

from tests.browser.looking import look, wait_step
from tests.browser.test_compare import wait_message
from tests.browser.test_journey import FOCUSED
from tests.serving import ROOT

pytestmark = pytest.mark.browser
SAMPLE = ROOT / "sample_sessions" / "foldline" / "broken-rule.json"


class Keyboard:
    """Presses keys where the focus is, and counts the Tabs."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.tabs = 0

    @property
    def at(self) -> str:
        """The name of what has the focus."""
        return str(self.page.evaluate(FOCUSED)[1])

    def press(self, *keys: str) -> None:
        """Press these keys."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab(self, name: str, most: int, key: str = "Tab") -> None:
        """Press Tab until what has such a name, a pattern, has the focus: more than `most` are too many."""
        for _ in range(most):
            if re.search(name, self.at):
                return
            self.press(key)
            self.tabs += 1
        assert re.search(name, self.at)


@pytest.fixture(scope="module")
def server(serve: Any) -> Any:
    """An app of its own, with a folder that its Library does not know."""
    served = serve()
    (served.home / "kept").mkdir()
    shutil.copy(SAMPLE, served.home / "kept")
    return served


def from_the_library(keys: Keyboard, folder: str) -> None:
    """From the debugger back past the settings to the pages; in the Library a folder is added, and its only session opened."""
    keys.tab("Library$", 14, "Shift+Tab")
    keys.press("Enter")
    keys.page.get_by_role("heading", name="No sessions found").wait_for()
    keys.tab("^Folder$", 4)
    keys.page.keyboard.type(folder)
    keys.press("Enter")
    keys.page.get_by_text("1 session", exact=True).wait_for()
    keys.tab("^Search sessions$", 4)
    keys.press("Enter")
    wait_step(keys.page, 27)
    assert keys.at == "foldline debugger"


def to_why(keys: Keyboard) -> None:
    """From the window to its compaction, into the card, over to its ledger, and to what became of its first line."""
    keys.press("n", "i")
    assert keys.at == "Summary"
    keys.press("ArrowRight")
    keys.page.get_by_role("grid", name="Ledger").wait_for()
    keys.tab("^Why$", 8)
    keys.press("Enter")
    keys.page.locator(".fl-why-panel").wait_for()
    assert keys.page.evaluate(FOCUSED)[0] == "fl-why-panel"


def test_the_whole_way_without_a_mouse(page: Any, server: Any) -> None:
    """The debugger has the keys from the start. `i` leads into the inspector and out of it; what hides the button that was
    pressed takes the focus; no way between two places is long, and each ends where it can be gone on from.
    """
    look(page, server.url)
    keys = Keyboard(page)
    keys.press("Tab")
    assert keys.at == "The rule it broke"
    keys.press("Shift+Tab")
    from_the_library(keys, str(server.home / "kept"))
    to_why(keys)
    keys.page.locator(".fl-why-try").first.wait_for()
    keys.tab("^Try ", 8)
    keys.press("Enter")
    page.get_by_text("keeps it", exact=False).first.wait_for()
    assert keys.at == "Undo"
    keys.press("v")
    wait_message(page, 28)
    assert keys.at == "Compare"
    keys.press("S")
    page.locator("dialog[open]").wait_for()
    keys.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    assert keys.at == "Compare"
    keys.press("v")
    wait_step(page, 28)
    keys.press("i")
    assert page.evaluate(FOCUSED)[0] == "fl-why-panel"
    keys.press("i")
    assert keys.at == "foldline debugger"
    assert keys.tabs < 40
