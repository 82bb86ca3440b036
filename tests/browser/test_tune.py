"""The Tune page: sessions of a folder are swept, by mouse and by keys; cells lead to Debug; Back and a reload bring it back."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from core.cli import main
from tests.browser.accessible import violations
from tests.browser.looking import DEEP, wait_for
from tests.serving import ROOT

pytestmark = pytest.mark.browser
SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"
NOW = urlencode({"policy": "agentkit.memory", "budget": 12000, "keep_recent": 8})
GRID = "agentkit.memory;budget=8000,12000,16000;keep_recent=4,8"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sessions: one whole, and two that end earlier. What the first says first is markup."""
    made = tmp_path_factory.mktemp("tuned")
    messages = json.loads(SAMPLE.read_text(encoding="utf-8"))
    messages = messages["messages"] if isinstance(messages, dict) else messages
    for count in (len(messages), 150, 120):
        first = next(k for k, one in enumerate(messages) if one["role"] == "user")
        said = [dict(one) for one in messages[:count]]
        said[first]["content"] = f"<img src=x onerror=alert(1)> {count}: {said[first]['content']}"
        (made / f"{count}.json").write_text(json.dumps(said))
    return made


def opened(page: Any, url: str, state: str = "ready", **query: Any) -> Any:
    """The page for this query, once it is in this state."""
    page.goto(f"{url}/tune?{urlencode(query)}")
    return settled(page, state)


def settled(page: Any, state: str) -> Any:
    """The page's root, once it is in this state."""
    root = page.locator(f".fl-tune-page[data-state={state}]")
    root.wait_for()
    return root


def drawn_anew(page: Any, before: str) -> None:
    """Wait until the page was drawn after this count."""
    wait_for(page, f"(n) => Number(({DEEP})('.fl-tune-page')?.dataset.drawn) > Number(n)", before)


def count_of(page: Any) -> str:
    """How often the page was drawn."""
    found: str = page.locator(".fl-tune-page").get_attribute("data-drawn")
    return found


@pytest.fixture(scope="module")
def swept(module_page: Any, server: Any, watch: Any, folder: Path) -> Any:
    """The page once the folder was chosen by hand and six settings have run over its three sessions."""
    page = module_page
    opened(page, server.url, "ready", source=f"path:{folder / '120.json'}", now=NOW, grid=GRID)
    expect(page.locator(".fl-tune-sentence")).to_have_text("Run tries 6 settings on 1 session.")
    expect(page.get_by_role("button", name="Share…")).to_be_disabled()
    page.get_by_role("button", name="Folder").click()
    settled(page, "ready")
    page.get_by_role("button", name="Choose…").click()
    dialog = page.get_by_role("dialog", name="Sessions of a folder")
    dialog.get_by_label("Folder or file").fill(str(folder))
    with watch.requests(page):
        dialog.get_by_role("button", name="Open").click()
        expect(dialog.get_by_role("status")).to_have_text("3 of 3 sessions")
        dialog.get_by_role("button", name="Use these").click()
        settled(page, "ready")
        expect(page.locator(".fl-tune-why").first).to_contain_text("of the median session")
        expect(page.locator(".fl-tune-how", has_text="runs, about")).to_contain_text(
            "6 settings × 3 sessions: 18 runs, about"
        )
        page.get_by_role("button", name="Run", exact=True).click()
        settled(page, "done")
    assert watch.strangers == []
    return page


@pytest.fixture
def tuned(swept: Any, page: Any, server: Any, folder: Path) -> Any:
    """The same page opened anew by its address: what has run is there without a run."""
    query = {"source": f"path:{folder / '120.json'}", "sessions": "folder", "folder": folder, "now": NOW, "grid": GRID}
    opened(page, server.url, "done", **query)
    return page


def cell(page: Any, budget: str, keep: str) -> Any:
    """The cell of a setting."""
    return page.get_by_role("gridcell", name=re.compile(f"^budget {budget}, keep_recent {keep}: "))


def test_the_map_the_plot_and_the_table_say_what_the_sweep_found(tuned: Any) -> None:
    """Six cells with misses and costs, one of them now; a sentence with its spread; a row for each session and one for all."""
    grid = tuned.get_by_role("grid", name="agentkit.memory: budget by keep_recent")
    assert grid.get_by_role("columnheader").all_inner_texts() == ["8k", "12k", "16k"]
    assert grid.get_by_role("rowheader").all_inner_texts() == ["8", "4"]
    names = [one.get_attribute("aria-label") for one in grid.locator("td[data-k]").all()]
    assert len(names) == 6
    assert all(re.search(r": misses [\d.]+ %, (cost \$|[\dk.M]+ tokens)", name) for name in names)
    assert "the setting now" in cell(tuned, "12,000", "8").get_attribute("aria-label")
    expect(tuned.locator(".fl-tune-key", has_text=re.compile("^now$"))).to_be_visible()
    sentence = tuned.locator(".fl-tune-sentence").inner_text()
    assert re.search(r"over 3 sessions|No setting stays within 5\s%", sentence)
    assert tuned.locator(".fl-tune-plot path[data-k]").count() >= 3
    table = tuned.get_by_role("grid", name="Sessions")
    assert table.locator(".fl-long-row").count() == 4
    assert "<img src=x onerror=alert(1)> 120" in table.inner_text()
    assert tuned.get_by_text("The recorded agent’s later steps are taken as given.").is_visible()


def test_pointing_at_a_cell_shows_it_in_the_plot_and_in_the_table(tuned: Any) -> None:
    """And a mark of the plot its cell. Beside it stands what it comes to; the advice stays, the table says what it is of."""
    advice = tuned.locator(".fl-tune-verdict").inner_text()
    here, tip = cell(tuned, "16,000", "4"), tuned.locator(".fl-tune-tip")
    here.hover()
    k = here.get_attribute("data-k")
    tuned.locator(f'.fl-tune-plot path.fl-tune-pointed[data-k="{k}"]').wait_for(state="attached")
    expect(tip).to_contain_text(
        re.compile(r"^agentkit\.memory, budget 16,000, keep_recent 4.*misses [\d.]+ %, \d+ comp")
    )
    expect(tuned.locator('.fl-table-head [data-column="after"]')).to_have_text("16k/4")
    expect(tuned.locator('.fl-table-head [data-column="title"]')).to_have_text("Session, under 16k/4, pointed at")
    assert tuned.locator(".fl-tune-verdict").inner_text() == advice
    mark = tuned.locator(".fl-tune-plot path.fl-tune-on-front").first
    mark.hover(force=True)
    tuned.locator(f'td[data-pointed][data-k="{mark.get_attribute("data-k")}"]').wait_for()
    expect(tip).to_be_visible()
    tuned.locator(".fl-tune-sentence").hover()
    expect(tip).to_be_hidden()
    expect(tuned.locator('.fl-table-head [data-column="title"]')).to_have_text("Session")


def test_while_another_cell_is_pointed_at_it_is_plain_what_the_advice_is_of(tuned: Any) -> None:
    """Beside the cell stands its setting, and the advice is framed as that setting's cell; at that cell it says nothing."""
    tuned.get_by_label("Misses at most").select_option("30")
    best, tip, verdict = (tuned.locator(one) for one in ("td[data-best]", ".fl-tune-tip-advice", ".fl-tune-verdict"))
    expect(best).to_have_accessible_name(re.compile("^budget 8,000, keep_recent 8: "))
    tuned.locator("td[data-k]:not([data-best])").first.hover()
    expect(tip).to_have_text("The advice below is of 8k/8. Click to choose this one.")
    expect(verdict).to_have_attribute("data-about", "best")
    best.hover()
    expect(tip).to_have_text("")
    expect(verdict).not_to_have_attribute("data-about", re.compile(""))


def test_a_cell_that_is_clicked_leads_to_debug_with_the_same_numbers(tuned: Any, server: Any) -> None:
    """The compactions there are those of the map; Back brings the map back without a run, and the cell with it."""
    cell(tuned, "8,000", "4").click()
    expect(tuned.locator(".fl-tune-reason").first).to_contain_text("Chosen by you: 8k/4. ")
    expect(tuned.locator(".fl-tune-sentence")).to_contain_text("budget 8,000, keep_recent 4:")
    expect(tuned.locator('.fl-table-head [data-column="after"]')).to_have_text("8k/4")
    row = tuned.locator(".fl-long-row", has_text="> 150:")
    wanted = row.locator('[data-column="compactions"]').inner_text().split("→")[1].strip()
    row.click()
    tuned.locator(".fl-app[data-rendered]").wait_for()
    query = parse_qs(urlsplit(tuned.url).query)
    assert query["budget"] == ["8000"]
    assert query["source"][0].endswith("150.json")
    expect(tuned.locator(".fl-app")).to_have_attribute("data-steps", str(150 + int(wanted)))
    tuned.go_back()
    settled(tuned, "done")
    expect(tuned.locator(".fl-tune-sentence")).to_contain_text("budget 8,000, keep_recent 4:")
    assert cell(tuned, "8,000", "4").get_attribute("aria-selected") == "true"


def test_the_link_in_the_sidebar_leads_back_to_what_was_swept(tuned: Any) -> None:
    """From another page, and from Debug with a session of the folder: the folder, its result and the chosen cell are there."""
    cell(tuned, "8,000", "4").click()
    for leave in (
        tuned.get_by_role("link", name="Learn", exact=True),
        tuned.get_by_role("link", name="Open in Debug"),
    ):
        leave.click()
        tuned.locator(".fl-tune-page").wait_for(state="detached")
        tuned.get_by_role("link", name="Tune", exact=True).click()
        settled(tuned, "done")
        expect(tuned.locator(".fl-tune-sentence")).to_contain_text("budget 8,000, keep_recent 4:")
        expect(tuned.locator(".fl-tune-facts")).to_contain_text("3 sessions")
        expect(tuned).to_have_url(re.compile("sessions=folder"))  # it is written once the page stands


def test_a_row_that_is_pressed_while_the_table_changes_is_the_one_that_opens(tuned: Any) -> None:
    """The rows wait for the button: what was pressed is opened, though the table was sorted anew in between."""
    row = tuned.locator(".fl-long-row", has_text="> 120:")
    row.hover()
    tuned.mouse.down()
    before = count_of(tuned)
    tuned.get_by_label("Misses at most").evaluate(
        "(node) => (node.value = '30', node.dispatchEvent(new Event('change')))"
    )
    drawn_anew(tuned, before)
    tuned.mouse.up()
    tuned.locator(".fl-app[data-rendered]").wait_for()
    assert parse_qs(urlsplit(tuned.url).query)["source"][0].endswith("120.json")


def test_prices_and_the_limit_need_no_run(tuned: Any) -> None:
    """Typed prices make a cost; a limit of 30 % gives a best; both stand in the address."""
    tuned.get_by_role("button", name=re.compile("Set prices…|Change…")).click()
    dialog = tuned.get_by_role("dialog", name="Prices")
    for name, price in zip(("Input", "Cache read", "Cache write", "Output"), (4, 0.4, 5, 20), strict=True):
        dialog.get_by_label(re.compile(f"^{name},")).fill(str(price))
    dialog.get_by_role("button", name="Use these prices").click()
    expect(cell(tuned, "8,000", "4")).to_have_attribute("aria-label", re.compile(r"cost \$"))
    expect(tuned.locator(".fl-tune-ratio")).to_have_text("1 : 10")
    tuned.get_by_label("Misses at most").select_option("30")
    expect(tuned.locator("td[data-best=true]")).to_have_count(1)
    before = tuned.locator("td[data-best=true]").get_attribute("aria-label")
    tuned.get_by_label("Cached to uncached price").press("Home")
    expect(tuned.locator(".fl-tune-ratio")).to_have_text("1 : 1")
    expect(cell(tuned, "8,000", "4")).not_to_have_attribute("aria-label", str(before))
    assert "prices=4,4,5,20" in tuned.url
    assert "limit=30" in tuned.url


def test_the_keys(tuned: Any) -> None:
    """An arrow goes to the map and over it, Enter chooses, m is the next measure, Escape lets go, ? lists the keys."""
    tuned.locator(".fl-tune-page").focus()
    tuned.keyboard.press("ArrowDown")
    focused = tuned.locator("td:focus")
    expect(focused).to_have_attribute("aria-label", re.compile("^budget 8,000, keep_recent 4"))
    tuned.keyboard.press("ArrowRight")
    tuned.keyboard.press("ArrowUp")
    expect(focused).to_have_attribute("aria-label", re.compile("^budget 12,000, keep_recent 8"))
    tuned.keyboard.press("Enter")
    expect(cell(tuned, "12,000", "8")).to_have_attribute("aria-selected", "true")
    tuned.keyboard.press("m")
    expect(tuned.get_by_role("button", name="Cost", exact=True).first).to_have_attribute("aria-pressed", "true")
    tuned.keyboard.press("Escape")
    expect(cell(tuned, "12,000", "8")).not_to_have_attribute("aria-selected", "true")
    tuned.keyboard.press("?")
    tuned.get_by_role("dialog", name="Keys").wait_for()
    tuned.keyboard.press("Escape")
    expect(tuned.get_by_role("dialog")).to_have_count(0)


def test_what_a_miss_is(tuned: Any) -> None:
    """A dialog says it, and from there what all measures are; how summaries come about and what the line joins is in sight."""
    expect(tuned.get_by_text("summaries of quotes, no model")).to_be_visible()
    expect(tuned.get_by_text("the line joins the best trade-offs")).to_be_visible()
    tuned.get_by_role("button", name="What is a miss?").click()
    tuned.get_by_role("dialog", name="Misses").get_by_role("button", name="All measures…").click()
    dialog = tuned.get_by_role("dialog", name="What is measured")
    assert "Thrashes" in dialog.inner_text()
    tuned.keyboard.press("Escape")


def test_a_range_slider_sweeps_other_values(tuned: Any) -> None:
    """The map has its columns at once; Back brings the old ones."""
    before = tuned.locator(".fl-tune-map thead th").all_inner_texts()
    slider = tuned.get_by_label("budget, to")
    slider.press("ArrowRight")
    settled(tuned, "stopped")  # some of its cells were swept before
    tuned.get_by_role("button", name="Run the rest").wait_for()
    expect(tuned.locator(".fl-tune-sentence")).to_contain_text("So far: ")
    assert "own" not in tuned.url
    assert tuned.locator(".fl-tune-map thead th").all_inner_texts() != before
    tuned.go_back()
    settled(tuned, "done")
    assert tuned.locator(".fl-tune-map thead th").all_inner_texts() == before


def test_stop_keeps_what_there_is(tuned: Any, server: Any, folder: Path) -> None:
    """And the rest can be run later: the button says so."""
    values = ",".join(str(n) for n in range(6010, 12010, 20))
    query = {"sessions": "folder", "folder": folder, "source": f"path:{folder / '120.json'}"}
    opened(tuned, server.url, **query, grid=f"agentkit.memory;budget={values};keep_recent=4")
    tuned.keyboard.press("r")
    wait_for(tuned, f"() => Number(({DEEP})('.fl-tune-done b')?.textContent.replace(',', '')) > 0")
    tuned.locator(".fl-tune-stop").click()
    settled(tuned, "stopped")
    tuned.get_by_role("button", name="Run the rest").wait_for()
    assert tuned.locator(".fl-tune-progress").is_hidden()


def test_at_900_pixels_a_switch_shows_the_map_or_the_trade_off(tuned: Any) -> None:
    """Nothing is wider than the page, and Run stays in view."""
    tuned.set_viewport_size({"width": 900, "height": 700})
    plot = tuned.locator(".fl-tune-plot")
    expect(plot).to_be_hidden()
    tuned.get_by_role("button", name="Trade-off").click()
    expect(plot).to_be_visible()
    expect(tuned.locator(".fl-tune-map")).to_be_hidden()
    assert tuned.evaluate("() => document.scrollingElement.scrollWidth") <= 900
    box = tuned.locator(".fl-tune-run").bounding_box()
    assert box["y"] + box["height"] <= 700


def test_nothing_is_wrong_for_assistive_technology(tuned: Any) -> None:
    """axe, in both themes."""
    assert violations(tuned) == []


def test_a_kept_result_leads_to_where_most_was_lost(tuned: Any, server: Any, folder: Path, tmp_path: Path) -> None:
    """Opened by its path: map, sentence and the sessions that lose most; a row opens Debug at the step with the setting."""
    grid = ["--grid", "budget=8000,12000,16000", "keep_recent=4,8", "--meter", "agentkit", "--no-findings"]
    asked = ["tune", str(folder), "--policy", "agentkit.memory", *grid, "--workers", "0"]
    assert main([*asked, "--parquet", str(tmp_path / "out")]) == 0
    tuned.goto(f"{server.url}/tune?{urlencode({'source': f'path:{folder}/120.json', 'grid': GRID})}")
    tuned.locator(".fl-tune-page:is([data-state=ready], [data-state=done])").wait_for()  # another test may have run it
    tuned.get_by_role("button", name="Result").click()
    dialog = tuned.get_by_role("dialog", name="Open a result")
    dialog.get_by_label("Folder of foldline tune --parquet").fill(str(tmp_path / "out"))
    dialog.get_by_role("button", name="Open").click()
    settled(tuned, "done")
    expect(tuned.locator(".fl-tune-run")).to_be_hidden()
    cell(tuned, "8,000", "4").click()
    expect(tuned.locator(".fl-tune-sentence")).to_contain_text("budget 8,000, keep_recent 4: misses")
    assert violations(tuned) == []
    table = tuned.get_by_role("grid", name="Sessions that lose most")
    row = table.locator(".fl-long-row").first
    expect(row).to_contain_text(".json")
    expect(table.get_by_role("columnheader").first).to_have_text("Session, under 8k/4")
    most_lost = row.locator('[data-column="message"]').inner_text()
    row.click()
    tuned.locator(".fl-app[data-rendered]").wait_for()
    query = parse_qs(urlsplit(tuned.url).query)
    assert (query["budget"], query["keep_recent"]) == (["8000"], ["4"])
    assert tuned.locator(".fl-position").inner_text().startswith(f"{most_lost} of ")
    tuned.go_back()
    settled(tuned, "done")
    expect(cell(tuned, "8,000", "4")).to_have_attribute("aria-selected", "true")


def test_a_policy_waits_for_the_context_window_of_an_unknown_model(tuned: Any, server: Any, folder: Path) -> None:
    """It is left out until the window is given; what is set in Debug is taken along and shown."""
    claude = "claude_code.auto;output=8000,16000"
    now = urlencode({"policy": "agentkit.memory", "budget": 12000, "keep_recent": 8})
    query = {"source": f"path:{folder / '120.json'}", "now": now}
    address = urlencode([*query.items(), ("grid", "agentkit.memory;budget=8500,12500"), ("grid", claude)])
    tuned.goto(f"{server.url}/tune?{address}")
    settled(tuned, "ready")
    expect(tuned.locator(".fl-tune-sentence")).to_have_text("Run tries 2 settings on 1 session.")
    expect(tuned.locator(".fl-tune-window")).to_contain_text("claude_code.auto is left out")
    expect(tuned.locator(".fl-tune-parameters")).to_contain_text("Also set: keep_recent 8.")
    field = tuned.get_by_label("Context window of the models that are not known, in tokens")
    field.fill("32000")
    field.press("Enter")
    expect(tuned.locator(".fl-tune-sentence")).to_have_text("Run tries 4 settings on 1 session.")
    assert "window=32000" in tuned.url


def test_one_session_and_no_sessions(tuned: Any, server: Any, folder: Path) -> None:
    """One session is no basis; without a folder the page asks for sessions."""
    opened(tuned, server.url, source=f"path:{folder / '120.json'}", grid="agentkit.memory;budget=9000;keep_recent=5")
    tuned.get_by_role("button", name="Run", exact=True).click()
    settled(tuned, "done")
    expect(tuned.locator(".fl-tune-sentence")).to_contain_text("One session is no basis for a default.")
    expect(tuned.locator(".fl-tune-key", has_text=re.compile("^now$"))).to_be_hidden()  # it is in no cell
    tuned.get_by_label("Misses at most").select_option("30")
    advice = tuned.locator(".fl-tune-reason").first
    expect(advice).to_contain_text(": agentkit.memory, budget 9,000, keep_recent 5. ")
    expect(advice).to_contain_text(re.compile(r"\(misses\s[\d.]+\s%\) against .+ as recorded"))
    advice.get_by_role("button").click()
    expect(cell(tuned, "9,000", "5")).to_be_focused()
    opened(tuned, server.url, "empty", sessions="folder", source="sample:openai-chat/coding-session.json")
    expect(tuned.locator(".fl-tune-empty")).to_have_text("Choose sessions. Run shows which budget suits them.")


def test_a_setting_that_gives_up_says_so_and_is_never_the_best(page: Any, server: Any, folder: Path) -> None:
    """On its cell, in the legend, and instead of the caveat once it is chosen; the wider window is the cheapest."""
    grid = "claude_code.auto;window=20000,200000"
    opened(page, server.url, source=f"path:{folder / '120.json'}", grid=grid)
    page.get_by_role("button", name="Run", exact=True).click()
    settled(page, "done")
    tiny = page.get_by_role("gridcell", name=re.compile("^window 20,000: .*gives up"))
    expect(tiny).not_to_have_attribute("data-shade", re.compile(""))
    expect(page.locator("td[data-best]")).to_have_accessible_name(re.compile("^window 200,000: "))
    said = re.compile(r"^Compacts 4 times, then gives up: \d+ of \d+ calls go past its limit")
    tiny.hover()
    expect(page.locator(".fl-tune-tip")).to_contain_text(re.compile(said.pattern[1:]))
    tiny.click()
    expect(page.locator(".fl-tune-said > .fl-tune-worse")).to_have_text(said)
    expect(page.get_by_text("later steps are taken as given")).to_be_hidden()
    page.locator(".fl-tune-map-foot").get_by_text("gives up").hover()
    expect(page.get_by_role("tooltip", name=re.compile("^Stops compacting for good"))).to_be_visible()


def test_files_that_were_left_out_are_named(page: Any, server: Any, folder: Path, tmp_path: Path) -> None:
    """With the reason, behind a press; the folder is the one that is open, of which a file is shown."""
    (tmp_path / "120.json").write_bytes((folder / "120.json").read_bytes())
    (tmp_path / "notes.md").write_text("no transcript")
    opened(page, server.url, "ready", source=f"path:{tmp_path}", sessions="folder", grid=GRID)
    page.get_by_role("button", name="Some files were left out: which?").click()
    said = page.get_by_role("dialog", name="Files that were left out").locator(".fl-tune-unread p")
    expect(said).to_have_text(f"{tmp_path}: 1 file left out: it is not a transcript (notes.md)")


ROOM = f"""(least) => {{
  const page = ({DEEP})('.fl-tune-page');
  const box = (name) => page.querySelector(name).getBoundingClientRect();
  const free = box('.fl-tune-tablecard').bottom - box('.fl-tune-tablecard .fl-long-row').bottom;
  return free < 30 && box('.fl-tune-mapcard').height > least;
}}"""


def test_a_short_table_leaves_its_room_to_the_map(tuned: Any, server: Any, folder: Path) -> None:
    """With one session the table has its row and less than another; the map above it has most of the page."""
    tuned.goto(f"{server.url}/tune?{urlencode({'source': f'path:{folder}/150.json'})}")
    expect(tuned.locator(".fl-tune-tablecard .fl-long-row")).to_have_count(1)
    for width, height, least in ((1400, 900, 500), (900, 700, 330)):
        tuned.set_viewport_size({"width": width, "height": height})
        wait_for(tuned, ROOM, least)


def test_a_sweep_is_shared(fresh_page: Any, server: Any, folder: Path, tmp_path: Path) -> None:
    """As a report that opens from disk, with the map's figures and the recommendation, and nothing to press; as rows."""
    page, _ = fresh_page(server.url)
    grid = "agentkit.memory;budget=8200,12200,16200;keep_recent=5,9"  # no cell of it is swept by another test
    opened(page, server.url, "ready", source=f"path:{folder / '120.json'}", now=NOW, grid=grid)
    page.keyboard.press("r")
    settled(page, "done")
    sentence = page.locator(".fl-tune-sentence").inner_text()
    cells = page.locator("td[data-k]").all_inner_texts()
    page.get_by_role("button", name="Share…").click()
    with page.expect_download() as report:
        page.get_by_role("button", name="Save").click()
    page.get_by_label("Form").select_option("json")
    with page.expect_download() as rows:
        page.get_by_role("button", name="Save").click()
    assert len(json.loads(Path(rows.value.path()).read_bytes())) == 7
    page.keyboard.press("Escape")
    report.value.save_as(tmp_path / "report.html")
    other = page.context.new_page()
    other.goto((tmp_path / "report.html").as_uri())
    assert other.locator(".fl-tune-sentence").inner_text() == sentence
    assert other.locator("td[data-k]").all_inner_texts() == cells
    assert other.locator(".fl-tune-plot circle, .fl-tune-plot path").count() > 0
    assert other.locator("button, select, a, script").count() == 0
    assert other.locator("img").count() == 0
    heads = other.locator("[role=columnheader]").all_inner_texts()
    assert heads[:3] == ["Session", "Agent", "Messages"]
    other.close()
