// The shortcuts of the Compare page, and what its figures mean.

import { button, coded, el } from "../lib/dom.js";
import { CAVEAT } from "./words.js";
/** @import { Compare } from "./app.js" */

/** @type {[string[], string][]} */
const KEYS = [
  [["←", "→"], "previous, next message"],
  [["d", "D"], "next, previous difference: a compaction after which the windows differ"],
  [["n", "p"], "next, previous compaction in any lane"],
  [["g", "G"], "first, last message"],
  [["Space"], "play, pause"],
  [["1", "2", "3", "4"], "choose lane A to D"],
  [["x"], "make the chosen lane the baseline"],
  [["↑", "↓"], "in the list of messages, previous, next row; the message that is read follows"],
  [["Enter"], "read the message of the row: its whole text, and where it stands in each lane"],
  [["b"], "summaries of the lanes side by side"],
  [["v"], "open the chosen lane in Debug, at the message that is read or at this one"],
  [["w"], "follow the selected text in each lane"],
  [["S"], "share: these lanes as one file, after a review of what looks secret"],
  [["Esc"], "close the message; then compare all lanes again"],
  [["?"], "this list"],
];

/** Keys of what an exported file cannot do. */
const ELSEWHERE = ["v", "w", "S"];

/** @type {[string, string][]} */
const MEASURED = [
  [
    "Statements lost",
    "Statements of the user, rules among them, that no message or summary of the window says any more. The overview lists them. They are not counted in a run of more than 32 compactions, nor where a summary cannot be read. “up to 2” counts those that only a quote in place of a summary still says: a summary that a model writes may leave them out. So no difference is shown then.",
  ],
  ["Needed later", "How many of these were needed later. Why shows where."],
  [
    "Cost",
    "What all model calls and the summarizer's would cost with prompt caching, at the model's list prices. A lower bound: it counts only messages of this transcript, no system prompt or tools that it does not show, no thinking.",
  ],
  [
    "Misses",
    "Of the names that the model wrote again later, the share that its window no longer had. Names are matched as words, which proves nothing: a name that a summary only lists counts as known. Quotes that stand in for a model's summaries may keep fewer names than a model would. With ≤ a summary cannot be read, and the true share may be lower. Two shares differ by percentage points: from 2 % to 3 % is one, “+1.0 pt”.",
  ],
  [
    "Tokens sent",
    "The tokens of all prompts together, counted from the messages in this transcript. Where the record says how many were sent, that number stands below.",
  ],
  ["Read from cache", "Of these, what the provider's cache would already hold: prompts that begin as the one before did."],
  ["Summarizer tokens", "What the summarizer read and wrote."],
  ["Compactions", "How often the window was rewritten."],
  [
    "Peak, mean window",
    "The largest window of the run, also behind its last compaction; a compaction can rewrite it before it is sent, so it may be above the limit. The mean is over the model calls. Both are of what this transcript shows; where the record says how large the window was, that number stands below the peak.",
  ],
  ["Calls over budget", "Model calls sent a window above the policy's limit."],
  ["Findings", "What deserves attention: orphaned results, lost references, compactions that freed nothing."],
];

export class Help {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    this.node = el("dialog", { class: "fl-help", "aria-labelledby": "fl-compare-help" });
    const close = button("×", () => this.node.close(), { class: "fl-icon", "aria-label": "Close", autofocus: true });
    const head = el("div", { class: "fl-help-head" }, el("h2", { id: "fl-compare-help", text: "Shortcuts and measures" }), close);
    this.node.append(el("div", { class: "fl-help-box" }, head, el("div", { class: "fl-help-columns" }, keys(app.alone), measures())));
    this.node.addEventListener("click", (event) => event.target === this.node && this.node.close());
    this.node.addEventListener("close", () => app.root.focus({ preventScroll: true }));
    this.node.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "?") this.node.close();
    });
  }

  open() {
    if (!this.node.open) this.node.showModal();
  }
}

/** @param {boolean} alone */
function keys(alone) {
  const rows = KEYS.filter(([[first]]) => !alone || !ELSEWHERE.includes(first)).map(([names, text]) => [
    el("dt", {}, ...names.flatMap((name) => [el("kbd", { text: name }), " "])),
    el("dd", { text }),
  ]);
  return el("section", {}, el("h3", { text: "Shortcuts" }), el("dl", { class: "fl-keys" }, ...rows.flat()));
}

function measures() {
  const rows = MEASURED.map(([name, text]) => [el("dt", { text: name }), el("dd", {}, ...coded(text))]);
  return el(
    "section",
    {},
    el("h3", { text: "What is measured" }),
    el("p", { class: "fl-mute", text: CAVEAT }),
    el("dl", { class: "fl-words" }, ...rows.flat()),
  );
}
