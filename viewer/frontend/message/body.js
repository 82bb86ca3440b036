// What is shown of a message: what the file says of it, its thinking, its text and its calls; and where the server has it.

import { addedPath, ask, messagePath, shadowPath } from "../lib/api.js";
import { el, visible } from "../lib/dom.js";
import { dollars, int, pluralize } from "../lib/format.js";
import { markdown } from "../lib/markdownnodes.js";
import { problemText } from "../lib/problem.js";
import { block, extend, longBlock, matches, more, parted } from "../lib/text.js";
import { kindOf, ofKind } from "../lib/wrap.js";
import { ADDED, SPACE, originOf } from "../run/pool.js";
import { compactionOf, header } from "../run/sections.js";
import { isMarkdown, readingOf } from "./reading.js";
/** @import { Row } from "../run/layout.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Asking, Message, ToolCall } from "./types.js" */

const CALLS = 2;
const TOOL = 3;
/** The model that messages of the demo agent name, and the format of its runs: elsewhere a model may be called that. */
const DEMO = { model: "demo", format: "foldline-run" };

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

/**
 * The text of a message, as far as it has come, and a way to have more of it.
 * @param {Asking} app @param {Run} run @param {number} pool @param {Message} message @param {string} query
 */
export function contentOf(app, run, pool, message, query) {
  const { content, total, role } = message;
  if (!content)
    return message.tool_calls?.length || message.images?.length || message.thinking ? [] : [el("p", { class: "fl-none", text: "no text" })];
  if (isMarkdown(content, readingOf(content, role))) return [markdown(content, query)];
  const node = ofKind(block(content, query), kindOf(content, role));
  if (content.length >= total) return [node];
  const next = async (/** @type {number} */ at) => {
    const piece = await ask(app, pathOf(run, pool, at)).catch((error) => (app.message(problemText(error)), null));
    if (!piece) return at;
    extend(node, piece.content, query);
    return piece.content ? at + characters(piece.content) : total;
  };
  return [node, more(characters(content), total, next)];
}

/** What the model is still sent of an emptied message, once it has come. @param {Asking} app @param {Run} run @param {number} left  where in the pool that stands */
export function leftNode(app, run, left) {
  const node = el("div", { class: "fl-left", "aria-busy": "true" });
  const show = (/** @type {Message} */ message) => node.replaceChildren(...leftOf(message));
  const broken = (/** @type {Error} */ error) => node.replaceChildren(el("p", { class: "fl-none", text: problemText(error) }));
  ask(app, pathOf(run, left))
    .then(show, broken)
    .finally(() => node.removeAttribute("aria-busy"));
  return node;
}

/** What stands in the place of a text until it comes: its beginning. @param {Row} row */
export function awaitedText(row) {
  const formatted = isMarkdown(row.preview, readingOf(row.preview, row.role));
  const text = el(formatted ? "p" : "div", { text: row.preview, dir: "auto" });
  return el("div", { class: `${formatted ? "fl-md" : "fl-text"} fl-awaited`, "aria-busy": "true" }, text);
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

/** What the file is made of: lines, or records of one JSON document. @param {Run} run */
export const recordName = (run) => (/^claude[-_]code$/.test(header(run).format ?? "") ? "line" : "record");

/** Where a message comes from that no harness wrote. @type {Record<string, string>} */
const ORIGINS = { queued: "typed while the agent worked" };

/** What the file says of a message, in one line. @param {Message} message @param {string} record */
export function facts(message, record) {
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

/** What the model call of a message read and wrote, as its provider counted; the demo agent, a script, counts for itself. @param {Run} run @param {Message} message */
export function recorded(run, { usage, model }) {
  if (!usage) return [];
  const { input_uncached: fresh = 0, cache_read: read = 0, cache_write: written = 0, output = 0, cost } = usage;
  if (model === DEMO.model && header(run).format === DEMO.format)
    return [el("p", { class: "fl-usage", text: `counted by the demo agent, a script: prompt ${pluralize(fresh, "token")}, reply ${int(output)}` })];
  const parts = `${int(fresh)} new, ${int(read)} from the cache, ${int(written)} to the cache`;
  const prompt = `prompt ${pluralize(fresh + read + written, "token")} (${parts})`;
  const paid = cost === undefined ? "" : `, cost ${dollars(cost)}`;
  return [el("p", { class: "fl-usage", text: `recorded: ${prompt}, reply ${int(output)}${paid}` })];
}

/** @param {Message} message */
export function images(message) {
  const imageText = (/** @type {NonNullable<Message["images"]>[number]} */ image) =>
    `image ${size(image)}${visible(image.media_type || "of unknown type")} (not shown)`;
  return (message.images ?? []).map((image) => el("p", { class: "fl-image", text: imageText(image) }));
}

/** @param {{width: number, height: number}} image */
const size = ({ width, height }) => (width && height ? `${width}x${height}, ` : "");

/** @param {Message} message @param {string} query */
export function thinking({ thinking: text, thinking_total: total }, query) {
  if (!text) return [];
  const open = matches(text, query, 1).length > 0;
  const summary = el("summary", { text: `Thinking · ${pluralize(total ?? text.length, "character")}` });
  const words = isMarkdown(text, "said") ? markdown(text, query) : longBlock(text, query);
  return [el("details", { class: "fl-thinking", open }, summary, words, ...cutShort(text, total))];
}

/** @param {ToolCall} call @param {string} query */
export function toolCall({ name, id, arguments: pretty, arguments_total: total, raw }, query) {
  const found = parted(visible(name), query).map((part, k) => (k % 2 ? el("mark", { text: part }) : part));
  const head = el("div", { class: "fl-call-head" }, el("b", {}, ...found), el("span", { text: visible(id ?? "") }));
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
