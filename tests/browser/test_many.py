"""Files of many sessions, sub-agents' windows, files that are dropped, files that grow, recorded compactions compared."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.looking import (
    DROP,
    at,
    carded,
    idle,
    look,
    press,
    value,
    wait_addressed,
    wait_for,
    wait_step,
    wait_steps,
)
from tests.serving import ROOT as REPOSITORY

pytestmark = pytest.mark.browser
SAMPLES = REPOSITORY / "sample_sessions"
AIDER = "\n# aider chat started at 2026-03-0{n} 10:00:00\n\n> Aider v0.86.1\n\n#### About {what}\n\nAn answer.\n"


def test_a_file_of_many_sessions_asks_which_and_the_address_keeps_it(page: Any, server: Any, tmp_path: Path) -> None:
    """The chooser opens by itself; typing and Enter open one; a reload comes back to it and does not ask again."""
    path = tmp_path / ".aider.chat.history.md"
    path.write_text("".join(AIDER.format(n=n, what=what) for n, what in enumerate(("plums", "pears", "figs"), 1)))
    look(page, server.url, source=f"path:{path}")
    page.get_by_role("dialog").get_by_text("Choose a session").wait_for()
    assert page.locator(".fl-long-row").count() == 3
    page.keyboard.type("pear")
    page.keyboard.press("Enter")

    wait_addressed(page, "session=1")
    page.get_by_text("About pears").first.wait_for()
    page.reload()
    page.get_by_role("button", name="Session 1").wait_for()
    page.get_by_text("About pears").first.wait_for()
    assert page.get_by_role("dialog").count() == 0


def test_files_of_a_folder_are_read_when_chosen_and_a_broken_one_says_so(
    page: Any, server: Any, tmp_path: Path
) -> None:
    """They stand in the chooser by path and size; where one turns out broken, the one before stays on the page."""
    for name in ("a", "b", "c"):
        text = json.dumps([{"role": "user", "content": f"said in {name} {'x' * 70_000}"}])
        (tmp_path / f"{name}.json").write_text(text if name != "b" else text[:-1])
    look(page, server.url, source=f"path:{tmp_path}")
    page.get_by_role("dialog").get_by_text("70 KB, not read yet").first.wait_for()
    assert page.locator(".fl-long-row").count() == 3
    page.keyboard.type("c.json")
    page.keyboard.press("Enter")
    wait_addressed(page, "session=./c.json")
    page.locator(".fl-chosen", has_text="said in c").click()
    page.keyboard.type("b.json")
    page.keyboard.press("Enter")
    page.get_by_text("the JSON ends early").first.wait_for()

    page.locator(".fl-chosen", has_text="said in c").click()
    page.get_by_role("dialog").get_by_text("left out: line 1: the JSON ends early").wait_for()
    assert "c.json" in page.url


def test_a_sub_agents_window_is_gone_to_from_its_message_and_back(page: Any, server: Any) -> None:
    """The cursor comes back to the message that started it; after another page it is where it was left."""
    look(page, server.url, source=f"path:{SAMPLES / 'claude-code' / 'with-helpers'}", policy="recorded", step=3)
    page.get_by_role("button", name="its window, 5 messages").click()
    wait_addressed(page, "lane=2")
    wait_steps(page, 5)
    page.get_by_text("Review the gift box totals").first.wait_for()
    page.get_by_role("button", name="Back to the parent agent").click()

    wait_steps(page, 16)
    wait_step(page, 3)
    page.get_by_role("button", name="its window, 6 messages").wait_for()
    wait_for(page, "() => !location.search.includes('lane=')")
    press(page, "G")
    wait_step(page, 15)
    page.get_by_role("link", name="Tune", exact=True).click()
    page.locator(".fl-tune-page").wait_for()
    page.get_by_role("link", name="Debug", exact=True).click()
    page.locator(".fl-app[data-rendered]").wait_for()
    wait_step(page, 15)


def test_a_file_dropped_on_the_page_opens(page: Any, server: Any, watch: Any) -> None:
    """Wherever it is let go."""
    with watch.requests(page):
        look(page, server.url)
        page.evaluate(DROP, json.dumps([{"role": "user", "content": f"dropped {i}"} for i in range(4)]))
        wait_addressed(page, "source=upload")
        wait_steps(page, 4)
    page.get_by_text("dropped 3").first.wait_for()
    assert watch.strangers == []


def test_a_file_that_grows_is_followed_when_asked(page: Any, server: Any, tmp_path: Path) -> None:
    """New messages appear and the cursor stays; after t it goes along."""
    path = tmp_path / "growing.json"

    def grow(number: int) -> None:
        path.write_text(json.dumps([{"role": "user", "content": f"message {i}"} for i in range(number)]))

    grow(4)
    look(page, server.url, source=f"path:{path}", step=2)
    assert at(page) == 2
    grow(6)
    wait_steps(page, 6)
    assert at(page) == 2
    page.get_by_text("2 new messages: press t to follow").wait_for()

    press(page, "t")
    wait_step(page, 5)
    grow(9)
    wait_steps(page, 9)
    wait_step(page, 8)


def test_a_recorded_compaction_is_compared_with_a_policy(page: Any, server: Any, watch: Any) -> None:
    """By r from a policy's run, beside its own settings; on the card from the recorded run, beside its agent's policy."""
    source = {"source": "sample:claude-code/recorded-compaction.jsonl"}
    look(page, server.url, **source, policy="agentkit.memory", budget=3000, keep_recent=6)
    press(page, "r")
    page.get_by_text("Recorded compaction 1 of 1").wait_for()
    page.get_by_text("Both keep 1 message unchanged.").wait_for()
    assert "budget 3,000" in page.locator(".fl-versus").inner_text()

    look(page, server.url, **source, policy="recorded", step=0)
    press(page, "n")
    carded(page)
    page.get_by_role("tab", name="Compare").click()
    page.locator(".fl-versus-table").wait_for()
    assert value(page, "step") == "46"
    assert "claude_code.auto" in page.locator(".fl-versus-table thead").inner_text()
    assert watch.errors == []


def test_what_the_sidebar_shows_of_a_transcript_has_the_direction_of_its_script(
    page: Any, server: Any, tmp_path: Path
) -> None:
    """As dir="auto" would: the file's name, and the agents to choose from."""
    folder = tmp_path / "שיחה (a)."
    shutil.copytree(SAMPLES / "claude-code" / "with-helpers", folder)
    look(page, server.url, source=f"path:{folder}")
    name = page.locator(".st-key-opened").get_by_text("שיחה")
    lane = page.get_by_role("combobox", name="Agent window")
    lane.click()
    option = page.get_by_role("option").nth(1)
    shown = [name, lane, option.locator("[data-item-hl]")]
    assert [node.evaluate("(n) => getComputedStyle(n).unicodeBidi") for node in shown] == ["plaintext"] * 3
    assert "\u2068" in option.inner_text()
    page.keyboard.press("Escape")


def test_a_followed_file_is_looked_at_without_streamlit(page: Any, server: Any, tmp_path: Path) -> None:
    """A timer of Streamlit's (`run_every`) that is due while a page gives way to another would clear the new page."""
    path = tmp_path / "followed.json"
    path.write_text(json.dumps([{"role": "user", "content": f"message {i}"} for i in range(4)]))
    received: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(data)))
    with page.expect_request("**/api/followed/*"):
        look(page, server.url, source=f"path:{path}")
    with page.expect_request("**/api/followed/*"):
        idle(page)
    kinds = {ForwardMsg.FromString(message).WhichOneof("type") for message in received}
    assert "delta" in kinds
    assert "auto_rerun" not in kinds
