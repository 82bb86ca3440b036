// The figures of the whole run of each lane, and what they are against the baseline. They come from the server once the lanes have
// stood for a moment, each lane's by itself: nothing waits for them.

import { attribute, breakable, button, el, visible } from "../lib/dom.js";
import { dollars, int, short } from "../lib/format.js";
import { held } from "../lib/pressed.js";
import { writtenInLanes } from "../run/writtenby.js";
import { isCode } from "../why/lanewords.js";
import { caveats, laterWords } from "./beside.js";
import { deltaOf } from "./deltas.js";
import { whereCell } from "./followed.js";
import { stepAt } from "./held.js";
import { CAVEAT, LETTERS, laneName } from "./words.js";
/** @import { Change, Compare } from "./app.js" */
/** @import { Figures } from "./deltas.js" */

/** Milliseconds that lanes stand before their figures are asked for: not while a slider moves. */
const REST = 350;
/** Figures by trace. @type {Map<string, Figures>} */
const known = new Map();

/**
 * @typedef {{name: string, value: (figures: Figures) => number | null | undefined, text: (value: number, figures: Figures) => string, good: "less" | "", as: "share" | "count" | "points", bySummary?: boolean, none?: (figures: Figures) => string,
 *   quoted?: (figures: Figures) => number, below?: string, onRecord?: (usage: NonNullable<Figures["usage"]>) => number}} Line  `bySummary`: it depends on what summaries say, or how long they are; `quoted`: how many more there may be, as only quotes in place of a summary keep them;
 *   `below`: what the figure is of; `onRecord`: the same by the usage records of the transcript
 */

/** @type {Line} */
const RULES = {
  name: "Statements lost",
  below: "said by the user",
  bySummary: true,
  value: ({ rules_lost }) => rules_lost,
  text: int,
  good: "less",
  as: "count",
  none: ({ unread }) => (unread ? "not known" : "not counted"),
  quoted: ({ rules_quoted = 0 }) => rules_quoted,
};

/** Of these. @type {Line} */
const NEEDED = {
  ...RULES,
  name: "Needed later",
  below: "of those lost",
  value: ({ rules_needed }) => rules_needed,
  quoted: ({ needed_quoted = 0 }) => needed_quoted,
};

/** Where only quotes keep a rule, fewer are no gain. @type {Line} */
const FINDINGS = { name: "Findings", value: ({ findings }) => findings, text: int, good: "less", as: "count" };

/** @type {Line[]} */
const LINES = [
  RULES,
  NEEDED,
  {
    name: "Cost",
    below: "a lower bound",
    bySummary: true,
    value: ({ cost }) => cost,
    text: (v) => dollars(v),
    good: "less",
    as: "share",
    none: () => "no price",
  },
  {
    name: "Misses",
    below: "of names used again",
    bySummary: true,
    value: ({ miss_rate }) => miss_rate,
    text: (v, { unread }) => `${unread ? "≤ " : ""}${(100 * v).toFixed(1)} %`,
    good: "less",
    as: "points",
    none: () => "no uses",
  },
  {
    name: "Tokens sent",
    below: "of what is shown",
    bySummary: true,
    value: ({ tokens_sent }) => tokens_sent,
    text: short,
    good: "less",
    as: "share",
    onRecord: ({ sent }) => sent,
  },
  { name: "Read from cache", bySummary: true, value: ({ cache_read }) => cache_read, text: short, good: "", as: "share" },
  { name: "Summarizer tokens", bySummary: true, value: (f) => sum(f.summarizer_in, f.summarizer_out), text: short, good: "less", as: "share" },
  { name: "Compactions", bySummary: true, value: ({ compactions }) => compactions, text: int, good: "", as: "count" },
  {
    name: "Peak window",
    below: "largest, sent or not",
    value: ({ peak_tokens }) => peak_tokens,
    text: int,
    good: "less",
    as: "share",
    onRecord: ({ peak }) => peak,
  },
  { name: "Mean window", bySummary: true, value: ({ mean_tokens }) => mean_tokens, text: int, good: "less", as: "share" },
  {
    name: "Calls over budget",
    below: "windows as sent",
    value: ({ over_budget_calls }) => over_budget_calls,
    text: int,
    good: "less",
    as: "count",
    none: () => "no budget",
  },
  FINDINGS,
];

/** Why a figure may be higher. @param {number} quoted */
const quotedWords = (quoted) => `${int(quoted)} of them only quotes keep, in place of a summary: one that a model writes may leave them out`;

/** Beside a figure that summaries make which tell of what comes later: why stands below the figures. */
const laterNote = () => el("span", { title: "See the note below the figures", text: " *" });

/** @param {number | undefined} one @param {number | undefined} other */
const sum = (one, other) => (one === undefined || other === undefined ? undefined : one + other);

export class Totals {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    this.timer = 0;
    /** @type {AbortController | null} */ this.asking = null;
    /** Why the figures of a trace are not known. @type {Map<string, string>} */ this.failed = new Map();
    this.against = el("span", { class: "fl-told" });
    const what = button("What is measured", () => app.help.open(), { class: "fl-small" });
    this.head = el("thead");
    this.body = el("tbody");
    this.table = el("table", { class: "fl-totals" }, this.head, this.body);
    this.scroll = el("div", { class: "fl-totals-scroll", tabindex: "0", role: "region", "aria-label": "The whole run, in figures" }, this.table);
    this.beside = el("div", { class: "fl-totals-beside" });
    const foot = el("footer", { class: "fl-totals-foot", text: `Tokens and cost are of what the transcript shows. ${CAVEAT}` });
    this.scroll.append(foot, this.beside);
    const head = el("div", { class: "fl-whead" }, el("h2", { class: "fl-title", text: "The whole run" }), this.against, what);
    /** What some figures do not judge, always in sight. */ this.future = el("p", { class: "fl-totals-future", hidden: true });
    this.node = el("section", { class: "fl-card fl-slot-inspector fl-totals-card", "aria-label": "The whole run" }, head, this.scroll, this.future);
  }

  /** @param {Change} change */
  update({ runs, cursor, board, pins }) {
    if (runs) this.#later();
    if (runs || board) this.#draw();
    if (cursor || pins) this.#pinned();
  }

  #later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (held() ? this.#later() : this.#ask()), REST);
  }

  /** One lane after the other: each is work for the server. */
  async #ask() {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    for (const tid of new Set(this.app.runs.map(({ view }) => view.tid))) {
      if (known.get(tid)?.findings !== undefined) continue;
      const take = (/** @type {Partial<Figures>} */ line) => {
        known.set(tid, { ...(known.get(tid) ?? {}), ...line });
        this.#draw();
      };
      try {
        await this.app.lines(`api/totals/${encodeURIComponent(tid)}`, take, asking.signal);
      } catch {
        if (asking.signal.aborted) return;
        this.failed.set(tid, "not known");
        this.#draw();
      }
    }
  }

  /** @param {number} lane @returns {Figures} */
  #figures(lane) {
    return known.get(this.app.runs[lane]?.view.tid) ?? {};
  }

  #draw() {
    const { app } = this;
    const { board, runs } = app;
    if (board.lanes.length !== runs.length) return;
    const base = board.lanes[board.base];
    this.against.textContent = `against ${LETTERS[board.base]}, ${laneName(base, runs[board.base].compactions).replace("As", "as").replace("No ", "no ")}`;
    this.head.replaceChildren(
      el("tr", {}, el("th", { scope: "col" }, el("span", { class: "fl-said", text: "Measure" })), ...runs.map((_, lane) => this.#column(lane))),
    );
    this.body.replaceChildren(...LINES.map((line) => this.#line(line)));
    const figures = runs.map((_, lane) => this.#figures(lane));
    const notes = [...caveats(figures, LETTERS), app.alone ? "" : writtenInLanes(runs, LETTERS)].filter(Boolean); // in what scrolls, as they come late: nothing in sight moves for them
    this.beside.replaceChildren(...notes.map((text) => el("p", { class: "fl-mute", text })));
    const later = laterWords(figures, LETTERS);
    this.#drawLater(later && `* ${later}`);
    this.#pinned();
    attribute(this.node, "data-figures", runs.every((_, lane) => this.#figures(lane).findings !== undefined) ? "all" : null);
  }

  /** @param {string} text  why some figures do not judge the settings; "" where all do */
  #drawLater(text) {
    if (this.future.textContent?.startsWith(text) && this.future.hidden === !text) return; // the focus may be on its button
    const { trigger } = this.app;
    const quotes = trigger ? [" ", button("Compare with quotes instead", () => trigger("quotes", {}), { class: "fl-small" })] : [];
    this.future.replaceChildren(text, ...quotes);
    this.future.hidden = !text;
  }

  /** @param {number} lane */
  #column(lane) {
    const { board, runs } = this.app;
    const data = board.lanes[lane];
    const baseline = lane === board.base;
    const name = laneName(data, runs[lane].compactions);
    const letter = button(LETTERS[lane], () => board.setBase(lane), {
      class: "fl-letter",
      "aria-pressed": String(baseline),
      title: baseline ? "The baseline" : `Make ${LETTERS[lane]} the baseline`,
      "aria-label": `Lane ${LETTERS[lane]}, baseline`,
    });
    const second = el("span", { class: "fl-totals-set" }, baseline ? el("span", { text: "baseline" }) : "", letter);
    return el("th", { scope: "col" }, el("span", { class: "fl-totals-name", title: name }, ...breakable(name)), second);
  }

  /** @param {Line} line */
  #line(line) {
    const cells = this.app.runs.map((_, lane) => this.#cell(line, lane));
    const below = line.below ? el("span", { class: "fl-totals-below", text: line.below }) : "";
    return el("tr", {}, el("th", { scope: "row" }, line.name, below), ...cells);
  }

  /** A figure of a lane. @param {Line} line @param {number} lane */
  #cell(line, lane) {
    const figures = this.#figures(lane);
    const value = line.value(figures);
    const waiting = this.failed.get(this.app.runs[lane].view.tid) ?? "…";
    const text = value === undefined ? waiting : value === null ? (line.none?.(figures) ?? "–") : line.text(value, figures);
    const quoted = (value !== null && line.quoted?.(figures)) || 0;
    const most = quoted ? (value ? `${text} to ${int(value + quoted)}` : `up to ${int(quoted)}`) : text;
    const shown = el("span", { class: "fl-totals-value", title: quoted ? quotedWords(quoted) : null, text: most });
    if (line.bySummary && figures.later) shown.append(laterNote());
    return el("td", {}, el("div", { class: "fl-totals-cell" }, this.#difference(line, lane), shown), this.#onRecord(line, lane));
  }

  /** Of a recorded lane the figure by its usage records, which hold more than the transcript shows. @param {Line} line @param {number} lane */
  #onRecord({ onRecord, text }, lane) {
    const { usage } = this.#figures(lane);
    if (!usage || !onRecord || this.app.board.lanes[lane].name !== "recorded") return "";
    const title = "By the usage records of the transcript: with the hidden prompt, tools and thinking";
    return el("span", { class: "fl-totals-below", title, text: `recorded ${text(onRecord(usage), {})}` });
  }

  /** By how much a figure differs from the baseline's; null where that is not known, or the two are not alike. @param {Line} line @param {number} lane */
  #difference(line, lane) {
    const { base } = this.app.board;
    const [figures, against] = [this.#figures(lane), this.#figures(base)];
    const [value, other] = [line.value(figures), line.value(against)];
    const unlike = line.name === "Misses" && Boolean(figures.unread) !== Boolean(against.unread);
    const byQuotes = [figures, against].some(({ rules_quoted }) => rules_quoted);
    const fromLater = line.bySummary && (figures.later || against.later); // such a difference does not judge the settings
    if (lane === base || unlike || fromLater || (byQuotes && line.quoted)) return null;
    if (value === null || value === undefined || other === null || other === undefined) return null;
    const delta = deltaOf(value, other, line.as);
    return delta && chip(delta, byQuotes && line === FINDINGS ? "" : line.good);
  }

  /** Each followed text, and where it is in each lane: above the figures, as it is what somebody came for. */
  #pinned() {
    const { app, body } = this;
    const { texts } = app.pins;
    const focused = [...body.querySelectorAll(".fl-totals-pin")].findIndex((node) => node.matches(":focus"));
    for (const node of body.querySelectorAll("[data-pinned]")) node.remove();
    if (!texts.length) return;
    body.prepend(...texts.flatMap((text, i) => this.#followed(text, i)), this.#group("In the whole run"));
    if (focused >= 0) /** @type {HTMLElement | undefined} */ (body.querySelectorAll(".fl-totals-pin")[focused])?.focus({ preventScroll: true });
  }

  /** @param {string} text @param {number} i */
  #followed(text, i) {
    const { app } = this;
    const name = button("", () => app.pins.choose(i), {
      class: "fl-totals-pin",
      "aria-pressed": String(i === app.pins.at),
      title: "Show where it is below each lane",
    });
    name.append(el(isCode(text) ? "code" : "q", { dir: "auto", text: visible(text) }));
    const place = el("th", { scope: "row", text: `at message ${int(app.at)}` });
    return [
      el("tr", { "data-pinned": "quote" }, el("th", { scope: "rowgroup", colspan: app.runs.length + 1 }, name)),
      el("tr", { "data-pinned": "text" }, place, ...app.runs.map((_, lane) => el("td", {}, this.#state(lane, i)))),
    ];
  }

  /** @param {string} text */
  #group(text) {
    const head = el("th", { scope: "colgroup", colspan: this.app.runs.length + 1, text });
    return el("tr", { class: "fl-totals-group", "data-pinned": "group" }, head);
  }

  /** @param {number} lane @param {number} i */
  #state(lane, i) {
    const { app } = this;
    const fate = app.pins.fate(lane, i);
    const run = app.runs[lane];
    const failed = app.pins.failed(lane, i);
    if (!fate) return el("span", { class: "fl-mute", text: failed ? "not known" : "…", title: failed || null });
    if (fate.common) return el("span", { class: "fl-mute", text: "said too often" });
    return whereCell(run, fate, stepAt(run, app.at));
  }

  stop() {
    clearTimeout(this.timer);
    this.asking?.abort();
  }
}

/** A difference to the baseline: worse tinted, better green; where neither is meant, or it is slight, plain. @param {import("./deltas.js").Delta} delta @param {string} good */
function chip({ text, sign, slight }, good) {
  const tone = !good || !sign || slight ? "plain" : sign < 0 ? "better" : "worse";
  return el("span", { class: `fl-delta fl-delta-${tone}` }, text, tone === "plain" ? "" : el("span", { class: "fl-said", text: ` ${tone} ` }));
}
