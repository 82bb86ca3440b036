// How full the window is: one bar of regions to scale with the limit, and a legend whose numbers add up.

import { attribute, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { meaningOf } from "../lib/glossary.js";
import { besideUntil, hiddenLeast, hiddenTokens, leftOutWords } from "../run/leftout.js";
import { besideWords } from "../run/midway.js";
import { hindsight, messageWords } from "../run/hindsight.js";
import { countedAt, hiddenAt, nextPrompt, partsBy, uncertainFrom, uncertainWords, unseenAt } from "../run/recorded.js";
import { INFERRED } from "../run/recordedparts.js";
import { guessedBy, tilde, tildeAdded } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */

const REGIONS = ["system", "summary", "compactable", "recent", "message", "cleared"];

/**
 * @typedef {{regions: Record<string, number>, tokens: number, counted: number, messages?: number, epoch?: number, i?: number, sealed?: boolean, hidden?: number}} Tokens of a
 * window by region, in all, and as the policy counts them; where it stands: messages that had arrived, compactions there were; whether
 * a summary is in it that nobody can read, whose size is in no number; and how many tokens are sent beside it that the file does not show
 */

/**
 * What the gauge says of a window. Shares are per cent of the larger of tokens and limit.
 * @param {Run} run
 * @param {Tokens} window
 */
export function reading(run, { regions, tokens, counted, messages, epoch, i, sealed = false, hidden = hiddenAt(run, messages, epoch, i) }) {
  const policy = i === undefined ? run.view.policy : run.policyAt(i);
  const limit = policy?.limit ?? 0;
  const ceiling = policy?.ceiling ?? limit;
  const counts = run.view.policy?.counts ?? "window";
  const active = counts !== "window"; // what is counted is not what is on show
  const about = regions.summary || regions.cleared ? tildeAdded(run) : tilde(run);
  const full = Math.max(tokens + hidden, limit, 1);
  const by = run.view.policy ? undefined : hindsight(run, epoch ?? run.compactions)?.by;
  const names = namesOf(run, by, epoch);
  const parts = REGIONS.filter((region) => regions[region] > 0 || (sealed && region === "summary")).map((region) => ({
    region,
    name: names[region] ?? region,
    tokens: regions[region],
    said: sealed && region === "summary" ? unknownBeside(regions[region]) : int(regions[region]),
    share: (100 * regions[region]) / full,
  }));
  const of = limit > 0 && !active ? ` of ${int(ceiling)}` : hidden > 0 ? " visible" : ""; // more was sent
  return {
    parts,
    over: limit > 0 && (active ? counted : tokens) > limit,
    mark: limit > 0 && !active ? (100 * ceiling) / full : -1,
    apart: limit > 0 && active,
    hidden,
    besideTold: hidden ? `; beside it ${hiddenTokens(hidden, besideUntil(run, i))} that this file does not show` : "",
    hiddenShare: (100 * hidden) / full,
    total: `= ${about}${sealed ? unknownBeside(tokens) : int(tokens)}${of}`,
    note: [
      limit > 0 && active
        ? `${COUNTS[/** @type {"active" | "spoken" | "history" | "wordless"} */ (counts)]} ${about}${int(counted)} of ${int(ceiling)}`
        : sent(run, i, messages, epoch),
      toolWords(run),
    ]
      .filter(Boolean)
      .join(" · "),
    more: sentMore(run, i, messages, epoch, sealed),
    inferred: INFERRED[by ?? "recorded"],
    about: about && `~ estimated by ${guessedBy(run)}`,
  };
}

/** A window with what was sent beside it. @param {Run} run @param {Tokens} window @returns {Tokens} */
export const withHidden = (run, window) => ({ ...window, hidden: hiddenAt(run, window.messages, window.epoch, window.i) });

/** Tokens that are known, and some that are not. @param {number} tokens */
const unknownBeside = (tokens) => (tokens > 0 ? `${int(tokens)} + ?` : "?");

/** What is sent beside the window: the tools' schemas, of a run driven here. @param {Run} run */
function toolWords(run) {
  const tools = run.view.live || run.view.kind === "replay" ? (run.store.header.tools ?? 0) : 0;
  return tools ? `+ ${tilde(run)}${int(tools)} for tools` : "";
}

/**
 * Of the run as recorded: that its window is uncertain, or the prompt of the last model call (the next, where there was none yet), and what of it the transcript does
 * not show.
 * @param {Run} run @param {number} [i] @param {number} [messages] @param {number} [epoch]
 */
function sent(run, i = -1, messages = -1, epoch = 0) {
  const from = run.view.policy ? -1 : uncertainFrom(run, i);
  if (from >= 0) return uncertainWords(run, from);
  if (run.view.policy) return "";
  const found = unseenAt(run, messages, epoch, i);
  if (!found) return "";
  const { prompt, unseen, last } = found;
  const counted = countedAt(run, messages, epoch, i);
  const hidden = hiddenLeast(hiddenAt(run, messages, epoch, i), besideUntil(run, i));
  if (counted) return `not in this file ${hidden} · ${int(counted)} by the agent's count`;
  const whole = `${last ? "last" : "next"} prompt ${int(prompt)}${ahead(nextPrompt(run, found, messages) - prompt)}`;
  return unseen < 0 ? `${whole}, less than counted` : `not in this file ${hidden} · ${whole}`;
}

/** By what messages the window is ahead of the prompt, or behind it: with them the numbers add up. @param {number} since  tokens */
const ahead = (since) => (since > 0 ? `, ~${int(since)} came since` : since < 0 ? `, ~${int(-since)} to come` : "");

/**
 * What the note means: what the file does not show, its parts where they are known, and what the next prompt comes to.
 * @param {Run} run @param {number} [i] @param {number} [messages] @param {number} [epoch] @param {boolean} [sealed]
 */
function sentMore(run, i = -1, messages = -1, epoch = 0, sealed = false) {
  const measured = run.view.policy ? null : unseenAt(run, messages, epoch, i);
  if (!measured) return "";
  const found = measured.unseen < 0 ? measured : { ...measured, unseen: hiddenAt(run, messages, epoch, i) };
  const what =
    found.unseen < 0
      ? "The prompt held fewer tokens than the meter counts for its messages."
      : `${hiddenTokens(found.unseen, besideUntil(run, i))} that this file does not show: ${besideWords(run, epoch, sealed)}.`;
  const next = `With what arrived since, the next prompt comes to ~${int(nextPrompt(run, found, messages))} tokens.`;
  return [what, leftOutWords(run, i), partWords(run, found), found.last ? next : ""].filter(Boolean).join(" ");
}

/** What is unseen, taken apart; "" where that cannot be told. @param {Run} run @param {import("../run/recorded.js").Sent} sent */
function partWords(run, sent) {
  const parts = partsBy(run, sent);
  if (!parts) return "";
  const { missing, undercounted } = parts;
  if (!undercounted) return "";
  const how = undercounted < 0 ? "counts too much" : "counts too little";
  const absent = missing ? `~${int(missing)} of it is not in the file; by` : "By";
  return `${absent} ~${int(Math.abs(undercounted))} the meter ${run.store.header.meter} ${how}.`;
}

const COUNTS = { active: "the policy counts", spoken: "the policy counts", wordless: "the policy counts", history: "the whole history counts" };

/**
 * What regions are called in this run: without a policy nothing is next to go; what is pinned may be no system message.
 * @param {Run} run @param {import("../run/hindsight.js").Known} [by]  how it is known what went @param {number} [epoch]
 * @returns {Record<string, string>}
 */
function namesOf(run, by = "recorded", epoch = run.compactions) {
  const how = by === "recorded" ? "hindsight" : "inferred";
  if (!run.view.policy) return { compactable: `compactable (${how})`, recent: `recent (${how})`, message: messageWords(run, epoch) };
  return run.view.pins?.emptied || run.view.held?.length ? { system: "pinned" } : {};
}

/** The same in front of a room, where nothing says how it is known what went. @param {string} name */
const inRoom = (name) => name.replace(/ \((hindsight|inferred)\)$/, "").replace("no later compaction", "messages");

/**
 * A window on the way from one to another; its regions add up like those of any other.
 * @param {Tokens} from
 * @param {Tokens} to
 * @param {number} done from 0 to 1
 * @returns {Tokens}
 */
export function between(from, to, done) {
  const way = (/** @type {number} */ a, /** @type {number} */ b) => Math.round(a + (b - a) * done);
  const regions = Object.fromEntries(REGIONS.map((region) => [region, way(from.regions[region] ?? 0, to.regions[region] ?? 0)]));
  const tokens = way(from.tokens, to.tokens);
  const largest = REGIONS.reduce((most, region) => (regions[region] > regions[most] ? region : most));
  regions[largest] += tokens - Object.values(regions).reduce((sum, part) => sum + part, 0); // what rounding took or gave
  const hidden = way(from.hidden ?? 0, to.hidden ?? 0);
  return { regions, tokens, counted: way(from.counted, to.counted), i: to.i, hidden, ...(to.sealed && { sealed: true }) };
}

/**
 * The longest legend a run can come to, about: what decides between one line and two.
 * @param {Run} run
 */
export function longest(run) {
  const end = run.step(run.length - 1);
  const peak = Math.max(end.tokens, end.counted, ...run.view.c.before.slice(0, 1000));
  const summary = run.compactions ? Math.max(...run.view.c.summaryTokens.slice(0, 1000)) : 0;
  const regions = {
    system: end.regions.system,
    summary,
    compactable: peak,
    recent: run.view.policy ? peak / 2 : mostKept(run),
    cleared: run.view.c.micro.includes(1) || run.view.shadows.length ? peak / 4 : 0,
  };
  const [doubt] = run.store.header.recorded.uncertain ?? [];
  const i = doubt?.[0] ?? end.i;
  const read = reading(run, { regions, tokens: peak, counted: peak, messages: end.messages, epoch: end.epoch, i });
  return { items: read.parts.map((part) => `${part.name} ${part.said}`), note: read.note, total: read.total };
}

const ITEM = 25; // pixels of an item beside its text: its square, and the gap behind it
const GAP = 12;

/**
 * How many lines a legend takes whose parts are the widest of the run, and whether the parts and the total do not fit on the first.
 * @param {{items: string[], note: string, total: string}} texts @param {number} room  pixels @param {(text: string) => number} width
 */
export function fitting({ items, note, total }, room, width) {
  const parts = items.map((text) => width(text) + ITEM);
  const beside = room - width(total); // the total stands at the end of the first line
  const sum = parts.reduce((sum, part) => sum + part, 0);
  const said = note ? width(note) + GAP : 0;
  if (sum + said <= beside) return { lines: 1, full: false };
  if (sum <= beside) return { lines: 2, full: false };
  let [lines, left] = [1, beside];
  for (const part of [...parts, ...(note ? [Math.min(said, room)] : [])]) {
    if (part > left) [lines, left] = [lines + 1, room];
    left -= part;
  }
  return { lines, full: true };
}

/** The most tokens that a recorded compaction kept of the window in front of it. @param {Run} run */
const mostKept = (run) => Math.max(0, ...Array.from(run.steps.slice(0, 1000), (step) => (step ? run.step(step - 1).regions.recent : 0)));

/** A region's square, its name, its tokens. */
const newItem = () => el("span", { class: "fl-item", tabindex: 0, role: "note", "aria-describedby": "fl-meaning" }, el("i"), el("span"), el("span"));

/** The gauge's nodes. */
export class Gauge {
  constructor() {
    /** @type {Map<string, HTMLElement>} */ this.bars = new Map();
    this.mark = el("i", { class: "fl-limit", title: "limit" });
    /** What is sent and not in the file. */ this.hidden = el("span", { class: "fl-part fl-hidden-part" });
    this.bar = el("div", { class: "fl-regions", role: "img" }, ...REGIONS.map((region) => this.#bar(region)), this.hidden, this.mark);
    this.items = el("span", { class: "fl-items" });
    this.total = el("span", { class: "fl-total" });
    this.note = el("span", { class: "fl-counts", role: "note", "aria-describedby": "fl-meaning" });
    /** What the note means, and why regions are inferred. */ this.more = this.inferred = "";
    this.about = el("span", { class: "fl-by" });
    this.legend = el("div", { class: "fl-legend" }, this.total, this.items, this.note, this.about);
    /** What was written last, and whether there is room for it beside the parts. */ this.written = { text: "", fits: true };
    /** What the region pointed at, or focused, is. */
    this.meaning = el("span", { class: "fl-tooltip fl-meaning", role: "tooltip", id: "fl-meaning" });
    this.node = el("div", { class: "fl-gauge" }, this.bar, this.legend, this.meaning);
    for (const node of [this.items, this.note, this.hidden]) {
      for (const type of /** @type {const} */ (["pointermove", "focusin"])) // not for what comes under a pointer that rests
        node.addEventListener(type, (event) => this.#explain(event.target));
      for (const type of ["pointerleave", "focusout"]) node.addEventListener(type, () => this.#explain(null));
      node.addEventListener("keydown", (event) => this.#close(event));
    }
  }

  /** @param {string} region */
  #bar(region) {
    const node = el("span", { class: `fl-part fl-is-${region}` });
    this.bars.set(region, node);
    return node;
  }

  /** Choose how many lines the legend has for a run. @param {Run} run */
  fit(run) {
    this.written.text = "";
    const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(this.total);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`; // `font` is "" because of tabular-nums
    const { lines, full } = fitting(longest(run), this.legend.clientWidth, (text) => pen.measureText(text).width);
    this.node.classList.toggle("fl-two", lines > 1);
    this.node.classList.toggle("fl-full", full);
    this.node.style.setProperty("--fl-lines", String(lines));
  }

  /**
   * Show a window's tokens; while a compaction is told its bar is on the way there, and no number says what never was.
   * @param {Run} run @param {Tokens} window @param {Tokens} [onTheWay] @param {string} [written]  what has been written, and is not in the window yet
   */
  update(run, window, onTheWay = window, written = "") {
    const read = reading(run, window);
    if (written) Object.assign(read, { note: written, more: "", total: read.total.replace("=", "still") });
    const drawn = onTheWay === window ? read : reading(run, onTheWay);
    const shares = new Map(drawn.parts.map((part) => [part.region, part.share]));
    for (const [region, node] of this.bars) node.style.width = `${shares.get(region) ?? 0}%`;
    this.hidden.style.width = `${drawn.hiddenShare}%`;
    this.note.classList.toggle("fl-hatched", read.hidden > 0 && !written);
    this.note.classList.toggle("fl-written", Boolean(written));
    this.mark.hidden = read.mark < 0 || read.mark >= 99.9;
    this.mark.style.left = `${read.mark}%`;
    this.#legend(read);
    write(this.total, read.total);
    if (written && !this.#fits(written)) write(this.note, ""); // the card says it, too
    this.total.classList.toggle("fl-over", read.over && !read.apart);
    this.note.classList.toggle("fl-over", read.over && read.apart);
    const said = read.parts.map((part) => `${part.name} ${part.said}`).join(", ");
    attribute(this.bar, "aria-label", `tokens by region: ${said}; ${read.total}${read.over ? ", over the limit" : ""}${read.besideTold}`);
  }

  /** Whether what stands beside the parts cuts off none of them: measured once. @param {string} text */
  #fits(text) {
    if (this.written.text === text) return this.written.fits;
    const [last, all] = [this.items.lastElementChild, this.items].map((node) => node?.getBoundingClientRect().right ?? 0);
    this.written = { text, fits: last <= all + 1 };
    return this.written.fits;
  }

  /** Say what a region or the note is, or nothing. @param {EventTarget | null} at */
  #explain(at) {
    const item = at instanceof Element ? at.closest(".fl-item") : null;
    const region = item?.getAttribute("data-region") ?? "";
    const known = [meaningOf(region), /^(compactable|recent)$/.test(region) && this.inferred].filter(Boolean).join(" ");
    const text = at === this.note || at === this.hidden ? this.more : known;
    write(this.meaning, text);
    this.meaning.classList.toggle("fl-open", text !== "");
  }

  /** Escape closes the explanation first. @param {KeyboardEvent} event */
  #close(event) {
    if (event.key !== "Escape" || !this.meaning.classList.contains("fl-open")) return;
    event.stopPropagation();
    this.#explain(null);
  }

  /** @param {ReturnType<typeof reading>} read */
  #legend(read) {
    while (this.items.childElementCount > read.parts.length) this.items.lastElementChild?.remove();
    while (this.items.childElementCount < read.parts.length) this.items.append(newItem());
    read.parts.forEach((part, k) => {
      const item = this.items.children[k];
      attribute(item, "data-region", part.region);
      item.className = `fl-item fl-is-${part.region}`;
      const [name, tokens] = [...item.children].slice(1);
      write(name, this.node.closest("[data-present]") ? inRoom(part.name) : part.name);
      write(tokens, read.parts.length > 1 ? ` ${part.said}` : ""); // of one alone the total says it
    });
    write(this.note, read.note);
    this.more = read.more;
    this.inferred = read.inferred;
    attribute(this.note, "tabindex", read.more ? 0 : null);
    write(this.about, read.note ? "" : read.about);
    attribute(this.items, "title", read.about && `${read.about}, the parts and the rows too`);
  }
}
