// How texts are read: what was said as Markdown, what tools returned as it is written, until the switch says otherwise. The browser
// remembers the switch for each kind of text.

import { attribute, button } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { kindOf } from "../lib/wrap.js";

/** @typedef {"said" | "output"} Kind */

const KEY = "foldline-markdown";
/** Characters; a longer text is shown as it is written. */
const LONGEST = 100_000;

/** What is shown as Markdown. @type {Record<Kind, boolean>} */
const rendered = { said: true, output: false, ...remembered() };

/** @returns {Partial<Record<Kind, boolean>>} */
function remembered() {
  try {
    const { said, output } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries({ said, output }).filter(([, on]) => typeof on === "boolean"));
  } catch {
    return {};
  }
}

/** A browser that keeps nothing forgets the switch with the page. */
function remember() {
  try {
    localStorage.setItem(KEY, JSON.stringify(rendered));
  } catch {
    return;
  }
}

/** What a look at the kind of a text leaves out: fenced code and tables, which Markdown shows as they are meant. */
const FENCED_OR_TABLE = /^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1.*$|^[ \t]*\|.*\|[ \t]*$/gm;

/** What kind of text a message is: what a tool returned, JSON and bare code are output. @param {string} text @param {string} role @returns {Kind} */
export function readingOf(text, role) {
  const whole = text.trim();
  const json = (whole.startsWith("{") && whole.endsWith("}")) || (whole.startsWith("[") && whole.endsWith("]"));
  const bare = whole.slice(0, 20_000).replace(FENCED_OR_TABLE, "");
  return role === "tool" || json || kindOf(bare) === "code" ? "output" : "said";
}

/** Whether a text is shown as Markdown now. @param {string} text @param {Kind} kind */
export const isMarkdown = (text, kind) => rendered[kind] && text.length <= LONGEST;

/** The switch between Markdown and the text as it is written, for texts of one kind. */
export class MarkdownSwitch {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Kind} */ this.kind = "said";
    this.node = button("Markdown", () => this.#turn(), { class: "fl-switch fl-markdown", role: "switch" });
    this.show("said", ""); // until a text has come
  }

  #turn() {
    rendered[this.kind] = !rendered[this.kind];
    remember();
    this.changed();
  }

  /** Show how texts of this kind are read; without any text there is nothing to switch. @param {Kind} kind @param {string} text */
  show(kind, text) {
    this.kind = kind;
    const long = text.length > LONGEST;
    attribute(this.node, "hidden", !text);
    attribute(this.node, "disabled", long);
    attribute(this.node, "aria-checked", String(isMarkdown(text, kind)));
    attribute(this.node, "title", long ? `Texts of more than ${int(LONGEST)} characters are shown as written` : "Show Markdown as formatted text");
  }
}
