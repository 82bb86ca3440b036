// One message as a line: region by color, letter and word, who said it, its beginning, its tokens.

import { attribute, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { FLAG } from "../run/decode.js";
import { keptAs } from "../run/sections.js";

/** @typedef {import("../run/layout.js").Row} Row */

const LETTERS = { system: "S", summary: "Σ", compactable: "C", recent: "R", cleared: "∅", message: "M", ghost: "·" };
const WORDS = {
  system: "pinned: system",
  summary: "summary",
  compactable: "compactable",
  recent: "recent: kept",
  cleared: "cleared: content removed",
  message: "in the window",
  summarised: "summarized: replaced by a summary",
  dropped: "dropped: left the window",
  ghost: "left the window",
};
/** By how it is known what the next compaction did with a row. */
const HINDSIGHT = {
  recorded: {
    compactable: "compactable, as it turns out: the next recorded compaction removed it",
    recent: "recent, as it turns out: the next recorded compaction kept it",
  },
  unnamed: {
    compactable: "compactable, inferred: the record of the next compaction names no message that it kept",
    recent: "recent: it came after what the next recorded compaction removed",
  },
  prompts: {
    compactable: "compactable, inferred: later model calls may not have been sent it",
    recent: "recent, inferred: later model calls may still have been sent it",
  },
};

/** Letter of a region's badge. @param {string} region */
export const letter = (region) => LETTERS[/** @type {keyof typeof LETTERS} */ (region)] ?? LETTERS.ghost;

/** A region in words. @param {string} region */
export const word = (region) => WORDS[/** @type {keyof typeof WORDS} */ (region)] ?? region;

/** What holds of a row, in words: its region, or why it stays although it stands among what may go. @param {Row} row */
export function wordOf(row) {
  const { region } = row;
  if (row.hindsight && (region === "compactable" || region === "recent")) return HINDSIGHT[row.hindsight][region];
  if (row.held) return region === "recent" ? "pinned manually; also recent" : "pinned manually";
  if (region === "system" && (row.role !== "system" || row.stays === "may stay")) return row.stays ?? "pinned";
  if (region === "recent") return `${row.spared ? "user message" : "recent"}: ${keptAs(row.stays)}`;
  if (region === "cleared" && row.thinking) return "thinking removed";
  if (region === "cleared" && row.short) return "cleared: shortened to its ends";
  if (region === "cleared" && row.of >= 0 && row.role !== "tool") return "cleared: arguments or thinking removed";
  return word(region);
}

/** The letter of a row's badge: what is pinned for what it is and is no system message has its own. @param {Row} row */
export const letterOf = (row) => (row.ghost ? LETTERS.ghost : row.region === "system" && row.role !== "system" ? "P" : letter(row.region));

/** The nodes of one row, filled again and again. */
export class RowView {
  constructor() {
    this.badge = el("span", { class: "fl-badge" });
    this.role = el("span", { class: "fl-role" });
    this.preview = el("span", { class: "fl-preview", dir: "auto" });
    this.bar = el("i");
    /** That the chosen sentence of a summary comes from it. */ this.source = el("b", { class: "fl-source-word" });
    this.tokens = el("span", { class: "fl-tokens" });
    /** Heard behind what is seen, which is what the row is called. */ this.said = el("span", { class: "fl-said" });
    const meter = el("span", { class: "fl-meter" }, this.bar, this.source);
    this.node = el("div", { class: "fl-row", role: "option" }, this.badge, this.role, this.preview, meter, this.tokens, this.said);
  }

  /** @param {Row} row @param {number} full tokens of a full bar */
  fill(row, full) {
    const name = row.label || row.role;
    attribute(this.node, "data-key", row.key);
    attribute(this.node, "data-pool", row.pool);
    attribute(this.role, "data-number", row.key.startsWith("m") ? row.pool + 1 : null); // as messages count on screen
    attribute(this.node, "data-region", row.region);
    attribute(this.node, "data-tokens", row.tokens);
    attribute(this.node, "aria-hidden", row.blank ? "true" : null);
    this.node.className = names(row);
    write(this.badge, letterOf(row));
    write(this.role, name);
    write(this.preview, row.preview);
    write(this.tokens, row.sealed ? "?" : int(row.tokens));
    this.bar.style.width = `${width(row.tokens, full)}px`;
    const region = row.ghost ? word(row.region) : wordOf(row);
    const size = row.sealed ? "size unknown" : `${int(row.tokens)} tokens`;
    attribute(this.node, "title", `${region}, ${name}, ${size}\n${row.preview}`);
    write(this.said, row.sealed ? ` size unknown, ${region}` : ` tokens, ${region}`);
  }

  /** Mark it as a source of the chosen sentence, or not. @param {boolean} source */
  mark(source) {
    this.node.classList.toggle("fl-sourced", source);
    write(this.source, source ? "source" : "");
  }
}

/** @param {Row} row */
function names(row) {
  const { flags } = row;
  const code = row.role === "tool" || ((flags & FLAG.calls) > 0 && (flags & FLAG.wordless) > 0); // a reply with words shows them
  const marks = {
    "fl-ghost": row.ghost,
    "fl-taken": row.taken,
    "fl-fresh": row.fresh,
    "fl-blank": row.blank,
    "fl-emptying": row.emptying,
    "fl-silent": row.thinking,
    "fl-emptied": !row.ghost && row.of >= 0 && !row.thinking,
    "fl-code": code,
    "fl-held": row.held,
    "fl-error": (flags & FLAG.error) > 0,
  };
  const region = row.ghost ? "ghost" : row.region;
  return ["fl-row", `fl-is-${region}`, ...Object.entries(marks).flatMap(([name, on]) => (on ? [name] : []))].join(" ");
}

/** Pixels of a token bar: in proportion, at least two, at most the meter. @param {number} tokens @param {number} full */
const width = (tokens, full) => (tokens > 0 ? Math.max(2, Math.min(44, Math.round((44 * tokens) / Math.max(1, full)))) : 0);
