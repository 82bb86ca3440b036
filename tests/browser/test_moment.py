"""A compaction as it is told, frame by frame: what is where, by the page's own clock, which the test holds."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from core import load, meter, policy, simulate
from core.summaries.summarizers import summarizer
from tests.browser.looking import DEEP, ROOT, carded, drawn, hold_clock, look, press
from tests.serving import ROOT as PROJECT

pytestmark = pytest.mark.browser

CODING = "openai-chat/coding-session.json"
SETTINGS = {"policy": "agentkit.memory", "budget": 16_000, "keep_recent": 8}

SEEN = f"""
() => {{
  const root = ({DEEP})('{ROOT}');
  const list = root.querySelector('.fl-window .fl-list');
  const stage = list.querySelector('.fl-stage');
  const told = stage.childElementCount > 0;
  const box = (node) => node.getBoundingClientRect();
  const there = (node) => root.getRootNode().elementFromPoint(box(node).x + 20, box(node).y + 14)?.closest('.fl-row') === node;
  const inside = (y) => y > box(list).top && y < box(list).bottom;
  const shown = (node) => Number(getComputedStyle(node).opacity) > 0.01 && inside(box(node).y + 14);
  const seen = (node) => (told ? shown(node) : there(node));
  const rows = [...list.querySelectorAll(told ? '.fl-stage > .fl-picture' : '.fl-scroll .fl-row')].filter(seen);
  const key = (row) => (told ? row.dataset.of : row.dataset.key);
  const text = (selector) => root.querySelector(selector)?.textContent ?? '';
  const stack = told && stage.querySelector('.fl-stack');
  return {{
    told,
    rows: Object.fromEntries(rows.map((row) => [key(row), [Math.round(box(row).x), Math.round(box(row).y)]])),
    stack: stack && seen(stack) ? Math.round(box(stack).y) : null,
    count: stack && seen(stack) ? Number(stack.querySelector('b').textContent) : null,
    tokens: Object.fromEntries(rows.map((row) => [key(row), row.querySelector('.fl-tokens').textContent])),
    text: Object.fromEntries(rows.map((row) => [key(row), row.querySelector('.fl-preview').textContent])),
    tile: root.querySelector('.fl-phase[aria-pressed=true]')?.dataset.phase ?? null,
    before: text('.fl-before'),
    after: text('.fl-after'),
    total: text('.fl-total'),
    bar: [...root.querySelectorAll('.fl-regions .fl-part')].reduce((sum, part) => sum + parseFloat(part.style.width), 0),
    plan: text('.fl-plan b'),
    step: text('.fl-position b'),
    heard: text('.fl-announced'),
    scroll: list.querySelector('.fl-scroll').scrollTop,
  }};
}}
"""

PILLS = """
() => {
  const write = CanvasRenderingContext2D.prototype.fillText;
  window.pill = '';
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    if (/^(message |#)\\d[\\d,]* · /.test(text)) window.pill = text;
    return write.call(this, text, ...rest);
  };
}
"""


@pytest.fixture
def page(lone_page: Any) -> Any:
    """A page whose clock is held: it is nobody else's."""
    return lone_page


def frames_at(page: Any, times: list[int]) -> list[dict[str, Any]]:
    """What is seen so many milliseconds after the key that was just pressed."""
    seen, now = [], 0
    for time in times:
        page.clock.run_for(time - now)
        now = time
        seen.append(page.evaluate(SEEN) | {"pill": page.evaluate("window.pill")})
    return seen


def test_what_is_where_at_each_quarter_of_a_compaction(page: Any, server: Any) -> None:
    """Trigger, partition, summarize, splice, settle: list, card, pill, step, plan line and totals tell one story, in order."""
    session = load(PROJECT / "sample_sessions" / CODING)
    rule = policy("agentkit.memory", budget=16_000, keep_recent=8)
    trace = simulate(session, rule, meter=meter("o200k_base"), summarizer=summarizer("structural", session=session))
    first, step = trace.compactions[0], trace.compaction_step(0)
    look(page, server.url, source=f"sample:{CODING}", step=step - 1, **SETTINGS)
    page.evaluate(PILLS)
    hold_clock(page)
    start = page.evaluate(SEEN)
    press(page, "ArrowRight")
    frames = frames_at(page, [0, 400, 608, 800, 1040, 1200, 1488, 1700])
    begun, parted, folding, closing, writing, splicing, settling, done = frames

    taken = [f"m{i}" for i in range(first.at) if f"m{i}" in start["rows"]][1:-8]
    kept = [f"m{i}" for i in range(first.at - 8, first.at)]
    assert len(taken) >= 4
    assert begun["told"]
    assert begun["rows"] == start["rows"]
    assert all(frame["rows"]["m0"] == start["rows"]["m0"] for frame in frames)
    for frame in frames[:5]:
        assert all(frame["rows"][key] == start["rows"][key] for key in kept)
    assert all(parted["rows"][key] == [start["rows"][key][0] + 10, start["rows"][key][1]] for key in taken)
    top = start["rows"][taken[0]][1]
    for key in taken:
        way = [frame["rows"][key][1] for frame in (parted, folding, closing) if key in frame["rows"]]
        assert way == sorted(way, reverse=True)
        assert all(y >= top for y in way)
    assert not any(key in writing["rows"] for key in taken)
    assert folding["stack"] == closing["stack"] == writing["rows"]["c0.0"][1] == done["rows"]["c0.0"][1] == top
    assert closing["count"] == folding["count"] == first.folded
    moved = {done["rows"][key][1] - start["rows"][key][1] for key in kept}
    assert len(moved) == 1
    way = moved.pop()
    assert way < 0
    assert {splicing["rows"][key][1] - start["rows"][key][1] for key in kept}.isdisjoint({0, way})
    assert settling["rows"] == done["rows"]

    before, after = f"~{first.tokens_before:,}", f"~{first.tokens_after:,}"
    assert [frame["tile"] for frame in frames] == ["1", "2", "3", "3", "3", "4", "4", "4"]  # folding is summarizing
    assert [frame["after"] for frame in frames] == ["…"] * 5 + [after] * 3
    assert [frame["step"] for frame in frames] == [f"message {step}"] * 5 + ["compaction 1 of 3"] * 3
    pill = f"message {step} · {before}"
    assert [frame["pill"] for frame in frames[:2]] == [pill, f"{pill} · before #1"]
    assert {frame["pill"] for frame in frames[1:5]} == {f"{pill} · before #1"}
    assert {frame["pill"] for frame in frames[5:]} == {f"#1 · {after}"}
    assert {frame["total"] for frame in frames[5:]} == {f"= {after} of 16,000"}
    assert done["bar"] < settling["bar"] < splicing["bar"]  # it runs; no number does
    assert begun["plan"].startswith("Over budget")
    assert {frame["plan"].partition(":")[0] for frame in frames[1:5]} == {"Before the compaction"}
    assert all("below budget" in frame["plan"] for frame in frames[5:])
    assert writing["text"]["c0.0"].rstrip("\u2588") != done["text"]["c0.0"]
    assert done["text"]["c0.0"].startswith(writing["text"]["c0.0"].rstrip("\u2588"))
    assert writing["tokens"]["c0.0"] == "…"
    assert {frame["heard"] for frame in frames} == {
        f"Compaction 1: about {first.tokens_before:,} to {first.tokens_after:,} tokens,"
        f" {first.folded} messages became summary 1"
    }

    press(page, "ArrowLeft")
    page.clock.run_for(300)
    press(page, "ArrowRight")
    page.clock.run_for(500)
    page.mouse.click(
        *(n + 40 for n in start["rows"]["m0"])
    )  # ends the telling, and chooses nothing that was not to be seen
    again = page.evaluate(SEEN)
    assert {name: again[name] for name in ("rows", "after", "step", "plan", "total", "tile")} == {
        name: done[name] for name in ("rows", "after", "step", "plan", "total", "tile")
    }


STILLS = {"1": 150, "2": 450, "3": 1170}
SCROLLED = {phase: time + 160 for phase, time in STILLS.items()}  # the list scrolls first to where the story is seen
SAME = ("rows", "tile", "before", "after", "total", "plan", "step", "pill")


@pytest.mark.parametrize(
    ("query", "times"),
    [
        ({"source": f"sample:{CODING}", **SETTINGS}, STILLS),
        ({"source": f"sample:{CODING}", "policy": "langchain.trim", "max_tokens": 6_000}, SCROLLED),
        (
            {"source": f"sample:{CODING}", "policy": "langchain.clear_tool_uses", "trigger": 4_000, "keep": 3},
            STILLS | {"3": 990},
        ),
        ({"source": "sample:claude-code/recorded-compaction.jsonl"}, STILLS),
        ({"source": "sample:codex/tide-tables.jsonl"}, STILLS),
        ({"source": f"sample:{CODING}", "policy": "aider", "summaries": "error"}, SCROLLED | {"3": 1010}),
    ],
    ids=["summarize", "drop", "clear", "recorded", "kept among", "fallback"],
)
def test_the_stills_are_the_story_at_the_end_of_each_phase(page: Any, server: Any, query: Any, times: Any) -> None:
    """Where motion is unwelcome each phase is a still: list, gauge, card and timeline are where the motion has them then."""
    look(page, server.url, **query)
    press(page, "n")
    page.evaluate(PILLS)
    stills = {phase: still(page, phase) for phase in ("1", "2", "3", "4")}
    press(page, "Escape", "ArrowLeft")
    hold_clock(page)
    press(page, "ArrowRight")
    frames = dict(zip(times, frames_at(page, list(times.values())), strict=True))
    page.clock.run_for(2000)
    frames["4"] = page.evaluate(SEEN) | {"pill": page.evaluate("window.pill")}
    for phase, seen in stills.items():
        assert not seen["told"]
        assert {name: seen[name] for name in SAME} == {name: frames[phase][name] for name in SAME}, phase
        added = [key for key in seen["rows"] if key.startswith("c")]
        assert {key: seen["tokens"][key] for key in added} == {key: frames["4"]["tokens"][key] for key in added}


def test_played_alone_it_stands_at_the_still_of_each_phase(page: Any, server: Any) -> None:
    """The button of the card tells the compaction at half the pace: it rests where the stills are, and says a sentence."""
    look(page, server.url, source=f"sample:{CODING}", **SETTINGS)
    press(page, "n")
    page.evaluate(PILLS)
    stills = [still(page, key) for key in ("1", "2", "3", "4")]
    press(page, "Escape")
    hold_clock(page)
    page.locator(".fl-play-phases").click()
    sentence = page.locator(".fl-phase-said [data-on]")
    said = ["The window is over the budget", "56 older messages", "A summary of", "Summary 1 takes the place"]
    for seen, begins in zip(stills, said, strict=True):
        page.clock.run_for(2_000)  # longer than what moves takes, shorter than it rests
        frame = page.evaluate(SEEN) | {"pill": page.evaluate("window.pill")}
        assert {name: frame[name] for name in SAME} == {name: seen[name] for name in SAME}
        expect(sentence).to_have_text(re.compile(f"^{begins}"))
        for _ in range(80):
            if not sentence.inner_text().startswith(begins):
                break
            page.clock.run_for(50)
    expect(page.locator(".fl-play-phases")).to_have_text("Play this compaction")


PLACES = """
(card) => {
  const parts = ['.fl-line', '.fl-phases', '.fl-play-phases', '.fl-tabpanel'];
  return parts.map((part) => card.querySelector(part).getBoundingClientRect().y);
}
"""
HIDDEN = """
(said) => {
  const box = said.getBoundingClientRect();
  const card = said.getRootNode().querySelector('.fl-ibody').getBoundingClientRect();
  const tiles = said.getRootNode().querySelector('.fl-phases').getBoundingClientRect();
  return box.bottom > card.bottom || box.right > card.right || (box.top < tiles.bottom && box.bottom > tiles.top + 1);
}
"""


@pytest.mark.parametrize("size", [(1400, 900), (900, 700)], ids=str)
def test_a_sentence_on_each_phase_moves_nothing(page: Any, server: Any, size: tuple[int, int]) -> None:
    """On a card of any width the sentence of each phase is read whole, and no part of the card goes up or down for it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl")
    press(page, "n")
    carded(page)
    press(page, "1")  # what is under the window is put away
    drawn(page)
    card = page.locator(".fl-comp")
    places = card.evaluate(PLACES)
    for key in ("2", "3", "4", "1"):
        press(page, key)
        drawn(page)
        assert card.evaluate(PLACES) == places
        expect(page.locator(".fl-phase-said [data-on]")).to_have_count(1)
        assert not page.locator(".fl-phase-said [data-on]").evaluate(HIDDEN)


GAPS = f"""
(key) => {{
  const root = ({DEEP})('{ROOT}');
  root.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, composed: true }}));
  const moves = root.querySelector('.fl-window').getAnimations({{ subtree: true }});
  for (const move of moves) {{
    move.pause();
    move.currentTime = 130;
  }}
  const box = (node) => node.getBoundingClientRect();
  const rows = [...root.querySelectorAll('.fl-window .fl-scroll .fl-row')];
  const under = (heading) => Math.min(...rows.map((row) => box(row).top - box(heading).bottom).filter((gap) => gap > -2));
  const headings = [...root.querySelectorAll('.fl-window .fl-scroll .fl-heading')];
  return [moves.length > 0, headings.map((heading) => [heading.firstChild.textContent, Math.round(under(heading))])];
}}
"""


def test_a_heading_goes_with_its_rows_from_one_phase_to_another(page: Any, server: Any) -> None:
    """Half-way, too, each heading stands over the first of its rows."""
    lesson = {"source": "sample:foldline/lesson-3-calculator.json", "policy": "agentkit.memory", "meter": "agentkit"}
    look(page, server.url, **lesson, budget=100, keep_recent=3, summaries="recorded")
    press(page, "n", "3")
    page.emulate_media(reduced_motion="no-preference")
    parts = [["Pinned: system", 0], ["Summary", 0], ["Recent: kept, 3 messages", 0]]
    assert page.evaluate(GAPS, "4") == [True, parts]
    assert page.evaluate(GAPS, "3")[1][2] == ["Recent: kept, 3 messages", 0]


def test_a_phase_that_was_played_stands_where_it_ended(page: Any, server: Any) -> None:
    """No row moves once more when a compaction of a lesson has come to the end of its phase."""
    page.goto(f"{server.url}/learn?lesson=2&step=3&present=1")
    page.locator(".fl-learn-page[data-shown='2.3'][data-state=asking]").wait_for()
    hold_clock(page)
    page.keyboard.press("PageDown")
    page.locator(".fl-learn-page[data-state=told]").wait_for()
    page.evaluate(NOTE_MOVES)
    page.clock.run_for(9000)
    page.locator(".fl-window .fl-row[data-region=summary]").wait_for()
    assert page.evaluate("window.moved") == 0


NOTE_MOVES = """
() => {
  window.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this.closest('.fl-window')) window.moved++;
    return animate.apply(this, how);
  };
}
"""


OVERLAPS = f"""
() => {{
  const list = ({DEEP})('{ROOT}').querySelector('.fl-window .fl-list');
  const stage = list.querySelector('.fl-stage');
  const meet = (a, b) => ({{
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  }});
  const empty = (box) => box.right - box.left <= 1 || box.bottom - box.top <= 1;
  const up = (node) => {{
    const all = [];
    for (let at = node.parentElement; at !== stage; at = at.parentElement) all.unshift(at);
    return all;
  }};
  const textOf = (node) => {{
    const range = document.createRange();
    range.selectNodeContents(node);
    const around = up(node);
    const clips = around.filter((at) => getComputedStyle(at).overflowX !== 'visible').map((at) => at.getBoundingClientRect());
    const box = [list.getBoundingClientRect(), ...clips].reduce(meet, range.getBoundingClientRect());
    const opacity = around.reduce((all, at) => all * getComputedStyle(at).opacity, 1);
    return {{ carrier: around[0], box, opacity, text: node.textContent }};
  }};
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.textContent.trim()) texts.push(textOf(walker.currentNode));
  const seen = texts.filter(({{ box, opacity }}) => opacity > 0.05 && !empty(box));
  const carriers = [...stage.children];
  const level = ({{ carrier }}) => (Number(getComputedStyle(carrier).zIndex) || 0) * 1e6 + carriers.indexOf(carrier);
  const covers = ({{ carrier }}) => {{
    const {{ opacity, backgroundColor }} = getComputedStyle(carrier);
    return opacity > 0.99 && !/rgba|\\/|transparent/.test(backgroundColor);
  }};
  const pairs = seen.flatMap((one, k) => seen.slice(k + 1).map((two) => (level(one) > level(two) ? [one, two] : [two, one])));
  const apart = ([upper, lower]) => upper.carrier === lower.carrier || empty(meet(upper.box, lower.box));
  const both = pairs.filter((pair) => !apart(pair) && !covers(pair[0]));
  return [seen.length, both.map(([upper, lower]) => `${{upper.text}} on ${{lower.text}}`)];
}}
"""


@pytest.mark.parametrize(
    "query",
    [
        {"source": "sample:claude-code/recorded-compaction.jsonl"},
        {"source": f"sample:{CODING}", **SETTINGS},
        {"source": f"sample:{CODING}", "policy": "langchain.trim", "max_tokens": 6_000},
        {"source": f"sample:{CODING}", "policy": "langchain.clear_tool_uses", "trigger": 4_000, "keep": 3},
    ],
    ids=["recorded", "summarize", "drop", "clear"],
)
@pytest.mark.parametrize("size", [(1400, 900), (900, 700)], ids=str)
def test_no_text_shows_through_another(page: Any, server: Any, query: Any, size: tuple[int, int]) -> None:
    """At each tenth of a compaction: of two texts at one place the upper one stands on a ground that hides the other."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    look(page, server.url, **query)
    press(page, "n", "ArrowLeft")
    hold_clock(page)
    press(page, "ArrowRight")
    told = []
    for tenth in range(10):
        page.clock.run_for(170 if tenth else 20)
        told.append(page.evaluate(OVERLAPS))
    assert [both for _, both in told] == [[]] * 10
    assert told[2][0] >= 12


CROSSED = f"() => ({DEEP})('{ROOT}').querySelector('.fl-crossed:not(.fl-later)')?.textContent ?? ''"


def test_an_attempt_that_fails_is_told_and_leaves_everything_where_it_was(page: Any, server: Any) -> None:
    """The rows that were to go are lifted, close up in part and spring back; then the third tile is crossed and says why."""
    look(page, server.url, source=f"sample:{CODING}", summaries="error", **SETTINGS, step=63)
    page.evaluate(PILLS)
    hold_clock(page)
    press(page, "ArrowRight")
    begun, parted, closing, back, done = frames_at(page, [0, 450, 592, 820, 1000])
    crossed = page.evaluate(CROSSED)
    rows = done["rows"]
    taken = [key for key, (x, _) in parted["rows"].items() if x == rows[key][0] + 10]
    assert len(taken) >= 4
    assert not (begun["rows"].keys() ^ rows.keys())
    lifted = {key: [x + 10 * (key in taken), y] for key, (x, y) in rows.items()}
    assert parted["rows"] == lifted
    first, *others = sorted(taken, key=lambda key: rows[key][1])
    assert closing["rows"][first] == lifted[first]
    assert all(rows[first][1] < closing["rows"][key][1] < rows[key][1] for key in others)
    assert {key: closing["rows"][key] for key in rows if key not in taken} == {
        key: rows[key] for key in rows if key not in taken
    }
    assert not done["told"]
    assert (begun["total"], done["total"]) == ("= ~16,258 of 16,000",) * 2
    assert [frame["after"] for frame in (begun, parted, closing)] == ["…"] * 3
    assert (back["after"], done["after"], done["tile"]) == (done["before"],) * 2 + ("4",)
    assert crossed == "3 summarize✕ failedthe model did not answer (simulated failure)"


def still(page: Any, key: str) -> dict[str, Any]:
    """What is seen of a phase that was asked for by its key."""
    press(page, key)
    drawn(page)
    seen: dict[str, Any] = page.evaluate(SEEN) | {"pill": page.evaluate("window.pill")}
    return seen


def test_while_a_summary_is_written_its_row_has_its_words_below(page: Any, server: Any) -> None:
    """In the place of the messages that it stands for, and with how many they are; before and behind that phase not."""
    page.set_viewport_size({"width": 1400, "height": 900})
    look(page, server.url, source="sample:foldline/broken-rule.json", step=28)
    words, head = page.locator(".fl-summary-below"), page.locator(".fl-window .fl-whead")
    press(page, "3")
    expect(words).to_contain_text("The site of a small pottery: index.html, contact.html")
    expect(head).to_contain_text("28 messages, 21 in the summary")
    for key in "24":
        press(page, key)
        expect(words).to_be_hidden()


@pytest.mark.parametrize(
    "query", [{"source": "sample:foldline/broken-rule.json"}, {"source": f"sample:{CODING}", **SETTINGS}]
)
def test_the_words_of_a_summary_stand_where_they_do_by_key_while_it_is_played(
    page: Any, server: Any, query: Any
) -> None:
    """While playback rests at that phase: below the row, in as many lines, over the picture; not once it goes on."""
    page.set_viewport_size({"width": 1400, "height": 900})
    look(page, server.url, **query)
    press(page, "n", "3")
    words = page.locator(".fl-summary-below")
    words.wait_for()
    by_key = [words.inner_text(), words.bounding_box()]
    press(page, "Escape")
    hold_clock(page)
    press(page, "0")
    for _ in range(400):
        page.clock.run_for(50)
        if words.is_visible():
            break
    assert [words.inner_text(), words.bounding_box()] == by_key
    box = by_key[1]
    assert words.evaluate(
        "(node, [x, y]) => node.getRootNode().elementFromPoint(x, y) === node", [box["x"] + 9, box["y"] + 9]
    )
    page.clock.run_for(5500)
    expect(words).to_be_hidden()


@pytest.mark.parametrize(("width", "said"), [(1280, ""), (1400, "13,469 became 765")])
def test_what_was_written_cuts_off_no_part_of_the_legend(page: Any, server: Any, width: int, said: str) -> None:
    """It stands beside the parts where there is room for it as a whole; where there is none the card alone says it."""
    page.set_viewport_size({"width": width, "height": 720})
    look(page, server.url, source=f"sample:{CODING}", step=176, **SETTINGS)
    page.keyboard.press("3")
    expect(page.locator(".fl-total")).to_have_text("still ~16,262 of 16,000")
    expect(page.locator(".fl-counts")).to_have_text(said)
    expect(page.locator(".fl-item")).to_have_text(["system 54", "summary 751", "compactable 12,718", "recent 2,739"])
    right = "(node) => node.getBoundingClientRect().right"
    assert page.locator(".fl-item").last.evaluate(right) <= page.locator(".fl-items").evaluate(right) + 1
