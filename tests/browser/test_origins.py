"""Where a summary comes from, in a real browser: underlines, a sentence's places, the way back from a message, the ledger."""

import json
from collections import Counter
from typing import Any

import pytest

from core import load, meter, policy, provenance, replay, simulate
from core.origins.origin import Provenance, Traced
from core.trace.places import step_name
from core.trace.trace import Trace
from tests.browser.accessible import violations
from tests.browser.looking import COUNT_NODES, DEEP, look, press, value, wait_addressed, wait_for, wait_step
from tests.serving import ROOT

pytestmark = pytest.mark.browser
CODING = "openai-chat/coding-session.json"
RECORDED = "claude-code/recorded-compaction.jsonl"
SETTINGS: dict[str, Any] = {"budget": 16_000, "keep_recent": 8}
WORDS = {
    "no_source": "not found in the messages",
    "supported": "found in the messages",
    "partly": "partly",
    "before_file": "perhaps before this file",
}
TOP = "(node) => node.getBoundingClientRect().top"


def coding_trace() -> Trace:
    """The coding session under the settings of these tests."""
    session = load(ROOT / "sample_sessions" / CODING)
    return simulate(session, policy("agentkit.memory", **SETTINGS), meter=meter("o200k_base"))


def coding() -> list[Provenance]:
    """Where the first two summaries of the coding session come from, as the engine says."""
    trace = coding_trace()
    return [provenance(trace, k) for k in (0, 1)]


def comes_from(sentence: Traced, place: int) -> bool:
    """Whether a message is a source of a sentence; what only comes close to one is none."""
    return sentence.verdict != "no_source" and place in {source.place for source in sentence.sources}


def counted(found: Provenance) -> list[str]:
    """What the line above the summary says."""
    counts = Counter(one.verdict for one in found.sentences)
    said = [f"{counts[verdict]} {words}" for verdict, words in WORDS.items() if counts[verdict]]
    return [f"{len(found.sentences)} sentences:", *said]


def tally(page: Any) -> list[str]:
    """The line above the summary, once it is there."""
    page.locator(".fl-tallied").first.wait_for()
    found: list[str] = page.locator(".fl-tally > *").all_inner_texts()
    return found


def underline(page: Any, verdict: str) -> str:
    """How the first sentence of a verdict is underlined."""
    sentence = page.locator(f".fl-s[data-verdict={verdict}]").first
    style: str = sentence.evaluate("(node) => getComputedStyle(node).textDecorationStyle")
    return style


def second_compaction(page: Any, url: str) -> None:
    """The card of the coding session's second compaction."""
    look(page, url, source=f"sample:{CODING}", policy="agentkit.memory", meter="o200k_base", step=60, **SETTINGS)
    press(page, "n", "n")


def test_each_sentence_says_what_it_comes_from(page: Any, server: Any, watch: Any) -> None:
    """The counts are the engine's, nothing moves when they come; a sentence that is chosen has its places above the window."""
    found = coding()[1]
    held: list[Any] = []
    page.route("**/api/provenance/**", lambda route: held.append(route))
    with page.expect_request("**/api/provenance/**"):
        second_compaction(page, server.url)
    text = page.locator(".fl-summary-text p").nth(1)
    before = text.evaluate(TOP)
    held[0].continue_()
    page.unroute("**/api/provenance/**")

    assert tally(page) == counted(found)
    assert text.evaluate(TOP) == before
    assert page.locator(".fl-s[role=button]").count() == len(found.sentences)
    assert (underline(page, "supported"), underline(page, "partly")) == ("solid", "dotted")

    page.locator(".fl-tallied[data-verdict=partly]").click()
    n = next(i for i, one in enumerate(found.sentences) if one.verdict == "partly")
    sources = found.sentences[n].sources
    chosen = page.locator(".fl-s[data-chosen]").first
    places = f"{len(sources)} places" if len(sources) > 1 else "1 place"
    assert page.locator(".fl-sources-head span").inner_text().lower() == f"sources of sentence {n + 1}: {places}"
    assert chosen.get_attribute("aria-description") == (
        f"Sentence {n + 1} of {len(found.sentences)}, partly found in the messages, {places}."
    )
    places = page.locator(".fl-source .fl-link").evaluate_all("(links) => links.map((link) => link.title)")
    assert sorted(places) == sorted(f"go to it: {step_name(coding_trace(), source.step)}" for source in sources)
    assert violations(page) == []

    page.keyboard.press("ArrowDown")
    page.locator(".fl-sources-head", has_text=f"sentence {n + 2}").wait_for()
    page.keyboard.press("Escape")
    page.locator(".fl-sources").wait_for(state="hidden")
    assert "fl-s" in page.evaluate(FOCUS)
    assert value(page, "step") == "131"
    assert watch.errors == []


FOCUS = """
() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node.className;
}
"""


def test_a_removed_message_leads_to_its_sentences_and_back(page: Any, server: Any) -> None:
    """In the list of what goes its row says source; its own text says which sentences come from it, each a link to the card."""
    first, second = coding()
    n, place = next((i, s.place) for i, one in enumerate(second.sentences) for s in one.sources if s.via and s.place)
    second_compaction(page, server.url)
    tally(page)
    page.locator(f".fl-s[data-n='{n}']").first.click()
    page.locator(f".fl-source[data-depth][data-pool='{place}'] .fl-source-name").first.click()

    lines = page.locator(".fl-lived", has_text="from this message")
    wait_for(page, f"() => ({DEEP})('.fl-lived:has(button) + .fl-lived:has(button)') !== null")
    links = [line.locator("button").all_inner_texts() for line in lines.all()]
    theirs = [[i for i, one in enumerate(found.sentences) if comes_from(one, place)] for found in (first, second)]
    assert links == [[str(i + 1) for i in some] for some in theirs]
    assert page.locator(".fl-sources").is_visible()
    lines.last.locator("button").last.click()

    last = page.locator(f".fl-s[data-n='{theirs[1][-1]}'][data-chosen]").first
    last.wait_for()
    wait_for(page, f"() => ({FOCUS})().includes('fl-s')")
    assert last.evaluate("(node) => node === node.getRootNode().activeElement")
    press(page, "ArrowLeft")
    page.locator(".fl-sources").wait_for(state="hidden")
    press(page, "ArrowRight")
    page.locator(".fl-sources").wait_for()
    press(page, "2")
    row = page.locator(".fl-window .fl-row.fl-sourced").first
    row.wait_for()
    assert row.locator(".fl-source-word").inner_text() == "source"
    press(page, "4")
    link = page.locator(".fl-source .fl-link").last
    steps = {f"go to it: {step_name(coding_trace(), s.step)}": s.step for s in second.sentences[theirs[1][-1]].sources}
    step = steps[link.get_attribute("title")]
    link.click()
    wait_step(page, step)


def test_a_recorded_summary_is_traced_in_a_small_window(page: Any, server: Any) -> None:
    """A recorded one has the engine's counts, as Markdown and as it is written; at 900 x 700 nothing is cut off sideways."""
    session = load(ROOT / "sample_sessions" / RECORDED)
    found = provenance(replay(session), 0)
    page.set_viewport_size({"width": 900, "height": 700})
    look(page, server.url, source=f"sample:{RECORDED}", step=0)
    press(page, "n")
    assert tally(page) == counted(found)
    spans = page.locator(".fl-s[role=button]")
    assert spans.count() == len(found.sentences)
    page.get_by_role("switch", name="Markdown").click()
    assert spans.count() == len(found.sentences)
    assert spans.last.inner_text() in found.sentences[-1].text

    spans.last.click()
    page.locator(".fl-source").first.wait_for()
    for part in (".fl-inspector", ".fl-window", ".fl-sources-list", ".fl-tally"):
        assert page.locator(part).evaluate("(node) => node.scrollWidth <= node.clientWidth"), part
    assert violations(page) == []
    page.get_by_role("switch", name="Markdown").click()
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 800})


def test_the_counts_stand_whole_in_a_small_window(page: Any, server: Any) -> None:
    """At 900 x 700 they take two lines, what no message says first, and the summary stays where it was before they came."""
    held: list[Any] = []

    def shared_out(route: Any) -> None:
        """The answer with 60 sentences in three verdicts."""
        answer = route.fetch()
        one = answer.json()["sentences"][0]
        sentences = [{**one, "verdict": ("supported", "partly", "no_source")[i % 3]} for i in range(60)]
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "sentences": sentences}))

    page.set_viewport_size({"width": 900, "height": 700})
    page.route("**/api/provenance/**", lambda route: held.append(route))
    with page.expect_request("**/api/provenance/**"):
        second_compaction(page, server.url)
    text = page.locator(".fl-summary-text p").nth(1)
    before = text.evaluate(TOP)
    shared_out(held[0])
    page.unroute("**/api/provenance/**")

    assert tally(page) == [
        "60 sentences:",
        "20 not found in the messages",
        "20 found in the messages",
        "20 partly",
    ]
    line = page.locator(".fl-tally").bounding_box()
    for one in page.locator(".fl-tally > *").all():
        box = one.bounding_box()
        assert box["x"] + box["width"] <= line["x"] + line["width"]
        assert box["y"] + box["height"] <= line["y"] + line["height"]
    assert text.evaluate(TOP) == before


ENTRY = {
    "kind": "file",
    "text": "pocketbook/book.py",
    "at": 1,
    "said_at": 1,
    "in_summary": "verbatim",
    "needed_at": 140,
}
LOST = {
    "kind": "constraint",
    "text": "No new dependency",
    "at": 1,
    "said_at": 1,
    "in_summary": "gone",
    "needed_at": 185,
}


def test_the_ledger_is_a_list_for_mouse_and_keys(page: Any, server: Any) -> None:
    """Five thousand entries are few nodes; filters and keys; a step is a link, and w asks where the text of a row went."""

    def many(route: Any) -> None:
        answer = route.fetch()
        ledger = [LOST, *({**ENTRY, "text": f"src/file_{i}.py"} for i in range(5_000))]
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "ledger": ledger}))

    page.route("**/api/provenance/**", many)
    second_compaction(page, server.url)
    tab = page.get_by_role("tab", name="Ledger 5,001")
    tab.click()
    rows = page.locator(".fl-ledger .fl-long-row")
    rows.first.wait_for()
    assert rows.count() < 60
    assert page.evaluate(COUNT_NODES) <= 3_000
    assert violations(page) == []

    chips = page.locator(".fl-ledger-kinds .fl-kind")
    assert chips.all_text_contents() == ["All 5,001", "Verbatim 5,000", "Reworded 0", "Gone 1", "Needed without it 1"]
    page.get_by_role("grid", name="Ledger").focus()
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.locator(".fl-ledger-sticky", has_text="Files").wait_for()
    page.keyboard.press("Home")
    pointed = page.locator(".fl-ledger .fl-long-row[aria-selected=true]")
    assert pointed.get_attribute("aria-label") == (
        "No new dependency, said at message 2, gone in summary #2, needed at message 183 without it"
    )
    page.keyboard.press("w")
    wait_addressed(page, "why=No")
    press(page, "Escape")
    tab.click()
    chips.nth(3).click()
    page.locator(".fl-ledger .fl-missed").click()
    wait_step(page, 185)
    page.unroute("**/api/provenance/**")


def test_a_text_that_the_ledger_cuts_off_is_there_whole(page: Any, server: Any) -> None:
    """While its row is pointed at or chosen by keys; a text that is seen anyway is not told twice."""
    long = "Keep every public name of the package as it is, also where another one would be better, and say so in the notes"

    def told(route: Any) -> None:
        answer = route.fetch()
        ledger = [LOST, {**LOST, "text": long}]
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "ledger": ledger}))

    page.route("**/api/provenance/**", told)
    second_compaction(page, server.url)
    page.get_by_role("tab", name="Ledger 2").click()
    whole = page.locator(".fl-whole")
    page.locator(".fl-ledger-text").nth(1).hover()
    whole.get_by_text(long).wait_for()
    page.locator(".fl-ledger-text").nth(0).hover()
    whole.wait_for(state="hidden")
    page.mouse.move(2, 2)
    page.get_by_role("grid", name="Ledger").focus()
    page.keyboard.press("End")
    whole.get_by_text(long).wait_for()
    row, panel = page.locator(".fl-ledger .fl-long-row").nth(2).bounding_box(), whole.bounding_box()
    assert panel["y"] >= row["y"] + 20 or panel["y"] + panel["height"] <= row["y"] + 4
    page.keyboard.press("Home")
    whole.wait_for(state="hidden")
    page.unroute("**/api/provenance/**")
