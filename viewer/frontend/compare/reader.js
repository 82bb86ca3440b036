// The message of the chosen row, whole, over the figures of the whole run: as Debug's inspector shows it, with where it stands in each lane.

import { Asker, known } from "../lib/api.js";
import { button, el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { wrapSwitch } from "../lib/wrap.js";
import { awaitedText, contentOf, facts, images, leftNode, pathOf, recordName, recorded, thinking, toolCall } from "../message/body.js";
import { MarkdownSwitch, readingOf } from "../message/reading.js";
import { rowOf, tilde, tildeAdded } from "../run/sections.js";
import { standingOf } from "./standing.js";
import { LETTERS } from "./words.js";
/** @import { Message } from "../message/types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Change, Compare } from "./app.js" */
/** @import { Standing } from "./standing.js" */

/** A message by its key: the lane whose run has it, and its pool index there. @typedef {{lane: number, pool: number}} Subject */

/** @param {string} key  "m12", or "c1:50000003" of a message that a compaction of lane B put in @returns {Subject} */
export function subjectOf(key) {
  if (key.startsWith("m")) return { lane: 0, pool: Number(key.slice(1)) };
  const [lane, pool] = key.slice(1).split(":").map(Number);
  return { lane, pool };
}

export class Reader {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    /** The message that is shown, "" for none. */ this.key = "";
    /** What is drawn, and what is on its way. */ this.stamp = "";
    this.query = "";
    /** @type {Message | null} */ this.message = null;
    this.asker = new Asker(app);
    this.head = el("div", { class: "fl-ihead" });
    this.body = el("div", { class: "fl-ibody", tabindex: "0", role: "region", "aria-label": "Text of the message" });
    this.node = el(
      "section",
      { class: "fl-card fl-inspector fl-slot-inspector fl-reader", "aria-label": "Message", hidden: true },
      this.head,
      this.body,
    );
    this.markdown = new MarkdownSwitch(() => this.message && this.#draw(this.message));
    this.wrap = wrapSwitch(this.body);
    const title = "What compactions put into each window, side by side (b)";
    this.beside = button("Side by side", () => app.texts.open(), { class: "fl-link", title });
    this.switches = el("div", { class: "fl-switches" }, this.beside, this.markdown.node, this.wrap.node);
    this.close = button("×", () => app.leaveReader(), { class: "fl-icon", "aria-label": "Close the message", title: "Close (Esc)" });
  }

  /** Show the message of a row, "" for none. @param {string} key */
  show(key) {
    this.key = key;
    this.node.hidden = !key;
    this.app.root.toggleAttribute("data-reading", Boolean(key));
    if (key) return this.#show();
    this.asker.drop();
    Object.assign(this, { stamp: "", message: null });
    this.body.replaceChildren();
  }

  /** @param {Change} change */
  update({ runs, cursor, pair, pins }) {
    if (!this.key || !(runs || cursor || pair || pins)) return;
    if (runs && !this.#holds) return this.app.reread();
    this.#show();
  }

  /** Whether the run still has the message. */
  get #holds() {
    const { lane, pool } = subjectOf(this.key);
    const { run } = this;
    return run && (pool < run.n || (this.stamp.startsWith(`${run.view.tid} `) && lane < this.app.runs.length));
  }

  /** The run that has the message. @returns {Run} */
  get run() {
    return this.app.runs[subjectOf(this.key).lane];
  }

  /** Where the message stands in each of the lanes compared. @returns {[lane: number, standing: Standing][]} */
  #standings() {
    const { app } = this;
    const { lane: own, pool } = subjectOf(this.key);
    const { added } = app.difference();
    const same = added.find(({ pools }) => pools[app.shown.indexOf(own)] === pool);
    const of = (/** @type {number} */ lane) => (pool < this.run.n || lane === own ? pool : (same?.pools[app.shown.indexOf(lane)] ?? -1));
    return app.shown.map((lane) => [lane, standingOf(app.runs[lane], app.at, of(lane))]);
  }

  #show() {
    const { app, run } = this;
    const { pool } = subjectOf(this.key);
    const row = rowOf(run, pool);
    const standings = this.#standings();
    this.#head(standings);
    const { pins } = app;
    const query = pins.texts[pins.at] && pins.fate(0)?.places.includes(pool) ? pins.texts[pins.at] : "";
    const left = standings.map(([lane, { left }]) => `${lane}:${left}`).join();
    const stamp = `${run.view.tid} ${this.key} ${query} ${left}`;
    if (stamp === this.stamp) return;
    Object.assign(this, { stamp, query, message: null });
    const path = pathOf(run, pool);
    if (known(path) === undefined) this.body.replaceChildren(el("p", { class: "fl-about", text: "\u00a0" }), awaitedText(row));
    const failed = (/** @type {string} */ said) => {
      this.stamp = "";
      this.body.replaceChildren(
        failure(said, () => this.#show()),
        awaitedText(row),
      );
      this.body.querySelector("[aria-busy]")?.removeAttribute("aria-busy");
    };
    this.asker.ask(path, (/** @type {Message} */ message) => this.#arrived(message), failed);
  }

  /** @param {Message} message */
  #arrived(message) {
    this.message = message;
    this.#draw(message);
    this.body.scrollTop = 0;
    this.body.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {[number, Standing][]} standings */
  #head(standings) {
    const { run } = this;
    const { pool } = subjectOf(this.key);
    const { role, label, tokens, sealed } = rowOf(run, pool);
    const about = pool < run.n ? tilde(run) : tildeAdded(run);
    const size = el("span", { class: "fl-htokens", text: sealed ? "size unknown" : `${about}${pluralize(tokens, "token")}` });
    const number = pool < run.n ? [el("span", { class: "fl-where", text: `message ${int(pool + 1)} of ${int(run.n)}` })] : [];
    const line = el("div", { class: "fl-hline" }, el("h2", { class: "fl-title", text: label || role }), ...number, size, this.close);
    const places = standings.map(([lane, { region, words }]) => {
      const letter = el("span", { class: region ? `fl-badge fl-is-${region}` : "fl-badge fl-is-ghost", text: LETTERS[lane] });
      return el("li", {}, letter, words);
    });
    this.beside.hidden = !this.app.difference().added.length || pool < run.n;
    const second = el("div", { class: "fl-hsecond" }, el("ul", { class: "fl-standings" }, ...places), this.switches);
    const had = this.head.contains(/** @type {ShadowRoot} */ (this.head.getRootNode()).activeElement);
    const at = /** @type {ShadowRoot} */ (this.head.getRootNode()).activeElement;
    this.head.replaceChildren(line, second);
    if (had && at instanceof HTMLElement) at.focus({ preventScroll: true });
  }

  /** @param {Message} message */
  #draw(message) {
    const { app, run, query } = this;
    const { pool } = subjectOf(this.key);
    const role = message.role;
    this.body.replaceChildren(
      ...this.#whatIsLeft(),
      el("p", { class: "fl-about", text: facts(message, recordName(run)) }),
      ...recorded(run, message),
      ...this.#pairs(message),
      ...images(message),
      ...thinking(message, query),
      ...contentOf(app, run, pool, message, query),
      ...(message.tool_calls ?? []).map((call) => toolCall(call, query)),
    );
    this.markdown.show(message.content ? readingOf(message.content, role) : "said", message.content || (message.thinking ?? ""));
    this.wrap.show();
  }

  /** Of a message that lanes empty: what each of them still sends, in front of what it was. */
  #whatIsLeft() {
    const was = (/** @type {string} */ text) => el("h3", { class: "fl-was", text });
    const emptied = this.#standings().filter(([, { left }]) => left >= 0);
    const parts = emptied.flatMap(([lane, { left }]) => [
      was(`Remaining content in ${LETTERS[lane]}`),
      leftNode(this.app, this.app.runs[lane], left),
    ]);
    return parts.length ? [...parts, was("Original content")] : [];
  }

  /** The call that a result answers, and the results of a call. @param {Message} message */
  #pairs({ pairs = [], role }) {
    if (!pairs.length) return [];
    const links = pairs.map((i) => button(`message ${int(i + 1)}`, () => this.app.read(`m${i}`), { class: "fl-link" }));
    const what = role === "tool" ? "answers the call in" : "answered by";
    return [el("p", { class: "fl-pairs" }, `${what} `, ...links.flatMap((link, k) => (k ? [", ", link] : [link])))];
  }

  stop() {
    this.asker.drop();
  }
}
