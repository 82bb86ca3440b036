// What the compactions lost: a table of all of it, then each compaction, most important first. Each text leads to Why, each head to the card.

import { Asker, lossesPath } from "../lib/api.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { sizesOf } from "../run/announcing.js";
import { clocks, spent } from "../run/overviewwords.js";
import { overviewHeadline } from "../run/overviewheadline.js";
import { sizePair } from "../run/sizepair.js";
import { askedOf } from "../run/turnparts.js";
import { followLoss, lossQuote } from "./lossquote.js";
import { RequestList } from "./requestlist.js";
import { RuleList } from "./rulelist.js";
import { RuleStory } from "./rulestory.js";
import { noteBroughtBack } from "../run/broughtback.js";
import { figures, onlyEmpties, spanOf } from "../run/compactionfigures.js";
import { ALL } from "../run/losspages.js";
import { AHEAD as LINES, LEAST, lossTable } from "../run/losstable.js";
import {
  askedAgain,
  followedHere,
  isBlank,
  isNeeded,
  lossGroups,
  lossNote,
  lostResults,
  newestAsked,
  nothingLost,
  maybeBack,
  mostAsked,
  requestsGoneHere,
  STATED,
} from "../run/losswords.js";
import { inThisFile } from "../run/midway.js";
import { betweenPrompts } from "../run/recordedsums.js";
import { columnsOf } from "../run/scaleparts.js";
import { grownWords } from "../run/scalewords.js";
import { tilde } from "../run/sections.js";
import { isOnlySimulated } from "../run/shownas.js";
import { stepName } from "../run/places.js";
import { theTask } from "../run/summarynotes.js";
import { unlistedOf } from "../run/unlisted.js";
/** @import { App } from "./app.js" */
/** @import { CompactionLosses, Loss, LossPage, OverviewTurn } from "../run/types.js" */

/** Milliseconds a simulated run stands before it is asked about: while a slider moves nothing is asked. */
const REST = 500;
const SOON = 80;

/** Messages of the user that are quoted of those that send the agent back to what a compaction took. */
const ASKED = 3;
/** Compactions whose heads stand there before the answer comes. */
const AHEAD = 8;

/**
 * What is said behind a text that is gone, and once behind several of which the same is said.
 * @typedef {{each: (loss: Loss) => string, all: string}} Behind
 */
/** What the lines are called of what the model used later beside names. */
const OTHERS = { command: "Commands", error: "Errors", task: "Open tasks" };
/** Of names where prompts held what the file does not show: the model may have seen them there. @type {Behind} */
const UNSHOWN = { each: () => "though this file does not show it in the window", all: "though this file does not show these in the window" };
/** @type {Behind} */ const UNSAID = { each: () => "", all: "" };

/** A text of which nothing more is said. */
const NO_NOTE = {
  kind: /** @type {const} */ ("said"),
  used_at: -1,
  said_again_at: -1,
  carried_at: -1,
  used: "",
  said_again: "",
  kept: 0,
  words: 0,
  rank: 0,
};

/**
 * `open` shows a compaction's card and `go` the message of a step; `during` is the turn that a step is in.
 * @typedef {{open: (step: number) => void, go: (step: number) => void, during: (step: number) => {turn: OverviewTurn, number: number} | null}} Ways
 */

export class LossesView {
  /** @param {App} app @param {Ways} ways */
  constructor(app, { open, go, during }) {
    this.app = app;
    this.open = open;
    this.go = go;
    this.during = during;
    this.asker = new Asker(app, SOON);
    this.table = el("div", { class: "fl-ltable" });
    /** How much the table leaves open. */ this.least = el("p", { class: "fl-osmall" });
    /** What is not looked for, as the session is too long. */ this.limits = el("p", { class: "fl-osmall fl-limits" });
    this.list = el("ol", { class: "fl-losses" });
    this.more = button("Show what the next ones lost", () => this.#ask(this.rows.length), { class: "fl-link" });
    this.head = el("h3");
    this.whole = el("section", { class: "fl-lwhole" }, this.head, this.table, this.least);
    /** The rule that mattered most, from where it was said to what would have kept it. */
    this.story = new RuleStory(app, go, (loss, step) => this.#why(loss, step));
    this.rules = new RuleList((loss, step) => this.#text(loss, step));
    /** Which of the requests went. */ this.requests = new RequestList(app, go, (loss, step) => this.#why(loss, step));
    /** Which of them each compaction took, by its number: open ones stay open. @type {Map<number, RequestList>} */ this.took = new Map();
    /** The whole in a sentence. */ this.headline = el("p", { class: "fl-oheadline" });
    this.each = el("section", {}, el("h3", { text: "Compaction by compaction" }), this.limits, this.list, this.more);
    /** @type {CompactionLosses[]} */ this.rows = [];
    /** Whether nobody looked when sentences were needed, as the session is too long. */ this.unsought = false;
    /** Tokens of the largest window that has a bar. */ this.largest = 1;
  }

  /** Whether all of it is there. */
  get done() {
    const { compactions } = this.app.run;
    return (this.rows.length >= compactions || compactions > ALL) && !this.story.trying;
  }

  /** Another run is on the page. */
  place() {
    const { run } = this.app;
    this.drop(); // an answer about the run before would be drawn over this one, which may have no compactions
    this.rows = [];
    this.took.clear();
    this.largest = 1;
    this.each.hidden = !run.compactions;
    this.whole.hidden = !run.compactions || run.compactions > ALL;
    const would = isOnlySimulated(run);
    write(this.headline, this.whole.hidden ? "" : `Working out what ${would ? "would be" : "was"} lost…`);
    attribute(this.headline, "data-working", ""); // the place of some lines, until they are known
    write(this.head, would ? "What would have been forgotten" : "What was forgotten");
    this.more.hidden = true;
    this.requests.show(undefined, "");
    this.table.replaceChildren(...LINES.map((label) => line(label, el("p", { class: "fl-none", text: "Looking…" }))));
    write(this.least, "");
    write(this.limits, "");
    this.story.clear();
    this.list.replaceChildren(
      ...Array.from({ length: Math.min(AHEAD, run.compactions) }, (_, k) =>
        this.#item(k, [el("p", { class: "fl-none", text: "Working out what it took…" })]),
      ),
    );
    if (run.compactions) this.#ask(0);
  }

  drop() {
    this.asker.drop();
    this.story.clear();
  }

  /** @param {number} from */
  #ask(from) {
    const { run } = this.app;
    this.asker.delay = run.view.kind === "simulate" ? REST : SOON; // nothing is turned in a run as recorded
    const path = lossesPath(run.view.tid, from, run.view.live ? run.length : 0);
    this.asker.ask(
      path,
      (page) => this.#draw(page),
      (said) => this.#fail(said, from),
    );
  }

  /** @param {string} said @param {number} from */
  #fail(said, from) {
    const again = failure(said, () => this.#ask(from));
    write(this.headline, "");
    this.list.replaceChildren(el("li", {}, again));
  }

  /** @param {LossPage} page */
  #draw({ total, from, rows, limits = [], unsought = false }) {
    const before = this.rows.length;
    this.rows = [...this.rows.slice(0, from), ...rows];
    noteBroughtBack(this.app.run, rows);
    this.unsought = unsought;
    const whole = this.rows.length >= total;
    write(this.limits, limits.map(visible).join(" "));
    if (whole) this.#tell();
    const next = !whole && this.rows.length > before;
    this.more.hidden = !next || total <= ALL;
    this.list.replaceChildren(...lossGroups(this.rows).map((rows) => this.#item(rows[0].index, this.#lines(rows), rows.length, this.#clock(rows))));
    if (next && total <= ALL) this.#ask(this.rows.length);
  }

  /** All of it, once every compaction has been asked about. */
  #tell() {
    const { rows, unsought } = this;
    this.story.show(rows);
    const [first = "", ...rest] = this.story.told ? [] : overviewHeadline(this.app.run, rows, unsought);
    attribute(this.headline, "data-working", null);
    this.headline.replaceChildren(...(first ? [first] : []), ...rest.map((sentence) => el("span", { text: sentence })));
    const hidden = rows.some(hides);
    const { run } = this.app;
    const lines = lossTable(rows, { about: tilde(run) !== "", hidden, unlisted: unlistedOf(run, rows), within: inThisFile(run) });
    this.table.replaceChildren(...lines.map((one) => line(one.label, el("div", {}, ...this.#lineNodes(one)))));
    write(this.least, rows.every(isBlank) ? "" : LEAST);
    this.whole.hidden = false;
  }

  /** A line of the table: that of the requests opens their list, that of the rules quotes some. @param {import("../run/losstable.js").LossLine} line */
  #lineNodes({ label, words, quiet }) {
    const newest = newestAsked(this.rows);
    const { listed: some = [], kept = [], others = [] } = newest?.requests ?? {};
    const listed = label === "Requests" && some.length + kept.length + others.length ? newest : undefined;
    if (label === "Requests") this.requests.show(listed, quiet || words);
    if (listed) return [...(quiet ? [el("p", { text: words })] : []), this.requests.head, this.requests.list];
    if (label !== "Rules" && label !== "Statements") return [el("p", { text: words })];
    return [el("p", { text: words, title: STATED }), ...this.rules.nodes(this.rows, this.story.told)];
  }

  /** When some compactions happened, with the date where it is another one than before, and how all were started. @param {CompactionLosses[]} rows */
  #clock(rows) {
    const before = this.rows[this.rows.indexOf(rows[0]) - 1];
    const when = clocks(rows[0].timestamp, rows[rows.length - 1].timestamp, before?.timestamp);
    const [how] = new Set(rows.map((row) => row.how ?? "")).size === 1 ? [rows[0].how] : [];
    return [when, how].filter(Boolean).join(" · ");
  }

  /** A compaction, or several of which nothing is known. @param {number} k @param {(Node | string)[]} lines @param {number} [count] @param {string} [told]  when it happened, and how it was started */
  #item(k, lines, count = 1, told = "") {
    const { run } = this.app;
    const made = figures(run, k);
    const pair = `${betweenPrompts(run, made) ? "prompt " : ""}${sizesOf(run, k, made)}`;
    const known = !made.begins || (made.recordedBefore >= 0 && made.recordedAfter >= 0);
    const sizes = [known && pair, made.begins && "the file begins with its summary"].filter(Boolean).join(" · ");
    const about = [told && ` · ${told}`, count > 1 ? "" : ` · after message ${int(run.step(made.step).messages)} · ${sizes}`].join("");
    const head = button("", () => this.open(made.step), { class: "fl-loss-head", "data-step": made.step, title: "Open its card" });
    const name = el("span", {}, el("i", { "aria-hidden": "true", text: "◆ " }), el("b", { text: capitalized(spanOf(run, k, k + count - 1)) }), about);
    head.append(name, ...this.#scale(count > 1 ? null : sizePair(run, made)));
    return el("li", { class: "fl-loss", "data-clears": onlyEmpties(run, k) || null }, head, ...lines);
  }

  /** A bar as long as the window was, filled as far as it is behind the compaction; all of a run to one scale. @param {[number, number] | null} pair */
  #scale(pair) {
    if (!pair) return [];
    this.largest = Math.max(this.largest, ...pair);
    this.list.style.setProperty("--largest", String(this.largest));
    const bar = el("span", { class: "fl-loss-scale", "aria-hidden": "true" });
    ["--before", "--after"].forEach((name, i) => bar.style.setProperty(name, String(pair[i])));
    return [bar];
  }

  /** What was asked for when it happened, and what the summary says of it. @param {CompactionLosses} row */
  #moment(row) {
    const { step, goal, points, work, ended = "" } = row;
    const during = this.during(step);
    const { turn, number } = during ?? { turn: null, number: 0 };
    const asked =
      turn && button("", () => this.go(this.app.run.stepOfMessage(turn.at)), { class: "fl-loss-text", title: `Go to message ${int(turn.at + 1)}` });
    if (turn && asked) asked.append(el("q", { dir: "auto", text: visible(askedOf(turn)) }));
    const behind = asked && ended ? el("div", {}, asked, el("div", { class: "fl-loss-note", text: ` ${endedWords(row)}` })) : asked;
    const gist = [...quoted(theTask(points), goal), ...quoted("the work at hand", work), ...this.#ends(row)];
    return [
      ...(behind ? [line(`${ended ? "After" : "In"} ${number ? `turn ${int(number)}` : "its task"}`, behind)] : []),
      ...(gist.length ? [line("Its summary", el("ul", { class: "fl-loss-texts" }, ...gist))] : []),
    ];
  }

  /** Where its summary ends, if turns came since that it does not tell of: what it calls the work at hand was that then. @param {CompactionLosses} row */
  #ends({ ends = -1 }) {
    const { turn, number } = (ends >= 0 && this.during(this.app.run.stepOfMessage(ends))) || { turn: null, number: 0 };
    if (!turn || !number) return [];
    return [el("li", { class: "fl-loss-gist", text: `It ends in turn ${int(number)}. What came after that stays in the window word for word.` })];
  }

  /** @param {CompactionLosses[]} rows  one, or several of which nothing is known */
  #lines(rows) {
    const row = rows[0];
    const said = nothingLost(row, unlistedOf(this.app.run, rows));
    const instructions = row.instructions ? [line("The user told it", el("q", { dir: "auto", text: visible(row.instructions) }))] : [];
    return [
      ...(rows.length > 1 ? [] : this.#moment(row)),
      ...instructions,
      ...(said ? [row.unreadable ? line("Its summary", el("p", { text: said })) : el("p", { class: "fl-none", text: said })] : []),
      ...this.#texts("The user said", row.told, row.told_total, row.step, UNSAID),
      ...this.#requests(row),
      ...this.#texts(hides(row) ? "Names" : "Names gone", row.names, row.names_total, row.step, hides(row) ? UNSHOWN : UNSAID),
      ...this.#others(row),
      ...this.#results(row),
      ...this.#sentBack(row),
    ];
  }

  /** The commands, errors and open tasks that the model used later, as the Ledger counts them. @param {CompactionLosses} row */
  #others(row) {
    const { others = [], step } = row;
    return Object.entries(OTHERS).flatMap(([kind, label]) => {
      const some = others.filter((one) => one.kind === kind);
      return this.#texts(hides(row) ? label : `${label} gone`, some, some.length, step, hides(row) ? UNSHOWN : UNSAID);
    });
  }

  /** The user's messages that send the agent back to what it took: the first of them, and how many more. @param {CompactionLosses} row */
  #sentBack({ sent_back: asked = [] }) {
    if (!asked.length) return [];
    const items = asked.slice(0, ASKED).map(([at, text]) => {
      const node = button("", () => this.go(this.app.run.stepOfMessage(at)), { class: "fl-loss-text", title: `Go to message ${int(at + 1)}` });
      node.append(el("q", { dir: "auto", text: visible(text) }));
      return el("li", {}, node);
    });
    const rest = asked.length > ASKED ? [el("li", { class: "fl-none", text: `and ${int(asked.length - ASKED)} more` })] : [];
    const lead = el("p", { text: "The user names a file that it took, or asks to read it again:" });
    return [line("Sent back", el("div", {}, lead, el("ul", { class: "fl-loss-texts" }, ...items, ...rest)))];
  }

  /** The requests that it took, and the one of them that matters most. @param {CompactionLosses} row */
  #requests(row) {
    const { requests, told, step } = row;
    const words = requestsGoneHere(row);
    if (!words) return [];
    const { at, text, here } = requests;
    const quoted = told.some((loss) => loss.at === at)
      ? []
      : [
          here[0] > 1 && !here[1] ? ", among them " : ": ",
          this.#text({ ...NO_NOTE, text, followed: followedHere(row), at, used_at: mostAsked(row)?.needed_at ?? -1 }, step, el("span")),
        ];
    const list = this.#listTook(row, words);
    return [line("Requests", list ? el("div", {}, el("p", {}, list.head, ...quoted), list.list) : el("p", {}, words, ...quoted))];
  }

  /** The list of the requests that it took, for its sentence to open; none where it has one. @param {CompactionLosses} row @param {string} words */
  #listTook(row, words) {
    if ((row.requests.took?.length ?? 0) < 2) return undefined; // one alone is quoted
    const why = (/** @type {Pick<Loss, "followed" | "at">} */ loss, /** @type {number} */ step) => this.#why(loss, step);
    const list = this.took.get(row.index) ?? new RequestList(this.app, this.go, why, `fl-requests-${row.index}`);
    this.took.set(row.index, list);
    list.showTook(row, words);
    return list;
  }

  /** @param {string} label @param {Loss[]} texts @param {number} total @param {number} step @param {Behind} behind */
  #texts(label, texts, total, step, behind) {
    if (!texts.length) return [];
    const notes = texts.map(behind.each);
    const once = texts.length > 1 && notes.every(Boolean);
    const items = texts.map((text, k) => this.#text(text, step, el("li"), once ? "" : notes[k]));
    const rest = total > texts.length ? [el("li", { class: "fl-none", text: `and ${int(total - texts.length)} more` })] : [];
    return [
      line(
        label,
        el("ul", { class: "fl-loss-texts" }, ...items, ...(once ? [el("li", { class: "fl-loss-note fl-loss-all", text: behind.all })] : []), ...rest),
      ),
    ];
  }

  /** @param {Loss} loss @param {number} step  of the compaction that took it @param {HTMLElement} [around] @param {string} [more] */
  #text(loss, step, around = el("li"), more = "") {
    const note = [lossNote(loss, (step) => stepName(this.app.run, step)), more].filter(Boolean).join(", ");
    const node = lossQuote(loss.text, loss.followed, () => this.#why(loss, step), { kind: loss.kind, needed: isNeeded(loss) });
    around.append(node, ...(note ? [el("span", { class: "fl-loss-note", text: ` ${note}` })] : []));
    return around;
  }

  /** The step where it went, and where its text was at every other. @param {Pick<Loss, "followed" | "at">} loss @param {number} step */
  #why(loss, step) {
    followLoss(this.app, loss, step, this.go);
  }

  /** @param {CompactionLosses} row */
  #results(row) {
    if (!row.results && !row.again) return [];
    const about = tilde(this.app.run) !== "";
    const said = row.results ? [lostResults(row, about)] : [];
    const again = row.again ? [askedAgain(row), ...this.#calls(row)] : [];
    const columns = maybeBack(row) ? columnsOf(this.app.run, row.index) : null;
    const grown = columns && grownWords(this.app.run, columns);
    const back = grown ? [`. ${grown}`] : [];
    return [line("Tool output", el("p", {}, ...said, said.length && again.length ? "; " : "", ...again, ...back))];
  }

  /** The messages of the calls, each once, a link to it; how many calls one holds where it holds several. @param {CompactionLosses} row */
  #calls({ again, again_steps: steps }) {
    const links = [...new Set(steps)].map((step) => {
      const calls = steps.filter((one) => one === step).length;
      const link = button(stepName(this.app.run, step), () => this.go(step), { class: "fl-link" });
      return el("span", {}, link, ...(calls > 1 ? [` (${int(calls)} calls)`] : []));
    });
    const more = again > steps.length ? [` and ${int(again - steps.length)} more`] : [];
    return [...links.flatMap((link, k) => (k ? [", ", link] : [link])), ...more];
  }
}

/** @param {string} label @param {HTMLElement} content */
const line = (label, content) => el("div", { class: "fl-loss-line" }, el("span", { class: "fl-loss-label", text: label }), content);

/** What a summary says of something, in its own words. @param {string} what @param {string} words */
const quoted = (what, words) => (words ? [el("li", { class: "fl-loss-gist" }, `${what}: `, el("q", { dir: "auto", text: visible(words) }))] : []);

/** "answered 12 h 37 min before the compaction". @param {CompactionLosses} row */
function endedWords({ ended, ended_ago: ago }) {
  const [how, untimed] = ended === "stopped" ? ["stopped by the user", ""] : ["answered", "already "];
  const time = typeof ago === "number" && ago > 0 && spent(ago / 60);
  return time ? `${how} ${time} before the compaction` : `${untimed}${how}`;
}

/** Whether the prompts behind a recorded compaction held tokens that the file does not show. @param {CompactionLosses} row */
const hides = ({ unseen }) => unseen > 0;
