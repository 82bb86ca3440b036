// The windows of the lanes at the cursor, as sets: what is rewritten, what only A holds, what all hold. Each with a bar a lane.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { FLAG } from "../run/decode.js";
import { besideUntil, hiddenLeast } from "../run/leftout.js";
import { besideWords } from "../run/midway.js";
import { Numbered } from "../run/ranges.js";
import { hiddenAt } from "../run/recorded.js";
import { rowOf, tilde } from "../run/sections.js";
import { stepAt } from "./held.js";
import { SetList } from "./setlist.js";
import { keyOf, lanesIn } from "./sets.js";
import { least, shares } from "./shares.js";
import { LETTERS, setTitle, sizeWords } from "./words.js";
/** @import { Row } from "../run/layout.js" */
/** @import { Change, Compare } from "./app.js" */
/** @import { Cell, ListRow, ListSection } from "./setlist.js" */
/** @import { Added, Difference, LaneSet } from "./sets.js" */

/** @type {[keyof import("./sets.js").Bar, string][]} */
const PARTS = [
  ["rewritten", "rewritten"],
  ["only", "in one lane"],
  ["some", "in some"],
  ["all", "in all"],
];

/** What the color of a letter says: where the message stands in that lane. */
const REGIONS = /** @type {const} */ (["summary", "system", "compactable", "recent", "message", "cleared"]);

export class Windows {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    /** The sets that are opened, by id. @type {Set<string>} */ this.open = new Set();
    this.title = el("h2", { class: "fl-title" });
    this.pairs = el("div", { class: "fl-lanepairs", role: "group", "aria-label": "Lanes to compare" });
    this.sent = el("span", { class: "fl-told" });
    this.bars = el("div", { class: "fl-set-bars" });
    this.beside = el("p", { class: "fl-set-beside", hidden: true });
    this.keys = PARTS.map(([part, name]) => el("span", {}, el("i", { class: `fl-set-${part}` }), name));
    this.letters = el("span", { class: "fl-set-regions" });
    this.legend = el("div", { class: "fl-set-legend" }, el("span", { class: "fl-set-where", text: "in the bars" }), ...this.keys, this.letters);
    /** @type {Difference | null} */ this.difference = null;
    this.list = new SetList(
      (id) => this.#toggle(id),
      () => this.#list(),
      (key) => app.read(key),
    );
    const head = el("div", { class: "fl-whead" }, this.title, this.sent, this.pairs);
    const parts = [head, this.bars, this.beside, this.legend, this.list.node];
    this.node = el("section", { class: "fl-card fl-slot-window fl-sets", "aria-label": "Windows" }, ...parts);
  }

  /** Read the message of the row below or above; where none is read, only the focus moves. @param {1 | -1} by */
  walk(by) {
    const key = this.list.beside(by);
    if (!key) return;
    if (this.app.reader.key) this.app.read(key);
    else this.list.mark(key, false);
    this.list.focus();
  }

  /** @param {Change} change */
  update({ runs, cursor, pair, pins }) {
    if (!runs && !cursor && !pair && !pins) return;
    const { app } = this;
    write(this.title, `Windows after message ${int(app.at)}`);
    write(this.sent, app.runs[0].store.header.unseen ? "part of the prompt" : "what the next call would be sent");
    if (runs || pair) this.#pairs();
    this.difference = app.difference();
    this.#bars(this.difference);
    this.#legend(this.difference);
    this.#beside();
    this.#list();
  }

  /** What a lane as recorded was sent beside its window, and is not in the file: as Debug says it. */
  #beside() {
    const { app } = this;
    const lane = app.shown.find((one) => !app.runs[one].view.policy) ?? -1;
    const run = app.runs[lane];
    this.beside.hidden = !run?.store.header.unseen;
    if (this.beside.hidden) return;
    const step = stepAt(run, app.at);
    const epoch = run.epochOf(step);
    const hidden = hiddenAt(run, run.window(step).arrived, epoch, step);
    const amount = `${hiddenLeast(hidden, besideUntil(run, step))} ${hidden === 1 ? "token" : "tokens"}`;
    write(this.beside, hidden ? `${LETTERS[lane]} was sent ${amount} more, not in this file: ${besideWords(run, epoch, run.step(step).sealed)}` : "");
  }

  /** The kinds that there are in the bars and in the list. @param {Difference} difference */
  #legend({ bars }) {
    const { app } = this;
    PARTS.forEach(([part], k) => (this.keys[k].hidden = !bars.some((bar) => bar[part])));
    const steps = app.shown.map((lane) => app.runs[lane].step(stepAt(app.runs[lane], app.at)));
    const there = REGIONS.filter((region) => steps.some(({ regions, sealed }) => regions[region] || (sealed && region === "summary")));
    const keys = there.map((region) => el("span", {}, el("i", { class: `fl-badge fl-is-${region}`, "aria-hidden": "true" }), region));
    this.letters.replaceChildren(el("span", { text: "in the list" }), ...keys);
    attribute(this.letters, "title", "The color of a letter says where the message stands in that lane");
  }

  /** @param {string} id */
  #toggle(id) {
    if (!this.open.delete(id)) this.open.add(id);
    this.#list();
  }

  /** Show the sets, with as many rows of each as there is room for. */
  #list() {
    if (!this.difference) return;
    const sections = this.#sections(this.difference);
    const shown = shares(sections, this.list.roomOf(sections.length));
    this.list.show(sections.map((section, k) => ({ ...section, count: shown[k], more: moreOf(section.count, shown[k]) })));
  }

  /** All lanes, or two of them; with two lanes there is nothing to choose. */
  #pairs() {
    const { app } = this;
    const lanes = app.runs.map((_, lane) => lane);
    const pairs = lanes.flatMap((one) => lanes.filter((other) => other > one).map((other) => [one, other]));
    this.pairs.hidden = lanes.length < 3;
    const choice = (/** @type {string} */ text, /** @type {number[] | null} */ pair) =>
      button(text, () => app.narrow(pair), { "aria-pressed": String(String(pair) === String(app.pair)) });
    const focused = /** @type {ShadowRoot} */ (this.pairs.getRootNode()).activeElement?.textContent;
    this.pairs.replaceChildren(choice("All", null), ...pairs.map((pair) => choice(pair.map((lane) => LETTERS[lane]).join(" · "), pair)));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.pairs.querySelectorAll("button"))) if (node.textContent === focused) node.focus();
  }

  /** @param {Difference} difference */
  #bars({ bars }) {
    const { app } = this;
    const most = Math.max(1, ...bars.map(({ tokens }) => tokens));
    const rows = bars.map((bar, k) => {
      const lane = app.shown[k];
      const parts = PARTS.map(([part]) => {
        const node = el("i", { class: `fl-set-${part}` });
        node.style.width = `${(100 * bar[part]) / most}%`;
        return node;
      });
      const words = PARTS.filter(([part]) => bar[part]).map(([part, name]) => `${int(bar[part])} ${name}`);
      const step = stepAt(app.runs[lane], app.at);
      const messages = app.runs[lane].window(step).size;
      const total = sizeWords(app.runs[lane], step);
      return el(
        "div",
        { class: "fl-set-bar", title: `${LETTERS[lane]}: ${words.join(", ")}` },
        el("b", { class: "fl-letter", text: LETTERS[lane] }),
        el("span", { class: "fl-set-track" }, ...parts),
        el("span", { class: "fl-set-total", text: total }),
        el("span", { class: "fl-set-count", text: pluralize(messages, "message") }),
        el("span", { class: "fl-said", text: ` tokens: ${words.join(", ")}` }),
      );
    });
    this.bars.replaceChildren(...rows);
  }

  /** @param {Difference} difference @returns {ListSection[]} */
  #sections(difference) {
    const all = 2 ** this.app.shown.length - 1;
    const shared = difference.added.filter(({ mask }) => mask === all);
    const none = { mask: all, ranges: [], count: 0, tokens: 0 };
    const sets = difference.sets.some(({ mask }) => mask === all) || !shared.length ? difference.sets : [...difference.sets, none];
    return [this.#rewritten(difference, all), ...sets.map((set) => this.#set(set, set.mask === all ? shared : []))].filter(
      (section) => section !== null,
    );
  }

  /** @param {Difference} difference @param {number} all @returns {ListSection | null} */
  #rewritten({ added: put, changed }, all) {
    const added = put.filter(({ mask }) => mask !== all);
    const places = new Numbered(changed);
    const count = added.length + places.size;
    if (!count) return null;
    const what = [added.length && this.#putIn(added), places.size && `${int(places.size)} cleared`].filter(Boolean).join(", ");
    const row = (/** @type {number} */ k) => ({
      ...(k < added.length ? this.#added(added[k]) : this.#base(places.at(k - added.length))),
      kind: "rewritten",
    });
    const section = this.#section("rewritten", "Rewritten", what, "", count, row, this.#finder(added, places));
    return added.length ? { ...section, note: "Side by side", act: () => this.app.texts.open() } : section;
  }

  /** How many messages compactions put in, by what they are: summaries, or others as well. @param {Added[]} added */
  #putIn(added) {
    const { shown, runs } = this.app;
    const row = (/** @type {Added} */ { mask, pools }) => rowOf(runs[shown[lanesIn(mask)[0]]], pools[lanesIn(mask)[0]]);
    const summaries = added.every((one) => row(one).injected === "summary");
    return summaries ? pluralize(added.length, "summary", "summaries") : `${pluralize(added.length, "message")} put in by compactions`;
  }

  /** A message that compactions put in, the same in each lane that has it. @param {Added} added @returns {ListRow} */
  #added({ mask, pools }) {
    const { shown, runs } = this.app;
    const lane = lanesIn(mask)[0];
    const cells = this.#cells((other) => (mask & (1 << shown.indexOf(other)) ? "summary" : null));
    const row = rowOf(runs[shown[lane]], pools[lane]);
    const label = numbers(lanesIn(mask).map((k) => rowOf(runs[shown[k]], pools[k]).label));
    return shownRow(keyOf({ mask, pools }, shown), { ...row, label }, cells);
  }

  /** @param {LaneSet} set @param {Added[]} added  what compactions put into all windows alike @returns {ListSection} */
  #set({ mask, ranges, count: own, tokens: base }, added) {
    const { shown, runs } = this.app;
    const places = new Numbered(ranges);
    const tokens = added.reduce((sum, one) => sum + one.tokens, base);
    const row = (/** @type {number} */ k) => (k < added.length ? this.#added(added[k]) : this.#base(places.at(k - added.length)));
    const count = own + added.length;
    const note = `${tilde(runs[0])}${int(tokens)} tokens`;
    return this.#section(
      `${mask} ${shown.join()}`,
      setTitle(mask, shown),
      pluralize(count, "message"),
      note,
      count,
      row,
      this.#finder(added, places),
    );
  }

  /**
   * A set as a section, with all of its rows.
   * @param {string} id @param {string} title @param {string} what @param {string} note @param {number} count @param {(k: number) => ListRow} row @param {(key: string) => number} find
   * @returns {ListSection}
   */
  #section(id, title, what, note, count, row, find) {
    return { id, title, what, note, act: null, count, more: 0, opens: least(count) < count, open: this.open.has(id), row, find };
  }

  /** Finds the place of a message in a set: first come those that compactions put in, then those of the session. @param {Added[]} added @param {Numbered} places */
  #finder(added, places) {
    const { shown } = this.app;
    return (/** @type {string} */ key) => {
      const put = added.findIndex((one) => keyOf(one, shown) === key);
      const place = put < 0 && key.startsWith("m") ? places.indexOf(Number(key.slice(1))) : -1;
      return place < 0 ? put : added.length + place;
    };
  }

  /** A message of the session, as it stands in each lane. @param {number} place @returns {ListRow} */
  #base(place) {
    const { app } = this;
    const region = (/** @type {number} */ lane) => {
      const run = app.runs[lane];
      const window = run.window(stepAt(run, app.at));
      const index = window.indexOf(place);
      return index < 0 ? null : window.regionAt(index);
    };
    return shownRow(`m${place}`, { ...app.runs[0].pool.row(place), ...this.#followed(place) }, this.#cells(region));
  }

  /** Of a message that says the followed text, that instead of its beginning. @param {number} place */
  #followed(place) {
    const { pins } = this.app;
    const says = pins.texts[pins.at] && pins.fate(0)?.places.includes(place);
    return says ? { preview: `… ${visible(pins.texts[pins.at])}` } : {};
  }

  /** @param {(lane: number) => string | null} region @returns {Cell[]} */
  #cells(region) {
    return this.app.shown.map((lane) => ({ letter: LETTERS[lane], region: region(lane) }));
  }
}

/** "summary #1", or "summary #1/#2" where the same text has another number in another lane. @param {string[]} labels */
const numbers = (labels) => [...new Set(labels)].map((label, k) => (k ? label.slice(label.indexOf("#")) : label)).join("/");

/** How many messages the last row stands for, where fewer rows are shown than there are. @param {number} count @param {number} shown */
const moreOf = (count, shown) => (shown < count ? count - shown + 1 : 0);

/** @param {string} key @param {Omit<Row, "region">} row @param {Cell[]} cells @returns {ListRow} */
function shownRow(key, { label, role, preview, tokens, sealed = false, flags }, cells) {
  const code = role === "tool" || ((flags & FLAG.calls) > 0 && (flags & FLAG.wordless) > 0);
  return { key, cells, name: label || role, preview, tokens, sealed, code, kind: "" };
}
