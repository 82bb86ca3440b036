// What a compaction's card shows of where its summary comes from: underlines, the chosen sentence's places, the ledger.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { pass, press, requests, serve, settled, texts } from "./dom.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { el } from "../../viewer/frontend/lib/dom.js";
import { markdown } from "../../viewer/frontend/lib/markdownnodes.js";
import { wrapSpans } from "../../viewer/frontend/lib/spans.js";
import { sourceOf } from "../../viewer/frontend/lib/places.js";
import { block, extend } from "../../viewer/frontend/lib/text.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { FOLDED, run } from "./packed.mjs";

/** A text as Markdown or as it is written, with these parts of it wrapped; what was wrapped, by its number. */
function wrapped(text, parts, draw = markdown) {
  const node = draw(text);
  const root = el("div", {}, node);
  const spans = parts.map((part) => [text.indexOf(part), text.indexOf(part) + part.length]);
  const before = root.textContent;
  const wrap = () => wrapSpans(root, spans, (k) => el("span", { class: "s", "data-n": k }), ".s");
  wrap();
  assert.equal(root.textContent, before, "nothing is lost or moved");
  return { root, wrap, node, found: () => [...root.querySelectorAll(".s")].map((one) => `${one.dataset.n}: ${one.textContent}`) };
}

test("a sentence is put into one element, whatever it is made of", () => {
  const text = "**Done:** `Book.month_of()` decides *the month*. Next one.\n\n- a list line\n- **bold** and `code`";
  const { root, found } = wrapped(text, ["Done:** `Book.month_of()` decides *the month*.", "Next one.", "a list line", "**bold** and `code`"]);
  assert.deepEqual(found(), ["0: Done: Book.month_of() decides the month.", "1: Next one.", "2: a list line", "3: bold and code"]);
  assert.equal(root.querySelectorAll("strong, code, em").length, 5);
  for (const node of root.querySelectorAll("strong, code, em")) assert.ok(node.textContent, "none is left empty");
});

test("what begins or ends in the middle of bold text cuts it in two", () => {
  const { root, found } = wrapped("**One. Two.** Three.", ["One.", "Two.** Three."]);
  assert.deepEqual(found(), ["0: One.", "1: Two. Three."]);
  assert.deepEqual(texts(root, "strong"), ["One.", " ", "Two."]);
});

test("a sentence over several blocks gets an element in each, and white space stays outside", () => {
  const { found } = wrapped("| a | b |\n|---|---|\n| one | two |", ["| one | two |"]);
  assert.deepEqual(found(), ["0: one", "0: two"]);
  assert.deepEqual(wrapped("one  \n  two", ["one  \n  "]).found(), ["0: one"]);
  assert.deepEqual(wrapped("one  \n  two", ["  \n  "]).found(), []);
});

test("a text as it is written is wrapped too, what was looked for stays marked", () => {
  const { root, found } = wrapped("First it is. Then <b>not</b>.", ["First it is.", "Then <b>not</b>."], (text) => block(text, "it"));
  assert.deepEqual(found(), ["0: First it is.", "1: Then <b>not</b>."]);
  assert.deepEqual(texts(root, ".s mark"), ["it"]);
});

test("wrapping again takes what was drawn since, and nothing twice", () => {
  const all = "One. Two. Three. Four.";
  const { node, wrap, found } = wrapped(all, ["One.", "Two.", "Three.", "Four."], () => block(all.slice(0, 11)));
  assert.deepEqual(found(), ["0: One.", "1: Two.", "2: T"]);
  extend(node, all.slice(11), "");
  wrap();
  assert.deepEqual(found(), ["0: One.", "1: Two.", "2: T", "2: hree.", "3: Four."]);
  wrap();
  assert.equal(found().length, 5);
});

test("what is wrapped still knows where in the source it stands, and so does what is left of a node", () => {
  const text = "First one, then `code` of **this**. And the rest, to the end.";
  const { root } = wrapped(text, ["one, then `code` of **this**.", "the rest"]);
  const nodes = (node) => [...node.childNodes].flatMap((child) => (child.nodeType === 3 ? [child] : nodes(child)));
  const all = nodes(root).map((node) => ({ node, from: 0, to: node.data.length }));
  assert.equal(sourceOf(all), text);
  for (const part of all) assert.equal(sourceOf([part]), part.node.data);
});

const SUMMARY = "Task: read a.py. It has **two** functions.\n\nNothing is known of b.py.";
const span = (part) => ({ from: SUMMARY.indexOf(part), to: SUMMARY.indexOf(part) + part.length });
const SOURCE = { at: 1, step: 1, via: [], score: 0.9, quote: "do it in a.py, with tests", marks: [[9, 13]], missing: [[20, 25]] };
const ENTRY = { kind: "file", text: "a.py", at: 1, said_at: 1, in_summary: "verbatim", needed_at: -1 };
const PROVENANCE = {
  unreadable: "",
  sentences: [
    { ...span("Task: read a.py."), verdict: "supported", note: "", sources: [SOURCE] },
    {
      ...span("It has **two** functions."),
      verdict: "partly",
      note: "Cut short. Both sources also say <i>.",
      sources: [SOURCE, { ...SOURCE, at: 2, step: 2 }],
    },
    { ...span("Nothing is known of b.py."), verdict: "no_source", note: "", sources: [] },
  ],
  counts: { supported: 1, partly: 1, no_source: 1, before_file: 0 },
  ledger: [ENTRY, { ...ENTRY, kind: "constraint", text: "no <b>new</b> dependency", in_summary: "gone", needed_at: 5 }],
  left_out: 0,
};
const MESSAGE = { role: "user", content: "do it all", total: 9, line: 3, model: "m", pairs: [] };
const CARD = { recorded: false, fidelity: "", reason: "", trigger: "", duration_ms: null, unreadable: "", summary: SUMMARY, findings: [] };
const ANSWERS = { "api/message/": MESSAGE, "api/added/": MESSAGE, "api/compaction/": CARD, "api/provenance/": PROVENANCE };

let app;
let serial = 0;

/** The small run at its compaction. */
async function opened(answers = ANSWERS, step = 4) {
  serve(answers);
  const id = `o${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" }, start: String(step) });
  await settled();
  return app;
}

const show = (selector) => app.root.querySelector(selector);
const sentences = () => [...app.root.querySelectorAll(".fl-s")];
const asked = () => requests.filter(([, path]) => path.startsWith("api/provenance")).length;

afterEach(() => app?.destroy());

test("the sentences of a card are underlined by what they come from, and the line counts them", async () => {
  await opened();
  assert.deepEqual(
    sentences().map((node) => [node.dataset.verdict, node.textContent]),
    [
      ["supported", "Task: read a.py."],
      ["partly", "It has two functions."],
      ["no_source", "Nothing is known of b.py."],
    ],
  );
  assert.equal(sentences()[1].getAttribute("aria-description"), "Sentence 2 of 3, partly found in the messages, 2 places.");
  assert.deepEqual(texts(app.root, ".fl-tally > *"), ["3 sentences:", "1 not found in the messages", "1 found in the messages", "1 partly"]);
  assert.deepEqual(
    sentences().map((node) => node.tabIndex),
    [0, -1, -1],
  );
  assert.equal(show('[data-tab="ledger"] .fl-count').textContent, " 2");
});

test("a chosen sentence shows its places above the window, and what is to be said of it below it", async () => {
  await opened();
  sentences()[1].click();
  assert.equal(show(".fl-sources-head span").textContent, "Sources of sentence 2: 2 places");
  assert.deepEqual(texts(app.root, ".fl-source-name"), ["message 2 · user", "message 3 · assistant"]);
  assert.deepEqual(texts(app.root, ".fl-went"), ["summarized into #1", "summarized into #1"]);
  assert.deepEqual([show(".fl-source mark").textContent, show(".fl-source .fl-lost").firstChild.textContent], ["a.py", "tests"]);
  assert.equal(show(".fl-peek").textContent, "Cut short. Both sources also say <i>. Partly from message 2 and message 3.");
  assert.equal(sentences()[1].getAttribute("aria-pressed"), "true");
  press(app.root, "Escape");
  assert.deepEqual([show(".fl-sources").hidden, show(".fl-peek"), app.step], [true, null, 4]);
  sentences()[2].click();
  assert.equal(
    show(".fl-peek").textContent,
    "No message says this in these words; it may be a paraphrase. Compared with 2 messages that it summarizes.",
  );
  assert.equal(show(".fl-sources-head span").textContent, "Sentence 3: no message says it in these words");
  show(".fl-sources-head button").click();
  assert.equal(show(".fl-sources").hidden, true);
});

test("keys walk the sentences, choose one and let go of it, and do not move the cursor", async () => {
  await opened();
  const at = () => sentences().indexOf(document.activeElement);
  sentences()[0].focus();
  press(sentences()[0], "ArrowDown");
  assert.deepEqual([at(), show(".fl-sources").hidden], [1, true]);
  press(sentences()[1], "Enter");
  assert.equal(show(".fl-sources").hidden, false);
  press(sentences()[1], "ArrowRight");
  assert.deepEqual([at(), show(".fl-sources-head span").textContent], [2, "Sentence 3: no message says it in these words"]);
  press(sentences()[2], "ArrowDown"); // the last
  press(sentences()[2], "Home");
  assert.deepEqual([at(), sentences().map((node) => node.tabIndex)], [0, [0, -1, -1]]);
  press(sentences()[0], "Escape");
  assert.deepEqual([at(), show(".fl-sources").hidden, app.step], [0, true, 4]);
  press(sentences()[0], "w", { ctrlKey: true });
  assert.equal(app.step, 4);
});

test("a click that selects text chooses nothing, and the second of a double click neither", async () => {
  await opened();
  const click = (more) => sentences()[0].dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1, ...more }));
  const down = (clientX) => sentences()[0].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, clientX, clientY: 0 }));
  down(10);
  click({ clientX: 90 });
  assert.equal(show(".fl-sources").hidden, true);
  down(10);
  click({ clientX: 11 });
  assert.equal(show(".fl-sources").hidden, false);
  click({ clientX: 11, detail: 2 });
  assert.equal(show(".fl-sources").hidden, false);
  click({ clientX: 11 });
  assert.equal(show(".fl-sources").hidden, true);
});

test("what is to be said of a sentence stands behind the space after it, so that the next line begins with a word", async () => {
  await opened();
  sentences()[0].click();
  const note = show(".fl-peek");
  assert.deepEqual([note.previousSibling.textContent, note.nextSibling.textContent], [" ", "It has two functions."]);
});

test("characters that are written out move what is underlined", async () => {
  const summary = "One\u0000\u0000 and\r\nmore. Two.";
  const found = ["One\u0000\u0000 and\r\nmore.", "Two."].map((part) => ({
    ...PROVENANCE.sentences[0],
    from: summary.indexOf(part),
    to: summary.indexOf(part) + part.length,
  }));
  await opened({ ...ANSWERS, "api/compaction/": { ...CARD, summary }, "api/provenance/": { ...PROVENANCE, sentences: found } });
  assert.deepEqual(texts(app.root, ".fl-s"), ["One\\0\\0 and\nmore.", "Two."]);
});

test("while the compaction is told again its places are out of the way", async () => {
  await opened();
  sentences()[0].click();
  app.go(3);
  press(app.root, "ArrowRight");
  assert.deepEqual([app.step, app.show.now !== null, show(".fl-sources").hidden], [4, true, true]);
  pass(2000);
  assert.deepEqual([app.show.now, show(".fl-sources").hidden], [null, false]);
});

test("what was asked of Why makes room for a place that is shown, and for the card", async () => {
  await opened();
  app.why.restore({ why: "a.py" });
  sentences()[0].click();
  assert.equal(app.why.front, true);
  show(".fl-source-name").click();
  await settled();
  assert.equal(app.why.front, false);
  app.why.bring(true);
  show(".fl-lived button").click();
  assert.equal(app.why.front, false);
});

test("a count of the line leads to the next sentence of its kind", async () => {
  await opened();
  show('.fl-tallied[data-verdict="no_source"]').click();
  assert.equal(show(".fl-s[data-chosen]").textContent, "Nothing is known of b.py.");
  assert.ok(document.activeElement === sentences()[2]);
});

test("rows that are places of the chosen sentence say so", async () => {
  await opened();
  press(app.root, "2"); // what goes is still there
  sentences()[0].click();
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-window .fl-row")].filter((row) => row.classList.contains("fl-sourced")).map((row) => row.dataset.key),
    ["m1"],
  );
  assert.equal(show(".fl-row.fl-sourced .fl-source-word").textContent, "source");
});

test("the places are gone while the cursor is elsewhere, and there again at the compaction", async () => {
  await opened();
  sentences()[0].click();
  app.go(2);
  assert.equal(show(".fl-sources").hidden, true);
  app.go(4);
  assert.equal(show(".fl-sources").hidden, false);
  show(".fl-source .fl-link").click();
  assert.equal(app.step, 1);
});

test("a place is shown whole where its name is pressed; from there a sentence leads back to the card", async () => {
  await opened();
  show('[data-tab="kept"]').click();
  app.select("m1");
  await settled();
  assert.equal(show(".fl-lived").textContent, "2 sentences of summary #1 come from this message: 1, 2");
  show('.fl-lived [aria-label="sentence 2 of summary #1"]').click();
  await settled();
  assert.deepEqual([app.step, show(".fl-tabpanel").dataset.tab, show(".fl-s[data-chosen]").dataset.n], [4, "summary", "1"]);
  assert.ok(document.activeElement === sentences()[1]);
  show(".fl-source-name").click();
  await settled();
  assert.deepEqual([app.selected, show(".fl-sources").hidden], ["m1", false]);
});

test("a message of an earlier summary says what of it came into the newest, too", async () => {
  serve(ANSWERS);
  const id = `o${++serial}`;
  const c = {
    ...FOLDED.c,
    at: [4, 1],
    before: [100, 107],
    after: [57, 57],
    folded: [2, 2],
    number: [1, 2],
    layout: [FOLDED.c.layout[0], [0, 1, ADDED + 1, ADDED + 2, 4, 5]],
  };
  for (const name of ["summaryTokens", "removedTokens", "status", "recordedBefore", "recordedAfter", "micro", "added"])
    c[name] = [c[name][0], c[name][0]];
  app = new App(document.body);
  const twice = { tid: id, stamp: id, length: 8, heads: [1, 1, 1], bodies: [1, 1, 1], tails: [0, 1, 0, 1, -1, 1, 1, 0], c };
  app.setRun(run(twice, { sid: id, session: id }), { query: { source: "sample" }, start: "6" });
  app.select("m1");
  await settled();
  assert.deepEqual(texts(app.root, ".fl-lived"), [
    "2 sentences of summary #1 come from this message: 1, 2",
    "2 sentences of summary #2 come from this message: 1, 2",
  ]);
});

test("of a removed message that left nothing in the summary, that is said", async () => {
  const nothing = PROVENANCE.sentences.map((one) => ({ ...one, sources: [] }));
  await opened({ ...ANSWERS, "api/provenance/": { ...PROVENANCE, sentences: nothing } }, 5);
  app.select("m1");
  assert.equal(show(".fl-lived").textContent, "\u00a0"); // its place is kept
  await settled();
  assert.equal(show(".fl-lived").textContent, "No sentence of summary #1 comes from this message.");
  app.select("m3"); // in the window
  await settled();
  assert.equal(show(".fl-lived").hidden, true);
});

test("what is drawn of a long summary in later frames is underlined when it is there", async () => {
  const summary = Array.from({ length: 900 }, (_, k) => `- line ${k}.\n`).join("");
  const sentences_ = [..."0 899".matchAll(/\d+/g)].map(([k]) => {
    const from = summary.indexOf(`line ${k}.`);
    return { from, to: from + `line ${k}.`.length, verdict: "supported", note: "", sources: [SOURCE] };
  });
  await opened({ ...ANSWERS, "api/compaction/": { ...CARD, summary }, "api/provenance/": { ...PROVENANCE, sentences: sentences_ } });
  for (let k = 0; k < 10 && show(".fl-md[aria-busy]"); k += 1) {
    pass(100);
    await settled();
  }
  assert.deepEqual(texts(app.root, ".fl-s"), ["line 0.", "line 899."]);
  assert.equal(sentences()[1].getAttribute("aria-pressed"), "false");
});

test("while the run plays nothing is asked", async () => {
  await opened(ANSWERS, 2);
  app.play();
  pass(1050);
  assert.equal(app.step, 4);
  await settled();
  assert.equal(asked(), 0);
  app.pause();
  app.show.end();
  await settled();
  assert.deepEqual([asked(), sentences().length], [1, 3]);
});

test("without an answer the summary stands as it is, and says that it failed", async () => {
  const { "api/provenance/": _, ...rest } = ANSWERS;
  await opened(rest);
  assert.equal(sentences().length, 0);
  assert.match(show(".fl-tally").textContent, /Not here\. Look elsewhere\.Try again/);
  assert.match(show(".fl-summary-text").textContent, /It has two functions/);
});

test("the switch between Markdown and the text as it is written keeps the underlines", async () => {
  await opened();
  sentences()[1].click();
  show(".fl-markdown").click();
  assert.deepEqual(texts(app.root, ".fl-s"), ["Task: read a.py.", "It has **two** functions.", "Nothing is known of b.py."]);
  assert.equal(show(".fl-s[data-chosen]").textContent, "It has **two** functions.");
  show(".fl-markdown").click();
  assert.equal(sentences()[1].textContent, "It has two functions.");
});

test("the ledger lists by kind, filters, and leads to steps and messages", async () => {
  await opened();
  const why = [];
  app.why.ask = (text) => why.push(text);
  show('[data-tab="ledger"]').click();
  await settled();
  assert.deepEqual(texts(app.root, ".fl-ledger .fl-ledger-kind"), ["Constraints", "Files"]);
  assert.deepEqual(texts(app.root, ".fl-ledger-kinds .fl-kind"), ["All 2", "Verbatim 1", "Reworded 0", "Gone 1", "Needed without it 1"]);
  assert.deepEqual(texts(app.root, ".fl-ledger-head > div"), ["what", "said at", "in summary #1", "needed"]);
  const list = show(".fl-ledger");
  const pointed = () => show(`#${list.getAttribute("aria-activedescendant")}`);
  assert.equal(
    pointed().getAttribute("aria-label"),
    "no <b>new</b> dependency, said at message 2, gone in summary #1, needed at message 5 without it",
  );
  press(list, "w");
  press(list, "ArrowDown");
  assert.equal(pointed().getAttribute("aria-label"), "a.py, said at message 2, verbatim in summary #1");
  press(list, "ArrowDown");
  press(list, "w");
  assert.deepEqual([why, app.step], [["no <b>new</b> dependency", "a.py"], 4]);
  show('[data-filter="gone"]').click();
  assert.deepEqual(texts(app.root, ".fl-ledger-state"), ["gone"]);
  show(".fl-missed").click();
  assert.equal(app.step, 5);
});

test("Enter on an entry of the ledger shows the message it was said in", async () => {
  await opened();
  show('[data-tab="ledger"]').click();
  await settled();
  press(show(".fl-ledger"), "Enter");
  assert.equal(app.selected, "m1");
});

test("a long ledger makes nodes for what is in view alone, and its heading stays in sight", async () => {
  const ledger = Array.from({ length: 5_000 }, (_, k) => ({ ...ENTRY, text: `file-${k}.py` }));
  await opened({ ...ANSWERS, "api/provenance/": { ...PROVENANCE, ledger } });
  show('[data-tab="ledger"]').click();
  await settled();
  assert.equal(show('[data-tab="ledger"] .fl-count').textContent, " 5,000");
  assert.ok(app.root.querySelectorAll(".fl-ledger .fl-long-row").length < 60);
  assert.equal(show(".fl-ledger-sticky").hidden, true); // the heading itself is there
  const list = show(".fl-ledger .fl-long");
  list.scrollTop = 2400;
  list.dispatchEvent(new Event("scroll"));
  assert.deepEqual([show(".fl-ledger-sticky").hidden, show(".fl-ledger-sticky").textContent], [false, "Files"]);
});

test("of many places the first are named below the sentence", async () => {
  const [first, ...rest] = PROVENANCE.sentences;
  const sources = [0, 1, 2, 3, 4, 5].map((at) => ({ ...SOURCE, at, step: at }));
  await opened({ ...ANSWERS, "api/provenance/": { ...PROVENANCE, sentences: [{ ...first, sources }, ...rest] } });
  sentences()[0].click();
  assert.equal(show(".fl-peek").textContent, "From message 1, message 2, message 3, message 4 and 2 more.");
  assert.equal(app.root.querySelectorAll(".fl-source").length, 6);
});

test("the summary of an earlier compaction is a place with the messages it was made of below it", async () => {
  const through = { ...SOURCE, via: [ADDED] };
  const sources = [{ ...SOURCE, at: ADDED, step: 4 }, through];
  const [first, ...rest] = PROVENANCE.sentences;
  await opened({ ...ANSWERS, "api/provenance/": { ...PROVENANCE, sentences: [{ ...first, sources }, ...rest] } });
  sentences()[0].click();
  assert.deepEqual(texts(app.root, ".fl-source-name"), ["summary #1", "message 2 · user"]);
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-source")].map((node) => node.dataset.depth),
    [undefined, "1"],
  );
  assert.equal(FOLDED.c.added[0].length, 1);
});
