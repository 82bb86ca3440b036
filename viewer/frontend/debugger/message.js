// One message, whole: who said it, where it stands, what it says.

import { Asker, ask, known, lossesPath } from "../lib/api.js";
import { back } from "./backlink.js";
import { button, el, visible } from "../lib/dom.js";
import { capitalized, int, pluralize } from "../lib/format.js";
import { broughtBackBy, editsWords, noteBroughtBack } from "../run/broughtback.js";
import { textIn } from "../run/called.js";
import { nameOf } from "../run/compactionfigures.js";
import { LivedOn } from "./livedon.js";
import { questionOf, takenBy } from "../run/lifewords.js";
import { ALL } from "../run/losspages.js";
import { letterOf, word, wordOf } from "./row.js";
import { compactionOf, poolOf, rowOf, tilde, tildeAdded, whereabouts } from "../run/sections.js";
import { failure } from "../lib/text.js";
import { chip } from "../lib/tooltip.js";
import { wrapSwitch } from "../lib/wrap.js";
import { awaitedText, contentOf, facts, images, leftNode, pathOf, recordName, recorded, thinking, toolCall } from "../message/body.js";
import { MarkdownSwitch, readingOf } from "../message/reading.js";
/** @import { Row } from "../run/layout.js" */
/** @import { LossPage } from "../run/types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Message } from "../message/types.js" */

/** Milliseconds a message is looked at before the next one is asked for. */
const LOOKED = 150;
/** Milliseconds a slider rests before the losses of its run are asked for. */
const REST = 500;
const CALLS = 2;

/** Shows messages in a node, one at a time. */
export class MessageView {
  /** @param {HTMLElement} head @param {HTMLElement} body @param {App} app */
  constructor(head, body, app) {
    this.head = head;
    this.body = body;
    this.app = app;
    /** The run that the message is shown of. */ this.run = app.run;
    this.asker = new Asker(app);
    this.pool = -1;
    this.path = "";
    /** Where in the pool what is left of the message stands, if it is emptied; else -1. */
    this.left = -1;
    this.query = "";
    /** What is shown, once it has come. @type {Message | null} */ this.message = null;
    this.markdown = new MarkdownSwitch(() => this.message && this.#draw(this.app.run, this.message));
    this.wrap = wrapSwitch(body);
    const title = "Where do the words of this message go? (w)";
    this.why = button("Why", () => this.#askWhy(), { class: "fl-link fl-askwhy", title, hidden: true });
    this.switches = el("div", { class: "fl-switches" }, this.why, this.markdown.node, this.wrap.node);
    this.timer = 0;
    /** What its calls brought back. */ this.again = el("div");
    this.livedOn = new LivedOn(app);
  }

  /** Show a message: what is known of it at once, its body when it comes. @param {number} pool */
  show(pool) {
    const { run, step } = this.app;
    const place = whereabouts(run, step, pool);
    const row = place.index >= 0 ? run.window(step).row(place.index) : rowOf(run, pool);
    this.#head(run, row, place);
    this.livedOn.follow(pool, place);
    this.#ask(run, pool, row);
  }

  /** In another run of the session a message stays as it is, but not what its calls brought back. @param {Run} run @param {Message} message */
  #askAnew(run, message) {
    this.#drawAgain(run);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.#askLosses(run, message), run.view.kind === "simulate" ? REST : LOOKED);
  }

  /** Stop waiting for a body. */
  drop() {
    this.asker.drop();
    this.livedOn.drop();
    clearTimeout(this.timer);
    this.path = "";
    this.message = null;
  }

  /** @param {Run} run @param {number} pool @param {Row} row */
  #ask(run, pool, row) {
    const other = this.run?.view.tid !== run.view.tid;
    const left = row.of >= 0 ? row.pool : -1;
    const path = pathOf(run, pool);
    const query = textIn(this.app.findQuery);
    this.run = run;
    if (this.pool === pool && this.path === path && this.query === query && this.left === left)
      return other && this.message ? this.#askAnew(run, this.message) : undefined;
    clearTimeout(this.timer);
    const isNew = this.path !== path || this.left !== left;
    this.left = left;
    if (this.path !== path && this.pool !== pool && known(path) === undefined)
      this.body.replaceChildren(...awaited(row, this.livedOn.node, Boolean(run.view.live)));
    Object.assign(this, { pool, path, query, message: null });
    const failed = (/** @type {string} */ said) => {
      this.path = "";
      this.body.replaceChildren(failure(said, () => this.#ask(this.run, pool, row)));
    };
    const then = (/** @type {Message} */ message) => {
      const { run } = this; // it may be another one by now
      this.message = message;
      this.#draw(run, message);
      if (isNew) this.body.scrollTop = 0;
      this.body.querySelector("mark")?.scrollIntoView({ block: "center" });
      this.timer = setTimeout(() => {
        this.#ahead(run);
        void this.#askLosses(run, message);
      }, LOOKED);
    };
    this.asker.ask(path, then, failed);
  }

  /** Ask for the message of the next step before it is needed. @param {Run} run */
  #ahead(run) {
    const { step, playing, run: now } = this.app;
    if (playing || now !== run || step + 1 >= run.length) return;
    const next = run.step(step + 1);
    if (next.compaction < 0) void ask(this.app, pathOf(run, next.messages - 1)).catch(() => null);
  }

  /** @param {Run} run @param {Row} row @param {ReturnType<typeof whereabouts>} place */
  #head(run, row, place) {
    const region = place.index >= 0 ? row.region : place.state;
    const name = row.label || row.role;
    const badge = el("span", { class: `fl-badge fl-is-${place.index >= 0 ? region : "ghost"}`, text: letterOf({ ...row, region }) });
    const title = el("h2", { class: "fl-title", text: name });
    const said = chip(shortWord(region, row), row.hindsight ? capitalized(wordOf(row)) : "", `fl-chip fl-in-${region}`);
    const about = row.pool < run.n ? tilde(run) : tildeAdded(run);
    const whole = row.of >= 0 ? `${tilde(run)}${int(run.store.tokens[row.of])} → ` : "";
    const tokens = el("span", { class: "fl-htokens", text: row.sealed ? "size unknown" : `${whole}${about}${pluralize(row.tokens, "token")}` });
    const where = el("p", { class: "fl-where" }, ...this.#where(run, row, place));
    const line = el("div", { class: "fl-hline" }, ...back(this.app), badge, title, said, tokens);
    this.head.replaceChildren(line, el("div", { class: "fl-hsecond" }, where, this.switches));
  }

  /** @param {Run} run @param {Row} row @param {ReturnType<typeof whereabouts>} place */
  #where(run, row, place) {
    const own = run.pool.originOf(row.pool);
    const name = own < run.n ? `message ${int(own + 1)} of ${int(run.n)}` : `added by ${nameOf(run, compactionOf(run, own))}`;
    if (place.index >= 0) {
      const by =
        place.compaction >= 0
          ? [
              ` · ${row.thinking ? "thinking removed" : row.short ? "shortened" : "cleared"} by `,
              this.#go(nameOf(run, place.compaction), run.steps[place.compaction]),
            ]
          : [];
      return [`${name} · in the window`, ...(by.length ? by : this.#until(run, row.pool))];
    }
    if (place.state === "later") return [`${name} · not yet arrived · `, this.#go("go to it", run.stepOfMessage(row.pool))];
    const verb = { window: "", cleared: "cleared", summarised: "summarized", dropped: "dropped" }[place.state];
    return [`${name} · ${verb} by `, this.#go(nameOf(run, place.compaction), run.steps[place.compaction])];
  }

  /** Until when a message that is in the window stays there. @param {Run} run @param {number} pool */
  #until(run, pool) {
    const k = takenBy(run, this.app.step, pool);
    if (k === null) return [];
    return k < 0 ? [" to the end"] : [" until ", this.#go(nameOf(run, k), run.steps[k])];
  }

  /** Ask Why about the first words of the message. */
  #askWhy() {
    if (this.message) this.app.why.ask(questionOf(this.message.content));
  }

  /** @param {string} text @param {number} step */
  #go(text, step) {
    return button(text, () => this.app.go(step, {}), { class: "fl-link" });
  }

  /** @param {Run} run @param {Message} message */
  #draw(run, message) {
    this.app.highlights.set({ pairs: message.pairs ?? [] });
    this.#drawAgain(run);
    this.body.replaceChildren(
      ...this.#whatIsLeft(run),
      el("p", { class: "fl-about", text: facts(message, recordName(run)) }),
      ...recorded(run, message),
      this.livedOn.node,
      ...this.#pairs(run, message),
      this.again,
      ...this.#lanes(message),
      ...images(message),
      ...thinking(message, this.query),
      ...contentOf(this.app, run, this.pool, message, this.query),
      ...(message.tool_calls ?? []).map((call) => toolCall(call, this.query)),
    );
    this.#switches(message);
  }

  /** Of a message whose calls bring back what a compaction took: which message showed it, and whether its file was edited since. @param {Run} run */
  #drawAgain(run) {
    const lines = broughtBackBy(run, this.pool).map(({ k, shown, edits }) => {
      const links = shown.flatMap((i, n) => [n ? ", " : "", this.#go(`message ${int(i + 1)}`, run.stepOfMessage(i))]);
      const took = this.#go(nameOf(run, k), run.steps[k]);
      const words = ["reads again what had left the window, shown before in ", ...links, " and taken by ", took, `.${editsWords(edits)}`];
      return el("p", { class: "fl-pairs" }, ...words);
    });
    this.again.replaceChildren(...lines);
  }

  /** Ask what its calls brought back: the overview knows it, one that is opened by a link asks. @param {Run} run @param {Message} message */
  async #askLosses(run, message) {
    const before = Math.min(run.epochOf(run.stepOfMessage(this.pool)), ALL);
    if (run.view.live || this.app.hosted || this.app.playing || !message.tool_calls?.length) return;
    for (let from = 0; from < before && this.#shows(run, message); ) {
      /** @type {LossPage | null} */ const page = await ask(this.app, lossesPath(run.view.tid, from)).catch(() => null);
      if (!page?.rows.length) break;
      noteBroughtBack(run, page.rows);
      from += page.rows.length;
    }
    if (this.#shows(run, message)) this.#drawAgain(run);
  }

  /** Whether a message is still shown, of the same run. @param {Run} run @param {Message} message */
  #shows(run, message) {
    return this.message === message && this.run.view.tid === run.view.tid;
  }

  /** @param {Message} message */
  #switches({ content, thinking, role }) {
    const whole = content.length ? content : (thinking ?? "");
    this.markdown.show(content ? readingOf(content, role) : "said", whole);
    this.wrap.show();
    this.why.hidden = this.app.hosted || !this.app.run.compactions || !questionOf(content);
  }

  /** Of an emptied message: what the model is still sent, in front of what it was. @param {Run} run */
  #whatIsLeft(run) {
    const { left } = this;
    if (left < 0) return [];
    const was = (/** @type {string} */ text) => el("h3", { class: "fl-was", text });
    return [was("Remaining content"), leftNode(this.app, run, left), was("Original content")];
  }

  /** The sub-agents a message started, each a window of its own. @param {Message} message */
  #lanes(message) {
    const here = this.app.query?.lane ? `${this.app.query.lane}.` : "";
    return (message.lanes ?? []).map(([number_, name, messages]) => {
      const open = () => this.app.tell("lane", `${here}${number_}`);
      const go = button(`its window, ${pluralize(messages, "message")}`, open, { class: "fl-link" });
      return el("p", { class: "fl-pairs" }, "started the sub-agent ", el("b", { text: visible(name) }), ": ", go);
    });
  }

  /** @param {Run} run @param {Message} message */
  #pairs(run, message) {
    const pairs = (message.pairs ?? []).filter((i) => poolOf(run, `m${i}`) >= 0);
    if (!pairs.length) return [];
    const what = message.role === "tool" ? "answers the call in" : "answered by";
    const links = pairs.map((i) => button(`message ${int(i + 1)}`, () => this.app.select(`m${i}`), { class: "fl-link" }));
    return [el("p", { class: "fl-pairs" }, `${what} `, ...links.flatMap((link, k) => (k ? [", ", link] : [link])))];
  }
}

const SHORT = { later: "not yet arrived" };

/** @param {string} region @param {Row} row */
const shortWord = (region, row) =>
  (row.hindsight && /^(compactable|recent)$/.test(region)
    ? `${region} (${row.hindsight === "recorded" ? "hindsight" : "inferred"})`
    : region === "cleared" && row.thinking
      ? "thinking removed"
      : region === "cleared" && row.short
        ? "shortened"
        : region === "recent" || region === "system"
          ? wordOf(row).replace(": system", "")
          : /** @type {Record<string, string>} */ (SHORT)[region]) ?? word(region).split(":")[0];

/** What stands in the place of a body until it comes: as many lines before it, then its beginning. @param {Row} row @param {HTMLElement} lived @param {boolean} live  no file has a line of it */
function awaited(row, lived, live) {
  const pairs = row.role === "tool" || (row.flags & CALLS) > 0;
  return [
    ...(live ? [] : [el("p", { class: "fl-about", text: "\u00a0" })]),
    lived,
    ...(pairs ? [el("p", { class: "fl-pairs", text: "\u00a0" })] : []),
    awaitedText(row),
  ];
}
