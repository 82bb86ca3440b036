// What would have kept a text: a table of changes with their prices, which fills while the server tries them.

import { button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { walkable } from "./focuswalk.js";
import { brief, changeName, changeParts, difference, groupOf, inOrder } from "./fixwords.js";
/** @import { FixRun } from "./fixruns.js" */
/** @import { Fix } from "./types.js" */

/** The columns: a head, and what it means. */
const HEADS = /** @type {const} */ ([
  ["one change", ""],
  ["compactions", "how often the run compacts"],
  ["largest window", "in tokens"],
  ["tokens sent", "by all model calls together"],
]);

const IN_SUMMARY = "No message of the window has it there: a summary says it. Another summary may not.";

export class FixTable {
  /** @param {{tried: ((fix: Fix) => void) | null, again: () => void}} how  `tried` is null where no other settings can be shown */
  constructor(how) {
    this.how = how;
    this.body = el("tbody");
    const heads = HEADS.map(([text, title]) => el("th", { scope: "col", text, title: title || null }));
    const said = (/** @type {string} */ text) => el("th", { scope: "col" }, el("span", { class: "fl-said", text }));
    const head = el("thead", {}, el("tr", {}, ...heads, said("tokens sent, against now"), said("try it")));
    this.table = el("table", { class: "fl-why-fixes", "aria-label": "What would have kept it" }, head, this.body);
    this.foot = el("p", { class: "fl-why-foot" });
    this.said = el("div", { class: "fl-said", role: "status" });
    this.broken = el("div");
    this.node = el("div", {}, this.table, this.broken, this.foot, this.said);
    walkable(this.body, "button");
    /** @type {Map<Fix, HTMLElement>} */ this.rows = new Map();
    /** The rows that name a group, by its name. @type {Map<string, HTMLElement>} */ this.groups = new Map();
    /** Put in order once nothing in it is pointed at or focused. */ this.unordered = false;
    for (const type of ["pointerleave", "focusout"]) this.table.addEventListener(type, () => setTimeout(() => this.#order()));
  }

  /** @param {FixRun} run @param {Record<string, unknown>} query  the settings now */
  show(run, query) {
    if (run.rows[0] !== [...this.rows.keys()][0]) this.#clear();
    const shown = run.rows.filter(({ now, kept }) => now || kept);
    const now = shown.find((fix) => fix.now);
    for (const fix of shown) if (!this.rows.has(fix)) this.#add(fix, now, query);
    this.unordered = run.done;
    this.#order();
    this.table.hidden = !shown.length;
    this.broken.replaceChildren(...(run.failed ? [failure(run.failed, this.how.again)] : []));
    write(this.foot, footOf(run, shown.length, Boolean(now?.kept)));
    write(this.said, run.done && !run.failed ? `${pluralize(shown.length - 1, "change")} would have kept it` : "");
  }

  #clear() {
    this.rows.clear();
    this.groups.clear();
    this.body.replaceChildren();
  }

  /** @param {Fix} fix @param {Fix | undefined} now @param {Record<string, unknown>} query */
  #add(fix, now, query) {
    const { text, tone } = difference(fix.tokens_sent, fix.now ? 0 : (now?.tokens_sent ?? 0));
    const parts = changeParts(fix, query).map(([text, weight]) => el(weight || "span", { text: visible(text) }));
    const name = changeName(fix, query);
    const { tried: act } = this.how;
    const tried = fix.now || !act ? "" : button("Try", () => act(fix), { class: "fl-why-try", "aria-label": `Try ${name}`, title: `Try ${name}` });
    const cell = (/** @type {string} */ text, /** @type {number} */ whole) => el("td", { text, title: int(whole) });
    const row = el(
      "tr",
      { class: fix.now ? "fl-why-now" : "" },
      el(
        "th",
        { scope: "row", title: visible(fix.text) },
        ...parts,
        fix.in_summary ? el("span", { class: "fl-why-weak", text: " · in a summary", title: IN_SUMMARY }) : "",
      ),
      cell(int(fix.compactions), fix.compactions),
      cell(brief(fix.peak_tokens), fix.peak_tokens),
      cell(brief(fix.tokens_sent), fix.tokens_sent),
      el("td", { class: tone ? `fl-why-${tone}` : "" }, text, tone ? el("span", { class: "fl-said", text: `, ${tone}` }) : ""),
      el("td", {}, tried),
    );
    this.rows.set(fix, row);
    this.body.append(row);
  }

  /** The rows, and above the first of each group its name, where there are groups. @param {Fix[]} fixes */
  #grouped(fixes) {
    const parted = fixes.some(({ of }) => of);
    return fixes.flatMap((fix, i) => {
      const row = /** @type {HTMLElement} */ (this.rows.get(fix));
      const name = parted && groupOf(fix);
      return name && (!i || groupOf(fixes[i - 1]) !== name) ? [this.#group(name), row] : [row];
    });
  }

  /** @param {string} name */
  #group(name) {
    const row = this.groups.get(name) ?? el("tr", { class: "fl-why-group" }, el("th", { colspan: 6, scope: "colgroup", text: name }));
    this.groups.set(name, row);
    return row;
  }

  /** By what is sent; not while a row is pointed at or focused, which would go from under it. */
  #order() {
    if (!this.unordered || this.body.matches(":hover, :focus-within")) return;
    this.unordered = false;
    const order = this.#grouped(inOrder([...this.rows.keys()]));
    if (order.some((row, i) => this.body.children[i] !== row)) this.body.replaceChildren(...order);
  }
}

/** @param {FixRun} run @param {number} count  of the rows @param {boolean} kept  by the first of them */
function footOf({ done, failed, progress, note }, count, kept) {
  if (failed) return "";
  if (!done) return progress?.[1] ? `Trying changes: ${int(progress[0])} of ${int(progress[1])}…` : "Trying changes…";
  if (count === 1 && kept) return "As it is, the window said it there.";
  const rows = count > 1 ? "Each row is a run of this session with that one change." : "No single change that was tried keeps it.";
  return [rows, note].filter(Boolean).join(" ");
}
