"""The Live page: the demo agent driven from start to finish, with a compaction, a breakpoint, a slider, a reload; two tabs."""

import re
import sys
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import violations
from tests.browser.looking import (
    DEEP,
    PAINTED,
    ROOT,
    drawn,
    idle,
    look,
    press,
    slider,
    until,
    value,
    wait_addressed,
    wait_for,
    wait_step,
)
from tests.browser.selecting import select
from tests.conftest import new_page
from tests.serving import ROOT as CHECKOUT

pytestmark = pytest.mark.browser
SERVER = str(CHECKOUT / "tests" / "data" / "mcp_server.py")


def live(page: Any, server: Any) -> Any:
    """The Live page with a run nobody has told anything; returns the debugger's root."""
    look(page, f"{server.url}/live")
    return page.locator(ROOT)


def status(page: Any, *words: str) -> None:
    """Wait until the lamp says one of these, and what came with that news is drawn."""
    wait_for(page, f"(words) => words.includes(({DEEP})('.fl-status')?.dataset.status)", list(words))
    drawn(page)


def finish(page: Any) -> None:
    """Continue until the run has ended: it may have paused once more before its breakpoint was removed."""
    while True:
        status(page, "paused", "ended")
        if page.locator('.fl-status[data-status="ended"]').count():
            return
        page.keyboard.press("c")
        page.locator('.fl-status:not([data-status="paused"])').wait_for()


def steps(page: Any) -> int:
    """How many steps the run has come."""
    return int(value(page, "steps"))


@pytest.fixture(scope="module")
def server(serve: Any) -> Any:
    """An app of its own: its runs are in nobody's way."""
    return serve()


@pytest.fixture
def fresh(fresh_page: Any, server: Any) -> Any:
    """A page of its own, at a new run of the demo agent."""
    tab, _ = fresh_page(server.url)
    live(tab, server)
    if steps(tab) > 1:
        tab.get_by_placeholder("Message to the agent").fill("/reset")
        tab.keyboard.press("Enter")
        tab.locator(f'{ROOT}[data-steps="1"]').wait_for()
    clear_stops(tab)
    return tab


def clear_stops(page: Any) -> None:
    """Take away the breakpoints and step mode that a run had before its Reset: the new one keeps them."""
    stops = page.locator('[data-icon="mark"]')
    if stops.get_attribute("aria-label") == "Breakpoints":
        return
    stops.click()
    for _ in range(page.get_by_role("button", name="Remove: ").count()):
        before = page.get_by_role("button", name="Remove: ").count()
        page.get_by_role("button", name="Remove: ").first.click()
        until(page, lambda before=before: page.get_by_role("button", name="Remove: ").count() < before)
    stepping = page.get_by_label("Pause before every model call")
    if stepping.is_checked():
        stepping.click()
        until(page, lambda: not stepping.is_checked())
    page.keyboard.press("Escape")
    page.locator('[data-icon="mark"][aria-label="Breakpoints"]').wait_for()


def test_the_demo_from_start_to_finish(fresh: Any, server: Any) -> None:
    """Told its task, it stops at a breakpoint on the first compaction; the budget is lowered, the page reloaded in the middle,
    and it goes on to its answer, with compactions under both budgets. A text that is asked about before has a lane that grows.
    Reloaded once more it reads the same.
    """
    page = fresh
    press(page, "/")
    page.locator(".fl-find input").fill("fines.md")
    page.keyboard.press("Alt+w")
    page.get_by_role("slider", name="Lane 1 of 1, fines.md").wait_for()
    page.get_by_role("tab", name="Message").click()
    page.get_by_role("button", name="Breakpoints").click()
    page.get_by_label("Kind of breakpoint").select_option("compaction")
    page.get_by_role("button", name="Add", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "paused")
    page.get_by_text("breakpoint: after a compaction, hit 1").first.wait_for()
    page.get_by_role("heading", name="Compaction 1 of 1").wait_for()
    paused_at = steps(page)
    assert paused_at > 20

    budget = slider(page, "budget")
    lowered = f"of {int(budget.input_value()) - 400:,}"  # a run begins with the settings of the one before
    budget.focus()
    for _ in range(4):
        budget.press("ArrowLeft")
    page.get_by_text(lowered).first.wait_for()

    page.reload()
    page.locator(f"{ROOT}[data-rendered]").wait_for()
    status(page, "paused")
    page.locator(f'{ROOT}[data-steps="{paused_at}"]').wait_for()
    page.get_by_text(lowered).first.wait_for()

    page.keyboard.press("c")
    page.locator(f"{ROOT}:not([data-steps='{paused_at}'])").wait_for()
    page.get_by_role("button", name="Breakpoints").click()
    page.get_by_role("button", name="Remove: ").first.click()
    page.keyboard.press("Escape")
    finish(page)
    assert page.locator(".fl-status").first.is_visible()
    page.get_by_text("answered").first.wait_for()
    wait_for(page, f"() => Number(({DEEP})('{ROOT}').dataset.steps) > 80")
    wait_for(
        page,
        f"(at) => Number(({DEEP})('.fl-lane .fl-said li:last-child')?.textContent.match(/\\d+/)?.[0]) > at",
        paused_at,
    )
    assert value(page, "mounts") == "1"
    reads_the_same_after_a_reload(page)


def reads_the_same_after_a_reload(page: Any) -> None:
    """An ended run: as many findings as before, and the same settings suggested."""
    found, suggested = page.locator(".fl-found"), page.locator("#fl-suggested")
    expect(found).to_have_text(re.compile(r"^\d+ findings?$"))
    before = [found.inner_text(), suggested.inner_text()]
    assert "in a made-up run of 24,000 tokens" in before[1]
    page.reload()
    status(page, "ended")
    expect(found).to_have_text(before[0])
    expect(suggested).to_have_text(before[1])
    expect(page.locator(".fl-standing")).to_have_text("Ended: the agent has answered")


def test_the_run_that_nobody_named_is_called_the_one_used_last(fresh: Any, server: Any) -> None:
    """The address without a run opens the run used last, and says so; with its number it is the one that was asked for."""
    fresh.get_by_role("button", name="Start", exact=True).click()
    status(fresh, "running", "ended")
    wait_addressed(fresh, "run=")
    named = fresh.url
    said = fresh.get_by_text("This is the run used last.")
    live(fresh, server)
    expect(said).to_be_visible()
    look(fresh, named)
    expect(said).to_have_count(0)


def test_open_in_debug_stays_at_the_step(fresh: Any) -> None:
    """From the Live page, and from the Runs page at the step last looked at there; a run that is not saved says so."""
    page = fresh
    open_in_debug = page.get_by_role("button", name="Open in Debug")
    open_in_debug.click()
    page.get_by_text("the run is not saved yet").wait_for()
    idle(page)
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "ended")
    page.locator(ROOT).focus()
    page.keyboard.press("p")
    wait_for(page, f"() => ({DEEP})('.fl-comp') !== null")
    step, tokens = value(page, "step"), value(page, "tokens")
    assert int(step) < steps(page) - 1

    open_in_debug.click()
    wait_addressed(page, "source=path")
    wait_for(page, PAINTED)
    assert (value(page, "step"), value(page, "tokens")) == (step, tokens)

    page.get_by_role("link", name="Live").click()
    page.locator(f"{ROOT}[data-live][data-steps]").wait_for()
    press(page, "g", "ArrowRight", "ArrowRight", "ArrowRight")
    wait_step(page, 3)
    page.get_by_role("link", name="Runs").click()
    page.locator("input[aria-label^='Select ']").first.click()
    open_in_debug.click()
    wait_for(page, PAINTED)
    wait_step(page, 3)


def test_open_in_debug_takes_what_is_followed_along(fresh: Any) -> None:
    """The lanes of Live are there in Debug, in their order, with the same answers; what Debug had followed before is not."""
    page = fresh
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "ended")
    press(page, "g", "ArrowRight", "ArrowRight")
    wait_step(page, 2)
    for text in ("before I guess", "look at what is here"):
        select(page, text)
        page.keyboard.press("w")
        page.locator(f'.fl-lane[data-chosen] .fl-lane-bar[aria-label$=", {text}"]').wait_for()
        page.get_by_role("tab", name="Message 3").click()
    press(page, "G")
    lanes = page.locator(".fl-lane-bar")
    told = page.locator(".fl-lane-bar[aria-valuetext]:not([aria-valuetext='Looking….'])").nth(1)
    told.wait_for()
    here = lanes.evaluate_all("(bars) => bars.map((bar) => [bar.ariaLabel, bar.getAttribute('aria-valuetext')])")
    assert len(here) == 2
    page.get_by_role("button", name="Open in Debug").click()
    wait_addressed(page, "source=path")
    wait_addressed(page, "why2=look+at+what+is+here")
    told.wait_for()
    there = lanes.evaluate_all("(bars) => bars.map((bar) => [bar.ariaLabel, bar.getAttribute('aria-valuetext')])")
    assert there == here


def test_the_task_box_shows_whole_lines(fresh: Any) -> None:
    """The demo's task is longer than the box: what is visible of it is four lines of 18 pixels, and no part of a fifth."""
    box = fresh.get_by_label("Message to the agent")
    wait_for(fresh, "box => box.clientHeight === 72 && box.scrollHeight > 72", box.element_handle())
    assert box.evaluate("box => [getComputedStyle(box).paddingTop, getComputedStyle(box).paddingBottom]") == [
        "0px",
        "0px",
    ]
    assert box.evaluate("box => getComputedStyle(box).lineHeight") == "18px"


WHOLE = "line => line.scrollHeight <= line.clientHeight && line.scrollWidth <= line.clientWidth"
"""Whether nothing of a line is cut off."""


def test_a_small_window_cuts_nothing_off(fresh: Any) -> None:
    """At 900x700: what to do before the first message, the bar's line on the next call, and in Runs why each one rests.

    On a large page the bar's line has room for as much.
    """
    page = fresh
    page.set_viewport_size({"width": 900, "height": 700})
    expect(page.get_by_text("sends the task below")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "ended")
    line = page.locator(".fl-nextcall")
    expect(line).to_contain_text("out")
    assert line.evaluate(WHOLE)
    page.set_viewport_size({"width": 1400, "height": 900})
    line.evaluate("line => (line.firstChild.textContent = 'words of a long line '.repeat(15))")
    assert line.evaluate(WHOLE)
    page.set_viewport_size({"width": 900, "height": 700})
    page.get_by_role("link", name="Runs").click()
    why = page.locator(".fl-long-row [data-column=status] .fl-listed-where").first
    expect(why).to_have_text("the agent has answered")
    assert why.evaluate("why => why.scrollWidth <= why.clientWidth")
    expect(page.locator(".fl-run-policy").first).to_be_visible()


def test_stepping_in_before_a_tool_and_forking(fresh: Any) -> None:
    """By key: a breakpoint on a tool with an argument stops the run and says why; the arguments are edited, what breaks the
    schema is refused in the dialog; the run goes on to a condition, and is forked there with another text.
    """
    page = fresh
    page.keyboard.press("b")
    dialog = page.locator(".fl-breakpoints")
    dialog.get_by_label("Tool", exact=True).select_option("read_file")
    dialog.get_by_label("Argument", exact=True).select_option("path")
    dialog.get_by_label("Pattern", exact=True).fill(r"\.json$")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Edit: read_file").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "paused")
    page.get_by_text(r"breakpoint: read_file with path matching \.json$, hit 1").first.wait_for()

    page.locator(ROOT).focus()
    page.keyboard.press("e")
    page.get_by_label("Arguments, as JSON").fill('{"path": 3}')
    page.get_by_role("button", name="Run with these arguments").click()
    page.get_by_text("path: 3 is not of type 'string'").wait_for()
    page.get_by_label("Arguments, as JSON").fill('{"path": "README.md"}')
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    dialog.get_by_label("Kind of breakpoint").select_option("messages")
    dialog.get_by_label("Message number").fill("14")
    dialog.get_by_role("button", name="Run to it").click()
    page.get_by_text("ran to message 14").first.wait_for()
    status(page, "paused")

    before = steps(page)
    page.locator(ROOT).focus()
    page.keyboard.press("F")
    page.get_by_role("textbox", name="The newest message").fill("Nothing is written there.")
    page.get_by_role("button", name="Fork with this text").click()
    page.get_by_text("Forked at message").wait_for()
    status(page, "stopped")
    assert steps(page) == before
    page.locator(".fl-row").filter(has_text="Nothing is written there.").first.wait_for()
    page.keyboard.press("c")
    page.locator(f"{ROOT}:not([data-steps='{before}'])").wait_for()


def test_a_transcript_is_forked_into_a_run(fresh: Any, server: Any) -> None:
    """From a step of the Debug page: the dialog says with what, and the run opens on the Live page with that window."""
    page = fresh
    look(page, f"{server.url}/?source=sample:openai-chat%2Fcoding-session.json&policy=agentkit.memory&step=20")
    tokens = value(page, "tokens")
    page.locator(ROOT).focus()
    page.keyboard.press("F")
    dialog = page.locator(".fl-fork")
    dialog.get_by_text("as simulated here").wait_for()
    dialog.get_by_role("button", name="Fork", exact=True).click()
    page.locator(f"{ROOT}[data-live]").wait_for()
    page.locator(f'{ROOT}[data-steps="21"]').wait_for()
    assert value(page, "tokens") == tokens
    assert "/live" in page.url


def test_step_mode_drop_and_pin_by_key(fresh: Any) -> None:
    """Paused before a call, one step makes one call; a message is pinned, dropped, and back by Undo; its request."""
    page = fresh
    page.get_by_role("button", name="Breakpoints").click()
    page.get_by_text("Step mode", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "paused")
    page.locator(f'{ROOT}[data-steps="2"]').wait_for()
    page.keyboard.press(".")
    page.locator(f'{ROOT}:not([data-steps="2"])').wait_for()
    status(page, "paused")
    page.locator(".fl-row").filter(has_text="The lending desk").first.click()
    page.get_by_role("button", name="Pin", exact=True).click()
    page.get_by_role("button", name="Unpin").wait_for()
    before = steps(page)
    page.locator(".fl-row").nth(2).click()
    page.get_by_role("button", name="Drop from window").click()
    page.locator(f'{ROOT}[data-steps="{before + 1}"]').wait_for()
    page.get_by_text("Dropped: no longer sent").wait_for()
    page.locator(".fl-toast").get_by_role("button", name="Undo").click()
    page.locator(f'{ROOT}[data-steps="{before}"]').wait_for()
    page.get_by_text("Undone: sent again").wait_for()
    page.locator(".fl-row").nth(2).click()
    page.keyboard.press("Delete")
    page.locator(f'{ROOT}[data-steps="{before + 1}"]').wait_for()
    page.keyboard.press("Control+z")
    page.locator(f'{ROOT}[data-steps="{before}"]').wait_for()
    page.keyboard.press("Control+z")
    page.get_by_text("Nothing was dropped since the last model call").wait_for()
    page.locator(".fl-row").nth(2).click()
    page.get_by_role("button", name="Drop from window").click()
    page.locator(f'{ROOT}[data-steps="{before + 1}"]').wait_for()
    drawn(page)
    assert page.locator(".fl-app:focus-within").count() == 1  # and not on the page, where Tab begins anew
    page.get_by_role("button", name="Requests", exact=True).click()
    shown = page.get_by_role("region", name="Request body")
    shown.filter(has_text='"messages"').filter(has_text="The lending desk").wait_for()
    page.locator('.fl-callrow[data-call="1"]').click()
    page.get_by_text("Reply to the window after message 2").wait_for()
    shown.filter(has_text='"messages"').filter(has_text="The lending desk").wait_for()
    page.get_by_role("button", name="Reply", exact=True).click()
    page.get_by_role("region", name="Reply").filter(has_text='"assistant"').wait_for()


LIST_ENDS = f"""() => {{
  const {{ scrollTop, clientHeight, scrollHeight }} = ({DEEP})('.fl-window .fl-scroll');
  return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
}}"""
"""Whether the list has more than there is room for, and shows its end."""


def test_a_message_that_is_chosen_stays_until_one_press_leads_to_the_newest(fresh: Any) -> None:
    """While the run goes on its details and the list stay, and nothing is called followed; so by the button and by End."""
    page = fresh
    page.set_viewport_size({"width": 900, "height": 700})
    page.get_by_role("button", name="Breakpoints").click()
    page.get_by_text("Step mode", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(f'{ROOT}[data-steps="2"]').wait_for()
    status(page, "paused")
    follow, inspector = page.locator(".fl-follow"), page.locator(".fl-slot-inspector")

    def shown() -> int:
        return int(re.findall(r"message (\d+) of", inspector.inner_text())[0])

    for back in (follow.click, lambda: page.keyboard.press("End")):
        page.locator(".fl-row").nth(1).click()
        expect(follow).to_have_text("Follow")
        chosen = shown()
        for _ in range(5):
            before = steps(page)
            page.keyboard.press(".")
            wait_for(page, f"(before) => Number(({DEEP})('{ROOT}').dataset.steps) > before", before)
            status(page, "paused")
        expect(follow).to_have_text("Follow")  # the cursor is at the newest message
        expect(follow).to_have_attribute("aria-pressed", "false")
        assert shown() == chosen
        assert not page.evaluate(LIST_ENDS)
        back()
        expect(follow).to_have_text("Following")
        until(page, lambda: shown() == steps(page))
        wait_for(page, LIST_ENDS)


def test_every_dialog_of_a_run_is_accessible(fresh: Any) -> None:
    """Breakpoints, then paused before a tool: its call to be edited, the requests, a fork; and the setting up of a new run."""
    page = fresh
    page.keyboard.press("b")
    dialog = page.locator(".fl-breakpoints")
    dialog.get_by_label("Tool", exact=True).select_option("list_files")
    assert violations(page) == []
    dialog.get_by_role("button", name="Add").click()
    dialog.get_by_role("button", name="Edit: list_files").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start", exact=True).click()
    status(page, "paused")
    for key in ("e", "q", "F"):
        page.locator(ROOT).focus()
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        assert violations(page) == [], key
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
    page.get_by_role("button", name="New run…").click()
    page.get_by_role("button", name="Create run").wait_for()
    idle(page)
    assert violations(page) == []


def test_a_second_tab_follows_and_takes_over(fresh: Any, server: Any) -> None:
    """It sees the run, cannot command it, and can once it has taken over: then the first one follows.

    It hears of the run over a WebSocket: a browser keeps six connections to a server for requests, so none of them may wait.
    """
    first = fresh
    first.get_by_role("button", name="Breakpoints").click()
    first.get_by_text("Step mode", exact=True).click()
    first.keyboard.press("Escape")
    first.get_by_role("button", name="Start", exact=True).click()
    status(first, "paused")
    second = new_page(first.context)
    lines, waiting = list[str](), set[str]()
    second.on("websocket", lambda line: lines.append(line.url))
    second.on("request", lambda request: waiting.add(request.url))
    for event in ("requestfinished", "requestfailed"):
        second.on(event, lambda request: waiting.discard(request.url))
    look(second, first.url)
    take = second.get_by_role("button", name="Take over")
    take.wait_for()
    for part in (".fl-panel[inert]", ".fl-chooser[inert]"):
        second.locator(part).wait_for()
        assert first.locator(part).count() == 0
    budget = first.get_by_role("slider").first
    budget.press("ArrowLeft")
    wanted = budget.input_value()
    slider(second, "budget").and_(second.locator(f'[aria-valuetext^="{int(wanted):,}"]')).wait_for()
    assert slider(second, "budget").input_value() == wanted
    take.click()
    second.locator(".fl-panel:not([inert])").wait_for()
    first.locator(".fl-panel[inert]").wait_for()
    assert slider(second, "budget").input_value() == wanted
    assert any(url.endswith("/news") for url in lines)
    until(second, lambda: not any("/api/live/" in url for url in waiting))
    second.get_by_role("button", name="Step", exact=True).click()
    first.locator(f'{ROOT}:not([data-steps="2"])').wait_for()
    first.get_by_role("button", name="Take over").wait_for()
    second.goto("about:blank")
    first.get_by_role("button", name="Take over").wait_for(state="hidden")
    second.close()


def test_after_reset_the_sidebar_is_the_new_runs(fresh: Any) -> None:
    """What stands beside the page, the sliders among it, belongs to the run that took the old one's place."""
    page = fresh
    page.get_by_placeholder("The task for the agent").fill("hello")
    page.keyboard.press("Enter")
    status(page, "ended")
    written = page.get_by_text("Saved to ")
    before = written.inner_text()
    page.get_by_placeholder("Message to the agent").fill("/reset")
    page.keyboard.press("Enter")
    page.locator(f'{ROOT}[data-steps="1"]').wait_for()
    page.get_by_text(before).wait_for(state="detached")
    assert written.inner_text().startswith("Saved to ")


def test_the_task_box_is_read_from_its_first_line_by_key_too(fresh: Any) -> None:
    """The caret of a task that stands there already is in front of it."""
    say = fresh.get_by_placeholder("The task for the agent")
    assert say.evaluate("(box) => box.scrollHeight > box.clientHeight")
    say.focus()
    drawn(fresh)
    assert say.evaluate("(box) => [box.scrollTop, box.selectionStart]") == [0, 0]


def test_what_becomes_of_a_new_run_is_in_sight(fresh: Any) -> None:
    """Its button, and above it why the run could not be created, however long the dialog is."""
    page = fresh
    page.set_viewport_size({"width": 900, "height": 700})
    page.get_by_role("button", name="New run…").click()
    page.get_by_text("More: MCP servers").click()
    servers = page.get_by_role("textbox", name="MCP servers, one per line")
    servers.fill("tests = nosuch-command")
    servers.press("Control+Enter")
    page.get_by_text("Run these commands").click()
    create = page.get_by_role("button", name="Create run")
    expect(create).to_be_enabled()
    expect(create).to_be_in_viewport(ratio=1)
    create.click()
    why = page.get_by_text("MCP server 'tests' cannot be used", exact=False)
    for shown in (page.get_by_text("Could not create the run."), why, create):
        expect(shown).to_be_in_viewport(ratio=1)


def test_the_command_of_a_server_is_shown_before_it_runs(fresh: Any) -> None:
    """The run can be created once the user agrees to the exact command; another command is to be agreed to anew."""
    page = fresh
    page.get_by_role("button", name="New run…").click()
    page.get_by_text("More: MCP servers").click()
    create = page.get_by_role("button", name="Create run")
    assert create.is_enabled()

    servers = page.get_by_role("textbox", name="MCP servers, one per line")
    for script in ("elsewhere.py", SERVER):
        servers.fill(f"tests = {sys.executable} {script}")
        servers.press("Control+Enter")
        page.locator("code", has_text=f"{sys.executable} {script}").wait_for()
        idle(page)
        assert create.is_disabled()
        page.get_by_text("Run these commands").click()
        wait_for(
            page, "() => ![...document.querySelectorAll('button')].find((b) => b.innerText === 'Create run').disabled"
        )

    create.click()
    page.locator("[data-testid=stSidebar]").get_by_text("flood", exact=False).wait_for()
