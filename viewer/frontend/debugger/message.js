// One message, whole: who said it, where it stands, what it says.

import { problemText } from "../lib/problem.js";
import { Asker, addedPath, ask, known, lossesPath, messagePath, shadowPath } from "../lib/api.js";
import { back } from "./backlink.js";
import { button, el, visible } from "../lib/dom.js";
import { capitalized, dollars, int, pluralize } from "../lib/format.js";
import { markdown } from "../lib/markdownnodes.js";
import { broughtBackBy, editsWords, noteBroughtBack } from "../run/broughtback.js";
import { nameOf } from "../run/compactionfigures.js";
import { ADDED, SPACE, originOf } from "../run/pool.js";
import { LivedOn } from "./livedon.js";
import { questionOf, takenBy } from "../run/lifewords.js";
import { ALL } from "../run/losspages.js";
import { letterOf, word, wordOf } from "./row.js";
import { compactionOf, header, poolOf, rowOf, tilde, tildeAdded, whereabouts } from "../run/sections.js";
import { block, extend, failure, longBlock, more } from "../lib/text.js";
import { chip } from "../lib/tooltip.js";
import { kindOf, ofKind, wrapSwitch } from "../lib/wrap.js";
import { MarkdownSwitch, isMarkdown, readingOf } from "./reading.js";
/** @import { Row } from "../run/layout.js" */
/** @import { LossPage } from "../run/types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Message, ToolCall } from "./types.js" */

/** Milliseconds a message is looked at before the next one is asked for. */
const LOOKED = 150;
/** Milliseconds a slider rests before the losses of its run are asked for. */
const REST = 500;
const CALLS = 2;
/** The model that messages of the demo agent name. */
const DEMO = "demo";
const TOOL = 3;

/** The path of a message's body, from a character on. @param {Run} run @param {number} pool @param {number} [from] */
export function pathOf(run, pool, from = 0) {
  if (pool < run.n) return messagePath(header(run).sid, pool, from, run.view.live ? answersTo(run, pool) : 0);
  if (pool >= SPACE) return shadowPath(run.view.tid, Math.floor(pool / SPACE) - 1, originOf(pool), from);
  const c = compactionOf(run, pool);
  return addedPath(run.view.tid, c, pool - ADDED - run.firstAdded[c], from);
}

/** How many results stand right behind a message: those of its calls, as far as they have come. @param {Run} run @param {number} pool */
function answersTo(run, pool) {
  const { role, flags } = run.store;
  let next = pool + 1;
  while (flags[pool] & CALLS && role[next] === TOOL) next += 1;
  return next - pool - 1;
}

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
    this.wrap = wrapSwitch(body, () => this.query !== "");
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
    const query = (this.app.findQuery ?? "").trim();
    this.run = run;
    if (this.pool === pool && this.path === path && this.query === query && this.left === left)
      return other && this.message ? this.#askAnew(run, this.message) : undefined;
    clearTimeout(this.timer);
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
      this.body.scrollTop = 0;
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
      ...recorded(message),
      this.livedOn.node,
      ...this.#pairs(run, message),
      this.again,
      ...this.#lanes(message),
      ...images(message),
      ...thinking(message, this.query),
      ...this.#content(run, message),
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
    const node = el("div", { class: "fl-left", "aria-busy": "true" });
    const show = (/** @type {Message} */ message) => left === this.left && node.replaceChildren(...leftOf(message));
    const broken = (/** @type {Error} */ error) => node.replaceChildren(el("p", { class: "fl-none", text: problemText(error) }));
    ask(this.app, pathOf(run, left))
      .then(show, broken)
      .finally(() => node.removeAttribute("aria-busy"));
    return [el("h3", { class: "fl-was", text: "Remaining content" }), node, el("h3", { class: "fl-was", text: "Original content" })];
  }

  /** @param {Run} run @param {Message} message */
  #content(run, message) {
    const { pool, query } = this;
    const { content, total, role } = message;
    if (!content)
      return message.tool_calls?.length || message.images?.length || message.thinking ? [] : [el("p", { class: "fl-none", text: "no text" })];
    if (isMarkdown(content, readingOf(content, role))) return [markdown(content, query)];
    const node = ofKind(block(content, query), kindOf(content, role));
    if (content.length >= total) return [node];
    const next = async (/** @type {number} */ at) => {
      const piece = await ask(this.app, pathOf(run, pool, at)).catch((error) => (this.app.message(problemText(error)), null));
      if (!piece) return at;
      extend(node, piece.content, query);
      return piece.content ? at + characters(piece.content) : total;
    };
    return [node, more(characters(content), total, next)];
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

/** What is left of an emptied message. @param {Message} message */
function leftOf({ content, total, tool_calls: calls, role }) {
  const rest =
    total > characters(content)
      ? [el("p", { class: "fl-end", text: `The first ${int(characters(content))} of ${pluralize(total, "character")}.` })]
      : [];
  const formatted = isMarkdown(content, readingOf(content, role));
  const text = content ? [formatted ? markdown(content) : ofKind(longBlock(content, ""), kindOf(content, role)), ...rest] : [];
  const nodes = [...text, ...(calls ?? []).map((call) => toolCall(call, ""))];
  return nodes.length ? nodes : [el("p", { class: "fl-none", text: "nothing" })];
}

/** Characters as the server counts them: an astral one is one. @param {string} text */
export function characters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
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

/** What the file is made of: lines, or records of one JSON document. @param {Run} run */
const recordName = (run) => (/^claude[-_]code$/.test(header(run).format ?? "") ? "line" : "record");

/** What stands in the place of a body until it comes: as many lines before it, then its beginning. @param {Row} row @param {HTMLElement} lived @param {boolean} live  no file has a line of it */
function awaited(row, lived, live) {
  const pairs = row.role === "tool" || (row.flags & CALLS) > 0;
  const formatted = isMarkdown(row.preview, readingOf(row.preview, row.role));
  return [
    ...(live ? [] : [el("p", { class: "fl-about", text: "\u00a0" })]),
    lived,
    ...(pairs ? [el("p", { class: "fl-pairs", text: "\u00a0" })] : []),
    el(
      "div",
      { class: `${formatted ? "fl-md" : "fl-text"} fl-awaited`, "aria-busy": "true" },
      el(formatted ? "p" : "div", { text: row.preview, dir: "auto" }),
    ),
  ];
}

/** Where a message comes from that is no record of its own. @type {Record<string, string>} */
const ORIGINS = { queued: "typed while the agent worked; recorded only in its queue" };

/** What the file says of a message, in one line. @param {Message} message @param {string} record */
function facts(message, record) {
  const line = message.line ? `${record} ${int(message.line)}` : "";
  const error = message.is_error ? "error" : "";
  const injected = message.injected ? (ORIGINS[message.injected] ?? `injected by the harness: ${message.injected}`) : "";
  const said = [line, time(message.timestamp), message.model, injected, error];
  return said
    .filter(Boolean)
    .map((text) => visible(String(text)))
    .join(" · ");
}

/** A recorded time, shorter: 2026-11-20 14:26:03. @param {string | null} [stamp] */
export const time = (stamp) => (stamp ?? "").replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?/, "$1 $2").replace(/(\+00:00|Z)$/, " UTC");

/** What the model call of a message read and wrote, as its provider counted; the demo agent, a script, counts for itself. @param {Message} message */
function recorded({ usage, model }) {
  if (!usage) return [];
  const { input_uncached: fresh = 0, cache_read: read = 0, cache_write: written = 0, output = 0, cost } = usage;
  if (model === DEMO)
    return [el("p", { class: "fl-usage", text: `counted by the demo agent, a script: prompt ${pluralize(fresh, "token")}, reply ${int(output)}` })];
  const parts = `${int(fresh)} new, ${int(read)} from the cache, ${int(written)} to the cache`;
  const prompt = `prompt ${pluralize(fresh + read + written, "token")} (${parts})`;
  const paid = cost === undefined ? "" : `, cost ${dollars(cost)}`;
  return [el("p", { class: "fl-usage", text: `recorded: ${prompt}, reply ${int(output)}${paid}` })];
}

/** @param {Message} message */
function images(message) {
  const imageText = (/** @type {NonNullable<Message["images"]>[number]} */ image) =>
    `image ${size(image)}${visible(image.media_type || "of unknown type")} (not shown)`;
  return (message.images ?? []).map((image) => el("p", { class: "fl-image", text: imageText(image) }));
}

/** @param {{width: number, height: number}} image */
const size = ({ width, height }) => (width && height ? `${width}x${height}, ` : "");

/** @param {Message} message @param {string} query */
function thinking({ thinking: text, thinking_total: total }, query) {
  if (!text) return [];
  const open = Boolean(query) && text.toLowerCase().includes(query.toLowerCase());
  const summary = el("summary", { text: `Thinking · ${pluralize(total ?? text.length, "character")}` });
  const words = isMarkdown(text, "said") ? markdown(text, query) : longBlock(text, query);
  return [el("details", { class: "fl-thinking", open }, summary, words, ...cutShort(text, total))];
}

/** @param {ToolCall} call @param {string} query */
function toolCall({ name, id, arguments: pretty, arguments_total: total, raw }, query) {
  const head = el("div", { class: "fl-call-head" }, el("b", { text: visible(name) }), el("span", { text: visible(id ?? "") }));
  const text = raw ? `raw arguments (not a JSON object):\n${raw}` : spread(pretty ?? "");
  return el("div", { class: "fl-call" }, head, ofKind(longBlock(text, query), kindOf(text)), ...(raw ? [] : cutShort(pretty ?? "", total)));
}

/**
 * Arguments as JSON; where one of them is a text of many lines, each argument by its name, such a text as it
 * reads.
 * @param {string} pretty JSON, which may be cut short
 */
export function spread(pretty) {
  const found = parsed(pretty);
  const long = (/** @type {unknown} */ value) => typeof value === "string" && value.includes("\n");
  if (!found || !Object.values(found).some(long)) return pretty;
  const one = (/** @type {[string, unknown]} */ [name, value]) =>
    long(value) ? `"${name}":\n${value}` : `"${name}": ${JSON.stringify(value, null, 2)}`;
  return Object.entries(found).map(one).join("\n");
}

/** The object a text is the JSON of, or null. @param {string} text @returns {Record<string, unknown> | null} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What the server left out is said. @param {string} text @param {number | undefined} total */
function cutShort(text, total) {
  const sent = characters(text);
  return total !== undefined && total > sent
    ? [el("p", { class: "fl-end", text: `The first ${int(sent)} of ${pluralize(total, "character")}.` })]
    : [];
}
