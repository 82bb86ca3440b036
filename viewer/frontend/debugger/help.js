// The shortcuts and the glossary, on "?".

import { button, coded, el } from "../lib/dom.js";
import { letter } from "./row.js";
import { REGIONS, WORDS } from "../lib/glossary.js";
/** @import { App } from "./app.js" */

/** @type {[string[], string][]} */
const KEYS = [
  [["←", "→"], "previous, next message or compaction"],
  [["Shift", "←", "→"], "previous, next turn"],
  [["n", "p"], "next, previous compaction, or manual edit (▪ on the timeline)"],
  [["r", "R"], "next, previous recorded compaction, compared with the policy"],
  [["t"], "follow a file that is still being written: the cursor stays at its newest message"],
  [["x", "X"], "next, previous failed compaction attempt (× on the timeline; the first of several in a row)"],
  [["g", "G"], "first, last step"],
  [["Space"], "play, pause"],
  [["↑", "↓"], "message above, below, in the window"],
  [["1", "2", "3", "4"], "phases of a compaction: trigger, partition, summarize (or clear, drop), splice; ← and → go on from there, Esc leaves"],
  [["/"], "find in all messages"],
  [["Enter", "Shift Enter"], "next, previous match; Esc returns to where you began, Ctrl Enter stays"],
  [
    ["w"],
    "why: where the selected text went (Alt w in find); without a selection, in the overview the rule that it tells of, else what was asked last, or the message on show",
  ],
  [["[", "]"], "previous, next lane of a followed text; on a lane Enter goes to its next event, Delete removes it"],
  [["Tab", "↑", "↓"], "in a summary: the sentence to look at; Enter shows what it comes from, Esc lets go of it"],
  [["i"], "into the inspector at the right: a compaction's tabs, what Why says, or a message; again: back"],
  [["o"], "overview: what happened in this session"],
  [["f"], "findings"],
  [["v"], "compare (versus): this run beside the settings before it, or the recorded one"],
  [["F"], "fork from here: a new live run begins with its window"],
  [["S"], "share: this run as one file, after a review of what looks secret"],
  [["Shift", "P"], "present: large type for a room, keys alone; Esc returns"],
  [["?"], "this list"],
  [["Esc"], "close what was opened last, or deselect the message"],
];

/** The part: a dialog while `app.open.help`. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const dialog = el("dialog", { class: "fl-help", "aria-labelledby": "fl-help-title" });
  const shut = () => app.open?.help && app.toggle("help");
  dialog.addEventListener("close", shut);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("keydown", (event) => key(event, dialog));
  root.append(dialog);
  return { update: () => show(dialog, app) };
}

/** Keys that do nothing of their own in a lesson: they need other pages, or a file that grows, or lead from step to step there. */
const LEAVE = "←FSPvotr";

/** The debugger's keys that do something here. @param {App} app @returns {[string[], string][]} */
function keysOf({ extension, alone, hosted }) {
  if (hosted) return KEYS.filter(([names]) => !LEAVE.includes(names[0]) && names.at(-1) !== "P").map(ofLesson);
  if (alone) return KEYS.filter(([[name]]) => !"vFtS".includes(name));
  return extension ? [...KEYS.filter(([names]) => !["o", "v", "P"].includes(names.at(-1) ?? "")).map(ofLive), ...extension.keys] : KEYS;
}

/** @param {HTMLDialogElement} dialog @param {App} app */
function show(dialog, app) {
  const open = Boolean(app.open?.help);
  if (!open && dialog.open) dialog.close();
  if (!open || dialog.open) return;
  dialog.replaceChildren(content(() => dialog.close(), app));
  dialog.showModal();
}

/** The debugger's own keys stay quiet while the dialog is open. @param {KeyboardEvent} event @param {HTMLDialogElement} dialog */
function key(event, dialog) {
  event.stopPropagation();
  if (event.key === "?") dialog.close();
}

/** A key's words where a run is driven rather than a file read. @param {[string[], string]} row @returns {[string[], string]} */
const ofLive = ([names, text]) => [names, names[0] === "t" ? "follow the run: the cursor stays at its newest message" : text];

/** In a lesson no arrow leads from phase to phase. @param {[string[], string]} row @returns {[string[], string]} */
const ofLesson = ([names, text]) => [names, names[0] === "1" ? text.replace("; ← and → go on from there, Esc leaves", "; Esc leaves") : text];

/** The keys here, and the glossary; in front of a room the keys alone. @param {() => void} close @param {App} app */
function content(close, app) {
  const { keys: here, alone } = app.keysHere?.() ?? { keys: [], alone: false };
  const parts = alone ? [keysList(here)] : [el("section", {}, el("h3", { text: "Shortcuts" }), keysList([...here, ...keysOf(app)])), words()];
  const head = el(
    "div",
    { class: "fl-help-head" },
    el("h2", { id: "fl-help-title", text: alone ? "Shortcuts" : "Shortcuts and glossary" }),
    button("×", close, { class: "fl-icon", "aria-label": "Close", autofocus: true }),
  );
  return el("div", { class: "fl-help-box" }, head, el("div", { class: "fl-help-columns" }, ...parts));
}

/** @param {[string[], string][]} all */
function keysList(all) {
  const rows = all.map(([names, text]) => [el("dt", {}, ...names.flatMap((name) => [el("kbd", { text: name }), " "])), el("dd", { text })]);
  return el("dl", { class: "fl-keys" }, ...rows.flat());
}

function words() {
  const badge = (/** @type {string} */ region) => el("span", { class: `fl-badge fl-is-${region}`, text: letter(region) });
  const rows = REGIONS.map(([region, name, text]) => [el("dt", {}, badge(region), ` ${name}`), el("dd", { text })]);
  const more = WORDS.map(([name, text]) => [el("dt", { text: name }), el("dd", {}, ...coded(text))]);
  return el("section", {}, el("h3", { text: "Glossary" }), el("dl", { class: "fl-words" }, ...rows.flat(), ...more.flat()));
}
