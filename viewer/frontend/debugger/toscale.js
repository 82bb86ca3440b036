// The window before and after a compaction, to scale: what the tokens were, what became of them, and what of the user's words was lost. It
// stands in the room that the rows leave below, where there is enough; as always folded up in the card of the compaction.

import { Asker, lossesPath } from "../lib/api.js";
import { attribute, el, visible, write } from "../lib/dom.js";
import { draw } from "../lib/svg.js";
import { bandPath, bands, labelled, REST, scaleOf, stacked } from "../run/scalelayout.js";
import { followLoss, lossQuote } from "./lossquote.js";
import { pageOf } from "../run/losspages.js";
import { maybeThere } from "../run/losswords.js";
import { lostAt, nothingWords } from "../run/scalelosses.js";
import { columnsOf } from "../run/scaleparts.js";
import { flowWords, grownWords, nameOf, partWords, restWords, sumOf, tokensOf, totalOf } from "../run/scalewords.js";
/** @import { App } from "./app.js" */
/** @import { Columns } from "../run/scaleparts.js" */
/** @import { Band, Box, Span } from "../run/scalelayout.js" */
/** @import { Side } from "../run/scalewords.js" */
/** @import { Lost } from "../run/scalelosses.js" */
/** @import { CompactionLosses, LossPage } from "../run/types.js" */
/** @import { Part } from "../run/tally.js" */

/** The least room, in pixels, of which a room, whose type is large, needs less; where there is less the words stand without the picture. */
const LEAST = { width: 250, height: 100, inRoom: 80 };
/** The least height of the words. */
const WORDS_ALONE = 44;
/** How large they may be in front of a room, which also has the space below them: the largest for which there is room. */
const LARGER = [1.4, 1.25, 1.1, 1];
/** What of it is the heads: a line, and one for what a number is made of. */
const HEADS = [22, 37];
/** The least height beside what was lost. */
const BESIDE = { page: 88, room: 120 };
/** The height of the columns in a card. */
const TALL = 280;
const LOST = ": nothing in the window says it any more";
let made = 0;
/** Pixels between a column and its labels. */
const GAP = 12;
/** Pixels of a band that has room for words. */
const WORDS = { width: 90, height: 34 };
/** Pixels of a picture whose columns are thin, and of labels that are short. */
const NARROW = 440;
const NARROWEST = 320;
const SHORT = 140;

const SIDES = /** @type {const} */ (["before", "after"]);

/** Where the columns are in so wide a picture. @param {number} width */
function placesIn(width) {
  const [labels, bar] =
    width < NARROWEST ? [0.37 * width, 16] : width < NARROW ? [114, 26] : [Math.min(190, 0.27 * width), Math.min(84, 0.12 * width)];
  return { short: labels < SHORT, labels: labels - GAP, bar, before: labels, after: width - labels - bar };
}

export class ToScale {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.id = `fl-ts-${++made}`;
    this.asker = new Asker(app);
    /** What the compaction on show lost, once that is known. @type {CompactionLosses | null} */ this.losses = null;
    /** Where it stands: what draws it anew. @type {() => void} */ this.again = () => {};
    this.heads = { before: el("p", { class: "fl-tshead" }), after: el("p", { class: "fl-tshead" }) };
    this.bands = draw("svg", { class: "fl-tsbands", "aria-hidden": "true" });
    this.words = el("div", { class: "fl-tswords", "aria-hidden": "true" });
    this.parts = el("div", { class: "fl-tsparts", role: "listbox", tabindex: 0 });
    this.tip = el("span", { class: "fl-tooltip fl-tstip", "aria-hidden": "true" });
    /** Why what is not in the file grew, and what was lost. */ this.foot = el("div", { class: "fl-tsfoot" });
    const picture = [this.bands, this.words, this.parts, this.tip];
    this.node = el("div", { class: "fl-toscale", hidden: true }, this.heads.before, this.heads.after, ...picture, this.foot);
    /** What is drawn. */ this.stamp = "";
    /** Whether there is room for words alone. */ this.wordy = false;
    /** Pixels above the columns. */ this.head = HEADS[0];
    /** The run whose losses they are. */ this.told = "";
    /** The parts that hold what was lost. @type {Set<string>} */ this.marked = new Set();
    /** The parts by their nodes, in order. @type {Map<HTMLElement, {k: number, side: Side, part: Part}>} */ this.shown = new Map();
    /** The part that has the keyboard. @type {HTMLElement | null} */ this.active = null;
    this.#listen();
  }

  #listen() {
    const { parts } = this;
    parts.addEventListener("pointerover", (event) => this.#explain(this.#at(event)));
    parts.addEventListener("pointerleave", () => this.#explain(parts.matches(":focus-visible") ? this.active : null));
    parts.addEventListener("focus", () => parts.matches(":focus-visible") && this.#move(this.active ?? [...this.shown.keys()][0]));
    parts.addEventListener("blur", () => this.#explain(null));
    parts.addEventListener("keydown", (event) => this.#key(event));
    parts.addEventListener("click", (event) => this.#jump(this.#at(event)));
  }

  /** Whether the run plays: where the splice has come to rest it is looked at. */
  get #plays() {
    return this.app.playing && this.app.player.telling?.phase !== 4;
  }

  /** The compaction that it is drawn of; -1 for none. @param {boolean} told  the rows are those of the cursor */
  compactionOf(told) {
    const { run, step, ghosts, hosted } = this.app;
    return told && !ghosts && !this.#plays && !hosted ? run.step(step).compaction : -1;
  }

  /**
   * Below what stands this far down in a list of that height; or nowhere.
   * @param {number} top @param {number} view @param {boolean} told  the rows are those of the cursor @param {() => void} again  places it anew once more is known
   */
  draw(top, view, told, again) {
    const k = this.compactionOf(told);
    const width = k < 0 ? 0 : (this.node.parentElement?.clientWidth ?? 0) - 26; // behind what was written it costs a layout
    const size = { width, height: view - top - 2 * GAP };
    const room = k >= 0 && size.width >= LEAST.width && size.height >= WORDS_ALONE;
    if (room) this.node.style.top = `${top + GAP}px`;
    this.again = again;
    this.#show(room ? k : -1, size.width, size.height);
    if (told && !this.#plays) this.app.root.toggleAttribute("data-toscale", this.pictured); // the card has no second one
  }

  /** Whether there is room for the picture. */
  get pictured() {
    return !this.node.hidden && !this.wordy;
  }

  /** In a card, however many rows there are. @param {number} k */
  place(k) {
    const width = (this.node.parentElement?.clientWidth ?? 0) - 4;
    this.again = () => this.place(k);
    this.#show(width >= LEAST.width ? k : -1, width, 0);
  }

  /** @param {number} k  -1 for nowhere @param {number} width @param {number} height  0: as high as it needs */
  #show(k, width, height) {
    const { run } = this.app;
    const stamp = [run.view.stamp, k, width, height, this.app.presenting].join();
    if (k >= 0 && this.stamp === stamp) return;
    const columns = k >= 0 ? columnsOf(run, k) : null;
    this.node.hidden = !columns;
    this.#forget();
    if (!columns) return this.asker.drop();
    this.stamp = stamp;
    if (this.losses?.index !== k || this.told !== run.view.tid) this.#ask(k);
    this.wordy = height > 0 && height < (this.app.presenting ? LEAST.inRoom : LEAST.height);
    attribute(this.node, "data-words", this.wordy);
    if (this.wordy) this.#drawWords(columns, height);
    else this.#draw(k, columns, width, height);
  }

  /** What was lost without the picture, as much of it as there is room for: the card has all. @param {Columns} columns @param {number} height */
  #drawWords(columns, height) {
    const lost = this.losses ? lostAt(this.app.run, this.losses, columns.before, this.app.presenting) : [];
    this.node.hidden = !lost.length;
    if (!lost.length) return;
    this.node.style.setProperty("--picture", `${-GAP}px`);
    this.#fillFoot([this.#lostList(lost)], () => this.#fitWords(height));
    this.node.style.height = `${this.foot.offsetHeight}px`;
  }

  /** @param {number} height */
  #fitWords(height) {
    const { foot, app } = this;
    const fits = (/** @type {number} */ by) => {
      foot.style.setProperty("--larger", String(by));
      return foot.offsetHeight <= height + GAP / 2;
    };
    if (!app.presenting || !LARGER.some(fits)) this.#cutWords(height);
  }

  /** @param {number} height */
  #cutWords(height) {
    const items = [...this.foot.querySelectorAll("li")];
    const more = el("li", { class: "fl-tsmore" });
    for (let shown = items.length - 1; shown > 0 && this.foot.offsetHeight > height; shown--) {
      write(more, this.app.presenting ? `and ${items.length - shown} more` : "the rest is on the card"); // a room sees no card
      items[shown].remove();
      items[shown - 1].after(more);
    }
  }

  /** Ask what the compaction lost; a run that still grows is not asked about. @param {number} k */
  #ask(k) {
    const { run } = this.app;
    this.losses = null;
    this.told = run.view.tid;
    this.asker.drop();
    if (run.view.live) return;
    const take = (/** @type {LossPage} */ { rows }) => {
      this.losses = rows.find(({ index }) => index === k) ?? null;
      this.stamp = "";
      if (this.losses) queueMicrotask(() => this.again()); // an answer that is known already comes before it is drawn
    };
    this.asker.ask(lossesPath(run.view.tid, pageOf(k)), take, () => {}); // the picture stands without it
  }

  #forget() {
    this.stamp = "";
    this.#explain(null);
    this.active = null;
    attribute(this.parts, "aria-activedescendant", null);
  }

  /** @param {number} k @param {Columns} columns @param {number} width @param {number} whole  its height, 0 for as high as it needs */
  #draw(k, columns, width, whole) {
    const at = placesIn(width);
    this.head = HEADS[SIDES.some((side) => sumOf(this.app.run, k, side, columns[side])) ? 1 : 0];
    const lost = this.losses ? lostAt(this.app.run, this.losses, columns.before, this.app.presenting) : [];
    const height = whole ? whole - this.#drawFoot(columns, lost, whole) : this.head + TALL;
    const foot = whole ? whole - height : this.#drawFoot(columns, lost, Infinity);
    this.node.style.height = `${height + foot}px`;
    const scale = scaleOf([columns.before, columns.after], height - this.head);
    const boxes = { before: stacked(columns.before, scale), after: stacked(columns.after, scale) };
    this.node.style.setProperty("--picture", `${height}px`);
    this.node.style.setProperty("--head", `${this.head}px`);
    this.#drawHeads(k, columns, at);
    this.#drawBands(k, columns, boxes, scale, at);
    this.shown.clear();
    this.marked = new Set(lost.map(({ part }) => part));
    this.parts.replaceChildren(...SIDES.flatMap((side) => this.#column(k, side, columns[side], boxes[side], at, height - this.head)));
  }

  /** What each column comes to, and of what that is made. @param {number} k @param {Columns} columns @param {ReturnType<typeof placesIn>} at */
  #drawHeads(k, columns, at) {
    const { run } = this.app;
    for (const side of SIDES) {
      const title = el("b", { text: side === "before" ? "Before" : "After" });
      const sum = el("span", { text: sumOf(run, k, side, columns[side], at.short) });
      this.heads[side].replaceChildren(title, ` ${totalOf(run, k, side, columns[side])}`, sum);
    }
    this.heads.before.style.minWidth = this.heads.after.style.minWidth = `${at.labels + GAP + at.bar}px`;
    const became = SIDES.map((side) => totalOf(run, k, side, columns[side])).join(" became ");
    attribute(this.parts, "aria-label", `Before and after, to scale: ${became} tokens`);
  }

  /** What stands below the columns, as much of it as leaves them room: its height. @param {Columns} columns @param {Lost[]} lost @param {number} whole */
  #drawFoot(columns, lost, whole) {
    const grown = grownWords(this.app.run, columns);
    const none = this.losses && !lost.length ? nothingWords(this.app.run, this.losses) : "";
    const line = (/** @type {string} */ text) => (text ? [el("p", { text })] : []);
    const gone = lost.length ? [this.#lostList(lost)] : [];
    const { foot } = this;
    const least = this.app.presenting ? BESIDE.room : BESIDE.page;
    for (const nodes of [[...line(grown), ...line(none), ...gone], gone, []]) {
      this.#fillFoot(nodes);
      if (foot.hidden || whole - foot.offsetHeight - GAP >= least) break;
    }
    return foot.hidden ? 0 : foot.offsetHeight + GAP;
  }

  /** @param {Lost[]} lost */
  #lostList(lost) {
    const where = this.losses && maybeThere(this.losses) ? ", as far as this file shows" : LOST;
    return el("div", {}, el("p", {}, el("b", { text: "Lost" }), where), el("ul", {}, ...lost.map((one) => this.#lost(one))));
  }

  /**
   * What has the focus keeps it, or the last press that is left: Why makes the room another, and the picture is drawn anew.
   * @param {HTMLElement[]} nodes @param {() => void} [cut]  leaves out what there is no room for
   */
  #fillFoot(nodes, cut = () => {}) {
    const { foot } = this;
    const pressed = () => /** @type {HTMLElement[]} */ ([...foot.querySelectorAll("button")]);
    const held = pressed().indexOf(/** @type {HTMLElement} */ (/** @type {ShadowRoot} */ (foot.getRootNode()).activeElement));
    foot.replaceChildren(...nodes);
    foot.hidden = !nodes.length;
    cut();
    const left = pressed();
    left[Math.min(held, left.length - 1)]?.focus({ preventScroll: true });
  }

  /** A text that was lost: in quotes where it is one, which lead to Why, and what is said of it. @param {Lost} lost */
  #lost({ lead = "", quote, note, followed = "", at = -1 }) {
    const { app, losses } = this;
    const leads = losses && !app.presenting && (followed !== "" || at >= 0);
    const press = () => losses && followLoss(app, { followed, at }, losses.step, (step) => (app.pause(), app.go(step)));
    const words = leads ? lossQuote(quote, followed, press) : quote ? el("q", { dir: "auto", text: visible(quote) }) : null;
    return el("li", {}, el("i", { class: "fl-tsmark" }), lead, words, quote && note ? ` · ${note}` : note);
  }

  /** @param {number} k @param {Columns} columns @param {Record<Side, Box[]>} boxes @param {number} scale @param {ReturnType<typeof placesIn>} at */
  #drawBands(k, columns, boxes, scale, at) {
    const [x0, x1] = [at.before + at.bar, at.after];
    const found = bands(columns.flows, boxes.before, boxes.after, scale);
    const region = (/** @type {Part[]} */ parts, /** @type {string[]} */ ids) => parts.find(({ id }) => id === ids.at(-1))?.region ?? "";
    const drawn = found.flatMap(({ from, to, flow }, i) => [
      gradient(`${this.id}-band-${i}`, region(columns.before, flow.from), region(columns.after, flow.to)),
      draw("path", { d: bandPath([x0, from], [x1, to]), fill: `url(#${this.id}-band-${i})` }),
    ]);
    this.bands.replaceChildren(...drawn);
    this.words.replaceChildren(...found.flatMap((band) => this.#flowWords(k, columns, band, x0, x1 - x0) ?? []));
  }

  /** What a band says, where it is thick: nearer to what it comes from. @param {number} k @param {Columns} columns @param {Band} band @param {number} x @param {number} width */
  #flowWords(k, columns, { from, to, flow }, x, width) {
    const text = flowWords(this.app.run, k, columns, flow);
    if (!text || (from.height + to.height) / 2 < WORDS.height || width < WORDS.width) return null;
    const node = el("p", {}, ...text.split(/(?= became)/).map((line) => el("span", { text: line.trim() })));
    const middle = (/** @type {Span} */ { y, height }) => y + height / 2;
    node.style.cssText = `left: ${x}px; width: ${0.8 * width}px; top: ${0.6 * middle(from) + 0.4 * middle(to)}px`;
    return node;
  }

  /** @param {number} k @param {Side} side @param {Part[]} parts @param {Box[]} boxes @param {ReturnType<typeof placesIn>} at @param {number} height */
  #column(k, side, parts, boxes, at, height) {
    const middles = labelled(boxes, height, side === "before" ? this.marked : undefined);
    const rest = middles.get(REST);
    if (rest !== undefined) {
      const of = (/** @type {boolean} */ named) => parts.filter(({ id }) => middles.has(id) === named);
      this.words.append(restLabel(restWords(this.app.run, k, side, of(false), of(true), at.short), side, at, rest));
    }
    const [edge, away] = side === "before" ? [at.before, -1] : [at.after + at.bar, 1];
    for (const { id, y, height: tall } of boxes) {
      const middle = middles.get(id);
      if (middle !== undefined) this.bands.append(leader(edge, away, y + tall / 2, middle));
    }
    return parts.map((part, i) => {
      const { y, height: tall } = boxes[i];
      const middle = middles.get(part.id);
      const node = this.#part(k, side, part, middle === undefined ? null : this.#label(k, side, part, at, middle - y));
      node.style.cssText += `left: ${at[side]}px; width: ${at.bar}px; top: ${y}px; height: ${tall}px; --shade: ${shadeOf(parts, i)}%`;
      this.shown.set(node, { k, side, part });
      return node;
    });
  }

  /** What is seen is what it is called; the rest is heard behind it. @param {number} k @param {Side} side @param {Part} part @param {HTMLElement | null} label */
  #part(k, side, part, label) {
    const words = visible(partWords(this.app.run, k, side, part));
    const name = part.deed === "hidden" ? "fl-tspart fl-hidden-part" : `fl-tspart fl-is-${part.region}`;
    const said = el("span", { class: "fl-said", text: label ? ` tokens ${side}. ${words}` : `${side}: ${words}` });
    const props = { id: `${this.id}-${side}-${this.shown.size}`, "data-side": side, "data-deed": part.deed, "data-tokens": part.tokens };
    const mark = side === "before" && this.marked.has(part.id) ? el("i", { class: "fl-tsmark" }) : null;
    return el("div", { class: name, role: "option", "aria-selected": "false", ...props }, label, mark, said);
  }

  /** @param {number} k @param {Side} side @param {Part} part @param {ReturnType<typeof placesIn>} at @param {number} middle  from the top of its part */
  #label(k, side, part, at, middle) {
    const { run } = this.app;
    const name = el("span", { text: visible(nameOf(run, part, at.short)) });
    const label = el("span", { class: "fl-tslabel" }, name, " ", el("b", { text: tokensOf(run, k, side, part) }));
    label.style.cssText = `width: ${at.labels}px; top: ${middle}px`;
    return label;
  }

  /** @param {Event} event */
  #at(event) {
    return event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(".fl-tspart")) : null;
  }

  /** Say what a part is, beside it; or nothing. @param {HTMLElement | null} node */
  #explain(node) {
    const found = node && this.shown.get(node);
    this.tip.classList.toggle("fl-open", Boolean(found));
    if (!node || !found) return;
    write(this.tip, visible(partWords(this.app.run, found.k, found.side, found.part)));
    const [x, y] = [node.offsetLeft, node.offsetTop + this.head + node.offsetHeight / 2];
    const beside = found.side === "before" ? `left: ${x + node.offsetWidth + GAP}px` : `right: ${this.parts.clientWidth - x + GAP}px`;
    this.tip.style.cssText = `${beside}; top: ${Math.max(0, y - 12)}px`;
  }

  /** Give a part the keyboard. @param {HTMLElement | undefined} node */
  #move(node) {
    if (!node) return;
    if (this.active) attribute(this.active, "aria-selected", "false");
    this.active = node;
    attribute(node, "aria-selected", "true");
    attribute(this.parts, "aria-activedescendant", node.id);
    this.#explain(node);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const nodes = [...this.shown.keys()];
    const at = this.active ? nodes.indexOf(this.active) : -1;
    const to = { ArrowDown: Math.min(at + 1, nodes.length - 1), ArrowUp: Math.max(at - 1, 0) }[event.key];
    if (to === undefined && !["Enter", "Escape"].includes(event.key)) return;
    if (event.key === "Escape" && !this.tip.classList.contains("fl-open")) return;
    event.stopPropagation();
    event.preventDefault();
    if (to !== undefined) this.#move(nodes[to]);
    else if (event.key === "Enter") this.#jump(this.active);
    else this.#explain(null);
  }

  /** Choose the first message of a part; of those that have left the window, among all that have. @param {HTMLElement | null} node */
  #jump(node) {
    const { app } = this;
    const part = node && this.shown.get(node)?.part;
    if (!part || part.first < 0) return;
    if (part.deed === "gone" && part.first < app.run.n && !app.ghosts) app.toggle("ghosts");
    app.select(app.run.pool.row(part.first).key);
    if (this.node.hidden) app.root.focus({ preventScroll: true });
  }
}

/** A line for the parts of a column that have no label. @param {[name: string, tokens: string]} words @param {Side} side @param {ReturnType<typeof placesIn>} at @param {number} middle */
function restLabel([name, tokens], side, at, middle) {
  const label = el("span", { class: "fl-tslabel fl-tsrest", "data-side": side }, el("span", { text: name }), " ", el("b", { text: tokens }));
  const left = side === "before" ? at.before - GAP - at.labels : at.after + at.bar + GAP;
  label.style.cssText = `left: ${left}px; width: ${at.labels}px; top: ${middle}px`;
  return label;
}

/** From the color of one region to that of another, or to nothing. @param {string} id @param {string} from @param {string} to */
function gradient(id, from, to) {
  const stop = (/** @type {number} */ offset, /** @type {string} */ region) =>
    draw("stop", { offset, class: region ? `fl-is-${region}` : "fl-tsend" });
  return draw("linearGradient", { id }, stop(0, from), stop(1, to));
}

/** A line from the middle of a part to its label. @param {number} edge  of the column @param {number} away  1 or -1 @param {number} y @param {number} label */
const leader = (edge, away, y, label) =>
  draw("polyline", { points: `${edge + 1.5 * away},${y} ${edge + 3 * away},${y} ${edge + 8 * away},${label} ${edge + 10 * away},${label}` });

/** How strong the color of a part is: those of one kind of deed pale one after the other. @param {Part[]} parts @param {number} i */
function shadeOf(parts, i) {
  const alike = parts.filter(({ deed, region }) => deed === parts[i].deed && region === parts[i].region);
  return alike.length < 2 ? 100 : Math.round(100 - (45 * alike.indexOf(parts[i])) / (alike.length - 1));
}
