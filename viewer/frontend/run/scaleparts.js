// What a window held before a compaction and holds after it, by what became of it and by kind: the two columns of a picture to scale, and
// what of the one went into the other. Pure: no nodes. The parts of a column add up to its window and what was sent beside it.

import { figures } from "./compactionfigures.js";
import { besideUntil } from "./leftout.js";
import { KINDS, kindOf, kindOfAdded, RESULTS } from "./messagekinds.js";
import { Numbered } from "./ranges.js";
import { hiddenAt } from "./recorded.js";
import { asRecorded, sidesOf } from "./recordedsums.js";
import { largest, partId, tallied } from "./tally.js";
/** @import { Run } from "./model.js" */
/** @import { Effect } from "./effect.js" */
/** @import { Deed, Part, Said } from "./tally.js" */

/** What became what: all of these parts all of those, or so many tokens of one that stay a part of one. @typedef {{from: string[], to: string[], tokens?: number}} Flow */

/** @typedef {{before: Part[], after: Part[], flows: Flow[]}} Columns */

/** Tools whose results have a part of their own. */
const TOOLS = 3;

/** Both columns of compaction k; null where the file does not tell one of them, or nothing changed. @param {Run} run @param {number} k @returns {Columns | null} */
export function columnsOf(run, k) {
  if (!hasColumns(run, k)) return null;
  const made = figures(run, k);
  const { did, step } = made;
  const deed = deedsOf(did);
  /** The regions in which what is kept stood. @type {Map<number, string>} */ const stood = new Map();
  const was = tallied(run, run.window(step - 1), (pool, origin, region) => {
    const found = deed.before(origin);
    if (found === "kept") stood.set(origin, region);
    return found === "kept" ? { deed: found, kind: "", region } : goes(found, kindOf(run, pool));
  });
  /** @type {Map<string, Flow>} */ const stays = new Map();
  const is = tallied(run, run.window(step), (pool, origin, region) => {
    const said = { deed: deed.after(origin), kind: "", region };
    const from = stood.get(origin);
    if (said.deed === "kept" && from) stay(stays, { ...said, region: from }, said, run.pool.tokens(pool));
    return said.deed === "made" ? { ...said, kind: kindOfAdded(run.pool.row(pool)) } : said;
  });
  const sides = run.view.kind === "replay" ? sidesOf(run, k, made) : [];
  const before = [...inOrder(fewTools(was)), ...hidden(run, step - 1, sides[0])];
  const after = [...inOrder(is), ...hidden(run, step, sides[1])];
  return { before, after, flows: [...became(before, after), ...stays.values()] };
}

/** Whether there are both columns of compaction k: without the work of making them. @param {Run} run @param {number} k */
export function hasColumns(run, k) {
  const { did, step, begins, unnamed } = figures(run, k);
  const changed = [did.taken, did.emptied, did.added, did.returned].some((ranges) => ranges.length > 0);
  return step >= 1 && !begins && !unnamed && changed;
}

/** What a compaction did with a message, by its place in the session. @param {Effect} did */
function deedsOf({ taken, emptied, added, returned }) {
  const [gone, light, made, back] = [taken, emptied, added, returned].map((ranges) => new Numbered(ranges));
  const first = (/** @type {number} */ origin, /** @type {[Numbered, Deed][]} */ deeds) =>
    deeds.find(([some]) => some.indexOf(origin) >= 0)?.[1] ?? "kept";
  return {
    before: (/** @type {number} */ origin) =>
      first(origin, [
        [gone, "gone"],
        [light, "emptied"],
      ]),
    after: (/** @type {number} */ origin) =>
      first(origin, [
        [made, "made"],
        [light, "emptied"],
        [back, "back"],
      ]),
  };
}

/** What is said of a message that goes or is emptied: it was compactable, or an earlier summary. @param {Deed} deed @param {string} kind @returns {Said} */
const goes = (deed, kind) => ({ deed, kind, region: kind === "summary" ? "summary" : "compactable" });

/** @param {Map<string, Flow>} stays @param {Said} from @param {Said} to @param {number} tokens */
function stay(stays, from, to, tokens) {
  const [a, b] = [partId(from), partId(to)];
  stays.set(a + b, { from: [a], to: [b], tokens: (stays.get(a + b)?.tokens ?? 0) + tokens });
}

/** What went became what was put in for it; what was emptied is still there. @param {Part[]} before @param {Part[]} after @returns {Flow[]} */
function became(before, after) {
  const ids = (/** @type {Part[]} */ parts, /** @type {Deed} */ deed) =>
    parts.filter((part) => part.deed === deed && part.kind !== "put back").map(({ id }) => id);
  const flows = [
    { from: ids(before, "gone"), to: ids(after, "made") },
    { from: ids(before, "emptied"), to: ids(after, "emptied") },
  ];
  return flows.filter(({ from }) => from.length);
}

/** Results of few tools by name, those of the others together; the rest as it is. @param {Part[]} parts @returns {Part[]} */
function fewTools(parts) {
  const result = (/** @type {Part} */ { kind }) => kind.startsWith(RESULTS);
  const of = (/** @type {Deed} */ deed) =>
    largest(
      parts.filter((part) => part.deed === deed && result(part)),
      TOOLS,
      `${RESULTS}other`,
    );
  return [...parts.filter((part) => !result(part)), ...of("gone"), ...of("emptied")];
}

/** Where parts stand: what is pinned, what goes, what came for it, what stays. @param {Part} part */
const place = ({ deed, region }) => (deed === "kept" ? (region === "system" ? 0 : 5) : ["gone", "made", "emptied", "back"].indexOf(deed) + 1);

/** @param {Part} part */
const rank = ({ kind }) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);

/** @param {Part[]} parts */
const inOrder = (parts) => parts.toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b));

/** What was sent at a step and is not in the file: with it a column comes to the size on record, where that is the window's. @param {Run} run @param {number} step @param {import("./recordedsums.js").Side} [side] @returns {Part[]} */
function hidden(run, step, side) {
  const tokens = asRecorded(side) ?? hiddenAt(run, run.window(step).arrived, run.epochOf(step), step);
  const said = { deed: /** @type {Deed} */ ("hidden"), kind: "", region: "" };
  const most = Math.max(tokens, besideUntil(run, step));
  return tokens > 0 ? [{ ...said, id: partId(said), tokens, most, count: 0, first: -1, sealed: false }] : [];
}
