// What the parts of a picture to scale are called, and what is said of each. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { DONE, figures, tildeAfter, tildeBefore } from "./compactionfigures.js";
import { deeds } from "./effect.js";
import { hiddenLeast, hiddenTokens } from "./leftout.js";
import { RESULTS } from "./messagekinds.js";
import { besideWords } from "./midway.js";
import { isAhead, sidesOf } from "./recordedsums.js";
import { tilde, tildeAdded } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Columns, Flow } from "./scaleparts.js" */
/** @import { Deed } from "./effect.js" */
/** @import { Part } from "./tally.js" */

/** @typedef {"before" | "after"} Side */

const CLAUDE_CODE = "claude-code";
const MINUS = "\u2212";

/** What a kind is called. @type {Record<string, string>} */
const NAMES = {
  system: "system messages",
  user: "user",
  replies: "replies",
  calls: "tool calls",
  agent: "added by the agent",
  text: "results as text",
};

/** What a part is called. @param {Run} run @param {Part} part @param {boolean} [short]  in few letters */
export function nameOf(run, part, short = false) {
  const { deed, kind } = part;
  if (deed === "hidden") return short ? "not in file" : "not in this file";
  if (deed === "emptied" && !kind) return run.pool.isShort(part.first) ? "shortened" : "cleared";
  if (deed === "back") return "back in the window";
  if (deed === "kept") return keptName(part, short);
  if (kind === "summary") return summaryName(run, part);
  if (kind === "agent" && short) return "by the agent";
  if (kind.startsWith(RESULTS)) return kind.slice(RESULTS.length) + (short ? "" : " results");
  return NAMES[kind] ?? kind;
}

/** @param {Part} part @param {boolean} short */
function keptName({ region }, short) {
  if (region === "system") return "pinned";
  if (region === "compactable" && short) return region;
  return region === "recent" || region === "message" ? "kept" : `kept, ${region}`;
}

/** @param {Run} run @param {Part} part */
const summaryName = (run, { first, count }) => (count > 1 ? `${int(count)} summaries` : run.pool.row(first).label || "summary");

/** The tokens of a part; with "~" where they are estimated. @param {Run} run @param {number} k @param {Side} side @param {Part} part */
export function tokensOf(run, k, side, { deed, kind, region, tokens, sealed, most = tokens }) {
  if (deed === "hidden") return hiddenLeast(tokens, most);
  if (sealed) return tokens ? `${int(tokens)} + ?` : "?";
  const written = kind === "summary" || region === "summary" || region === "cleared" || deed === "made";
  const about = !written ? tilde(run) : side === "before" ? tildeBefore(run, k) : tildeAdded(run);
  return about + int(tokens);
}

/** What the parts come to that have no label of their own: "4 smaller parts", "~187"; "4 other parts" where not all are smaller than those that have one. @param {Run} run @param {number} k @param {Side} side @param {Part[]} parts @param {Part[]} named @param {boolean} [short]  in few letters @returns {[name: string, tokens: string]} */
export function restWords(run, k, side, parts, named, short = false) {
  const sum = int(parts.reduce((all, { tokens }) => all + tokens, 0));
  const about = parts.some((part) => tokensOf(run, k, side, part).includes("~")) ? "~" : "";
  const sealed = parts.some((part) => part.sealed);
  const smaller = !sealed && named.every(({ tokens }) => parts.every((part) => part.tokens < tokens));
  const which = smaller ? "smaller" : "other";
  return [short ? `${int(parts.length)} ${which}` : pluralize(parts.length, `${which} part`), `${about}${sum}${sealed ? " + ?" : ""}`];
}

/** What a part is, whole: what is pointed at, or focused, says this. @param {Run} run @param {number} k @param {Side} side @param {Part} part */
export function partWords(run, k, side, part) {
  const tokens = `${tokensOf(run, k, side, part)} ${part.tokens === 1 ? "token" : "tokens"}`;
  if (part.deed === "hidden")
    return `Not in this file: ${hiddenTokens(part.tokens, part.most ?? part.tokens)}: ${besideWords(run, side === "before" ? k : k + 1)}`;
  return `${capitalized(nameOf(run, part))}: ${pluralize(part.count, "message")}, ${part.sealed ? "size unknown" : tokens}, ${done(run, k, side, part)}`;
}

/** What this compaction did with a part. @param {Run} run @param {number} k @param {Side} side @param {Part} part */
function done(run, k, side, { deed }) {
  if (deed === "gone") return DONE[/** @type {Deed} */ (deeds(run, k).findLast((one) => one !== "clear") ?? "drop")];
  if (deed === "emptied") return side === "before" ? "to be emptied where they stand" : "what is left of them";
  return deed === "made" ? "put in by this compaction" : deed === "back" ? "back in the window" : side === "before" ? "to stay" : "stayed";
}

/** The tokens of a column: "~1,701"; of a window of which more was sent than the file shows "154,445 sent", with messages that no prompt had "~160 in the window", or "156,699 by the agent's count". @param {Run} run @param {number} k @param {Side} side @param {Part[]} parts */
export function totalOf(run, k, side, parts) {
  const beside = besideOf(parts);
  if (!beside) return seenOf(run, k, side, parts);
  const { recorded, own } = recordedOf(run, k, side);
  const all = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (all !== recorded) return `~${int(all)} in the window`;
  return `${int(all)} ${own ? "by the agent's count" : "sent"}`;
}

/** What the record says of a column. @param {Run} run @param {number} k @param {Side} side */
const recordedOf = (run, k, side) => sidesOf(run, k, figures(run, k))[side === "before" ? 0 : 1];

/** Of what that is made: "~127,898 in this file + ~28,801 not in it", or how it differs from the prompt that the card tells; "" where the file shows all of it. @param {Run} run @param {number} k @param {Side} side @param {Part[]} parts @param {boolean} [short]  the numbers alone */
export function sumOf(run, k, side, parts, short = false) {
  const [beside, most] = [besideOf(parts), mostBeside(parts)];
  const [seen, not] = [seenOf(run, k, side, parts), `~${int(beside)}`];
  if (!beside) return "";
  const found = recordedOf(run, k, side);
  if (isAhead(found)) return sinceWords(found, short);
  if (short) return `${seen} + ${not}`;
  return most > beside ? `at most ${seen} in this file + at least ${not} not in it` : `${seen} in this file + ${not} not in it`;
}

/** "95,727 sent + ~2,276 that came since", "16,879 sent next − ~300 that came first". @param {import("./recordedsums.js").Side} side @param {boolean} short */
function sinceWords({ recorded, rest }, short) {
  const late = (rest ?? 0) < 0; // messages that came behind the last prompt, before the compaction
  const [sent, sign, came] = late ? ["sent", "+", "since"] : ["sent next", MINUS, "first"];
  const words = `${int(recorded)} ${sent} ${sign} ~${int(Math.abs(rest ?? 0))}`;
  return short ? words : `${words} that came ${came}`;
}

/** Tokens of what was sent and is not in the file. @param {Part[]} parts */
const besideOf = (parts) => hiddenOf(parts)?.tokens ?? 0;

/** As many as they may be. @param {Part[]} parts */
const mostBeside = (parts) => hiddenOf(parts)?.most ?? besideOf(parts);

/** @param {Part[]} parts */
const hiddenOf = (parts) => parts.find(({ deed }) => deed === "hidden");

/** The tokens of the messages. @param {Run} run @param {number} k @param {Side} side @param {Part[]} parts */
function seenOf(run, k, side, parts) {
  const seen = parts.filter(({ deed }) => deed !== "hidden");
  const tokens = seen.reduce((sum, part) => sum + part.tokens, 0);
  const about = side === "before" ? tildeBefore(run, k) : tildeAfter(run, k);
  return `${about}${int(tokens)}${seen.some(({ sealed }) => sealed) ? " + ?" : ""}`;
}

/** By what share of a window what is not in the file has to grow, to be told. */
const GREW = 0.02;

/** Why more is not in the file after a compaction than before it, as far as that is known; "" where it did not grow. @param {Run} run @param {Columns} columns */
export function grownWords(run, { before, after }) {
  const [most, now] = [mostBeside(before), besideOf(after)];
  if (now - most <= GREW * before.reduce((sum, { tokens }) => sum + tokens, 0)) return "";
  const grew = fromTo(besideOf(before), most, now);
  if (after.some(({ sealed }) => sealed)) return `${grew} The summary that nobody can read is among it.`;
  const lists = after.some(({ kind }) => kind === "put back");
  if (run.store.header.format === CLAUDE_CODE && !lists)
    return `${grew} Claude Code puts files back after a compaction, and its older versions do not record which.`;
  return `${grew} The file does not say what that is.`;
}

/** All that is compared: how much it was before, or between which two numbers, and how much it is now. @param {number} least @param {number} most @param {number} after */
function fromTo(least, most, after) {
  if (!most) return `The next prompt held ~${pluralize(after, "token")} that ${after === 1 ? "is" : "are"} not in this file.`;
  return `The last prompt before the compaction held ${hiddenTokens(least, most)} that are not in this file, and the next one ~${int(after)}.`;
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
