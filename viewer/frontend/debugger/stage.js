// The stage on which a compaction is told: pictures of the rows, over the list, which is already the final one. It is taken away
// when the show ends. Only transforms, opacity and a few short texts change from one moment to the next.

import { el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { clamp } from "../lib/ease.js";
/** @import { Moment, Story } from "../run/story.js" */
/** @import { GoingName } from "./phasewindow.js" */
/** @import { Group, Heading, Scene, Stayer } from "./scene.js" */

/**
 * What is told of a compaction in words: what it takes ("2 messages"), tokens that go, the label of what is put in; `names` are those of the
 * sections that go.
 * @typedef {{story: Story, back: boolean, fades: boolean, taken: string, goes: number, label: string, verb: string, about: string, names: Map<string, GoingName>}} Words
 */

/** How far rows that go are lifted to the right, and a stack that is dropped leaves to the left, in pixels. */
const LIFT = 10;
const AWAY = 60;
/** How wide a bracket is that says what goes and what stays, in pixels; it comes from the right edge and goes back there. */
const BRACKET = 124;
/** Characters of a line that are written one by one. */
const LINE = 96;

/** @param {number} from @param {number} to @param {number} part */
const way = (from, to, part) => from + (to - from) * part;

/** @param {HTMLElement} node @param {number} x @param {number} y */
function place(node, x, y) {
  const to = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
  if (node.style.transform !== to) node.style.transform = to;
}

/** @param {HTMLElement} node @param {number} opacity */
function show(node, opacity) {
  const to = opacity.toFixed(3);
  if (node.style.opacity !== to) node.style.opacity = to;
}

/** Draws one moment of something that moves. @typedef {(moment: Moment) => void} Draw */

export class Stage {
  constructor() {
    this.node = el("div", { class: "fl-stage", "aria-hidden": "true" });
    /** @type {Draw[]} */ this.draws = [];
    /** Who moves where; null while nothing is told. @type {Scene | null} */ this.scene = null;
  }

  /** Put everything where it is at the beginning. @param {Scene} scene @param {Words} words */
  set(scene, words) {
    this.clear();
    this.scene = scene;
    const { back, fades } = words;
    this.draws.push((moment) => show(this.node, back ? moment.fade : 1 - moment.fade));
    const still = back || fades;
    for (const stayer of scene.stayers) this.#stayer(stayer, still, headingOf(stayer, scene.headings));
    for (const group of scene.groups) this.#group(group, words, still);
    for (const heading of scene.headings) this.#heading(heading, words, scene.groups, still);
    if (!still) for (const [k, bracket] of scene.brackets.entries()) this.#bracket(bracket, k, words);
    this.node.hidden = false;
  }

  /** @param {Moment} moment */
  draw(moment) {
    for (const draw of this.draws) draw(moment);
  }

  /** Where a message that is put in stands until what stays closes up. @param {number} pool @returns {import("./summarybelow.js").Place | null} */
  placeOf(pool) {
    const { groups = [], stayers = [], headings = [], closes } = this.scene ?? {};
    const y = groups.flatMap(({ puts }) => puts).find(({ row }) => row.pool === pool)?.y0;
    if (y === undefined) return null;
    const there = [...groups.flatMap(({ puts }) => puts), ...stayers.filter(({ fresh }) => !fresh), ...headings.filter(staysHeaded)];
    return { y, end: Math.min(this.node.clientHeight, ...there.map(({ y0, y1 }) => (closes ? y1 : y0)).filter((below) => below > y)) };
  }

  clear() {
    this.draws = [];
    this.scene = null;
    if (this.node.firstChild) this.node.replaceChildren();
    this.node.hidden = true;
  }

  /** How far what stays has closed up. @param {Moment} moment */
  #closed({ gathered, splice }) {
    return this.scene?.closes ? gathered : splice;
  }

  /** @param {Stayer} stayer @param {boolean} still @param {Heading} [heading]  what it stands under */
  #stayer({ row, y0, y1, share, fresh, after }, still, heading) {
    const { node } = row;
    this.node.append(node);
    place(node, 0, y0);
    if (still && y0 > this.node.clientHeight) return node.remove();
    if (!still && (y0 !== y1 || fresh)) {
      this.draws.push((moment) => {
        const part = this.#closed(moment);
        const y = way(y0, y1, part);
        const passed = heading?.to && y < way(heading.y0, heading.y1, part); // what scrolls away does so under its heading
        place(node, 0, y);
        show(node, passed ? 0 : fresh ? Number(part >= 1) : 1);
      });
    }
    if (share >= 0 && !still) this.draws.push(emptying(node, after?.node, share));
  }

  /** @param {Group} group @param {Words} words @param {boolean} still */
  #group({ rows, y0, puts, count }, words, still) {
    for (const { row, y0: from, share } of rows) {
      const warm = el("i", { class: "fl-warm" });
      row.node.append(warm);
      const tokens = /** @type {HTMLElement} */ (row.node.querySelector(".fl-tokens"));
      row.node.classList.add("fl-going");
      this.node.append(row.node);
      place(row.node, 0, from);
      this.draws.push((moment) => {
        show(warm, moment.warm);
        if (still) return;
        const there = moment.row(share);
        place(row.node, LIFT * moment.lift, way(from, y0, there));
        place(tokens, -LIFT * moment.lift, 0); // numbers stay in their column
        show(row.node, there >= 1 ? 0 : 1);
      });
    }
    if (still) return;
    if (rows.length) this.#stack(rows.length, y0, count, words);
    if (words.story === "drop") return;
    for (const { row, y0, y1 } of puts) this.#put(row.node, y0, y1, words);
  }

  /** The rows that went, one upon the other; says how many they are. @param {number} seen @param {number} y @param {number} count @param {Words} words */
  #stack(seen, y, count, words) {
    const [many, ...what] = (count ? words.taken : pluralize(seen, "message")).split(" ");
    const node = el(
      "div",
      { class: "fl-stack fl-is-compactable" },
      el("span", { class: "fl-badge", text: "C" }),
      el("span", {}, el("b", { text: many }), ` ${what.join(" ")}`),
      el("span", { class: "fl-tokens", text: words.goes && count ? int(words.goes) : "" }),
    );
    const parts = /** @type {HTMLElement[]} */ ([...node.children]);
    this.node.append(node);
    this.draws.push(({ gathered, lift, leave, amber, splice }) => {
      place(node, LIFT * lift - AWAY * leave, y);
      show(node, gathered > 0 && amber < 1 && splice <= 0 ? 1 - leave : 0);
      for (const part of parts) show(part, clamp(gathered * 8) * (1 - clamp(amber * 2))); // of two texts at one place one is seen
    });
  }

  /** What is put in: it takes the place of the stack, gets its text and its number, and goes where it is to stand. @param {HTMLElement} node @param {number} y0 @param {number} y1 @param {Words} words */
  #put(node, y0, y1, { story }) {
    const [preview, tokens] = [".fl-preview", ".fl-tokens"].map((name) => /** @type {HTMLElement} */ (node.querySelector(name)));
    const parts = /** @type {HTMLElement[]} */ ([...node.children]);
    const whole = preview.textContent ?? "";
    const sealed = story === "opaque";
    const caret = el("i", { class: "fl-caret", text: "\u2588" });
    const text = document.createTextNode("");
    preview.replaceChildren(text, caret);
    const size = tokens.textContent ?? "";
    node.classList.toggle("fl-sealed", sealed);
    this.node.append(node);
    this.draws.push((moment) => {
      const { amber, lift, number, splice } = moment;
      place(node, LIFT * lift * (1 - amber), way(y0, y1, splice));
      show(node, amber);
      for (const part of parts) show(part, clamp(amber * 2 - 1));
      const done = moment.text >= 1 || story === "digest";
      write(text, done ? whole : sealed ? "cannot be read" : whole.slice(0, Math.ceil(Math.min(LINE, whole.length) * moment.text)));
      caret.hidden = done || sealed;
      write(tokens, number < 1 ? "…" : size);
    });
  }

  /** @param {Heading} heading @param {Words} words @param {Group[]} groups @param {boolean} still */
  #heading({ y0, y1, from, to, goes, leads }, words, groups, still) {
    if (still && !from) return;
    const [title, note] = [el("span"), el("span", { class: "fl-note" })];
    const node = el("div", { class: "fl-heading" }, title, note);
    this.node.append(node);
    const count = groups[0]?.count ?? 0;
    const headingAt = (/** @type {Moment} */ { phase, amber, gathered }) => {
      if (to && (phase === 4 || !from)) return [to.title, to.note];
      const name = goes && phase > 1 && (!leads || gathered <= 0) ? words.names.get(from?.id ?? "") : undefined;
      if (name) return [name.title, name.note];
      if (!leads || phase === 1) return [from?.title ?? "", from?.note ?? ""];
      if (amber > 0 && words.label) return [`Becoming ${words.label}`, ""];
      return [`Being ${words.verb}${count ? `: ${words.taken}` : ""}`, count && gathered > 0 && words.label ? `${int(count)} → 1` : ""];
    };
    const first = goes && to === null;
    const gone = goes && !leads && words.story !== "failed";
    this.draws.push((moment) => {
      const words = still ? [from?.title ?? "", from?.note ?? ""] : headingAt(moment);
      write(title, words[0]);
      write(note, words[1]);
      const part = this.#closed(moment);
      place(node, 0, still ? y0 : way(y0, y1, part));
      const there = from ? (first || !to ? 1 - part : 1) : part;
      show(node, still ? 1 : gone ? 1 - moment.gathered : there);
    });
  }

  /** @param {import("./scene.js").Bracket} bracket @param {number} k @param {Words} words */
  #bracket({ name, top, bottom, count }, k, words) {
    const said = { front: "stays", goes: "go", stays: "stay" }[name];
    const verb = name === "goes" ? (count === 1 ? "goes" : "go") : count === 1 ? "stays" : "stay";
    const line = el("i");
    const label = el("span", {}, el("b", { text: `${int(count)} ${verb}` }), name === "goes" ? el("span", { text: words.about }) : "");
    const node = el(
      "div",
      { class: `fl-bracket fl-is-${{ front: "system", goes: "compactable", stays: "recent" }[name]}`, "data-says": said },
      line,
      label,
    );
    node.style.height = `${bottom - top}px`;
    this.node.append(node);
    this.draws.push(({ brackets }) => {
      line.style.transform = `scaleY(${brackets[k].toFixed(3)})`;
      place(node, BRACKET * (1 - brackets[k]), top); // it covers what it comes over: no text shows through it
      show(node, brackets[k] > 0 ? 1 : 0);
    });
  }
}

/** Whether a heading is still there when what goes has gathered. @param {Heading} heading */
const staysHeaded = ({ from, goes, leads }) => from !== null && (leads || !goes);

/** The heading that a row stands under. @param {Stayer} stayer @param {Heading[]} headings */
function headingOf({ row, fresh }, headings) {
  const under = (/** @type {"from" | "to"} */ side) => headings.find((heading) => heading[side]?.id === row.section);
  return (fresh ? undefined : under("from")) ?? under("to");
}

/**
 * A row that is emptied where it stands: its text is struck out, its bar runs down, and what is left of it is seen.
 * @param {HTMLElement} node @param {HTMLElement | undefined} after @param {number} share
 * @returns {Draw}
 */
function emptying(node, after, share) {
  const warm = el("i", { class: "fl-warm fl-cool" });
  const strike = el("i", { class: "fl-strike" });
  const [preview, bar, tokens] = [".fl-preview", ".fl-meter i", ".fl-tokens"].map((name) => /** @type {HTMLElement} */ (node.querySelector(name)));
  const silent = !after || after.classList.contains("fl-silent");
  if (!silent) preview.append(strike);
  node.append(warm);
  const size = (/** @type {HTMLElement} */ row) => row.querySelector(".fl-tokens")?.textContent ?? "";
  const wide = (/** @type {Element | null | undefined} */ part) => Number.parseFloat(/** @type {HTMLElement} */ (part)?.style.width) || 1;
  const [from, to] = [size(node), after ? size(after) : size(node)];
  const least = Math.min(1, wide(after?.querySelector(".fl-meter i")) / wide(bar));
  if (after) node.append(Object.assign(after, { className: `${after.className} fl-emptied-to` }));
  return (moment) => {
    const { struck, drained } = moment.emptied(share);
    show(warm, moment.warm);
    strike.style.transform = `scaleX(${struck.toFixed(3)})`;
    bar.style.transform = `scaleX(${way(1, least, drained).toFixed(3)})`;
    write(tokens, drained >= 1 ? to : from);
    if (after) show(after, drained >= 1 ? 1 : 0);
  };
}
