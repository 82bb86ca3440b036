// The sidebar on a page: parameters of every kind, choosing a policy, a session, a file.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { change, press, texts, type } from "./dom.mjs";
import { Sessions } from "../../viewer/frontend/library/sessions.js";
import { Chooser } from "../../viewer/frontend/settings/chooser.js";
import { Panel } from "../../viewer/frontend/settings/panel.js";
import { coded, el } from "../../viewer/frontend/lib/dom.js";
import { recordedEntry } from "../../viewer/frontend/settings/picking.js";

const NUMBER = { name: "budget", unit: "tokens", min: 0, max: 1000, step: 10, value: 400, default: 400, about: "The ceiling." };
let made;
let said;

afterEach(() => made?.destroy());

/** A panel of these parameters; what it sends is in `said`. */
function panel(...params) {
  said = [];
  made = new Panel(document.body, ({ values }) => said.push(values));
  made.update({ policy: "p", params });
  return (selector) => made.root.querySelector(selector);
}

test("a number is set by its slider, its box and its arrow keys; what it cannot be is said", () => {
  const show = panel(NUMBER);
  type(show("[type=range]"), "250");
  type(show(".fl-exact"), "1,234");
  press(show(".fl-exact"), "ArrowUp");
  assert.deepEqual(said, [{ budget: 250 }, { budget: 1234 }, { budget: 1235 }]);
  type(show(".fl-exact"), "many");
  assert.equal(show(".fl-fault").textContent, "A whole number, 0 or more");
  assert.equal(show(".fl-exact").getAttribute("aria-invalid"), "true");
  show(".fl-exact").dispatchEvent(new Event("blur"));
  assert.deepEqual([show(".fl-exact").value, show(".fl-fault").hidden, said.length], ["1,235", true, 3]);
});

test("a slider over decades has notches that are round numbers", () => {
  const show = panel({ ...NUMBER, min: 10, max: 100_000, scale: "log", value: 1000 });
  assert.equal(show("[type=range]").value, "200");
  type(show("[type=range]"), "300");
  assert.deepEqual(said, [{ budget: 10_000 }]);
});

test("a number that may be unset is switched on and off", () => {
  const show = panel({ ...NUMBER, value: null, default: null, optional: true, start: 300 });
  assert.equal(show(".fl-exact").value, "not set");
  change(show(".fl-toggle"), true);
  change(show(".fl-toggle"), false);
  assert.deepEqual(said, [{ budget: 300 }, { budget: null }]);
});

test("a number that the model settles says whose it is, and goes back to it", () => {
  const show = panel({ ...NUMBER, session: "window", own: 200, whose: "m-1", because: "so that it fills", value: 100, suggested: 100 });
  assert.match(show(".fl-note").textContent, /^Suggested so that it fills\. The window of m-1 is 200\. Use 200$/);
  show(".fl-note button").click();
  assert.deepEqual(said, [{ budget: null }]);
  assert.match(show(".fl-note").textContent, /^This is the window of m-1\./);
});

test("switches, choices, texts and names", () => {
  const show = panel(
    { name: "inputs", kind: "switch", value: false, default: false, about: "" },
    { name: "role", kind: "choice", choices: ["user", "system"], value: "user", default: "user", about: "" },
    { name: "strategy", kind: "choice", choices: ["one", "two", "three", "four"], value: "one", default: "one", about: "" },
    { name: "prompt", kind: "text", value: null, default: null, about: "" },
    { name: "tools", kind: "names", value: [], default: [], known: ["bash"], about: "" },
  );
  const last = () => said.at(-1);
  change(show("[data-param=inputs] .fl-toggle"), true);
  assert.equal(last().inputs, true);
  change(show("[data-param=role] [value=system]"), true);
  assert.equal(last().role, "system");
  change(show("[data-param=strategy] select"), "three");
  assert.equal(last().strategy, "three");
  type(show("[data-param=prompt] textarea"), "Be brief.");
  assert.equal(last().prompt, "Be brief.");
  type(show("[data-param=prompt] textarea"), "");
  assert.equal(last().prompt, null);
  type(show("[data-param=tools] input"), "grep, grep, ls");
  assert.deepEqual(last().tools, ["grep", "ls"]);
  show("[data-name=bash]").click();
  assert.deepEqual(last().tools, ["grep", "ls", "bash"]);
  assert.equal(show("[data-name=bash]").getAttribute("aria-pressed"), "true");
});

test("a size has a unit; thresholds are met together, or there are none", () => {
  const units = [
    { unit: "tokens", min: 0, max: 500, step: 1, start: 50 },
    { unit: "messages", min: 0, max: 50, step: 1, start: 8 },
  ];
  const show = panel(
    { name: "keep", kind: "size", value: { tokens: 40 }, default: { tokens: 40 }, units, about: "" },
    { name: "trigger", kind: "thresholds", value: [{ tokens: 60 }, { messages: 9 }], default: null, units, about: "" },
  );
  change(show("[data-param=keep] select"), "messages");
  assert.deepEqual(said.at(-1).keep, { messages: 8 });
  type(show("[data-param=keep] .fl-exact"), "12");
  assert.deepEqual(said.at(-1).keep, { messages: 12 });
  const note = () => texts(show("[data-param=trigger]"), ".fl-note")[0];
  assert.equal(note(), "Any of: tokens 60; or messages 9. Changing a value here replaces them.");
  change(show("[data-unit=messages] .fl-toggle"), true);
  assert.deepEqual(said.at(-1).trigger, [{ messages: 8 }]);
  change(show("[data-unit=messages] .fl-toggle"), false);
  assert.equal(said.at(-1).trigger, null);
  assert.equal(note(), "manual trigger only");
});

test("a value that Back has undone is shown at once, also by the slider that has the focus", () => {
  const show = panel(NUMBER);
  const field = show("[data-param=budget] .fl-exact");
  type(field, "500");
  for (const node of [made.root, show("[data-param=budget]")]) node.matches = (selector) => selector.includes(":focus-within");
  made.update({ policy: "p", params: [NUMBER] });
  assert.equal(field.value, "500");
  made.update({ policy: "p", params: [NUMBER], returns: 1 });
  assert.equal(show("[data-param=budget] .fl-exact").value, "400");
});

test("all parameters go back to their defaults, or to what suits the session", () => {
  const show = panel({ ...NUMBER, value: 100, suggested: 700 });
  const [reset, suggest] = ["Reset to defaults", "Use suggested values"].map((name) =>
    [...made.root.querySelectorAll("button")].find((node) => node.textContent === name),
  );
  suggest.click();
  reset.click();
  assert.deepEqual(said, [{ budget: 700 }, { budget: 400 }]);
  assert.equal(reset.disabled, true);
  made.update({ policy: "p", params: [{ ...NUMBER, value: 650, suggested: 700 }] });
  assert.equal(show(".fl-exact").value, "650");
});

test("what is suggested, and why, is said before it is applied, and stays where it is", () => {
  said = [];
  made = new Panel(document.body, ({ values }) => said.push(values));
  const budget = { ...NUMBER, value: 100, suggested: 700 };
  const grounds = "About 6 compactions. The defaults make 40 or more.";
  made.update({ policy: "p", params: [budget, { ...NUMBER, name: "keep", suggested: 400 }], grounds });
  const why = made.root.querySelector("#fl-suggested");
  assert.equal(why.textContent, "Suggested: budget 700. About 6 compactions. The defaults make 40 or more.");
  const note = () => texts(made.root, "[data-param=budget] .fl-note")[0];
  assert.equal(note(), "default 400");
  made.suggest.click();
  assert.deepEqual([said, note(), made.suggest.disabled], [[{ budget: 700, keep: 400 }], "suggested for this session; default 400", true]);
  assert.equal(why.textContent, "Suggested: budget 700. About 6 compactions. The defaults make 40 or more.");
  made.update({ policy: "q", params: [NUMBER], grounds: "" });
  assert.equal(why.textContent, "");
});

const ENTRY = {
  ...recordedEntry("pi.compaction"),
  title: "pi",
  about: "summarizes what is old",
  fidelity: "exact",
  rule: "Acts over the limit.",
  faults: ["cuts pairs"],
  not_modelled: ["hooks", "tries"],
  source: { url: "example.org/pi", version: "1", licence: "MIT", checked: "2026" },
  parameters: [["budget", "100"]],
  picture: { before: "pgs", after: [0, ["summary", "user", 5], 2], caption: "One goes." },
};
const CATALOGUE = {
  fidelity: { exact: "held to vectors" },
  demo: [
    ["system", 10],
    ["user", 40],
    ["assistant", 20],
  ],
  families: [{ name: "pi", policies: [ENTRY] }],
};

test("what if: other policies are one click from a recorded run, and it from them; the badge says what it means", () => {
  said = [];
  made = new Chooser(
    document.body,
    (name) => said.push(name),
    () => CATALOGUE,
  );
  const offered = { what_if: [{ name: "pi", label: "As pi does it" }], recorded: "recorded", compacted: true, about: "" };
  const show = (selector) => made.root.querySelector(selector);
  made.update({ name: "recorded", fidelity: "", ...offered });
  assert.deepEqual(texts(made.root, ".fl-whatif button"), ["← Recorded", "As pi does itpi"]);
  const own = show('[data-name="pi"]');
  own.click();
  made.update({ name: "pi", fidelity: "exact", fidelity_words: "held to vectors", not_modelled: ["hooks"], ...offered });
  assert.equal(show('[data-name="pi"]'), own, "what has the focus stays");
  assert.deepEqual([own.getAttribute("aria-pressed"), show(".fl-whatif").classList.contains("fl-away")], ["true", true]);
  made.update({ name: "pi", fidelity: "exact", ...offered, note: "Recorded 3, simulated 3." });
  assert.deepEqual([own.nextElementSibling.textContent, own.nextElementSibling.hidden], ["Recorded 3, simulated 3.", false]);
  made.update({ name: "pi", fidelity: "exact", fidelity_words: "held to vectors", not_modelled: ["hooks"], ...offered });
  assert.equal(show(".fl-whatif-note").hidden, true);
  show(".fl-whatif-back").click();
  assert.deepEqual(said, ["pi", "recorded"]);
  assert.equal(show(".fl-tooltip").textContent, "Held to vectors. Not modelled: hooks");
  assert.equal(made.card.getAttribute("aria-describedby"), show(".fl-tooltip").id);
  made.update({ name: "pi", fidelity: "", recorded: "recorded", about: "" });
  assert.equal(show(".fl-whatif").hidden, true);
});

test("a number stays on the line of its %", () => {
  assert.equal(el("p", {}, ...coded("off by ±2.0 % of 7 requests")).textContent, "off by ±2.0\u00a0% of 7 requests");
});

test("names of code stand as code in a sentence, and nothing else does", () => {
  const read = (text) => el("p", {}, ...coded(text));
  const names = (text) => texts(read(text), "code");
  const rule = "Above max_tokens (half of it), all but keepRecent go; WebSearch, a_ and 3_000 stay.";
  assert.deepEqual([names(rule), read(rule).textContent], [["max_tokens", "keepRecent"], rule]);
  assert.deepEqual([names("its own count (`total`)"), read("its own count (`total`)").textContent], [["total"], "its own count (total)"]);
  assert.deepEqual([names("`<b>x</b>`"), read("`<b>x</b>`").textContent], [["<b>x</b>"], "<b>x</b>"]);
  assert.deepEqual(names(""), []);
});

test("what if: of a session without a recorded compaction it says that there was none", () => {
  said = [];
  made = new Chooser(
    document.body,
    (name) => said.push(name),
    () => null,
  );
  const offered = { what_if: [{ name: "pi", label: "As pi does it" }], recorded: "recorded", compacted: false, about: "", fidelity: "" };
  made.update({ name: "pi", ...offered });
  const group = made.root.querySelector(".fl-whatif");
  assert.deepEqual(texts(group, "p"), ["What if it had compacted?"]);
  assert.equal(group.getAttribute("aria-label"), "What if a policy had compacted?");
  assert.deepEqual(texts(group, ".fl-whatif-back"), ["← As recorded: no compaction"]);
  group.querySelector(".fl-whatif-back").click();
  assert.deepEqual(said, ["recorded"]);
});

test("a policy is chosen from the dialog: searched for, looked at, taken", () => {
  said = [];
  let catalogue = null;
  made = new Chooser(
    document.body,
    (name) => said.push(name),
    () => catalogue,
  );
  made.update({ name: "recorded", fidelity: "", about: "", recorded: "recorded" });
  assert.match(made.card.textContent, /^As recorded/);
  made.card.click();
  assert.equal(made.list.textContent, "Loading…");
  catalogue = CATALOGUE;
  made.refresh();
  assert.equal(made.how.textContent, "1 policy");
  press(made.field, "ArrowDown");
  assert.match(made.about.textContent, /Acts over the limit\..*cuts pairs.*licenseMIT/s);
  assert.match(made.about.textContent, /exact, except ….*cuts pairs.*Exact, excepthookstries/s);
  assert.equal(made.list.querySelector(".fl-fidelity").title, "Not modelled: hooks; tries");
  assert.deepEqual(texts(made.about, ".fl-mini-name"), ["before: 3 messages, 70 tokens", "after: 3 messages, 35 tokens"]);
  type(made.field, "nothing like it");
  assert.equal(made.about.textContent, "No matching policies");
  type(made.field, "OLD summ");
  press(made.field, "Enter");
  assert.deepEqual([said, made.dialog.open], [["pi.compaction"], false]);
});

test("a session of a file of many is chosen by title, number or key", () => {
  said = [];
  made = new Sessions(document.body, (address) => said.push(address));
  const rows = Array.from({ length: 40 }, (_, k) => [k, `task ${k}`, 5, 100, k % 2, String(k), ""]);
  made.update({ file: "f", rows, address: "0", ask: true });
  assert.equal(made.dialog.open, true);
  type(made.field, "task 17");
  assert.equal(made.how.textContent, "1 session");
  press(made.field, "Enter");
  assert.deepEqual(said, ["17"]);
  made.update({ file: "f", rows, address: "17", ask: false });
  made.open();
  press(made.field, "PageDown");
  press(made.field, "ArrowUp");
  assert.equal(made.list.at, 26);
  made.list.node.querySelector('[data-k="20"]').click();
  assert.deepEqual(said, ["17", "20"]);
  made.open();
  type(made.field, "no such");
  assert.equal(made.none.hidden, false);
});

test("titles of sessions stand in the direction of their own script", () => {
  made = new Sessions(document.body, () => {});
  const rows = [
    [0, "תקן את הבדיקה (a.py).", 3, 30, 0, "0", ""],
    [null, "./b.json", 0, 0, 0, "./b.json", "left out: it is empty"],
  ];
  made.update({ file: "f", rows, address: "0", ask: true });
  const dirs = (selector) => [...made.root.querySelectorAll(selector)].map((node) => node.dir);
  assert.deepEqual(dirs(".fl-chosen-line"), ["auto"]);
  assert.deepEqual(dirs(".fl-long-row .fl-session > span:nth-child(2)"), ["auto", "auto"]);
  assert.deepEqual(dirs(".fl-session-about"), ["auto"]);
});

test("a file of a folder that was not read is listed with its path and size, and chosen by its path", () => {
  said = [];
  made = new Sessions(document.body, (address) => said.push(address));
  const rows = [
    [null, "Plums", 5, 100, 1, "./a.json", ""],
    [null, "b/c.json", 0, 0, 0, "./b/c.json", "54.0 MB, not read yet"],
    [null, "d.json", 0, 0, 0, "./d.json", "left out: line 1: the JSON ends early"],
  ];
  made.update({ file: "f", rows, address: "./a.json", ask: false });
  assert.deepEqual(texts(made.card, "span"), ["Session", "3 in all", "Plums", "All sessions…"]);
  made.open();
  assert.deepEqual(texts(made.list.node, ".fl-session"), [
    "Plums51001",
    "b/c.json54.0 MB, not read yet",
    "d.jsonleft out: line 1: the JSON ends early",
  ]);
  assert.deepEqual(texts(made.list.node, ".fl-session[data-now]"), ["Plums51001"]);
  press(made.field, "ArrowDown");
  press(made.field, "Enter");
  assert.deepEqual(said, ["./b/c.json"]);
});

test("files that were not read are no sessions: they are counted by themselves", () => {
  made = new Sessions(document.body, () => {});
  const unread = (name) => [null, name, 0, 0, 0, `./${name}`, "54.0 MB, not read yet"];
  const rows = [[null, "Plums", 5, 100, 1, "./a.json", ""], unread("b.json"), unread("c.json")];
  made.update({ file: "f", rows, address: "./a.json", ask: true });
  const said = (text) => (type(made.field, text), made.how.textContent);
  assert.deepEqual(
    [said(""), said("plums"), said("b.json"), said("quinces")],
    ["1 session, 2 files not read", "1 session", "1 file not read", "0 sessions"],
  );
});
