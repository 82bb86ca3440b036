"""Opening what people have: uploads, paths, and what cannot be opened."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from core import save
from tests.browser.accessible import violations
from tests.browser.looking import idle, look, press, tokens, until, value, wait_addressed, wait_for, wait_step
from tests.serving import ROOT as REPOSITORY
from tests.support import scaled_session

pytestmark = pytest.mark.browser
CHAT = [{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "4."}]
SAMPLES = REPOSITORY / "sample_sessions"
NOTICE = "[data-testid=stMain] .st-key-not-opened-notice"


def choose(page: Any, way: str) -> None:
    """One of the four ways to a transcript."""
    page.get_by_role("radio", name=way).or_(page.get_by_role("button", name=way, exact=True)).first.click()


def type_path(page: Any, path: str) -> None:
    """Type a path into the sidebar and press Enter."""
    choose(page, "Path")
    box = page.get_by_placeholder("/path/to/session.jsonl")
    box.wait_for()
    idle(page)
    box.fill(path)
    box.press("Enter")


def test_an_upload_opens(page: Any, server: Any, tmp_path: Path) -> None:
    """A file dropped on the uploader is on screen, and its address works in another tab."""
    (tmp_path / "chat.json").write_text(json.dumps(CHAT))
    look(page, server.url)
    choose(page, "Upload")
    page.locator("input[type=file]").set_input_files(tmp_path / "chat.json")

    page.get_by_text("What is 2 + 2?").first.wait_for()
    wait_addressed(page, "upload")
    assert value(page, "steps") == "2"
    look(page, server.url + "/" + page.evaluate("() => location.search"))
    assert value(page, "steps") == "2"


def test_a_path_opens_and_is_remembered(page: Any, server: Any, tmp_path: Path) -> None:
    """A typed path opens; it is the first of the recent files afterwards."""
    path = tmp_path / "remember me.json"
    path.write_text(json.dumps(CHAT))
    look(page, server.url)
    type_path(page, str(path))

    page.get_by_text("remember me.json").first.wait_for()
    choose(page, "Recent")
    page.get_by_placeholder("Choose a file").click()
    listed = page.locator("[role=listbox] [role=option]").filter(has_text=".json")
    listed.first.wait_for()
    assert "remember me.json" in listed.first.inner_text()
    page.keyboard.press("Escape")


def test_a_long_path_shows_the_name_of_its_file(page: Any, server: Any, tmp_path: Path) -> None:
    """Its end is in the field whenever nobody types there, and the field's title is the whole path."""
    folder = tmp_path / "a folder with a long name" / "and another in it"
    folder.mkdir(parents=True)
    (folder / "chat.json").write_text(json.dumps(CHAT))
    look(page, server.url, source=f"path:{folder / 'chat.json'}")
    box = page.get_by_placeholder("/path/to/session.jsonl")
    box.wait_for()
    idle(page)
    find = "const box = document.querySelector('[placeholder=\"/path/to/session.jsonl\"]')"  # it may be drawn anew
    at_end = "box.scrollWidth > box.clientWidth && box.scrollLeft + box.clientWidth >= box.scrollWidth - 1"
    wait_for(page, f"() => {{ {find}; return {at_end}; }}")
    expect(box).to_have_attribute("title", str(folder / "chat.json"))
    box.focus()
    box.press("Home")
    wait_for(page, f"() => {{ {find}; return !({at_end}); }}")
    box.blur()
    wait_for(page, f"() => {{ {find}; return {at_end}; }}")


def test_a_path_that_does_not_open_can_be_mended_at_once(page: Any, server: Any, tmp_path: Path) -> None:
    """Its field keeps the focus and the path is selected: what is typed next takes its place; Escape dismisses the failure."""
    (tmp_path / "chat.json").write_text(json.dumps(CHAT))
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    selected = "((at) => at.value?.slice(at.selectionStart, at.selectionEnd))(document.activeElement)"
    for wrong in ("/no/such/file.jsonl", "/nor/this.jsonl"):
        type_path(page, wrong)
        page.locator(NOTICE).wait_for()
        wait_for(page, f"(wrong) => {selected} === wrong", wrong)
        page.keyboard.press("Escape")
        page.locator(NOTICE).wait_for(state="detached")
    type_path(page, "/no/such/file.jsonl")
    page.locator(NOTICE).wait_for()
    idle(page)
    wait_for(page, f"() => {selected} === '/no/such/file.jsonl'")
    page.keyboard.type(str(tmp_path / "chat.json"))
    page.keyboard.press("Enter")
    page.get_by_text("What is 2 + 2?").first.wait_for()


def test_escape_dismisses_a_failure_whose_button_comes_late(page: Any, server: Any) -> None:
    """Streamlit asks for the code of a button with the first one: the key is kept until it has come."""
    held: list[Any] = []
    page.route("**/Button.*.js", lambda route: held.append(route))
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    with page.expect_request("**/Button.*.js"):
        type_path(page, "/no/such/file.jsonl")
    page.locator(NOTICE).wait_for()
    page.keyboard.press("Escape")
    until(page, lambda: len(held) > 0)
    held.pop().continue_()
    page.locator(NOTICE).wait_for(state="detached")
    page.unroute("**/Button.*.js")


def test_a_failure_takes_no_focus_from_elsewhere(page: Any, server: Any) -> None:
    """Whoever went on to the debugger stays there."""
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    type_path(page, "/no/such/file.jsonl")
    press(page, "ArrowRight")
    page.locator(NOTICE).wait_for()
    idle(page)
    assert page.evaluate("() => document.activeElement.tagName") != "INPUT"


def test_a_sample_leads_to_a_session_of_ones_own(page: Any, server: Any, tmp_path: Path) -> None:
    """A button below the overview asks for the file; once one's own session is open, nothing asks any more."""
    (tmp_path / "chat.json").write_text(json.dumps(CHAT))
    look(page, server.url)
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Open your own session").click()
    asked.value.set_files(tmp_path / "chat.json")
    wait_addressed(page, "upload")
    page.get_by_text("What is 2 + 2?").first.wait_for()
    page.get_by_role("heading", name="What happened in this session").wait_for()
    assert page.get_by_role("button", name="Open your own session").count() == 0


def bad_files(folder: Path) -> dict[str, Path]:
    """Files that cannot be opened, by what is wrong with them."""
    made = {
        "empty": b"",
        "binary": bytes(range(256)) * 40,
        "wrong shape": b'{"weather": "fine"}',
        "cut short": b'[{"role": "user", "content": "hel',
        "deep": b"[" * 100_000 + b"]" * 100_000,
    }
    for name, data in made.items():
        (folder / f"{name}.json").write_bytes(data)
    (folder / "hollow").mkdir()
    paths = {name: folder / f"{name}.json" for name in made}
    return paths | {"empty folder": folder / "hollow", "missing": folder / "nowhere.json"}


def test_what_cannot_be_opened_says_so_and_loses_nothing(page: Any, server: Any, tmp_path: Path) -> None:
    """One clear message each, and what was open is still there and works."""
    (tmp_path / "good.json").write_text(json.dumps(CHAT))
    look(page, server.url, source=f"path:{tmp_path / 'good.json'}")
    before = tokens(page)
    failure = page.locator(NOTICE)
    for name, path in bad_files(tmp_path).items():
        type_path(page, str(path))

        failure.wait_for()
        said = failure.locator("[data-testid=stText]").inner_text()
        assert len(said) > 20, name
        assert "Traceback" not in page.locator("body").inner_text()
        assert tokens(page) == before
        assert value(page, "steps") == "2"
        idle(page)
        page.get_by_role("button", name="Dismiss").click()
        failure.wait_for(state="detached")


def test_a_path_that_does_not_open_is_told_once_over_the_page(page: Any, server: Any) -> None:
    """What was typed stays in its box, to be mended; what is wrong stands over what stays on the page, and nowhere else."""
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    type_path(page, "/no/such/file.jsonl")
    notice = page.locator(NOTICE)
    notice.wait_for()
    idle(page)
    assert "/no/such/file.jsonl: no such file" in notice.inner_text()
    assert page.get_by_text("no such file").count() == 1
    assert page.locator(".stTextInput input").input_value() == "/no/such/file.jsonl"
    page.mouse.move(0, 0)
    assert violations(page) == []
    notice.get_by_role("button", name="Dismiss").click()
    notice.wait_for(state="detached")
    assert value(page, "mounts") == "1"


def test_of_a_path_with_a_letter_wrong_the_right_one_is_named(page: Any, server: Any, tmp_path: Path) -> None:
    """As a sentence of its own below what is wrong; nothing of the name is markup."""
    (tmp_path / "plums *and* <b>figs.jsonl").write_text("{}", "utf-8")
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    for name, way in (
        ("plms *and* <b>figs.jsonl", "Did you mean plums *and* <b>figs.jsonl?"),
        ("quinces.md", "Check the path; a relative one starts where foldline was started"),
    ):
        type_path(page, str(tmp_path / name))
        told = page.locator(f"{NOTICE} [data-testid=stText]")
        expect(told).to_have_text(f"{tmp_path / name}: no such file\n{way}")
    idle(page)


def test_a_failure_keeps_every_setting_and_can_be_tried_again(page: Any, server: Any, tmp_path: Path) -> None:
    """Policy, parameters, meter and step stay when another file does not open; the same path opens once it is there."""
    sample = "sample:openai-chat/coding-session.json"
    query = {"policy": "agentkit.memory", "budget": 9000, "keep_recent": 5, "meter": "agentkit", "step": 100}
    look(page, server.url, source=sample, **query)
    before = (value(page, "steps"), value(page, "step"), tokens(page))
    missing = tmp_path / "later.json"
    type_path(page, str(missing))
    page.locator(NOTICE).wait_for()
    idle(page)

    assert (value(page, "steps"), value(page, "step"), tokens(page)) == before
    page.get_by_role("button", name="Dismiss").click()
    page.locator(NOTICE).wait_for(state="detached")
    missing.write_text(json.dumps(CHAT))
    type_path(page, f'"{missing}"')
    page.get_by_text("What is 2 + 2?").first.wait_for()


def test_of_a_very_long_path_that_does_not_open_both_ends_are_told(page: Any, server: Any) -> None:
    """What is wrong with it and the button that dismisses it are in sight; the field keeps it whole."""
    path = "/" + "long/" * 1200 + "chat.json"
    look(page, server.url)
    type_path(page, path)
    told = page.locator(f"{NOTICE} [data-testid=stText]")
    expect(told).to_have_text(re.compile(r"^/long/.{94}….*/chat\.json: (no such file|could not be read)", re.DOTALL))
    expect(page.get_by_role("button", name="Dismiss")).to_be_in_viewport(ratio=1)
    expect(page.get_by_placeholder("/path/to/session.jsonl")).to_have_value(path)


@pytest.mark.parametrize("between", ["another file", "a missing file", "nothing"])
def test_a_session_that_is_opened_again_begins_with_its_overview(page: Any, server: Any, between: str) -> None:
    """As at first, whatever step it was left at: Back leads to that. Where another file does not open, it stays there."""
    first, other = (SAMPLES / name for name in ("claude-code/recorded-compaction.jsonl", "pi/bakery-stock.jsonl"))
    overview = page.get_by_role("heading", name="What happened in this session")
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    step = _opened_and_left(page, first)
    if between == "a missing file":
        type_path(page, f"{first}.missing")
        page.locator(NOTICE).wait_for()
        assert (value(page, "step"), overview.count()) == (step, 0)
    elif between == "another file":
        left = _opened_and_left(page, other)
    type_path(page, str(first))
    wait_addressed(page, first.name)
    wait_addressed(page, "show=overview")
    overview.wait_for()
    if between == "another file":
        for name, there in ((other.name, left), (other.name, ""), (first.name, step)):
            page.go_back()
            wait_addressed(page, name)
            wait_addressed(page, f"step={there}")
            expect(overview).to_have_count(0 if there else 1)
            if there:
                wait_step(page, int(there))


def _opened_and_left(page: Any, path: Path) -> str:
    """Open a file by its path, which shows its overview, and leave that for the last step, which is returned."""
    overview = page.get_by_role("heading", name="What happened in this session")
    type_path(page, str(path))
    wait_addressed(page, path.name)
    overview.wait_for()
    press(page, "G")
    overview.wait_for(state="detached")
    wait_for(page, "() => !location.search.includes('show=overview')")
    return value(page, "step")


def test_a_file_emptied_while_it_is_open_stays_on_the_page(page: Any, server: Any, tmp_path: Path) -> None:
    """What was read is still shown, and what is wrong now is said; a vanished file is shown with a note."""
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    look(page, server.url, source=f"path:{path}")
    path.write_text("")
    type_path(page, str(path))
    page.locator(NOTICE).wait_for()
    assert value(page, "steps") == "2"

    path.unlink()
    type_path(page, str(path))
    idle(page)
    assert value(page, "steps") == "2"
    assert "encountered an error" not in page.locator("body").inner_text()


def test_an_address_that_cannot_be_honoured_says_so(page: Any, server: Any) -> None:
    """An unknown policy and a budget that is no number are named; the page stands."""
    look(page, server.url, source="sample:openai-chat/coding-session.json", policy="nope", budget="many")

    page.get_by_text("Part of the address was ignored", exact=False).wait_for()
    assert int(value(page, "steps")) > 187


def test_a_link_that_does_not_open_says_so_and_keeps_its_address(page: Any, server: Any, tmp_path: Path) -> None:
    """In the main area; a reload opens the file once it is there; a sample is a click away, and Back leads back."""
    path = tmp_path / "later.json"
    main = page.locator("[data-testid=stMain]")
    page.goto(f"{server.url}/?source=path:{path}&step=1")
    main.get_by_text("could not be opened").wait_for()
    assert str(path) in main.inner_text()
    assert page.url.endswith(f"?source=path:{path}&step=1")

    path.write_text(json.dumps(CHAT))
    page.reload()
    page.get_by_text("What is 2 + 2?").first.wait_for()
    page.goto(f"{server.url}/?source=path:{tmp_path / 'other'}")
    main.get_by_role("button", name="Open a sample").click()
    wait_addressed(page, "source=sample:")
    assert main.get_by_text("could not be opened").count() == 0
    page.go_back()
    main.get_by_text("could not be opened").wait_for()


def test_damaged_but_readable_files_open_with_notes(page: Any, server: Any, tmp_path: Path) -> None:
    """NaN, invalid UTF-8 and a cut last line do not keep a transcript from being looked at."""
    nan = '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "score": NaN}]'
    (tmp_path / "nan.json").write_text(nan)
    (tmp_path / "latin.json").write_bytes(json.dumps(CHAT).replace("What", "Wh\xe4t").encode("latin-1"))
    for name in ("nan.json", "latin.json"):
        look(page, server.url, source=f"path:{tmp_path / name}")

        assert value(page, "steps") == "2"


def test_a_calibrated_session_names_its_meter_with_the_error(page: Any, server: Any, tmp_path: Path) -> None:
    """In what is told about the session and in the sidebar; the address holds it, and o200k_base can still be chosen."""
    path = tmp_path / "scaled.json"
    save(scaled_session(1.25), path)
    look(page, server.url, source=f"path:{path}")
    page.locator(".fl-about").click()
    page.locator(".fl-notes").get_by_text("by calibrated (±2.4 % of the prompt, 11 calls)").wait_for()
    wait_addressed(page, "meter=calibrated")
    assert page.get_by_role("combobox", name="Meter").input_value() == "calibrated · off by 2.4 %"
    page.get_by_text("A meter counts tokens").wait_for()
    look(page, server.url, source=f"path:{path}", meter="o200k_base")
    page.locator(".fl-about").click()
    page.locator(".fl-notes").get_by_text("12,000, counted by o200k_base").wait_for()
