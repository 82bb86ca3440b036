"""An exported file, opened from disk: the debugger works, and nothing is asked of anybody."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core import Policy, Trace, fate, load, meter, policy, replay, simulate
from core.trace.places import step_name
from tests.browser.looking import DEEP, PAINTED, at, drawn, look, press, tokens, value, wait_for, wait_step
from tests.browser.test_safety import MADE_OF_TEXT, hostile
from tests.conftest import Watch
from tests.serving import PATIENCE, ROOT, at_home
from viewer.export.file import export

pytestmark = pytest.mark.browser
SAMPLE = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"
OUTSIDE = f"""
() => [...({DEEP})('.fl-app').querySelectorAll('.fl-phase *, .fl-numbers *')].filter((node) => {{
  if (!node.checkVisibility() || node.firstElementChild || !node.textContent.trim()) return false;
  const text = document.createRange();
  text.selectNodeContents(node);
  return text.getBoundingClientRect().right > node.closest('.fl-phase, .fl-numbers').getBoundingClientRect().right + 0.5;
}}).map((node) => node.textContent)
"""
RENDERED = f"(name) => ({DEEP})('.fl-app').dataset.rendered?.startsWith(name)"
SETTINGS: dict[str, Any] = {"budget": 6000, "keep_recent": 6}


def exported(source: Path, out: Path, name: str = "agentkit.memory", **settings: Any) -> str:
    """Writes the file of a session; gives its address. Without a policy, as it was recorded."""
    out.write_bytes(page_of(source, name, **settings))
    return out.as_uri()


@cache
def page_of(source: Path, name: str, **settings: Any) -> bytes:
    """The file of a session."""
    session = load(source)
    counter = meter("o200k_base")
    recorded = replay(session, meter=counter)
    trace = simulate(session, policy(name, **settings), meter=counter) if name else recorded
    return b"".join(export(trace, recorded).pieces())


def exported_with_sliders(
    out: Path, name: str = "agentkit.memory", **settings: Any
) -> tuple[str, Callable[[Policy], Trace]]:
    """Writes the file of the sample with other settings in it; gives its address, and how a run of such settings is made."""
    page, at_settings = page_with_sliders(name, **settings or SETTINGS)
    out.write_bytes(page)
    return out.as_uri(), at_settings


@cache
def page_with_sliders(name: str, **settings: Any) -> tuple[bytes, Callable[[Policy], Trace]]:
    """The file of the sample with other settings in it, and how a run of such settings is made."""
    session, counter = load(SAMPLE), meter("agentkit")

    def at_settings(rule: Policy) -> Trace:
        return simulate(session, rule, meter=counter)

    made = export(at_settings(policy(name, **settings)), replay(session, meter=counter), simulate=at_settings)
    return b"".join(made.pieces()), at_settings


@contextmanager
def alone(watch: Watch, page: Any, address: str) -> Iterator[None]:
    """The page asks for nothing but the file, breaks no rule of its policy, and raises no error."""
    with watch.requests(page):
        page.goto(address)
        wait_for(page, PAINTED)
        yield
    assert watch.strangers == [address.partition("#")[0]]
    assert watch.errors == []


def shown(page: Any) -> list[str]:
    """What plan, window and inspector say, line by line; of the window what has room in both, no way to elsewhere."""
    plan, window, inspector = (
        page.locator(f".fl-slot-{slot}").inner_text().splitlines() for slot in ("plan", "window", "inspector")
    )
    return [*plan, *window[:60], *(line.removesuffix(" Use the recorded ones") for line in inspector)]


def alike(theirs: Any, ours: Any) -> bool:
    """Whether two pages say the same, once both have all that they asked for."""
    until = time.monotonic() + PATIENCE
    while (expected := shown(theirs)) != (found := shown(ours)) and time.monotonic() < until:
        drawn(ours)
    return expected == found


def test_the_file_shows_what_the_app_shows(fresh_page: Callable[..., Any], server: Any, tmp_path: Path) -> None:
    """At a message, and at a compaction with its card, where its summary comes from, and its findings."""
    theirs, _ = fresh_page(server.url)
    ours, watch = fresh_page("file://nowhere")
    address = exported(SAMPLE, tmp_path / "out.html", **SETTINGS)
    look(theirs, server.url, source=f"path:{SAMPLE}", policy="agentkit.memory", meter="o200k_base", step=50, **SETTINGS)
    with alone(watch, ours, f"{address}#step=50"):
        assert alike(theirs, ours)
        for page in (theirs, ours):
            press(page, "n")
            page.locator(".fl-tally").get_by_text("sentences").wait_for()
        assert alike(theirs, ours)
        assert (at(ours), tokens(ours)) == (at(theirs), tokens(theirs))


@pytest.mark.parametrize(("size", "theme"), [((1400, 900), "light"), ((900, 700), "dark")])
def test_a_real_session_is_walked_through(
    fresh_page: Callable[..., Any], shared: Path, tmp_path: Path, size: tuple[int, int], theme: str
) -> None:
    """Steps, a compaction, find, findings, the other run and playback, at both sizes and themes; the page does not scroll."""
    source = shared / "transcripts" / "claude-code" / "12f1f541-2a05-4a60-a551-14b836a1ad82.jsonl"
    address = exported(source, tmp_path / "out.html", budget=30_000, keep_recent=8)
    page, watch = fresh_page("file://nowhere", color_scheme=theme, width=size[0], height=size[1])
    with alone(watch, page, address):
        assert value(page, "theme") == theme
        press(page, "g", "ArrowRight")
        wait_step(page, 1)
        press(page, "n")
        page.locator(".fl-inspector h2").get_by_text("Compaction 1 of").wait_for()
        press(page, "/")
        page.keyboard.type("cipher")
        page.locator(".fl-place").get_by_text(" of ").wait_for()
        page.keyboard.press("Escape")
        press(page, "f")
        page.locator(".fl-findings").wait_for()
        press(page, "f")
        page.get_by_label("Run").select_option("as recorded")
        page.locator(".fl-mode").get_by_text("As recorded").wait_for()
        page.get_by_role("button", name="Play").first.click()
        wait_for(page, "() => location.hash.includes('run=recorded')")
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        press(page, "F")
        page.locator(".fl-toast").get_by_text("This is an exported file").wait_for()


def test_the_sliders_still_work(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Each position is a simulation that the file holds, and says so; the card of one says what is not in the file."""
    address, at_settings = exported_with_sliders(tmp_path / "out.html")
    page, watch = fresh_page("file://nowhere")
    with alone(watch, page, address):
        assert page.locator(".fl-export-note").inner_text().startswith("one of 48 combinations in this file")
        slider = page.get_by_label("budget")
        place = int(slider.input_value())
        slider.focus()
        slider.press("ArrowRight")
        wait_for(page, RENDERED, f"g{place + 1}x")
        budget = int(page.locator(".fl-export output").first.inner_text().split()[0].replace(",", ""))
        other = at_settings(policy("agentkit.memory", **SETTINGS | {"budget": budget}))
        assert value(page, "steps") == str(len(other))
        press(page, "g", "n")
        assert tokens(page) == other.compactions[0].window_after
        page.get_by_role("tab", name="Findings").click()
        page.get_by_text("This file does not hold the findings of these settings").wait_for()
        wait_for(page, "(part) => location.hash.includes(part)", f"run=g{place + 1}x")
    page.reload()
    wait_for(page, PAINTED)
    assert value(page, "steps") == str(len(other))


def test_long_names_of_parameters_leave_room_for_their_values(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """In a narrow window a name is cut, and neither a value nor a choice is covered; a limit that nobody set says so."""
    address, _ = exported_with_sliders(tmp_path / "out.html", "codex.local", COMPACT_USER_MESSAGE_MAX_TOKENS=2000)
    page, watch = fresh_page("file://nowhere", width=900, height=700)
    with alone(watch, page, address):
        assert page.locator(".fl-export output").all_inner_texts() == ["not set", "2,000 tokens"]
        boxes = [box.bounding_box() for box in page.locator(".fl-export :is(label > *, b):visible").all()]
        assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(boxes))
        assert boxes[-1]["x"] + boxes[-1]["width"] <= 900


@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "simulated"])
def test_no_word_of_a_card_leaves_its_box(fresh_page: Callable[..., Any], tmp_path: Path, recorded: bool) -> None:
    """A file brings no typeface: numbers and tiles have room in the wide one of a machine, at every width of a card."""
    claude = ROOT / "sample_sessions" / "claude-code" / "recorded-compaction.jsonl"
    out = tmp_path / "out.html"
    address = exported(claude, out, "") if recorded else exported(SAMPLE, out, **SETTINGS)
    page, watch = fresh_page("file://nowhere", width=1000, height=700)
    with alone(watch, page, address):
        press(page, "n")
        page.locator(".fl-tab").first.wait_for()
        for width in (900, 1000, 1060, 1100, 1400):
            page.set_viewport_size({"width": width, "height": 700})
            drawn(page)
            assert page.evaluate(OUTSIDE) == []


def test_any_text_is_followed_at_any_position(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Nobody asked about it when the file was made; what a file does not tell of it is said, without a way to ask again."""
    address, at_settings = exported_with_sliders(tmp_path / "out.html")
    page, watch = fresh_page("file://nowhere")
    text = "booking"
    with alone(watch, page, f"{address}#why={text}"):
        page.get_by_label("budget").press("ArrowRight")
        wait_for(page, RENDERED, "g1x")
        budget = int(page.locator(".fl-export output").first.inner_text().split()[0].replace(",", ""))
        trace = at_settings(policy("agentkit.memory", **SETTINGS | {"budget": budget}))
        gone = next(stretch for stretch in fate(trace, text).lane if stretch.state == "gone")
        press(page, "g", *["ArrowRight"] * gone.start)
        page.locator(".fl-why-answer").get_by_text(f"since {step_name(trace, gone.start)}: ").wait_for()
        page.get_by_text("when nothing in the window said it. Whether other words of it were needed before").wait_for()
        page.locator(".fl-why-panel .fl-failure").get_by_text("This file does not hold what would have kept").wait_for()
        assert not page.get_by_role("button", name="Try again").is_visible()


def test_a_text_of_what_was_forgotten_leads_to_why(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """So does the Why of a finding: a file follows any text."""
    page, watch = fresh_page("file://nowhere")
    with alone(watch, page, exported(SAMPLE, tmp_path / "out.html", "")):
        page.locator(".fl-losses").get_by_title("Why: where it went").first.click()
        page.locator(".fl-why-answer").first.wait_for()
        press(page, "f")
        page.locator(".fl-findings .fl-finding-why").first.wait_for()


def test_the_address_returns_to_the_place(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Reloaded, the file shows the same run and step; Back goes to where it was."""
    page, watch = fresh_page("file://nowhere")
    with alone(watch, page, exported(SAMPLE, tmp_path / "out.html", **SETTINGS)):
        press(page, "G")
        last = at(page)
        wait_for(page, "(step) => location.hash === `#step=${step}`", last)
    page.reload()
    wait_for(page, PAINTED)
    assert at(page) == last


def test_nothing_a_transcript_says_is_done(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """No script of it runs, nothing is fetched, and the text is there to be read."""
    source = tmp_path / "hostile.json"
    source.write_bytes(hostile())
    page, watch = fresh_page("file://nowhere")
    page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
    with alone(watch, page, exported(source, tmp_path / "out.html", budget=200, keep_recent=3)):
        for key in ("g", *9 * ["ArrowRight"], "n", "n", "G", "/"):
            press(page, key)
            drawn(page)
            assert page.locator(MADE_OF_TEXT).count() == 0
        page.keyboard.type("evil.example")
        page.locator(".fl-place").get_by_text(" of ").wait_for()
        assert page.evaluate("() => window.__ran") is None
        assert page.locator(".fl-row").first.is_visible()


def test_what_the_policy_of_the_file_forbids(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """A script that is none of its own does not run; nothing is fetched."""
    page, _ = fresh_page("file://nowhere")
    page.goto(exported(SAMPLE, tmp_path / "out.html", **SETTINGS))
    wait_for(page, PAINTED)
    ran = """() => {
      document.body.append(Object.assign(document.createElement("script"), { textContent: "window.__ran = 1" }));
      const asked = fetch("http://127.0.0.1:1/").then(() => "read", () => "refused");
      return asked.then((said) => [said, window.__ran ?? 0]);
    }"""
    assert page.evaluate(ran) == ["refused", 0]


def test_firefox_shows_it_too(node: str, tmp_path: Path) -> None:
    """Opened from disk, stepped, searched, and its card read."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("Firefox is not installed")
    address = exported(SAMPLE, tmp_path / "out.html", **SETTINGS)
    script = ROOT / "tests" / "browser" / "firefox_file.mjs"
    ran = subprocess.run(
        [node, script, firefox, address], env=at_home(tmp_path), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    seen = json.loads(ran.stdout)
    assert seen["walked"] == "1"
    assert "Compaction 1 of" in seen["card"]
    assert seen["hit"] == "UTC"
    assert seen["errors"] == []


def damaged(out: Path, name: str) -> str:
    """Alters some characters in the middle of a block of a file; gives the file's address."""
    head, mark, rest = out.read_text("utf-8").partition(f'id="fl-{name}">')
    body, end, others = rest.partition("</script>")
    middle = len(body) // 2
    out.write_text(head + mark + body[:middle] + "qqqqqqqq" + body[middle + 8 :] + end + others, "utf-8")
    return out.as_uri()


def test_a_damaged_part_is_said_to_be_damaged(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Of a message and of find: no server is spoken of, to try again is not offered, and the rest works."""
    exported(SAMPLE, tmp_path / "out.html", **SETTINGS)
    page, watch = fresh_page("file://nowhere")
    with alone(watch, page, damaged(tmp_path / "out.html", "bodies-s-0")):
        press(page, "o")
        page.locator(".fl-row").first.click()
        said = page.locator(".fl-inspector .fl-failure")
        said.get_by_text(
            "This file is damaged: its part “bodies-s-0” cannot be read. Copy or download the file again"
        ).wait_for()
        assert said.get_attribute("data-by") == "damage"
        press(page, "/")
        page.keyboard.type("rule")
        page.get_by_role("search").get_by_text("This file is damaged").wait_for()
        assert page.get_by_role("button", name="Try again").count() == 0
        page.keyboard.press("Escape")
        press(page, "n")
        page.locator(".fl-inspector h2").get_by_text("Compaction 1 of").wait_for()


@pytest.mark.parametrize("name", ["head", "program", "styles", "view-opened"])
def test_a_file_that_cannot_open_says_why(fresh_page: Callable[..., Any], tmp_path: Path, name: str) -> None:
    """Whatever is altered: the way out is to fetch it again."""
    exported(SAMPLE, tmp_path / "out.html", **SETTINGS)
    page, _ = fresh_page("file://nowhere")
    page.goto(damaged(tmp_path / "out.html", name))
    page.get_by_text("Copy or download the file again").wait_for()


def test_the_beginning_of_a_file_says_that_it_is_one(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Cut in the middle no script of it runs: after a while the page says what may be the cause."""
    exported(SAMPLE, tmp_path / "out.html", **SETTINGS)
    out = tmp_path / "out.html"
    out.write_bytes(out.read_bytes()[:250_000])
    page, _ = fresh_page("file://nowhere")
    page.goto(out.as_uri())
    page.get_by_text("a whole file: is this one only the beginning of it?").wait_for()


def test_what_failed_once_is_had_again(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """A failure that is not the file's, such as memory that ran out, is said in its own words; "Try again" then tries."""
    page, watch = fresh_page("file://nowhere")
    page.add_init_script(
        "const parse = JSON.parse; let left = 1;"
        "JSON.parse = (text) => { if (left && text.startsWith('{\"id\"')) { left--; throw new RangeError('Out of memory'); }"
        " return parse(text); }"
    )
    with alone(watch, page, exported(SAMPLE, tmp_path / "out.html", **SETTINGS)):
        press(page, "o")  # which shows the message at the cursor: its answer is the first one
        failed = page.locator(".fl-inspector .fl-failure")
        failed.get_by_text("Out of memory").wait_for()
        failed.get_by_role("button", name="Try again").click()
        failed.wait_for(state="detached")
        page.locator(".fl-inspector .fl-ibody .fl-text, .fl-inspector .fl-ibody .fl-markdown").first.wait_for()


def test_the_file_is_set_in_the_font_of_the_app(fresh_page: Any, tmp_path: Path) -> None:
    """It brings the font itself: nothing is fetched."""
    page, watch = fresh_page("file://nowhere")
    page.goto(exported(SAMPLE, tmp_path / "out.html"))
    wait_for(page, PAINTED)
    assert page.evaluate("() => [...document.fonts].map((font) => [font.family, font.status])") == [
        ["Source Sans", "loaded"]
    ]
    assert (watch.errors, watch.strangers) == ([], [])


def kept_table(page: Any) -> list[str]:
    """The table of what would have kept a text, row by row, and the lines below it, once the search is done."""
    every = page.get_by_role("button", name=re.compile(r"^All \d+ changes"))
    every.wait_for()
    if every.get_attribute("aria-expanded") == "false":
        every.click()
    page.locator(".fl-why-foot li").get_by_text("Each row is a run").wait_for()
    cells = page.locator(".fl-why-fixes tr").all_inner_texts()
    words = [" ".join(row.replace("Try", "").split()) for row in cells]
    return [*words, *page.locator(".fl-why-foot li").all_inner_texts()]


def test_a_listed_loss_opens_with_what_would_have_kept_it(
    fresh_page: Callable[..., Any], server: Any, tmp_path: Path
) -> None:
    """In the words and numbers of the app, from the overview on; a text that one types gets one line that says why not."""
    sample = ROOT / "sample_sessions" / "foldline" / "broken-rule.json"
    address = exported(sample, tmp_path / "out.html", "")
    theirs, _ = fresh_page(server.url)
    ours, watch = fresh_page("file://nowhere")
    look(theirs, server.url, source=f"path:{sample}", meter="o200k_base")
    with alone(watch, ours, address):
        for page in (theirs, ours):
            page.locator(".fl-okept p").get_by_text("What would have kept it: ").wait_for()
        assert ours.locator(".fl-okept p").inner_text() == theirs.locator(".fl-okept p").inner_text()
        for page in (theirs, ours):
            page.get_by_role("button", name="Why: follow it").click()
        assert kept_table(ours) == kept_table(theirs)
        assert len(kept_table(ours)) > 8
        assert ours.locator(".fl-why-try").count() == 0
    typed, seen = fresh_page("file://nowhere")
    with alone(seen, typed, f"{address}#step=44&why=The+opening+hours"):
        line = typed.locator(".fl-why-section .fl-failure")
        assert line.inner_text().startswith(
            "This file does not hold what would have kept this text. Foldline works that out"
        )
        assert typed.locator(".fl-why-section").get_by_role("button", name="Try again").count() == 0
