"""The Compare page: lanes under one cursor, by mouse and by keys."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from core import Message, Session, load, meter, policy, simulate
from core import save as save_session
from core.model.session import RecordedCompaction
from tests.browser.accessible import violations
from tests.browser.looking import (
    COUNT_NODES,
    DEEP,
    ROOT,
    drawn,
    idle,
    look,
    numbers,
    press,
    slide,
    until,
    value,
    wait_addressed,
    wait_for,
)
from tests.browser.test_sizes import long_session
from tests.serving import ROOT as ROOT_FOLDER

pytestmark = pytest.mark.browser
SAMPLE = "sample:foldline/forgotten-rule.json"
RULE = "No new dependency, not even a small one"
LANES = {"a": "recorded", "b": "agentkit.memory,budget=8000,keep_recent=4", "c": "none"}


def compare(page: Any, url: str, **query: Any) -> None:
    """Open the Compare page with this query, and wait until its lanes are painted."""
    page.goto(f"{url}/compare?{urlencode({'source': SAMPLE} | query)}")
    page.locator(".fl-compare[data-rendered]").wait_for()


def wait_message(page: Any, message: int) -> None:
    """Wait until so many messages have arrived at the cursor."""
    wait_for(page, f"(m) => ({DEEP})('{ROOT}')?.dataset.message === String(m)", message)


def wait_lanes(page: Any, count: int) -> None:
    """Wait until so many lanes are painted."""
    wait_for(page, f"(n) => ({DEEP})('{ROOT}')?.dataset.laneCount === String(n)", count)


def figures(page: Any) -> dict[str, list[str]]:
    """The table of the whole run, once all of it is known: the values of each line by lane."""
    page.locator(".fl-totals-card[data-figures=all]").wait_for()
    rows = page.locator(".fl-totals tbody tr:not([data-pinned])").all()
    return {
        row.locator("th").inner_text().splitlines()[0]: row.locator(".fl-totals-value").all_inner_texts()
        for row in rows
    }


def query_of(page: Any) -> dict[str, str]:
    """The query of the address bar."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_lanes_are_walked_by_keys(page: Any, server: Any) -> None:
    """d, D, n, p, arrows, 1 to 4 and x; the address says all of it, and opens the same picture."""
    compare(page, server.url, **LANES)
    first = int(value(page, "message"))  # where the lanes first differ
    assert page.get_by_role("button", name="first differ at message").inner_text().endswith(str(first))
    press(page, "ArrowRight", "ArrowRight", "ArrowLeft")
    wait_message(page, first + 1)
    press(page, "D")
    wait_message(page, first)
    press(page, "n")
    drawn(page)
    second = int(value(page, "message"))
    press(page, "p")
    wait_message(page, first)
    press(page, "d")
    wait_message(page, second)
    assert second > first
    press(page, "2", "x")
    wait_addressed(page, f"message={second}")
    wait_addressed(page, "base=b")
    page.reload()
    wait_message(page, second)
    said = query_of(page)
    assert {name: said[name] for name in "abc"} == LANES
    assert page.locator(".fl-lane-base").count() == 1
    assert "against B, agentkit.memory" in page.locator(".fl-totals-card .fl-told").inner_text()


def test_windows_and_figures_are_those_of_the_runs(page: Any, server: Any) -> None:
    """What each window holds adds up to its tokens, which are core's; so are the figures."""
    compare(page, server.url, **LANES, message=100, meter="o200k_base")
    session = load(ROOT_FOLDER / "sample_sessions" / "foldline" / "forgotten-rule.json")
    trace = simulate(session, policy("agentkit.memory", budget=8000, keep_recent=4), meter=meter("o200k_base"))
    step = max(i for i in range(len(trace)) if trace.step(i).messages <= 100)
    totals = [numbers(text)[0] for text in page.locator(".fl-set-total").all_inner_texts()]
    assert totals[2] == sum(trace.tokens[:100])
    parts = [numbers(text.partition(":")[2]) for text in page.locator(".fl-set-bar .fl-said").all_inner_texts()]
    assert [sum(found) for found in parts] == totals
    assert len(trace.window(step)) > 0
    found = figures(page)
    assert found["Compactions"][1:] == [f"{len(trace.compactions)} *", "0"], "the recorded summaries came later"
    assert found["Calls over budget"][0] == found["Calls over budget"][2] == "no budget"
    peak = page.locator(".fl-totals tbody th").filter(has_text="Peak window")
    assert peak.inner_text().splitlines() == ["Peak window", "largest, sent or not"]
    assert "taken as given" in page.locator(".fl-totals-foot").inner_text()


BACK = """
() => new Promise((tell) => {
  addEventListener('popstate', () => setTimeout(() => tell(location.search)));
  history.back();
})
"""


def test_back_to_debug_has_its_address_at_once(page: Any, server: Any) -> None:
    """Before Python has answered: a link that is copied then is right."""
    look(page, server.url, source=SAMPLE, step=28)
    press(page, "ArrowRight")
    wait_addressed(page, "step=29")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator(".fl-compare[data-rendered]").wait_for()
    wait_addressed(page, "a=recorded")
    found = page.evaluate(BACK)
    assert f"source={SAMPLE}" in found
    assert "step=29" in found


def test_a_run_is_compared_by_its_own_summaries(page: Any, server: Any) -> None:
    """Its policy then loses the same rule at the same place. What only quotes keep is no gain: no difference is shown."""
    sample = {"source": "sample:foldline/broken-rule.json"}
    look(page, server.url, **sample, step=28)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator(".fl-compare[data-rendered]").wait_for()
    assert figures(page)["Needed later"] == figures(page)["Statements lost"] == ["1", "1"]
    expect(page.get_by_role("button", name="No difference")).to_be_visible()
    press(page, "v")
    wait_addressed(page, "summaries=recorded")
    compare(page, server.url, **sample, summaries="structural")
    found = figures(page)
    assert (found["Statements lost"], found["Needed later"]) == (["1", "up to 2"], ["1", "up to 1"])
    rows = page.locator(".fl-totals tbody tr").filter(has_text="up to")
    expect(rows).to_have_count(2)
    expect(rows.locator(".fl-delta")).to_have_count(0)
    expect(page.locator(".fl-totals tbody tr").filter(has_text="Findings").locator(".fl-delta-plain")).to_have_count(1)


LINES_OF_NAMES = """
labels => labels.map(label => [...label.childNodes].filter(node => node.nodeType === 3 && node.data.trim()).map(node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
}))
"""


def test_names_of_parameters_break_between_words_only(page: Any, server: Any) -> None:
    """In the narrow sidebar too a part of a name, as `AUTOCOMPACT_`, stands on one line; what has no room is below.

    The longest one has two lines.
    """
    page.set_viewport_size({"width": 900, "height": 700})
    compare(page, server.url, a="recorded", b="claude_code.auto")
    page.locator("[data-param=CLAUDE_AUTOCOMPACT_PCT_OVERRIDE]").wait_for()
    long = page.locator("[data-param=CLAUDE_CODE_AUTO_COMPACT_WINDOW] label")
    assert long.bounding_box()["height"] < 45  # two lines
    lines = page.locator(".fl-param label").evaluate_all(LINES_OF_NAMES)
    assert max(map(len, lines)) >= 4
    assert all(set(parts) == {1} for parts in lines)


def test_lanes_are_there_again_after_another_page(page: Any, server: Any) -> None:
    """Whether the address named them or a person added one, the link in the sidebar leads back to them, and to the message."""
    compare(page, server.url, a="recorded", b="agentkit.memory,budget=8000,keep_recent=4")
    page.get_by_role("button", name="Add a lane").click()
    page.get_by_role("button", name="No compaction").click()
    wait_lanes(page, 3)
    page.keyboard.press("G")
    page.keyboard.press("ArrowLeft")
    message = page.locator(".fl-compare").get_attribute("data-message")
    for _ in range(2):  # once with what the browser sent, once with what Python kept
        page.get_by_role("link", name="Debug", exact=True).click()
        page.locator(".fl-app:not(.fl-compare)[data-rendered]").wait_for()
        page.get_by_role("link", name="Compare", exact=True).click()
        wait_lanes(page, 3)
        wait_message(page, int(message))
    assert page.locator(".fl-lane-title").all_inner_texts() == ["As recorded", "agentkit.memory", "No compaction"]
    assert "budget 8,000" in page.locator(".fl-lane-head").nth(1).inner_text()


COLOR_OF_REGION = """
badges => badges.map((badge) => {
  const bar = badge.appendChild(document.createElement("i"));
  bar.style.background = "var(--region)";
  const color = getComputedStyle(bar).backgroundColor;
  bar.remove();
  return color;
})
"""


def test_colors_of_sets_are_not_those_of_regions(page: Any, server: Any) -> None:
    """But for what is rewritten, which is the color of summaries; a row's bar has the color of its letter's region. The legend
    says of each where it stands, and has only those that there are.
    """
    compare(page, server.url, **LANES, message=100)
    color = "nodes => nodes.map(node => getComputedStyle(node).backgroundColor)"
    rewritten, only, _, every, *_ = page.locator(".fl-set-legend i").evaluate_all(color)
    regions = page.locator(".fl-set-regions i").evaluate_all(COLOR_OF_REGION)
    assert rewritten == regions[0]
    legend = page.locator(".fl-set-legend")
    assert all(words in legend.inner_text() for words in ("in the bars", "in the list"))
    assert legend.locator("i").all_inner_texts() == [""] * legend.locator("i").count()  # no letter that a lane has, too
    assert len({only, every, *regions}) == 2 + len(regions) == 7
    assert set(page.locator(".fl-set-row .fl-meter i").evaluate_all(color)) <= set(regions)
    assert (
        page.locator(".fl-set-title", has_text="Rewritten").locator("xpath=..").locator("b").inner_text()
        == "2 summaries"
    )
    shown = legend.locator("span:visible:has(> i)")
    four = ["rewritten", "in one lane", "in some", "in all"]
    assert shown.all_inner_texts() == [*four, "summary", "system", "compactable", "recent", "message"]
    page.get_by_role("button", name="A · C").click()
    expect(shown).to_have_text([four[0], four[1], four[3], "summary", "system", "compactable", "message"])


def test_lanes_are_arranged_by_mouse(page: Any, server: Any) -> None:
    """Add, choose a policy, slide, make the baseline, narrow to a pair, remove; the flag and the timeline move the cursor."""
    compare(page, server.url, a="recorded", b="agentkit.memory,budget=8000,keep_recent=4")
    page.get_by_role("button", name="Add a lane").click()
    page.get_by_role("button", name="No compaction").click()
    wait_lanes(page, 3)
    wait_addressed(page, "c=none")
    page.get_by_role("button", name="A · C").click()
    drawn(page)
    assert page.locator(".fl-set-bar").count() == 2
    page.get_by_role("button", name="B agentkit.memory").first.click()
    before = value(page, "rendered")
    page.locator("input[type=range][aria-label^='budget,']").evaluate(
        "(node) => { node.value = 12000; node.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    wait_for(page, f"(before) => ({DEEP})('{ROOT}').dataset.rendered !== before", before)
    wait_for(page, "() => !location.search.includes('budget=8000') && location.search.includes('budget=')")
    idle(page)
    page.get_by_role("button", name="Make baseline").click()
    wait_addressed(page, "base=b")
    page.get_by_role("button", name="first differ at").click()
    flagged = numbers(page.get_by_role("button", name="first differ at").inner_text())[0]
    wait_message(page, flagged)
    box = page.locator(".fl-slot-lanes .fl-timeline").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 22, box["y"] + box["height"] / 2)
    wait_message(page, int(value(page, "messages")))
    idle(page)
    page.get_by_role("button", name="Remove", exact=True).first.click()
    wait_lanes(page, 2)


def test_a_second_lane_of_the_same_policy_is_added(page: Any, server: Any) -> None:
    """Two settings of one policy stand side by side: the dialog offers what other lanes already show."""
    compare(page, server.url, a="agentkit.memory,budget=8000,keep_recent=4", b="recorded")
    page.get_by_role("button", name="Add a lane").click()
    page.get_by_role("button", name="A policy…").click()
    page.get_by_label("Search policies").fill("agentkit")
    page.get_by_role("option", name="agentkit.memory").wait_for()
    assert page.get_by_text("in use").count() == 0
    page.keyboard.press("Enter")
    wait_lanes(page, 3)
    wait_addressed(page, "c=agentkit.memory")


def test_a_text_is_followed_in_each_lane(page: Any, server: Any) -> None:
    """The strip, and where it is at the cursor; typed into the sidebar, and in the address."""
    compare(page, server.url, **LANES, message=187)
    page.get_by_label("Text to follow").fill(RULE)
    page.keyboard.press("Enter")
    states = page.locator("[data-pinned=text] .fl-state")
    states.nth(2).wait_for()
    said = states.all_inner_texts()
    assert said[2] == "in window"
    assert said[0] == "gone since compaction 3"
    wait_addressed(page, "why=No+new+dependency")
    page.get_by_role("button", name="Remove").last.click()
    page.locator("[data-pinned=text]").wait_for(state="detached")


FOCUS = "() => { let at = document.activeElement; while (at?.shadowRoot) at = at.shadowRoot.activeElement; return at; }"


def focused(page: Any) -> Any:
    """The key of the message whose row has the focus, or None."""
    return page.evaluate(f"() => ({FOCUS})()?.dataset.key ?? null")


@pytest.mark.parametrize("press_key", ["click", "Enter", "Space"])
def test_a_row_opens_its_message(page: Any, server: Any, press_key: str) -> None:
    """By mouse and by keys: its whole text, its number, and where it stands in each lane. Esc returns to its row."""
    compare(page, server.url, **LANES, message=100)
    reader = page.get_by_role("region", name="Message", exact=True)
    row = page.locator(".fl-set-row[data-key=m0]")
    if press_key == "click":
        row.click()
    else:
        row.focus()
        page.keyboard.press(press_key)
    expect(reader.locator(".fl-where")).to_have_text("message 1 of 187")
    expect(reader.locator(".fl-standings")).to_have_text("AsystemBsystemCsystem")
    text = load(ROOT_FOLDER / "sample_sessions" / "foldline" / "forgotten-rule.json").messages[0].content
    expect(reader.locator(".fl-md")).to_be_visible()
    reader.get_by_role("switch", name="Markdown").click()
    expect(reader.locator(".fl-text")).to_have_text(text)
    reader.get_by_role("switch", name="Markdown").click()
    expect(row).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(reader).to_be_hidden()
    assert focused(page) == "m0"
    expect(page.get_by_role("region", name="The whole run", exact=True)).to_be_visible()


def test_arrows_walk_the_rows_and_the_message_follows(page: Any, server: Any) -> None:
    """Down opens a set that is shortened; up leads back. Where no message is open, only the focus moves."""
    page.set_viewport_size({"width": 900, "height": 700})
    compare(page, server.url, **LANES, message=100)
    rows = page.locator(".fl-set-row")
    keys = rows.evaluate_all("rows => rows.slice(0, 3).map(row => row.dataset.key)")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == keys[1]
    reader = page.get_by_role("region", name="Message", exact=True)
    expect(reader).to_be_hidden()
    more = page.locator(".fl-set-more").first
    count = numbers(more.inner_text())[0]
    rows.nth(2).click()
    seen = {keys[2]}
    for _ in range(6):
        page.keyboard.press("ArrowDown")
        seen.add(focused(page))
        expect(page.locator("[aria-pressed=true].fl-set-row")).to_have_attribute("data-key", focused(page))
    assert len(seen) == 7
    expect(page.locator(".fl-set-more", has_text=f"{count} more")).to_have_count(0)
    expect(reader.locator(".fl-where")).to_have_text(f"message {int(focused(page)[1:]) + 1} of 187")
    page.keyboard.press("ArrowUp")
    expect(reader.locator(".fl-where")).to_have_text(f"message {int(focused(page)[1:]) + 1} of 187")
    at = int(value(page, "message"))
    page.keyboard.press("ArrowRight")
    wait_message(page, at + 1)
    expect(reader).to_be_visible()


def test_a_summary_that_is_read_follows_its_lane(page: Any, server: Any) -> None:
    """Another budget writes another summary: that one is shown, and the slider keeps the focus. Without one it is closed."""
    compare(page, server.url, **LANES, message=100)
    page.locator(".fl-set-row[data-kind=rewritten]").nth(1).click()
    title = page.get_by_role("region", name="Message", exact=True).locator(".fl-title")
    expect(title).to_have_text("summary #3")
    slider = page.locator("input[type=range][aria-label^='budget,']")
    slider.focus()
    slide(page, "budget", 12000)
    expect(title).to_have_text("summary #2")
    slide(page, "budget", 40000)
    expect(title).to_be_hidden()
    assert slider.evaluate(f"(slider) => ({FOCUS})() === slider")


def test_summaries_are_read_side_by_side(page: Any, server: Any) -> None:
    """A column for each lane, with who wrote its summaries where it is simulated, and their text; Esc returns to the row."""
    compare(page, server.url, **LANES, message=100)
    page.locator(".fl-set-row[data-kind=rewritten]").first.click()
    key = focused(page)
    press(page, "b")
    dialog = page.get_by_role("dialog", name="Summaries after message 100")
    columns = dialog.locator("section")
    expect(dialog.locator("section > h3")).to_have_text(
        [re.compile("^A.*As recorded"), re.compile("^B.*agentkit"), re.compile("^C")]
    )
    expect(columns.nth(0)).to_contain_text("summary")
    expect(columns.nth(0)).not_to_contain_text("Its summaries")
    expect(columns.nth(1)).to_contain_text("Its summaries are those that the transcript has.")
    expect(columns.nth(2)).to_contain_text("Its window has no summary.")
    boxes = [columns.nth(k).bounding_box() for k in range(3)]
    assert boxes[0]["x"] < boxes[1]["x"] < boxes[2]["x"]
    assert len({box["y"] for box in boxes}) == 1
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert focused(page) == key


def later_summary(folder: Path) -> Path:
    """A transcript of forty messages that compacts once, at 30; its summary is a system message."""
    said = [Message(id=f"m{k}", role=("user", "assistant")[k % 2], content=f"Part {k}. " * 20) for k in range(40)]
    summary = Message(id="s", role="system", content="The parts are done one by one.", injected="summary")
    event = RecordedCompaction(at=30, summary="s", edit="summarised")
    path = folder / "later.json"
    save_session(Session(messages=(*said[:30], summary, *said[30:]), compactions=(event,)), path)
    return path


def test_a_summary_that_a_lane_has_sooner_is_the_same_and_judges_no_settings(
    page: Any, server: Any, tmp_path: Path
) -> None:
    """Both windows hold its text, under other numbers. Figures that it makes say so, and show no difference."""
    lane = "llamaindex.summary_buffer,token_limit=500"
    compare(page, server.url, source=f"path:{later_summary(tmp_path)}", a="recorded", b=lane, message=32)
    shared = page.locator(".fl-set-row", has_text="The parts are done")
    expect(shared).to_have_count(1)
    expect(shared).to_contain_text(re.compile(r"summary #1/#\d"))
    expect(page.locator(".fl-set-title")).not_to_contain_text(["Rewritten"])
    figures(page)
    rows = page.locator(".fl-totals tbody tr").filter(has_text="*")
    by_summaries = "Statements lost,Needed later,Cost,Misses,Tokens sent,Read from cache,Summarizer tokens,Compactions"
    expect(rows.locator("th")).to_have_text(
        [re.compile(f"^{name}") for name in (*by_summaries.split(","), "Mean window")]
    )
    expect(rows.locator(".fl-delta")).to_have_count(0)
    future = page.locator(".fl-totals-future")
    expect(future).to_have_text(re.compile(r"^\* B has summaries that the transcript wrote only later"))
    future.get_by_role("button", name="Compare with quotes instead").click()
    wait_addressed(page, "summaries=structural")
    expect(future).to_be_hidden()
    figures(page)
    expect(rows).to_have_count(0)


def test_debug_opens_at_the_message_though_its_overview_was_left(page: Any, server: Any) -> None:
    """v leads to the messages of Debug, with the one of the cursor marked, or the one that is read."""
    sample = {"source": SAMPLE, "policy": "agentkit.memory", "budget": 8000, "keep_recent": 4}
    look(page, server.url, **sample, step=90)
    press(page, "o", "v")
    page.locator(".fl-compare[data-rendered]").wait_for()
    at = int(value(page, "message"))
    press(page, "2", "v")
    page.locator(f"{ROOT}:not(.fl-compare)[data-rendered]").wait_for()
    inspector = page.locator(".fl-slot-inspector")
    expect(inspector).to_have_attribute("data-shows", f"message {at - 1}")
    expect(page.locator(".fl-slot-window .fl-row[aria-selected=true]")).to_be_in_viewport(ratio=1)
    assert "show=overview" not in page.url
    press(page, "v")
    page.locator(".fl-compare[data-rendered]").wait_for()
    page.locator(".fl-set-row[data-key=m0]").click()
    press(page, "v")
    page.locator(f"{ROOT}:not(.fl-compare)[data-rendered]").wait_for()
    expect(inspector).to_have_attribute("data-shows", "message 0")
    assert numbers(page.locator(".fl-position").inner_text())[0] == at


def test_debug_opens_compare_and_compare_debug(page: Any, server: Any) -> None:
    """v in Debug shows its run beside the recorded one, at the same message; v in Compare opens the chosen lane there."""
    look(page, server.url, source=SAMPLE, policy="agentkit.memory", budget=8000, keep_recent=4, step=90)
    arrived = numbers(page.locator(".fl-position").inner_text())[0]
    press(page, "v")
    page.locator(".fl-compare[data-rendered]").wait_for()
    wait_message(page, arrived)
    wait_addressed(page, f"message={arrived}")
    assert query_of(page)["a"] == "recorded"
    assert query_of(page)["b"].startswith("agentkit.memory,budget=8000,keep_recent=4")
    press(page, "ArrowRight", "2", "v")
    page.locator(f"{ROOT}:not(.fl-compare)[data-rendered]").wait_for()
    assert numbers(page.locator(".fl-position").inner_text())[0] == arrived + 1
    wait_addressed(page, "budget=8000")


CLIPPED = f"""
() => {{
  const root = ({DEEP})('{ROOT}');
  const table = root.querySelector('.fl-totals-scroll');
  const heads = [...root.querySelectorAll('.fl-lane-head')].filter((node) => node.scrollHeight > node.clientHeight);
  const sidebar = document.querySelector('[data-testid=stSidebarContent]');
  const named = [...root.querySelectorAll('.fl-lane-title, .fl-told, .fl-set-title, .fl-totals :is(th, td, td *)')];
  const seen = [table, sidebar, ...named].filter((node) => node.checkVisibility({{visibilityProperty: true}}));
  const cut = seen.filter((node) => node.clientWidth > 1 && node.scrollWidth > node.clientWidth);
  return [...heads, ...cut].map((node) => node.className + node.innerText);
}}
"""


@pytest.mark.parametrize("width", [1400, 900])
def test_lanes_are_whole(page: Any, server: Any, width: int) -> None:
    """Two lanes, three and four: no word of them is cut, their figures stand side by side, and the sidebar is no wider."""
    page.set_viewport_size({"width": width, "height": 900 if width == 1400 else 700})
    two = {"a": "recorded", "b": "claude_code.microcompact,pin=1"}
    for lanes in (two, LANES, LANES | {"d": "claude_code.microcompact"}):
        compare(page, server.url, **lanes, why=RULE)
        figures(page)
        page.locator("[data-pinned=text] .fl-state").nth(len(lanes) - 1).wait_for()
        assert page.evaluate(CLIPPED) == []


def test_a_long_name_over_the_figures_is_whole(page: Any, server: Any) -> None:
    """At 900 by 700 it is broken at its dots and underscores, none of it cut, and none in the way of what is beside it."""
    page.set_viewport_size({"width": 900, "height": 700})
    compare(page, server.url, a="recorded", b="semantic_kernel.summary_reducer")
    figures(page)
    name = page.locator(".fl-totals-name").nth(1)
    assert name.inner_text() == "semantic_kernel.summary_reducer"
    column = name.locator("xpath=..")
    assert name.bounding_box()["height"] > 30
    assert column.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    boxes = [column.locator(one).bounding_box() for one in (".fl-totals-name", ".fl-letter")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] + 1


def test_the_windows_show_as_many_messages_as_there_is_room_for(page: Any, server: Any) -> None:
    """At 1400 by 900 all of a short session; at 900 by 700 three of a set, and a press on the line below shows the others."""
    page.set_viewport_size({"width": 1400, "height": 900})
    compare(page, server.url, source="sample:foldline/broken-rule.json", summaries="structural")
    expect(page.locator(".fl-set-row")).to_have_count(9)
    expect(page.locator(".fl-set-more")).to_have_count(0)
    page.set_viewport_size({"width": 900, "height": 700})
    more = page.locator(".fl-set-more")
    expect(more).to_have_count(1)
    more.click()
    expect(more).to_have_count(0)


def test_rows_of_figures_stay(page: Any, server: Any) -> None:
    """Before the figures come there are the rows that there are with them, and as much room for them."""
    held: list[Any] = []
    page.route("**/api/totals/**", lambda route: held.append(route), times=1)
    compare(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", a="none", b="recorded")
    until(page, lambda: bool(held))
    names = page.locator(".fl-totals tbody th")
    room = page.locator(".fl-totals-scroll")
    before, size = names.all_inner_texts(), room.bounding_box()
    held[0].continue_()
    assert "Misses" in figures(page)
    assert (names.all_inner_texts(), room.bounding_box()) == (before, size)
    assert "Prices: " in page.locator(".fl-totals-beside").inner_text()


def test_after_a_change_debug_compares_with_what_was_before(page: Any, server: Any) -> None:
    """The budget before the slider moved is lane A, the baseline; the budget now is B. A step does not change that."""
    look(page, server.url, source=SAMPLE, policy="agentkit.memory", budget=8000, keep_recent=4, step=90)
    slide(page, "budget", 12000)
    wait_addressed(page, "budget=12000")
    idle(page)
    press(page, "ArrowRight", "v")
    page.locator(".fl-compare[data-rendered]").wait_for()
    wait_addressed(page, "base=a")
    lanes = [query_of(page)[letter] for letter in "ab"]
    assert [lane.partition(",keep_recent=4")[0] for lane in lanes] == [
        f"agentkit.memory,budget={n}" for n in (8000, 12000)
    ]
    assert "c" not in query_of(page)


def test_without_lanes_the_policy_stands_beside_the_recorded_run(page: Any, server: Any) -> None:
    """Without recorded compactions that is said; two lanes alike do not differ."""
    compare(page, server.url, source="sample:openai-chat/coding-session.json")
    names = page.locator(".fl-lane-title").all_inner_texts()
    assert names == ["As recorded, none", "agentkit.memory"]
    compare(page, server.url, a="none", b="none")
    assert page.get_by_role("button", name="No difference").is_disabled()
    assert page.locator(".fl-plan").inner_text().startswith("No difference.")
    press(page, "d")
    page.get_by_text("The lanes do not differ").wait_for()


def test_compare_is_accessible(page: Any, server: Any) -> None:
    """The page with three lanes and a followed text, a message that is read, summaries side by side, its help, and Share."""
    compare(page, server.url, **LANES, why=RULE)
    figures(page)
    page.locator("[data-pinned=text] .fl-state").nth(2).wait_for()
    assert violations(page) == []
    page.locator(".fl-set-row").first.click()
    page.locator(".fl-reader .fl-about").wait_for()
    assert violations(page) == []
    press(page, "b")
    page.locator(".fl-beside-texts[open]").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    press(page, "?")
    page.locator(".fl-help[open]").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share…").click()
    page.locator(".fl-share[open]").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")


def asks(url: str) -> bool:
    """Whether a question to the server is about the run, not about whether its file was written to."""
    return "/api/" in url and "/api/followed/" not in url


def test_compare_of_a_hundred_thousand_messages(fresh_page: Any, server: Any, tmp_path: Path) -> None:
    """At most 3,000 nodes; a slider sends at most 64 KB, and walking asks the server nothing."""
    save_session(long_session(100_000), tmp_path / "long.json")
    page, watch = fresh_page(server.url)
    received: list[int] = []
    told: list[bytes] = []
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: told.append(data)))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(len(data))))
    page.on("requestfinished", lambda request: asked.append(request.url) if asks(request.url) else None)
    lanes = {"a": "none", "b": "agentkit.memory,budget=40000,keep_recent=20", "meter": "agentkit"}
    compare(page, server.url, source=f"path:{tmp_path / 'long.json'}", **lanes)
    figures(page)
    idle(page)
    told.clear()
    asked.clear()
    press(page, "G", *["p", "D", "ArrowLeft"] * 10, "g")
    wait_message(page, 1)
    assert page.evaluate(COUNT_NODES) <= 3_000
    assert (asked, told) == ([], [])
    received.clear()
    before, mounts = value(page, "rendered"), value(page, "mounts")
    page.locator("input[type=range][aria-label^='keep_recent,']").evaluate(
        "(node) => { node.value = 24; node.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    wait_for(page, f"(before) => ({DEEP})('{ROOT}').dataset.rendered !== before", before)
    views = [url for url in asked if "/api/view/" in url]
    sizes = [page.request.get(url).body() for url in views]
    assert len(views) == 1
    assert sum(received) + sum(map(len, sizes)) <= 64 * 1024
    assert value(page, "mounts") == mounts
    own = [
        text for text in watch.errors if "404 (Not Found)" not in text
    ]  # Streamlit looks for its server below each page
    assert own == []


def test_a_pin_that_is_not_there_is_told_once(page: Any, server: Any) -> None:
    """The rest of the lane is shown; once the error is dismissed it stays away, whatever is changed then."""
    compare(page, server.url, a="recorded", b="agentkit.memory,budget=8000,pin=nobody")
    wait_lanes(page, 2)
    told = page.get_by_text("Part of the address was ignored.")
    told.wait_for()
    page.get_by_role("button", name="Dismiss").click()
    told.wait_for(state="detached")
    page.get_by_role("button", name="Add a lane").click()
    page.get_by_role("button", name="No compaction").click()
    wait_lanes(page, 3)
    idle(page)
    assert told.count() == 0
    assert page.locator(".fl-lane-title").all_inner_texts() == ["As recorded", "agentkit.memory", "No compaction"]


def test_of_prompts_that_the_file_shows_in_part_compare_says_what_is_missing(page: Any, server: Any) -> None:
    """The windows are part of the prompt, and below the bars stands what the recorded lane was sent beside its window."""
    compare(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", a="recorded", b="none", message=10)
    windows = page.get_by_role("region", name="Windows")
    expect(windows.locator(".fl-told")).to_have_text("part of the prompt")
    expect(windows.locator(".fl-set-beside")).to_have_text(
        re.compile(r"^A was sent ~[\d,]+ tokens more, not in this file: system prompt, tools, what the agent added$")
    )
    expect(page.locator(".fl-compare-caption")).to_contain_text("tokens in the window and in this file")
    compare(page, server.url)
    expect(windows.locator(".fl-told")).to_have_text("what the next call would be sent")
    expect(windows.locator(".fl-set-beside")).to_be_hidden()
