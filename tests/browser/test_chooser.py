"""The policy chooser: found, told about and chosen, by mouse and by key."""

from typing import Any

import pytest

from core import policies, policy
from tests.browser.looking import drawn, look, press, value, wait_for, wait_painted_anew
from viewer.wire.catalogue import family_of
from viewer.wire.miniature import miniature

pytestmark = pytest.mark.browser
CODING = "sample:openai-chat/coding-session.json"
ACTIVE = """
() => {
  let node = document.activeElement;
  while (node && node.shadowRoot && node.shadowRoot.activeElement) node = node.shadowRoot.activeElement;
  return node ? node.className : '';
}
"""


def opened(page: Any, url: str, **query: Any) -> Any:
    """The chooser's dialog over the coding session."""
    look(page, url, source=CODING, **({"policy": "agentkit.memory"} | query))
    page.locator(".fl-chosen").click()
    dialog = page.locator("dialog.fl-pick")
    dialog.wait_for()
    dialog.locator("[role=option]").nth(2).wait_for()
    return dialog


def chosen(page: Any, name: str) -> None:
    """Wait until the card in the sidebar names this policy."""
    page.locator(".fl-chosen-name", has_text=name).wait_for()


def at(dialog: Any) -> str:
    """The name of the policy that is highlighted."""
    found: str = dialog.locator("[role=option][aria-selected=true]").get_attribute("data-name")
    return found


def test_every_policy_is_listed_and_told_about(page: Any, server: Any, watch: Any) -> None:
    """As recorded on top, then each family with its policies; of the one pressed everything the engine has, without links."""
    dialog, rule = opened(page, server.url), policy("agentlib.summarizing")
    names = [row.get_attribute("data-name") for row in dialog.locator("[role=option]").all()]
    assert names[0] == "recorded"
    assert sorted(names[1:]) == [p.name for p in policies()]
    families = dialog.locator(".fl-pick-family").all_inner_texts()
    assert [f.casefold() for f in families] == sorted({family_of(p).casefold() for p in policies()})
    assert dialog.locator("[role=option] .fl-fidelity").count() == len(policies())
    assert (at(dialog), dialog.locator(".fl-pick-now").count()) == ("agentkit.memory", 1)

    dialog.locator("[data-name='agentlib.summarizing']").click()

    told = dialog.locator(".fl-pick-about").inner_text()
    said = (rule.title, rule.rule, *rule.faults, rule.source.url, rule.source.version, rule.source.checked)
    assert [text for text in (*said, miniature(rule).caption) if text not in told] == []
    assert dialog.locator("a").count() == 0
    bars = [dialog.locator(".fl-mini-strip").nth(k).locator("i").count() for k in (0, 1)]
    assert bars == [57, 30]
    page.keyboard.press("Escape")
    assert watch.errors == []


def test_by_keys_alone(page: Any, server: Any) -> None:
    """Enter opens, typing searches, Enter takes no hit that is not there, arrows move, Enter chooses; the picture follows."""
    look(page, server.url, source=CODING, policy="agentkit.memory")
    before = value(page, "rendered")
    page.locator(".fl-chosen").focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog.fl-pick")
    dialog.locator("[role=option]").nth(2).wait_for()
    page.keyboard.type("nothing of the kind")
    assert "No matching policies" in dialog.locator(".fl-pick-about").inner_text()
    page.keyboard.press("Enter")
    assert dialog.is_visible()
    field = dialog.get_by_role("combobox")
    field.fill("minimal")
    names = [row.get_attribute("data-name") for row in dialog.locator("[role=option]").all()]
    assert names == ["minimal_agent.compact", "minimal_agent.rolling"]
    page.keyboard.press("ArrowDown")
    assert at(dialog) == "minimal_agent.rolling"
    assert field.get_attribute("aria-activedescendant") == "fl-option-minimal_agent.rolling"
    page.keyboard.press("Enter")
    chosen(page, "minimal_agent.rolling")
    wait_painted_anew(page, before)
    assert page.evaluate(ACTIVE) == "fl-chosen"
    wait_for(page, "() => location.search.includes('policy=minimal_agent.rolling')")


def test_escape_leaves_everything_as_it_was(page: Any, server: Any) -> None:
    """Esc closes without choosing, the debugger's keys stay quiet until then, and the focus is on the card again."""
    dialog = opened(page, server.url, step=5)
    before = (value(page, "rendered"), value(page, "step"))
    for key in ("ArrowDown", "n", "Space", "?", "Escape"):
        page.keyboard.press(key)
    dialog.wait_for(state="hidden")
    assert (value(page, "rendered"), value(page, "step")) == before
    assert page.evaluate(ACTIVE) == "fl-chosen"
    chosen(page, "agentkit.memory")
    press(page, "ArrowRight")
    assert value(page, "step") == "6"


def test_by_mouse(page: Any, server: Any) -> None:
    """A row pressed is told about; the button takes it, and so does a second press, any number of times; outside closes."""
    dialog = opened(page, server.url)
    dialog.locator("[data-name='minimal_agent.compact']").click()
    chosen(page, "agentkit.memory")
    dialog.get_by_role("button", name="Use this policy").click()
    chosen(page, "minimal_agent.compact")
    page.locator(".fl-chosen").click()
    for name, title in (("recorded", "As recorded"), *2 * (("agentkit.memory",) * 2, ("recorded", "As recorded"))):
        dialog.locator(f"[data-name='{name}']").dblclick()
        chosen(page, title)
        page.locator(".fl-chosen").click()
    page.mouse.click(5, 450)
    dialog.wait_for(state="hidden")


SIZES = ((1400, 900), (900, 700), (560, 700))


def test_it_fits(page: Any, server: Any) -> None:
    """The dialog is on the page whole at every size; list and about scroll inside it; the page itself stays where it is."""
    dialog = opened(page, server.url)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        box = dialog.bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        for part in (".fl-pick-list", ".fl-pick-about", ".fl-pick footer", ".fl-pick header"):
            inner = dialog.locator(part) if part.startswith(".fl-pick-") else page.locator(part)
            assert inner.evaluate("(n) => n.scrollWidth <= n.clientWidth + 1"), (part, width)
            assert inner.bounding_box()["height"] > 40
    page.keyboard.press("Escape")
