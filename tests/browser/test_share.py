"""Share…: what looks secret is reviewed, the size is said, and a file is saved that holds what was chosen."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from core import Message, save
from core.trace.trace import as_session
from tests.browser.accessible import violations
from tests.browser.looking import PAINTED, at, look, press, wait_for, wait_step
from tests.serving import ROOT

pytestmark = pytest.mark.browser
PASSWORD, MAIL = "tr0ub4dor-and-3", "anna.meyer@acme-corp.com"
SAID = [f"Log in with password={PASSWORD} now", "Done.", f"Write to {MAIL}.", "I did.", "Thank you.", "Welcome."]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A session with a password and an address."""
    messages = [Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=text) for i, text in enumerate(SAID)]
    save(as_session(messages, title="Log in"), tmp_path / "s.json")
    return tmp_path / "s.json"


def saved(page: Any, form: str) -> bytes:
    """The file that Share saves in this form."""
    page.get_by_label("Form").select_option(form)
    if form not in ("svg", "png"):
        page.get_by_role("button", name="Prepare file").click()
    with page.expect_download() as download:
        page.locator(".fl-share-save:visible").click()
    return Path(download.value.path()).read_bytes()


def test_a_run_is_shared(fresh_page: Callable[..., Any], server: Any, source: Path, tmp_path: Path) -> None:
    """An entry that is kept stays, the other is masked; the HTML file opens, follows the text, and says what was masked."""
    page, watch = fresh_page(server.url)
    look(page, server.url, source=f"path:{source}", policy="agentkit.memory", budget=30, keep_recent=2, why="Thank you")
    press(page, "S")
    page.get_by_text("2 entries look secret or personal, 2 masked").wait_for()
    page.get_by_label("e-mail address").uncheck()
    page.get_by_text("2 entries look secret or personal, 1 masked").wait_for()
    messages = json.loads(saved(page, "openai"))
    assert [PASSWORD in messages[0]["content"], MAIL in messages[2]["content"]] == [False, True]
    assert saved(page, "svg").startswith(b"<svg ")
    assert saved(page, "png").startswith(b"\x89PNG")
    assert saved(page, "compaction").startswith(b"## Compaction 1 of ")
    out = tmp_path / "out.html"
    out.write_bytes(saved(page, "html"))
    assert watch.errors == []
    page.goto(out.as_uri())
    wait_for(page, PAINTED)
    page.locator(".fl-lane").get_by_text("Thank you").wait_for()
    page.get_by_role("button", name="note").click()
    page.get_by_text("1 entry that looks secret or personal was masked").wait_for()


def test_the_search_for_secrets_says_how_far_it_is(page: Any, server: Any) -> None:
    """Until it is over the dialog says how many texts are read of all; what needs no file can be used meanwhile."""
    answers: list[Any] = []
    page.route("**/secrets", lambda route: answers.append(route))
    look(page, server.url, source="sample:foldline/broken-rule.json")
    press(page, "S")
    wait = page.locator(".fl-share-wait")
    wait.get_by_role("progressbar", name="Texts read").wait_for()
    page.get_by_text("Looking for what may be secret…").wait_for()
    expect(page.get_by_role("button", name="Prepare file")).to_be_disabled()
    assert saved(page, "svg").startswith(b"<svg ")
    page.get_by_label("Form").select_option("html")
    wait.wait_for()
    far = [{"read": 1200, "of": 3400}, {"read": 3400, "of": 3400}]
    answers[0].fulfill(body="".join(f"{json.dumps(line)}\n" for line in [*far, {"found": [], "list": "x"}]))
    expect(wait).to_be_hidden()
    page.get_by_text("Nothing looks secret or personal").wait_for()
    expect(page.get_by_role("button", name="Prepare file")).to_be_enabled()
    page.unroute_all()


def test_a_file_opens_with_the_overview(fresh_page: Callable[..., Any], server: Any, tmp_path: Path) -> None:
    """Wherever it was shared; behind that stands the message where it was, unless its link names one."""
    page, _ = fresh_page(server.url)
    look(page, server.url, source="sample:foldline/broken-rule.json")
    page.get_by_role("heading", name="The rule that was lost").wait_for()
    step = at(page)
    press(page, "S")
    page.locator(".fl-share-review").wait_for()
    out = tmp_path / "out.html"
    out.write_bytes(saved(page, "html"))
    page.keyboard.press("Escape")
    press(page, "End")
    last = at(page)
    press(page, "S")
    later = tmp_path / "later.html"
    later.write_bytes(saved(page, "html"))
    for file, shared in ((out, step), (later, last)):
        page.goto(file.as_uri())
        page.get_by_role("heading", name="The rule that was lost").wait_for()
        wait_step(page, shared)
    named = tmp_path / "named.html"
    later.rename(named)
    page.goto(f"{named.as_uri()}#step=15")
    wait_step(page, 15)
    expect(page.get_by_role("heading", name="What happened in this session")).to_be_hidden()


def test_an_answer_is_shared(fresh_page: Callable[..., Any], server: Any) -> None:
    """Where Why is open on a text there is a form for it, with what would have kept it; elsewhere there is none."""
    page, watch = fresh_page(server.url)
    look(page, server.url, source="sample:foldline/broken-rule.json")
    press(page, "S")
    page.get_by_label("Form").locator("option", has_text="This compaction, Markdown").wait_for(state="attached")
    assert page.get_by_label("Form").locator("option", has_text="This answer").count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Why: follow it step by step").click()
    page.locator(".fl-why-answer").wait_for()
    press(page, "S")
    said = saved(page, "answer").decode()
    assert said.startswith("## Where a text went, at compaction 1\n")
    assert "\n- message 16: `Said by the user`\n" in said
    assert "where it was needed: Pin message 16 " in said
    assert watch.errors == []


def test_lanes_are_shared(fresh_page: Callable[..., Any], server: Any, tmp_path: Path) -> None:
    """From Compare the file holds every lane, and shows each by its name."""
    page, _ = fresh_page(server.url)
    sample = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"
    lanes = {"source": f"path:{sample}", "policy": "agentkit.memory", "budget": 6000, "keep_recent": 6}
    page.goto(f"{server.url}/compare?{urlencode(lanes)}")
    wait_for(page, "() => document.querySelector('.stApp') !== null")
    page.get_by_role("button", name="Share…").click()
    page.get_by_text("2 entries look secret or personal, 2 masked").wait_for()
    out = tmp_path / "out.html"
    out.write_bytes(saved(page, "html"))
    page.goto(out.as_uri())
    wait_for(page, PAINTED)
    names = page.get_by_label("Run").locator("option").all_inner_texts()
    assert len(names) > 1, names
    for name in names:
        page.get_by_label("Run").select_option(label=name)
        page.locator(".fl-mode").get_by_text("As recorded" if name == "as recorded" else "Simulated").wait_for()


def test_a_lesson_is_shared_with_ones_own_session(
    fresh_page: Callable[..., Any], server: Any, source: Path, tmp_path: Path
) -> None:
    """On its last step that session goes into the file, looked through first; the file says there what was masked."""
    page, _ = fresh_page(server.url)
    page.goto(f"{server.url}/learn?{urlencode({'source': f'path:{source}', 'lesson': 2, 'step': 7})}")
    page.get_by_role("button", name="Share…").click()
    page.get_by_text("2 entries look secret or personal, 2 masked").wait_for()
    assert violations(page) == []
    page.get_by_label("Its last step is about").select_option("a sample")
    page.locator(".fl-share-review").wait_for(state="hidden")
    page.get_by_label("Its last step is about").select_option(value="own")
    page.get_by_label("e-mail address").uncheck()
    page.get_by_role("button", name="Prepare file").click()
    with page.expect_download() as download:
        page.locator(".fl-share-save:visible").click()
    out = tmp_path / "lesson.html"
    download.value.save_as(out)
    page.goto(f"{out.as_uri()}#lesson=2&step=7")
    page.get_by_text("1 entry that looks secret or personal was masked").wait_for()
    assert violations(page) == []


def test_a_lesson_is_shared(fresh_page: Callable[..., Any], server: Any, tmp_path: Path) -> None:
    """From its sidebar, with what is done now while it is made; given up it is not made; saved it opens from disk."""
    page, _ = fresh_page(server.url)
    page.goto(f"{server.url}/learn?lesson=1&step=2")
    page.get_by_role("button", name="Share…").click()
    page.get_by_role("button", name="Prepare file").press("Enter")
    page.get_by_role("button", name="Cancel").press("Enter")
    page.get_by_role("button", name="Prepare file").and_(page.locator(":focus")).press("Enter")
    page.locator(".fl-share-doing").filter(has_text=re.compile(r"\w")).wait_for()
    page.get_by_text("Not in the file: your own session").wait_for()
    with page.expect_download() as download:
        page.locator(".fl-share-save:visible").click()
    assert download.value.suggested_filename == "lesson-1.html"
    out = tmp_path / "lesson.html"
    download.value.save_as(out)
    assert violations(page) == []
    page.goto(f"{out.as_uri()}#lesson=1&step=4")
    page.locator(".fl-learn-page[data-state=failing]").wait_for()


def test_the_library_and_a_session_of_it_are_shared(
    fresh_page: Callable[..., Any], serve: Any, source: Path, tmp_path: Path
) -> None:
    """The list as a table, and a session by the button of its row as the HTML file, which opens from disk."""
    server = serve()
    page, watch = fresh_page(server.url)
    look(page, server.url)
    page.get_by_role("link", name="Library").click()
    page.get_by_placeholder("/path/to/folder").fill(str(source.parent))
    page.get_by_placeholder("/path/to/folder").press("Enter")
    row = page.get_by_role("row").filter(has_text="Log in")
    row.wait_for()
    page.locator(".fl-library[data-ready=true]").wait_for()
    page.get_by_role("button", name="Share…", exact=True).click()
    page.get_by_text("1 session, in the order of this page").wait_for()
    assert violations(page) == []
    (table,) = json.loads(saved(page, "json"))
    assert (table["title"], table["messages"], table["path"]) == ("Log in", 6, str(source))
    page.keyboard.press("Escape")
    row.hover()
    page.get_by_role("button", name="Share Log in").click()
    page.get_by_text("2 entries look secret or personal, 2 masked").wait_for()
    out = tmp_path / "out.html"
    out.write_bytes(saved(page, "html"))
    assert watch.errors == []
    page.goto(out.as_uri())
    wait_for(page, PAINTED)
    assert PASSWORD not in page.content()
