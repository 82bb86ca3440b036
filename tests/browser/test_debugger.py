"""The debugger in a real browser: what is on screen is what the engine says."""

from typing import Any

import pytest
from playwright.sync_api import expect

from core import Trace, load, meter, policy, replay, simulate
from core.analyse.losses import losses
from core.summaries.summarizers import summarizer
from tests.browser.accessible import violations
from tests.browser.looking import (
    DEEP,
    PAINTED,
    ROOT,
    WATCH_MOVES,
    at,
    carded,
    drawn,
    held_down,
    idle,
    look,
    moving,
    numbers,
    place,
    press,
    slide,
    slider,
    source_box,
    tokens,
    value,
    wait_addressed,
    wait_for,
    wait_painted_anew,
    wait_step,
    wait_steps,
)
from tests.serving import ROOT as PROJECT
from tests.serving import share
from viewer.sessions.sources import samples

pytestmark = pytest.mark.browser
LESSON = "foldline/lesson-3-calculator.json"
CODING = "openai-chat/coding-session.json"
CROWDED = """
(legend) => {
  const box = (node) => node.getBoundingClientRect();
  const whole = box(legend);
  const total = legend.querySelector('.fl-total');
  const parts = [...legend.querySelectorAll('.fl-item, .fl-counts')].filter((node) => node.textContent && box(node).width);
  const out = [...parts, total].filter((node) => box(node).bottom > whole.bottom + 1 || box(node).right > whole.right + 1);
  const over = parts.filter((node) => box(node).right > box(total).left && box(node).top < box(total).bottom - 1);
  const low = box(total).top > whole.top + 1 ? [total] : [];
  return [...out, ...over, ...low].map((node) => node.textContent);
}
"""


RUNNING = """
() => {
  const inside = (root) => [...root.querySelectorAll('*')].filter((n) => n.shadowRoot).map((n) => n.shadowRoot);
  const roots = (root) => inside(root).flatMap((shadow) => [shadow, ...roots(shadow)]);
  const all = roots(document).flatMap((root) => root.getAnimations());
  return all.filter((animation) => animation.playState === 'running').length;
}
"""


def simulated(sample: str, name: str, counted_by: str, summaries: str = "structural", **settings: int) -> Trace:
    """The engine's own trace of a sample."""
    session = load(PROJECT / "sample_sessions" / sample)
    write = summarizer(summaries, session=session)
    return simulate(session, policy(name, **settings), meter=meter(counted_by), summarizer=write)


def lesson(page: Any, url: str, **query: Any) -> Any:
    """The lesson's run, with the settings that compact it once."""
    settings = {"policy": "agentkit.memory", "budget": 100, "keep_recent": 3, "meter": "agentkit"}
    return look(page, url, source=f"sample:{LESSON}", **(settings | query))


@pytest.mark.parametrize("sample", share(samples()), ids=lambda s: s.path)
def test_each_sample_opens(page: Any, server: Any, watch: Any, sample: Any) -> None:
    """A sample is shown with its window and its numbers, without a complaint on the console."""
    look(page, server.url, source=f"sample:{sample.path}")
    press(page, "o")

    total = page.locator(".fl-total").inner_text()
    items = page.locator(".fl-item").all_inner_texts()
    assert sum(numbers(text)[-1] for text in items) == numbers(total)[0] == tokens(page)
    assert watch.errors == []


def test_the_app_opens_on_a_sample(page: Any, server: Any, watch: Any) -> None:
    """The first screen says what a compaction is, then what was forgotten: the rule, its loss, the broken step, the cure."""
    with watch.requests(page):
        look(page, server.url)
        page.locator(".fl-okept b").first.wait_for()
    assert watch.strangers == []

    wait_addressed(page, "source=sample")
    assert value(page, "steps") == "46"
    story = page.locator(".fl-ostory")
    assert story.locator("b").all_inner_texts() == [
        *("Message 16", "Compaction 1", "Message 37", "Message 42"),
        "message 16 pinned",  # what keeps it a while longer alone is no cure
    ]
    assert "so I delete the originals." in story.locator("[data-step='37']").inner_text()
    expect(page.locator(".fl-omeans:has(~ .fl-ostory)")).to_contain_text("A compaction makes room")
    expect(page.locator(".fl-window")).to_be_hidden()
    story.locator("[data-step='37']").click()
    wait_step(page, 37)
    expect(page.locator(".fl-window")).to_be_visible()
    press(page, "o")
    story.get_by_role("button", name="Why: follow it step by step").click()
    wait_step(page, 28)
    page.locator(".fl-why-remedies li").first.get_by_text("Pin message 16").wait_for()


@pytest.mark.parametrize(
    ("address", "parts"), [("", ("timeline", "inspector")), ("/?step=3", ("timeline", "window", "inspector"))]
)
@pytest.mark.parametrize(("width", "height"), [(1400, 900), (900, 700)])
def test_the_page_has_its_shape_before_the_debugger_is_there(
    fresh_page: Any, server: Any, width: int, height: int, address: str, parts: tuple[str, ...]
) -> None:
    """While its module is under way the cards stand empty where they will be filled: nothing is blank, nothing jumps."""
    page, _ = fresh_page(server.url, width=width, height=height)
    held: list[Any] = []
    page.route("**/viewer-assets/joined.js", lambda route: held.append(route))
    page.goto(server.url + address)
    page.locator(".fl-outline i").nth(len(parts) - 1).wait_for()
    empty = [one.bounding_box() for one in page.locator(".fl-outline i").all()]
    for route in held:
        route.continue_()
    wait_for(page, PAINTED)
    assert empty == [page.locator(f".fl-slot-{name}").bounding_box() for name in parts]


def test_an_outline_gives_way_to_what_is_wrong(page: Any, server: Any) -> None:
    """A transcript that does not open leaves no empty cards behind."""
    page.goto(f"{server.url}/?source=path:/no/such/file.jsonl")
    page.get_by_role("heading", name="This transcript could not be opened").wait_for()
    page.locator(".fl-outline").wait_for(state="detached")


def test_the_window_at_every_step(page: Any, server: Any) -> None:
    """At each of the lesson's twelve steps the tokens on screen are the trace's, and so are the rows' regions."""
    trace = simulated(LESSON, "agentkit.memory", "agentkit", "recorded", budget=100, keep_recent=3)
    lesson(page, server.url, step=0)

    for step in range(12):
        wait_step(page, step)
        rows = page.locator(".fl-list .fl-row:visible")
        shown = [rows.nth(k).get_attribute("data-region") for k in range(rows.count())]

        assert tokens(page) == trace.step(step).tokens
        assert shown == list(trace.regions(step).values())
        press(page, "ArrowRight")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    wait_step(page, 8)
    assert tokens(page) == 102


def test_the_coding_session_agrees_all_along(page: Any, server: Any) -> None:
    """At every fifteenth step of a long run the tokens on screen are the engine's."""
    trace = simulated(CODING, "agentkit.memory", "o200k_base", budget=20_000, keep_recent=6)
    query = {"policy": "agentkit.memory", "budget": 20_000, "keep_recent": 6, "meter": "o200k_base"}

    look(page, server.url, source=f"sample:{CODING}", step=0, **query)
    stride = len(trace) // 10
    for step in range(0, len(trace), stride):
        wait_step(page, step)
        assert tokens(page) == trace.step(step).tokens
        press(page, *["ArrowRight"] * stride)
    look(page, server.url, source=f"sample:{CODING}", step=9 * stride, **query)
    assert (at(page), tokens(page)) == (9 * stride, trace.step(9 * stride).tokens)


def test_the_card_of_the_lesson(page: Any, server: Any) -> None:
    """The one compaction of the lesson, with the summary it wrote: 108 to 82, summary #1 of 6 messages, one orphan."""
    lesson(page, server.url, step=0)
    with moving(page):
        press(page, "n")
        wait_step(page, 10)

    card = page.locator(".fl-comp")
    carded(page)
    assert "summary #1 of 6 earlier messages" in card.inner_text()
    assert numbers(card.locator(".fl-before").first.inner_text()) == [108]
    card.locator(".fl-after").first.filter(has_text="82").wait_for()  # the counter has run
    assert numbers(card.locator(".fl-after").first.inner_text()) == [82]
    page.get_by_role("tab", name="Findings").click()
    page.get_by_text("Orphaned tool result").wait_for()


def test_dragging_the_budget_down_makes_a_compaction(page: Any, server: Any) -> None:
    """The picture follows while the slider is held; the new compaction's card has the engine's numbers."""
    session = load(PROJECT / "sample_sessions" / CODING)
    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=60_000, keep_recent=4)
    steps, before = int(value(page, "steps")), value(page, "rendered")
    assert steps == len(session.messages)

    held_down(page, "budget", 0.3)
    wait_painted_anew(page, before)
    wait_for(page, f"(n) => Number(({DEEP})('{ROOT}').dataset.steps) > n", steps)
    page.mouse.up()

    budget = int(slider(page, "budget").input_value())
    trace = simulate(session, policy("agentkit.memory", budget=budget, keep_recent=4), meter=meter("o200k_base"))
    wait_steps(page, len(trace))
    press(page, "g", "n")
    wait_step(page, trace.compaction_step(0))
    carded(page)
    first, card = trace.compactions[0], page.locator(".fl-comp")
    assert f"summary #1 of {first.folded} earlier messages" in card.inner_text()
    assert numbers(card.locator(".fl-before").first.inner_text()) == [first.tokens_before]
    assert numbers(card.locator(".fl-after").first.inner_text()) == [first.tokens_after]


def test_a_slider_is_compared_with_where_it_was(page: Any, server: Any) -> None:
    """One line says what has changed, and is heard once the slider rests; a step ends the comparison, and nothing jumps."""
    session = load(PROJECT / "sample_sessions" / CODING)

    def run(budget: int) -> tuple[int, int]:
        rule = policy("agentkit.memory", budget=budget, keep_recent=8)
        trace = simulate(session, rule, meter=meter("o200k_base"))
        return len(trace.compactions), max(trace.step(i).tokens for i in range(len(trace)))

    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=16_000, keep_recent=8, step=40)
    panels = [page.locator(f".fl-slot-{name}") for name in ("timeline", "window", "inspector")]
    places = [panel.bounding_box() for panel in panels]
    timeline = page.get_by_role("slider", name="Step")
    page.evaluate("() => window.dispatchEvent(new Event('pointerdown'))")  # it does not rest while it is held
    slide(page, "budget", 20_000)
    slide(page, "budget", 24_000)
    page.evaluate("() => window.dispatchEvent(new Event('pointerup'))")
    (was, low), (now, high) = run(16_000), run(24_000)
    assert was > now > 1
    told = f"{was} → {now} compactions, peak ~{low:,} → ~{high:,}"
    assert timeline.get_attribute("aria-description") == f"{told}, dashes: before, budget 16,000"
    expect(page.locator(".fl-announced")).to_have_text(told.replace("→", "to"))
    assert [panel.bounding_box() for panel in panels] == places

    press(page, "ArrowRight")
    wait_step(page, 41)
    assert timeline.get_attribute("aria-description") is None
    slide(page, "budget", 16_000)
    assert str(timeline.get_attribute("aria-description")).endswith("dashes: before, budget 24,000")


def test_a_compaction_in_the_overview_opens_its_card(page: Any, server: Any) -> None:
    """By mouse and by Enter; o leads back. A click on a tab leaves the arrow keys to the steps, Tab gives them to the tab."""
    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=16_000)
    second = page.locator(".fl-ocompaction").nth(1)
    second.click()
    page.get_by_role("heading", name="Compaction 2 of").wait_for()
    press(page, "o")
    second.focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Compaction 2 of").wait_for()
    carded(page)
    stood = at(page)

    tabs = page.get_by_role("tablist", name="About this compaction")
    tabs.get_by_role("tab", name="Kept").click()
    expect(tabs.get_by_role("tab", selected=True)).to_contain_text("Kept")
    page.keyboard.press("ArrowRight")
    wait_step(page, stood + 1)
    page.keyboard.press("ArrowLeft")
    wait_step(page, stood)
    tabs.get_by_role("tab", selected=True).focus()
    page.keyboard.press("ArrowRight")
    expect(tabs.get_by_role("tab", selected=True)).to_contain_text("Findings")
    assert at(page) == stood


def test_the_overview_begins_with_what_was_forgotten(page: Any, server: Any, watch: Any) -> None:
    """Each compaction of the record with what it lost: its head opens the card, a text asks Why, o leads back."""
    look(page, server.url, source="sample:foldline/forgotten-rule.json", policy="recorded")
    trace = replay(load(PROJECT / "sample_sessions/foldline/forgotten-rule.json"))
    found = losses(trace, 0)
    first = page.locator(".fl-loss").first
    first.get_by_text(f"the text of {found.results} result").wait_for()
    assert page.get_by_role("heading", name="What was forgotten").is_visible()
    texts = page.locator(".fl-losses .fl-loss-texts .fl-loss-text")
    assert [text.strip("“”") for text in texts.all_inner_texts()] == [
        loss.text for k in range(3) for loss in losses(trace, k).texts
    ]
    texts.first.click()
    wait_step(page, found.step)
    page.locator(".fl-why-answer").wait_for()

    press(page, "o")
    page.locator(".fl-loss-head").first.click()
    page.get_by_role("heading", name="Compaction 1 of").wait_for()
    assert watch.errors == []


IN_SIGHT = f"""
(down) => {{
  const [about, turns, body] = ['.fl-oabout', '.fl-otime', '.fl-ibody'].map({DEEP});
  turns.style.minHeight = '4000px'; // as those of a long session, also where they have been drawn anew
  body.scrollTop = down;
  const [own, {{ top, bottom }}] = [about.getBoundingClientRect(), body.getBoundingClientRect()];
  return own.top <= top + 20 && Math.abs(own.bottom - bottom) <= 20;
}}
"""


def test_what_is_said_of_the_whole_stays_beside_the_turns(page: Any, server: Any) -> None:
    """However far down the turns are scrolled, the column beside them is not blank: its end is at the end of the panel."""
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", policy="recorded")
    page.locator(".fl-losses").wait_for()
    for down in (1200, 99_999):
        wait_for(page, IN_SIGHT, down)


def test_every_section_of_the_overview_is_a_press_away(page: Any, server: Any) -> None:
    """By keys: the heading of the section comes to the top and has the focus, and the link of what is being read is marked."""
    page.set_viewport_size({"width": 900, "height": 700})
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", policy="recorded")
    links = page.get_by_role("navigation", name="On this page")
    marked = links.locator("[aria-current]")
    expect(links.get_by_role("button")).to_have_text(["In short", "Compactions 1", "Tools and files", "Turns 4"])
    expect(marked).to_have_text(["In short"])
    links.get_by_role("button", name="Turns").press("Enter")
    heading = page.get_by_role("heading", name="Turn by turn")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport(ratio=1)
    expect(marked).to_have_text(["Turns 4"])
    assert violations(page) == []
    links.get_by_role("button", name="Compactions").press("Enter")
    expect(page.get_by_role("heading", name="Compaction by compaction")).to_be_focused()
    expect(marked).to_have_text(["Compactions 1"])
    page.locator(".fl-ibody").evaluate("(body) => (body.scrollTop = 0)")
    expect(marked).to_have_text(["In short"])
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(links.get_by_role("button", name="In short")).to_be_hidden()


def test_the_mark_of_an_error_stands_before_the_name_of_its_tool(page: Any, server: Any) -> None:
    """Behind it a long name would cut it off."""
    look(page, server.url, source="sample:anthropic-messages/parallel-tools.json", policy="recorded")
    role = page.locator(".fl-row.fl-error .fl-role")
    expect(role).to_have_text("latency")
    assert role.evaluate("(node) => getComputedStyle(node, '::before').content") == '"▲ "'


def test_the_sentence_about_the_requests_opens_the_list_of_them(page: Any, server: Any, watch: Any) -> None:
    """By keys: what became of each, the way to its message, and Why of how it begins."""
    look(page, server.url, source="sample:foldline/forgotten-rule.json", policy="recorded")
    made = "6 of the 11 requests that the user made before the last compaction"
    said = f"{made} are not found in the window or a summary, all of them already answered."
    head = page.get_by_role("button", name=said)
    expect(head).to_have_attribute("aria-expanded", "false")
    head.press("Enter")
    expect(head).to_have_attribute("aria-expanded", "true")
    rows = page.locator(".fl-ltable .fl-requests li")
    kinds = ["partly", *["answered"] * 5, "partly", "answered", "partly", "partly", "reworded"]
    assert [row.get_attribute("data-kind") for row in rows.all()] == kinds, "in the order in which they were made"
    assert violations(page) == []
    one = rows.filter(has=page.get_by_role("button", name="message 47"))
    one.get_by_role("button", name="message 47").press("Enter")
    wait_step(page, 46)
    press(page, "o")
    quote = one.locator(".fl-loss-text")
    words = quote.inner_text()
    quote.press("Enter")
    page.locator(".fl-why-quote q").get_by_text(words, exact=True).wait_for()

    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=8_000)
    page.locator(".fl-ltable .fl-requests-head").click()
    rows.first.wait_for()
    assert watch.errors == []


def test_the_address_brings_the_picture_back(page: Any, server: Any) -> None:
    """Policy, parameters, meter and step are in the address; a reload lands on the same picture."""
    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=30_000)
    slide(page, "keep_recent", 10)
    press(page, "g", "n", "ArrowRight", "ArrowRight")
    here = (at(page), tokens(page), value(page, "steps"))
    wait_addressed(page, "keep_recent=10")
    wait_addressed(page, f"step={here[0]}")
    address = page.evaluate("() => location.search")

    page.reload()
    look(page, server.url + "/" + address)

    assert (at(page), tokens(page), value(page, "steps")) == here


def test_back_undoes_a_jump_a_slider_and_a_sample(page: Any, server: Any) -> None:
    """One entry of the history each; only another sample loads the page again. Forward does them again."""
    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=30_000, step=0)
    press(page, "n")
    wait_for(page, "() => !location.search.endsWith('step=0')")
    jumped = at(page)
    slide(page, "budget", 20_000)
    wait_addressed(page, "budget=20000")
    idle(page)
    source_box(page).click()
    page.get_by_role("option").last.click()
    wait_for(page, "(name) => !location.search.includes(name)", CODING)
    page.evaluate("() => (window.left = true)")

    page.go_back()
    wait_for(page, f"() => !window.left && ({PAINTED})()")
    wait_addressed(page, "budget=20000")
    page.evaluate("() => (window.stays = true)")
    page.go_back()
    wait_addressed(page, "budget=30000")
    expect(slider(page, "budget")).to_have_value("30000")
    wait_step(page, jumped)
    idle(page)
    page.go_back()
    wait_step(page, 0)
    expect(slider(page, "budget")).to_have_value("30000")
    page.go_forward()
    wait_step(page, jumped)
    assert page.evaluate("() => window.stays")


BACK_THRICE = """
async () => {
  for (let times = 0; times < 3; times++) {
    const left = location.href;
    history.back();
    while (location.href === left) await new Promise((done) => setTimeout(done));
  }
}
"""


def test_back_at_once_passes_over_the_pictures_on_the_way(page: Any, server: Any) -> None:
    """Three times, before Python has answered once; a jump made meanwhile is written when the answer is there."""
    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=30_000, step=0)
    slide(page, "budget", 20_000)
    wait_addressed(page, "budget=20000")
    press(page, "n")
    wait_for(page, "() => !location.search.endsWith('step=0')")
    slide(page, "budget", 30_000)
    wait_addressed(page, "budget=30000")
    idle(page)
    page.evaluate(BACK_THRICE)
    press(page, "G")
    wait_for(page, "() => location.search.includes('budget=30000') && /step=1[0-9]{2}$/.test(location.search)")
    expect(slider(page, "budget")).to_have_value("30000")
    page.go_back()
    wait_step(page, 0)
    assert "budget=30000" in page.url


def test_every_key(page: Any, server: Any) -> None:
    """Arrows, turns, compactions, ends, find, help, ghosts: all by key."""
    lesson(page, server.url, step=3)
    press(page, "ArrowRight")
    assert at(page) == 4
    press(page, "ArrowLeft")
    assert at(page) == 3
    press(page, "n")
    wait_step(page, 10)
    press(page, "p")
    assert at(page) in (3, 10)
    press(page, "G")
    wait_step(page, 11)
    press(page, "g")
    wait_step(page, 0)
    press(page, "?")
    page.locator("dialog.fl-help[open]").wait_for()
    page.keyboard.press("Escape")
    press(page, "/")
    page.get_by_label("Find in messages and summaries").wait_for()
    page.keyboard.type("3000")
    page.get_by_text("1 of", exact=False).first.wait_for()
    page.keyboard.press("Escape")
    press(page, "Space")
    wait_for(page, f"() => Number(({DEEP})('{ROOT}').dataset.step) > 0")
    press(page, "Space")


def test_the_transport_by_mouse(page: Any, server: Any) -> None:
    """First, back, forward, next and previous compaction, last."""
    lesson(page, server.url, step=5)
    for label, step in (("Last", 11), ("First", 0), ("Forward", 1), ("Next compaction", 10), ("Back", 9)):
        page.get_by_role("button", name=label, exact=False).first.click()
        wait_step(page, step)


def test_scrubbing_the_timeline(page: Any, server: Any) -> None:
    """A click in the middle of the timeline goes to the middle of the run."""
    look(page, server.url, source=f"sample:{CODING}", step=0)
    box = place(page, page.locator(".fl-slot-timeline"))

    page.mouse.click(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.5)

    steps = int(value(page, "steps"))
    assert 0.4 * steps < at(page) < 0.65 * steps


INSPECTS_THE_CURSOR = """() => {
  const find = DEEP;
  const [number] = find('.fl-position b').textContent.match(/[0-9]+/);
  return number > 20 && find('.fl-inspector').dataset.shows === `message ${number - 1}`;
}""".replace("DEEP", DEEP)


def test_what_is_scrubbed_to_is_inspected_in_the_end(page: Any, server: Any) -> None:
    """While the timeline is scrubbed the counter follows; once the cursor rests, the inspector shows what is there."""
    look(page, server.url, source=f"sample:{CODING}", step=0)
    box = place(page, page.locator(".fl-slot-timeline"))
    middle = box["y"] + box["height"] * 0.5

    page.mouse.move(box["x"] + box["width"] * 0.2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.55, middle, steps=12)

    wait_for(page, INSPECTS_THE_CURSOR)
    page.mouse.up()


def test_the_page_does_not_scroll(page: Any, server: Any) -> None:
    """At 1400 by 900 and at 900 by 700 the page fits its window, and stepping moves nothing."""
    for width, height in ((1400, 900), (900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        lesson(page, server.url, step=0)
        boxes = []
        for key in ("ArrowRight", "n", "G"):
            press(page, key)
            drawn(page)
            slots = ("timeline", "window", "inspector", "plan", "transport")
            boxes.append([page.locator(f".fl-slot-{name}").bounding_box() for name in slots])
            main = page.locator("[data-testid=stMain]")
            assert main.evaluate("(n) => n.scrollHeight <= n.clientHeight + 1")
            assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        assert boxes[0] == boxes[1] == boxes[2]


def test_ghosts_show_what_has_gone(page: Any, server: Any) -> None:
    """The switch lists the six messages that left the lesson's window."""
    lesson(page, server.url, step=11)
    page.locator(".fl-slot-window").get_by_role("switch", name="Show removed").click()
    page.get_by_text("Summarized earlier: 6 messages", exact=False).first.wait_for()


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (900, 700)])
def test_the_legend_keeps_its_total_on_the_first_line(fresh_page: Any, server: Any, width: int, height: int) -> None:
    """Also where it takes two lines: nothing of it is cut off or covered, at any compaction."""
    page, _ = fresh_page(server.url, width=width, height=height)
    for source in (CODING, "codex/tide-tables.jsonl", LESSON):
        look(page, server.url, source=f"sample:{source}")
        for key in ("g", "n", "ArrowRight", "G"):
            press(page, key)
            assert page.locator(".fl-legend").evaluate(CROWDED) == []


def test_the_summary_is_in_sight_on_a_small_page(fresh_page: Any, server: Any) -> None:
    """At 900x700 the card's top leaves the summary four tenths of the panel, also under recorded numbers."""
    for source in (f"sample:{CODING}", "sample:claude-code/recorded-compaction.jsonl"):
        page, _ = fresh_page(server.url, width=900, height=700)
        look(page, server.url, source=source)
        press(page, "g", "n")
        page.locator(".fl-tabpanel[data-tab=summary]").wait_for()
        carded(page)
        panel, text = page.locator(".fl-inspector").bounding_box(), page.locator(".fl-tabpanel").bounding_box()
        assert (panel["y"] + panel["height"] - text["y"]) / panel["height"] >= 0.4
        assert page.locator(".fl-phases").evaluate("(n) => n.scrollWidth <= n.clientWidth")


def test_on_a_small_page_notes_and_picture_have_a_row_each(fresh_page: Any, server: Any) -> None:
    """They touch neither the tiles nor the tabs nor each other; nor does the button beside them, when one is open."""
    page, _ = fresh_page(server.url, width=900, height=700)
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl")
    press(page, "g", "n")
    carded(page)
    page.locator(".fl-switch[role=switch]").first.click()  # the picture is in the card alone
    parts = (".fl-phases", ".fl-about-numbers > summary", ".fl-tsfold > summary", ".fl-tabs")
    page.locator(parts[2]).wait_for()
    tiles, notes, picture, tabs = (page.locator(part).bounding_box() for part in parts)
    button = page.locator(".fl-play-phases").bounding_box()
    bottom = {name: box["y"] + box["height"] for name, box in (("tiles", tiles), ("notes", notes), ("button", button))}
    assert min(notes["height"], picture["height"]) >= 18
    assert notes["y"] >= bottom["tiles"] + 4
    assert picture["y"] >= bottom["notes"]
    assert tabs["y"] >= picture["y"] + picture["height"]
    assert bottom["tiles"] + 4 <= button["y"] <= bottom["button"] <= tabs["y"]
    assert button["x"] >= max(box["x"] + box["width"] for box in (notes, picture))
    page.locator(parts[1]).click()
    assert page.locator(".fl-about-numbers li").first.bounding_box()["y"] >= bottom["button"]
    page.locator(parts[1]).click()
    page.locator(parts[2]).click()
    assert page.locator(".fl-tsfold .fl-tshead").first.bounding_box()["y"] >= bottom["button"]


def test_the_four_phases(page: Any, server: Any) -> None:
    """Each phase shows the window in its state: before, split, folding, after."""
    lesson(page, server.url, step=10)
    seen = []
    for phase in (1, 2, 3, 4):
        page.locator(f"[data-phase='{phase}']").click()
        drawn(page)
        seen.append(page.locator(f"{ROOT} .fl-slot-window .fl-row:visible").count())
    assert seen[0] >= 10
    assert seen[3] == 5


def test_a_compaction_animates_unless_motion_is_unwelcome(fresh_page: Any, server: Any) -> None:
    """Stepping onto a compaction runs animations; under prefers-reduced-motion there are none."""
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page, _ = fresh_page(server.url, reduced_motion=motion)
        lesson(page, server.url, step=9)
        page.evaluate(WATCH_MOVES)
        press(page, "ArrowRight")
        wait_step(page, 10)
        drawn(page)
        assert page.evaluate("() => window.moves.seen") == moves, motion
        assert moves or page.evaluate(RUNNING) == 0
