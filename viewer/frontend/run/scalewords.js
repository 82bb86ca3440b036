// What the parts of a picture to scale are called, and what is said of each. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { DONE, tildeAfter, tildeBefore } from "./compactionfigures.js";
import { deeds } from "./effect.js";
import { RESULTS } from "./messagekinds.js";
import { besideWords } from "./midway.js";
import { tilde, tildeAdded } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Columns, Flow } from "./scaleparts.js" */
/** @import { Deed } from "./effect.js" */
/** @import { Part } from "./tally.js" */

/** @typedef {"before" | "after"} Side */

/** What a kind is called. @type {Record<string, string>} */
const NAMES = { system: "system messages", user: "user", replies: "replies", calls: "tool calls", agent: "from the agent", text: "results as text" };

/** What a part is called. @param {Run} run @param {Part} part @param {boolean} [short]  in few letters */
export function nameOf(run, part, short = false) {
  const { deed, kind } = part;
  if (deed === "hidden") return short ? "not in file" : "not in this file";
  if (deed === "emptied" && !kind) return run.pool.isShort(part.first) ? "shortened" : "cleared";
  if (deed === "back") return "back in the window";
  if (deed === "kept") return keptName(part);
  if (kind === "summary") return summaryName(run, part);
  if (kind.startsWith(RESULTS)) return kind.slice(RESULTS.length) + (short ? "" : " results");
  return NAMES[kind] ?? kind;
}

/** @param {Part} part */
function keptName({ region }) {
  if (region === "system") return "pinned";
  return region === "recent" || region === "message" ? "kept" : `kept, ${region}`;
}

/** @param {Run} run @param {Part} part */
const summaryName = (run, { first, count }) => (count > 1 ? `${int(count)} summaries` : run.pool.row(first).label || "summary");

/** The tokens of a part; with "~" where they are estimated. @param {Run} run @param {number} k @param {Side} side @param {Part} part */
export function tokensOf(run, k, side, { deed, kind, region, tokens, sealed }) {
  if (deed === "hidden") return `~${int(tokens)}`;
  if (sealed) return tokens ? `${int(tokens)} + ?` : "?";
  const written = kind === "summary" || region === "summary" || region === "cleared" || deed === "made";
  const about = !written ? tilde(run) : side === "before" ? tildeBefore(run, k) : tildeAdded(run);
  return about + int(tokens);
}

/** What a part is, whole: what is pointed at, or focused, says this. @param {Run} run @param {number} k @param {Side} side @param {Part} part */
export function partWords(run, k, side, part) {
  const tokens = `${tokensOf(run, k, side, part)} ${part.tokens === 1 ? "token" : "tokens"}`;
  if (part.deed === "hidden") return `Not in this file: ${tokens}: ${besideWords(run, side === "before" ? k : k + 1)}`;
  return `${capitalized(nameOf(run, part))}: ${pluralize(part.count, "message")}, ${part.sealed ? "size unknown" : tokens}, ${done(run, k, side, part)}`;
}

/** What this compaction did with a part. @param {Run} run @param {number} k @param {Side} side @param {Part} part */
function done(run, k, side, { deed }) {
  if (deed === "gone") return DONE[/** @type {Deed} */ (deeds(run, k).findLast((one) => one !== "clear") ?? "drop")];
  if (deed === "emptied") return side === "before" ? "to be emptied where they stand" : "what is left of them";
  return deed === "made" ? "put in by this compaction" : deed === "back" ? "back in the window" : side === "before" ? "to stay" : "stayed";
}

/** The tokens of a column that its messages hold: "~127,898", of a window of which more was sent "~127,898 visible". @param {Run} run @param {number} k @param {Side} side @param {Part[]} parts */
export function totalOf(run, k, side, parts) {
  const [seen, hidden] = [parts.filter(({ deed }) => deed !== "hidden"), parts.some(({ deed }) => deed === "hidden")];
  const about = side === "before" ? tildeBefore(run, k) : tildeAfter(run, k);
  const tokens = seen.reduce((sum, part) => sum + part.tokens, 0);
  return `${about}${int(tokens)}${seen.some(({ sealed }) => sealed) ? " + ?" : ""}${hidden ? " visible" : ""}`;
}

/** What a band says: "~127,898 became ~3,025", "~9,100 dropped"; "" of what stays. @param {Run} run @param {number} k @param {Columns} columns @param {Flow} flow */
export function flowWords(run, k, { before, after }, { from, to, tokens }) {
  if (tokens !== undefined) return "";
  const sum = (/** @type {Part[]} */ parts, /** @type {string[]} */ ids) =>
    parts.reduce((all, part) => all + (ids.includes(part.id) ? part.tokens : 0), 0);
  const was = tildeBefore(run, k) + int(sum(before, from));
  if (!to.length) return `${was} dropped`;
  const sealed = after.some((part) => part.sealed && to.includes(part.id));
  return `${was} became ${sealed ? "?" : tildeAdded(run) + int(sum(after, to))}`;
}
