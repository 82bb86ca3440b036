// The keys and the words, on "?".

import { button, el } from "./dom.js";
import { LIVE_KEYS } from "./livekeys.js";
import { letter } from "./row.js";

/** @type {[string[], string][]} */
const KEYS = [
  [["←", "→"], "one step back, forward"],
  [["Shift", "←", "→"], "one turn back, forward"],
  [["n", "p"], "next, previous compaction"],
  [["r", "R"], "next, previous compaction of the run as recorded, beside the policy's own"],
  [["t"], "follow a file that is still being written: the cursor stays at its newest message"],
  [["x", "X"], "next, previous pass that failed (× on the timeline; of several in a row the first)"],
  [["g", "G"], "first, last step"],
  [["Space"], "play, pause"],
  [["↑", "↓"], "message above, below, in the window"],
  [["1", "2", "3", "4"], "phases of a compaction: trigger, partition, summarise (or clear, drop), splice"],
  [["/"], "find in all messages"],
  [["Enter", "Shift Enter"], "next, previous hit"],
  [["f"], "findings: what deserves attention, and the way there"],
  [["?"], "this page"],
  [["Esc"], "close, or let go of the chosen message"],
];

/** @type {[string, string, string][]} */
const WORDS = [
  ["system", "system", "Pinned: never folded. P: pinned for what it is, as what a policy that clears cannot empty."],
  ["summary", "summary", "What an earlier compaction wrote in place of the messages it took."],
  ["compactable", "compactable", "What the next compaction may take."],
  ["recent", "recent", "Pinned: the newest messages, kept word for word."],
  ["cleared", "cleared", "Still in the window, its body emptied or shortened; the text struck out is what it was."],
  ["message", "message", "In the window of a run as recorded: no policy says what goes next."],
  ["ghost", "ghost", "Has left the window: summarised, or dropped."],
];

/** @type {[string, string][]} */
const MORE = [
  ["Window", "what a model call would be sent at this step."],
  ["Step", "one position of the cursor: a message arrived, or a compaction happened."],
  ["Compaction", "one event that rewrote the window; recorded, or simulated by the policy chosen."],
  ["~", "an estimate: the meter is not the model's own. Where totals carry it, their parts and the rows are estimates too."],
];

/**
 * The part: a dialog while `app.open.help`.
 * @param {HTMLElement} root
 * @param {any} app
 */
export function part(root, app) {
  const dialog = /** @type {HTMLDialogElement} */ (
    el("dialog", { class: "fl-help", "aria-labelledby": "fl-help-title" })
  );
  const shut = () => app.open?.help && app.toggle("help");
  dialog.append(...content(() => dialog.close(), app.drive ? [...KEYS.map(ofLive), ...LIVE_KEYS] : KEYS));
  dialog.addEventListener("close", shut);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("keydown", (event) => key(event, dialog));
  root.append(dialog);
  return { update: () => show(dialog, Boolean(app.open?.help)) };
}

/** @param {HTMLDialogElement} dialog @param {boolean} open */
function show(dialog, open) {
  if (open && !dialog.open) dialog.showModal();
  if (!open && dialog.open) dialog.close();
}

/**
 * The debugger's own keys stay quiet while the dialog is open.
 * @param {KeyboardEvent} event
 * @param {HTMLDialogElement} dialog
 */
function key(event, dialog) {
  event.stopPropagation();
  if (event.key === "?") dialog.close();
}

/** A key's words where a run is driven rather than a file read. @param {[string[], string]} row @returns {[string[], string]} */
const ofLive = ([names, text]) => [names, names[0] === "t" ? "follow the run: the cursor stays at its newest step" : text];

/** @param {() => void} close @param {[string[], string][]} all */
function content(close, all) {
  const head = el(
    "div",
    { class: "fl-help-head" },
    el("h2", { id: "fl-help-title", text: "Keys and words" }),
    button("×", close, { class: "fl-icon", "aria-label": "Close", autofocus: true }),
  );
  return [
    el("div", { class: "fl-help-box" }, head, el("div", { class: "fl-help-columns" }, keys(all), words())),
  ];
}

/** @param {[string[], string][]} all */
function keys(all) {
  const rows = all.map(([names, text]) => [
    el("dt", {}, ...names.flatMap((name) => [el("kbd", { text: name }), " "])),
    el("dd", { text }),
  ]);
  return el("section", {}, el("h3", { text: "Keys" }), el("dl", { class: "fl-keys" }, ...rows.flat()));
}

function words() {
  const badge = (/** @type {string} */ region) =>
    el("span", { class: `fl-badge fl-is-${region}`, text: letter(region) });
  const rows = WORDS.map(([region, name, text]) => [
    el("dt", {}, badge(region), ` ${name}`),
    el("dd", { text }),
  ]);
  const more = MORE.map(([name, text]) => [el("dt", { text: name }), el("dd", { text })]);
  return el(
    "section",
    {},
    el("h3", { text: "Words" }),
    el("dl", { class: "fl-words" }, ...rows.flat(), ...more.flat()),
  );
}
