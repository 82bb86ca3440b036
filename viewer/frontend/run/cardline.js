// What a compaction did to the messages of the file, in the one line of its card: what went, what came for it, what stays. Pure.

import { capitalized, int, pluralize } from "../lib/format.js";
import { tildeAfter, tildeBefore, tokensAt } from "./compactionfigures.js";
import { NONE } from "./cardwords.js";
import { pinnedOf } from "./phasefigures.js";
import { isPutBack } from "./pool.js";
import { size } from "./ranges.js";
import { emptiedWord, tildeAdded } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Figures } from "./compactionfigures.js" */

/** `comes` is what is there only once the compaction has written it. @typedef {{goes: string, comes: string, stays: string}} Line */

/** @param {Run} run @param {number} k @param {Figures} figures @returns {Line} */
export function lineOf(run, k, figures) {
  const said = nothingNamed(run, k, figures);
  if (said) return { goes: said, comes: "", stays: "" };
  const part = partOf(run, figures);
  const goes = [...clearedWords(run, k, figures), ...goneWords(run, k, figures)].join("; ");
  return { goes: part ? `${part}: ${goes}` : capitalized(goes), comes: comesWords(run, figures), stays: staysWords(run, figures) };
}

/** Where the file does not name what went, that; else "". @param {Run} run @param {number} k @param {Figures} figures */
function nothingNamed(run, k, { begins, unnamed, micro, added, after, did, summary }) {
  if (begins) return "The file begins with a summary of what came before it (not in this file).";
  if (unnamed && micro)
    return `The window is shown as it was: ${pluralize(size(did.after), "message")}, ${tildeAfter(run, k)}${pluralize(after, "token")}`;
  if (unnamed) return summary ? "The summary replaces messages that are not in this file." : "The file does not say what left the window.";
  return size(did.taken) || size(did.emptied) || added.length || run.view.kind === "replay" ? "" : NONE.removed;
}

/** "In this file" where the record counts more than the file shows, or otherwise. @param {Run} run @param {Figures} figures */
function partOf(run, { recordedBefore, recordedAfter, before, after }) {
  const recorded = run.view.kind === "replay" && (recordedBefore >= 0 || recordedAfter >= 0);
  return recorded && (recordedBefore !== before || recordedAfter !== after) ? "In this file" : "";
}

/** What was emptied where it stands. @param {Run} run @param {number} k @param {Figures} figures @returns {string[]} */
function clearedWords(run, k, { did, deeds, before, after }) {
  const [emptied, short] = [size(did.emptied), size(did.short)];
  if (!emptied) return [];
  const left = tokensAt(run, run.steps[k], did.emptied);
  const tokens = deeds.length > 1 ? "" : `, ${tildeBefore(run, k)}${int(before - after + left)} tokens → ${tildeAdded(run)}${int(left)}`;
  const inPlace = (/** @type {number} */ count, /** @type {string} */ how) =>
    count ? [`${pluralize(count, emptiedWord(run))} ${how} in place`] : [];
  if (run.pool.thinkingOnly) return [`thinking removed from ${pluralize(emptied, "reply", "replies")}${tokens}`];
  return [[...inPlace(emptied - short, "cleared"), ...inPlace(short, "shortened")].join(", ") + tokens];
}

/** The messages that left the window, an earlier summary among them by its name. @param {Run} run @param {number} k @param {Figures} figures @returns {string[]} */
function goneWords(run, k, { did, deeds, earlier, folded, removedTokens }) {
  const gone = size(did.taken);
  if (!gone) return folded ? [pluralize(folded, "message")] : [];
  const rest = gone - Number(earlier !== "");
  const what = [rest && pluralize(rest, "message"), earlier].filter(Boolean).join(" and ");
  const dropped = deeds.includes("drop") ? " dropped, no summary" : "";
  return [`${what}, ${tildeBefore(run, k)}${pluralize(removedTokens, "token")}${dropped}`];
}

/** What was put in for them. @param {Run} run @param {Figures} figures */
function comesWords(run, { deeds, added, did, summaryTokens, unreadable }) {
  if (size(did.returned)) return `; ${pluralize(size(did.returned), "message")} back in the window`;
  if (added.every(isInShort) || deeds.includes("drop")) return "";
  const back = added.filter(isPutBack);
  const besides = back.length ? `; ${int(back.length)} put back, ${tildeAdded(run)}${int(back.reduce((sum, row) => sum + row.tokens, 0))}` : "";
  const groups = deeds.includes("digest") ? `${pluralize(added.length, "tool group")} as text` : "";
  const what = groups || (deeds.includes("opaque") ? "1 opaque item" : "1 summary");
  return ` → ${what}, ${unreadable ? "size unknown" : tildeAdded(run) + int(summaryTokens)}${besides}`;
}

/** Whether a row that was put in is a message as it was emptied: of that its own part tells. @param {{injected?: string}} row */
const isInShort = ({ injected = "" }) => /^(cleared|shortened)$/.test(injected);

/** Who stays as it was: "1 pinned and 8 recent stay". @param {Run} run @param {Figures} figures */
function staysWords(run, { did, step }) {
  const all = size(did.kept);
  if (!all) return "";
  const pinned = run.view.policy && did.taken.length ? pinnedOf(run, step - 1, did.before, did.taken) : 0;
  const parts = [pinned && `${int(pinned)} pinned`, pinned && all > pinned && `${int(all - pinned)} recent`].filter(Boolean);
  return `; ${parts.join(" and ") || pluralize(all, "message")} ${all === 1 ? "stays" : "stay"}`;
}
