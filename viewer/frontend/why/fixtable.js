// What would have kept a text: a table of changes with their prices, which fills while the server tries them.

import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { FixRow } from "./fixrow.js";
import { allTitle, bySent, comparedWith, ownTitle, roomWords } from "./fixwords.js";
import { walkable } from "./focuswalk.js";
/** @import { FixRun } from "./fixruns.js" */
/** @import { Fix, Trying } from "./types.js" */

/** The columns: a head, and what it means. */
const HEADS = /** @type {const} */ ([
  ["one change", ""],
  ["compactions", "how often the run compacts"],
  ["largest visible window", "in tokens; what prompts held beyond the messages of this file is not counted"],
  ["tokens sent", "by all model calls together, of the messages of this file"],
  ["against the run without a change", "tokens sent by all model calls together, against those of the run without a change"],
]);

const QUOTED = "Only in a summary, or in a quote in its place, which another summary may leave out: not counted";
const APART = "Kept only for a while, over the budget, or as nothing is ever compacted: not counted";

export class FixTable {
  /** @param {{tried: ((fix: Fix) => void) | null, again: () => void}} how  `tried` is null where no other settings can be shown */
  constructor(how) {
    this.how = how;
    this.body = el("tbody");
    const heads = HEADS.map(([text, title]) => el("th", { scope: "col", text, title: title || null }));
    const last = el("th", { scope: "col" }, el("span", { class: "fl-said", text: "try it" }));
    const head = el("thead", {}, el("tr", {}, ...heads, last));
    this.table = el("table", { class: "fl-why-fixes", "aria-label": "What would have kept it" }, head, this.body);
    this.foot = el("ul", { class: "fl-why-foot" });
    /** What it says. */ this.told = "";
    this.said = el("div", { class: "fl-said", role: "status" });
    this.broken = el("div");
    /** Whether the table is shown: so it stays, whatever text of a transcript is asked about next. */ this.unfolded = false;
    this.all = button("", () => this.#turn(), { class: "fl-link fl-why-all-changes", "aria-expanded": "false" });
    this.whole = el("div", { hidden: true }, this.table, this.foot);
    this.node = el("div", {}, this.broken, this.all, this.whole, this.said);
    walkable(this.body, "button");
    this.own = el("th", { colspan: 6, scope: "colgroup" });
    this.others = el("th", { colspan: 6, scope: "colgroup" });
    this.weak = el("th", { colspan: 6, scope: "colgroup" });
    this.quoted = el("th", { colspan: 6, scope: "colgroup", text: QUOTED });
    this.weak.textContent = APART;
    this.others.textContent = "Another policy";
    this.groups = [this.own, this.others, this.quoted, this.weak].map(group);
    /** @type {Map<Fix, FixRow>} */ this.rows = new Map();
  }

  /**
   * @param {FixRun} run
   * @param {Record<string, unknown>} query  the settings that the changes are of
   * @param {Trying | null} [tried]  the change that is on screen by now, or is on its way there
   */
  show(run, query, tried = null) {
    if (run.rows[0] !== [...this.rows.keys()][0]) this.#clear();
    const shown = run.rows.filter((fix) => fixed(fix) || fix.kept);
    const changes = shown.filter(({ cure }) => cure);
    const now = shown.find((fix) => fix.now);
    for (const fix of shown) if (!this.rows.has(fix)) this.rows.set(fix, new FixRow(fix, comparedWith(shown), query, this.how.tried));
    for (const row of this.rows.values()) row.mark(tried);
    this.#order(run.done, `${query.policy ?? ""}`);
    write(this.all, run.done ? allTitle(changes.length) : "All changes as they are tried");
    this.all.hidden = Boolean(run.failed); // from the start: nothing below it moves
    this.broken.replaceChildren(...(run.failed ? [failure(run.failed, this.how.again)] : []));
    const said = footOf(run, shown, changes.length, Boolean(now?.kept)).split("\n");
    if (said.join("\n") !== this.told) this.foot.replaceChildren(...said.flatMap((text) => (text ? [el("li", { text })] : [])));
    this.told = said.join("\n");
    write(this.said, run.done && !run.failed ? `${pluralize(changes.length, "change")} would have kept it` : "");
  }

  #clear() {
    this.rows.clear();
    this.body.replaceChildren();
  }

  /** At a press: the table is below, mostly out of sight. */
  #turn() {
    this.unfold(!this.unfolded);
    if (this.unfolded) this.all.scrollIntoView({ block: "start" });
  }

  /** Show all changes, or hide them again. @param {boolean} unfolded */
  unfold(unfolded) {
    this.unfolded = unfolded;
    this.whole.hidden = !unfolded;
    attribute(this.all, "aria-expanded", String(unfolded));
  }

  /** The run's own settings, each where it came; once all are tried, other policies, and what is no cure: nothing moves under the pointer. @param {boolean} done @param {string} policy  on screen */
  #order(done, policy) {
    const all = [...this.rows.keys()];
    const cures = all.filter(({ cure }) => cure);
    const own = cures.filter(({ other }) => !other);
    const others = done ? cures.filter(({ other }) => other).sort(bySent) : [];
    const rest = done ? all.filter((fix) => !fixed(fix) && !fix.cure).sort(bySent) : [];
    const quoted = rest.filter((fix) => fix.in_summary && fix.drawbacks.length === 1);
    const ownName = ownTitle(all, policy, done && !own.length);
    write(this.own, ownName);
    const titled = own.length > 0 || (done && ownName !== "");
    const now = all.filter(fixed).map((fix) => this.#node(fix));
    this.#arrange([
      ...now,
      ...(titled ? [this.groups[0]] : []),
      ...own.map((fix) => this.#node(fix)),
      ...this.#grouped(1, others),
      ...this.#grouped(2, quoted),
      ...this.#grouped(
        3,
        rest.filter((fix) => !quoted.includes(fix)),
      ),
    ]);
  }

  /** The rows of a group below its name. @param {1 | 2 | 3} k @param {Fix[]} fixes */
  #grouped(k, fixes) {
    return fixes.length ? [this.groups[k], ...fixes.map((fix) => this.#node(fix))] : [];
  }

  /** @param {Fix} fix */
  #node(fix) {
    return /** @type {FixRow} */ (this.rows.get(fix)).node;
  }

  /** Put the rows in order, without taking out one that stays: it may be pressed just now. @param {HTMLElement[]} wanted */
  #arrange(wanted) {
    for (const node of [...this.body.children]) if (!wanted.includes(/** @type {HTMLElement} */ (node))) node.remove();
    wanted.forEach((node, i) => this.body.children[i] !== node && this.body.insertBefore(node, this.body.children[i] ?? null));
  }
}

/** @param {HTMLElement} name */
const group = (name) => el("tr", { class: "fl-why-group" }, name);

/** Whether a row is no change: the run now, or the one that changes are compared with. @param {Fix} fix */
const fixed = ({ now, baseline }) => Boolean(now || baseline);

/** @param {FixRun} run @param {Fix[]} shown  its rows in the table @param {number} count  of the changes @param {boolean} kept  as it is now */
function footOf({ done, failed, progress, note }, shown, count, kept) {
  if (failed) return "";
  if (!done) return progress?.[1] ? `Trying changes: ${int(progress[0])} of ${int(progress[1])}…` : "Trying changes…";
  if (!count && kept) return "As it is, the window said it there.";
  const each = "Each row is a run of this session with that one change.";
  return [count ? each : "No single change that was tried keeps it.", roomWords(shown), note].filter(Boolean).join("\n");
}
