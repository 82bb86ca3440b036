// The window while a compaction is taken apart, in stills: each row is where it is at that moment of the story. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { DONE, tildeBefore, tokensAt } from "../run/compactionfigures.js";
import { attempted, deeds, effect, fellBack, origins, places } from "../run/effect.js";
import { common, Numbered, size } from "../run/ranges.js";
import { takenWords } from "../run/phasefigures.js";
import { nextDone, rangeSection, rowOf, windowSections } from "../run/sections.js";
/** @import { Effect } from "../run/effect.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Phase } from "../run/types.js" */

/** @typedef {import("../run/layout.js").Section} Section */
/** @typedef {import("../run/layout.js").Row} Row */
/** @typedef {import("../run/ranges.js").Range} Range */

/** Whether nothing came of what was tried at first: of compaction k, or of an attempt that failed (-1). @param {Run} run @param {number} k */
const stuck = (run, k) => k < 0 || fellBack(run, k);

/** The step whose window it found. @param {number} step @param {number} k */
const stoodAt = (step, k) => (k < 0 ? step : step - 1);

/** What compaction k at a step did; where it failed, or was an attempt that failed (-1), what it was about to do. @param {Run} run @param {number} step @param {number} k */
export const partition = (run, step, k) => (stuck(run, k) ? attempted(run, stoodAt(step, k)) : effect(run, k));

/**
 * The window in a phase of what happened at a step: 1 trigger, as it was; 2 partition, what goes is marked; 3, what is put in
 * stands where the first message went that was in sight (`first`), and nothing has closed up; 4 splice, as it is.
 * @param {Run} run
 * @param {number} step
 * @param {number} k       the compaction; -1 for an attempt that failed
 * @param {Phase} phase
 * @param {number} [first]  a pool index
 * @returns {Section[]}
 */
export function phaseSections(run, step, k, phase, first = -1) {
  const stood = stoodAt(step, k);
  if (phase === 4 || stood < 0) return windowSections(run, step);
  if (phase === 1) return windowSections(run, stood).map(ofThis);
  const did = partition(run, step, k);
  const parts = partsOf(run, stood, did, first);
  if (phase === 2 || stuck(run, k)) {
    const names = goingNames(run, step, k, phase === 3 ? "Not" : "Being");
    return parts.map((part) => ofThis(parted(run, part, did, names.get(part.section.id))));
  }
  const title = titleOf(run, did, k);
  const fold = new Fold(run, did, first, deeds(run, k).at(-1) === "drop");
  const sections = parts.map((part) => ofThis(folded(run, step, part, fold, title)));
  return withNew(run, sections, did, title);
}

/** While a recorded compaction is told, what the window's headings call the next one is the one on show. @param {Section} section @returns {Section} */
const ofThis = (section) => ({ ...section, title: section.title.replace(/\bthe next compaction\b/i, (words) => `${words[0]}his compaction`) });

/**
 * A section of the window before, which of its messages go and how many, and whether it goes as a whole and has the first that is seen.
 * @typedef {{section: Section, ranges: Range[], goes: number, leads: boolean}} Part
 */

/** @typedef {{title: string, note: string}} GoingName */

/** @param {Run} run @param {number} stood @param {Effect} did @param {number} first @returns {Part[]} */
function partsOf(run, stood, did, first) {
  const window = run.window(stood);
  const seen = first < 0 && did.taken.length ? did.taken[0][0] : first;
  return windowSections(run, stood).map((section) => {
    const from = Number(section.from);
    const ranges = common(origins(run, window.between(from, from + section.count)), did.taken);
    const goes = size(ranges);
    return { section, ranges, goes, leads: goes === section.count && section.find(seen) >= 0 };
  });
}

/** Whether of messages under one heading some go and some stay: these close up while the summary is written. @param {Run} run @param {number} step @param {number} k */
export const closesUp = (run, step, k) =>
  partsOf(run, stoodAt(step, k), partition(run, step, k), -1).some(({ section, goes }) => goes > 0 && goes < section.count);

/**
 * What each section is called that goes as a whole, and its tokens. It counts what stands under it, so that no count is part of another.
 * @param {Run} run @param {number} step @param {number} k @param {"Being" | "Not"} verb @returns {Map<string, GoingName>}
 */
export function goingNames(run, step, k, verb) {
  const stood = stoodAt(step, k);
  const did = partition(run, step, k);
  const done = stuck(run, k) ? nextDone(run) : beingDone(run, k);
  const going = partsOf(run, stood, did, -1).filter(({ goes }) => goes > 0);
  const named = going.map(({ section, ranges }) => {
    const all = going.length === 1;
    const note = all ? weightOf(run, stood, did, k) : `${tildeBefore(run, Math.max(0, k))}${pluralize(tokensAt(run, stood, ranges), "token")}`;
    return /** @type {[string, GoingName]} */ ([section.id, { title: `${verb} ${done}: ${takenWords(run, ranges)}`, note }]);
  });
  return new Map(named.filter((_, i) => going[i].goes === going[i].section.count));
}

/**
 * The window whose summary is written, and stands nowhere yet: what went is there as ghosts.
 * @param {Run} run @param {number} step @param {number} k @returns {Section[]}
 */
export function unplacedSections(run, step, k) {
  const stood = stoodAt(step, k);
  const did = partition(run, step, k);
  const taken = new Numbered(did.taken);
  const title = `${capitalized(beingDone(run, k))}: ${takenWords(run, did.taken)}`;
  return partsOf(run, stood, did, -1).map(({ section, leads }) => {
    const row = (/** @type {number} */ at) => {
      const row = section.row(at);
      return taken.indexOf(row.pool) < 0 ? row : { ...row, ghost: true, region: "summarised" };
    };
    return leads ? { ...section, title, note: weightOf(run, stood, did, k), unit: "message", row } : { ...section, row };
  });
}

/** What the section is called in whose place something comes. @param {Run} run @param {Effect} did @param {number} k */
function titleOf(run, did, k) {
  const label = did.added.length ? run.pool.row(did.added[0][0]).label : "";
  return label ? `Becoming ${label}` : `${capitalized(beingDone(run, k))}: ${takenWords(run, did.taken)}`;
}

/** The tokens of all that goes. @param {Run} run @param {number} stood @param {Effect} did @param {number} k */
export function weightOf(run, stood, did, k) {
  const amount = stuck(run, k) ? tokensAt(run, stood, did.taken) : run.compaction(k).removedTokens;
  return amount > 0 ? `${tildeBefore(run, Math.max(0, k))}${pluralize(amount, "token")}` : "";
}

/**
 * A section with what goes and what is emptied marked, and how many of its messages go and stay.
 * @param {Run} run @param {Part} part @param {Effect} did @param {GoingName | undefined} name  of one that goes as a whole
 * @returns {Section}
 */
function parted(run, { section, goes }, did, name) {
  const [taken, emptied] = [new Numbered(did.taken), new Numbered(did.emptied)];
  /** @type {(k: number) => Row} */ const row = (k) => {
    const row = section.row(k);
    if (taken.indexOf(row.pool) >= 0) return { ...row, taken: true };
    if (emptied.indexOf(row.pool) >= 0) return { ...row, emptying: true, thinking: run.pool.thinkingOnly };
    return row;
  };
  const note = did.taken.length ? split(goes, section.count - goes) : section.note;
  return { ...section, note, ...name, row };
}

/** "56 go · 8 stay". @param {number} go @param {number} stay */
const split = (go, stay) =>
  [go && `${int(go)} ${go === 1 ? "goes" : "go"}`, stay && `${int(stay)} ${stay === 1 ? "stays" : "stay"}`].filter(Boolean).join(" · ");

/** Where what is put in stands while the rows that go leave their places empty. */
class Fold {
  /** @param {Run} run @param {Effect} did @param {number} first  the message that goes which is seen first @param {boolean} drops  what is put in comes in the end */
  constructor(run, did, first, drops) {
    this.run = run;
    this.going = new Numbered(did.taken);
    this.emptied = new Numbered(did.emptied);
    this.first = Math.max(0, this.going.indexOf(first));
    /** What is put in at one place; it begins at the so-manieth message that goes. @type {{from: number, begins: number, pools: number[]}[]} */ this.groups =
      [];
    if (!drops) for (const { from, pool } of places(did)) this.#add(from, pool);
  }

  /** @param {number} from @param {number} pool */
  #add(from, pool) {
    const last = this.groups.at(-1);
    if (last?.from === from) return last.pools.push(pool);
    const begins = this.groups.length ? this.#after(from) : 0;
    this.groups.push({ from, begins, pools: [pool] });
    return 0;
  }

  /** How many messages that go stand in front of the first behind message `from`. @param {number} from */
  #after(from) {
    return this.going.ranges.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, from + 1) - a), 0);
  }

  /** What stands at the place of the so-manieth message that goes: a row that is put in; null for nothing. @param {number} nth @returns {Row | null} */
  put(nth) {
    const group = this.groups.findLast(({ begins }) => begins <= nth);
    const next = this.groups.find(({ begins }) => begins > nth)?.begins ?? this.going.size;
    if (!group) return null;
    const begins = group.begins < this.first && this.first < next ? this.first : group.begins;
    const hidden = Math.max(0, group.pools.length - (next - begins));
    const pool = group.pools[nth - begins + hidden];
    return pool === undefined ? null : { ...rowOf(this.run, pool), fresh: true };
  }
}

/**
 * A section with what is put in at its place, the other rows that go blank, and what was emptied as it now is. Of one that goes
 * as a whole what is above the first in sight is left out; where some stay, they close up, so that they are in sight.
 * @param {Run} run @param {number} step @param {Part} part @param {Fold} fold @param {string} title
 * @returns {Section}
 */
function folded(run, step, part, fold, title) {
  const { section, goes, leads } = part.goes && part.goes < part.section.count ? { ...part, section: standing(part, fold) } : part;
  const whole = goes === part.section.count;
  const begins = whole ? fold.going.indexOf(section.row(0).pool) : 0;
  const cut = whole ? Math.max(0, Math.min(section.count, fold.first - begins)) : 0;
  const row = (/** @type {number} */ k) => {
    const row = section.row(k + cut);
    const nth = fold.going.indexOf(row.pool);
    if (nth >= 0) return fold.put(nth) ?? blank(section.id, k);
    return fold.emptied.indexOf(row.pool) >= 0 ? { ...rowAt(run, step, row), fresh: true } : row;
  };
  const find = (/** @type {number} */ pool) => Math.max(-1, section.find(pool) - cut);
  const note = goes ? "" : section.note;
  return { ...section, title: leads ? title : section.title, note, blank: whole && !leads, count: section.count - cut, row, find };
}

/** A section of which some messages go, without them: what is put in at their place, and those that stay. @param {Part} part @param {Fold} fold @returns {Section} */
function standing({ section, ranges }, fold) {
  /** @type {number[]} */ const left = [];
  let k = 0;
  for (const [a, b] of ranges) {
    for (const from = section.find(a); k < from; k++) left.push(k);
    for (let pool = a; pool < b; pool++, k++) if (fold.put(fold.going.indexOf(pool))) left.push(k);
  }
  for (; k < section.count; k++) left.push(k);
  return { ...section, count: left.length, row: (at) => section.row(left[at]), find: (pool) => left.indexOf(section.find(pool)) };
}

/**
 * What is put in where nothing goes stands by itself, behind the message that it follows.
 * @param {Run} run @param {Section[]} sections @param {Effect} did @param {string} title
 */
function withNew(run, sections, did, title) {
  if (did.taken.length || !did.added.length) return sections;
  const [{ from }] = places(did);
  const behind = sections.findIndex((section) => section.find(from) >= 0);
  return sections.toSpliced(behind + 1, 0, rangeSection(run, "new", title, did.added, { fresh: true }));
}

/** An empty place. @param {string} id @param {number} k @returns {Row} */
const blank = (id, k) => ({
  key: `${id} ${k}`,
  pool: -1,
  role: "",
  label: "",
  region: "",
  tokens: 0,
  preview: "",
  flags: 0,
  added: false,
  injected: "",
  of: -1,
  blank: true,
});

/** What is being done to the messages that compaction k takes, as a participle. @param {Run} run @param {number} k */
export const beingDone = (run, k) => DONE[/** @type {import("../run/effect.js").Deed} */ (deeds(run, k).at(-1))];

/**
 * A row as it is in the window of a step, its marks kept; itself where it is not in it.
 * @param {Run} run
 * @param {number} step
 * @param {Row} row
 * @returns {Row}
 */
export function rowAt(run, step, row) {
  const index = step >= 0 ? run.indexInWindow(step, row.pool) : -1;
  if (index < 0) return row;
  const { taken, ghost, fresh } = row;
  return { ...run.window(step).row(index), pool: row.pool, taken, ghost, fresh };
}
