// Who moves where while a compaction is told: from the picture before and the picture after. Pure: no nodes are made or touched.

import { places } from "../run/effect.js";
import { Numbered, size } from "../run/ranges.js";
/** @import { Effect } from "../run/effect.js" */
/** @import { Picture, SeenHeading, SeenRow } from "./picture.js" */

/** A row that stays; `share` is its place among those that are emptied, -1 where it is not. @typedef {{row: SeenRow, y0: number, y1: number, share: number, fresh: boolean, after: SeenRow | undefined}} Stayer */
/** A row that goes; `share` is its place among those of its group. @typedef {{row: SeenRow, y0: number, share: number}} Goer */
/** A row that is put in; `y0` is the place of one that goes, `y1` its own. @typedef {{row: SeenRow, y0: number, y1: number}} Put */
/**
 * Rows that go together, and what is put in their place.
 * @typedef {object} Group
 * @property {Goer[]} rows
 * @property {number} y0    where they gather
 * @property {Put[]} puts
 * @property {number} count how many go, in sight or not; 0 where that is not told
 */
/** `from` and `to` are what it says before and after; null for nothing. `leads`: of those that go it is the first. @typedef {{y0: number, y1: number, from: SeenHeading | null, to: SeenHeading | null, goes: boolean, leads: boolean}} Heading */
/** What stands together, from and to. @typedef {{name: "front" | "goes" | "stays", top: number, bottom: number, count: number}} Bracket */
/** `closes`: what stays closes up while what goes gathers, where it is to stand. @typedef {{stayers: Stayer[], groups: Group[], headings: Heading[], brackets: Bracket[], closes?: boolean}} Scene */

const ROW = 28;

/** @param {Picture} was @param {Picture} is @param {Effect} did @returns {Scene} */
export function sceneOf(was, is, did) {
  const goes = numbered(did.taken);
  const groups = groupsOf(was, is, did, goes);
  const put = new Set(groups.flatMap(({ puts }) => puts.map(({ row }) => row.pool)));
  const stayers = stayersOf(was, is, (pool) => goes(pool) || put.has(pool), numbered(did.emptied));
  return { stayers, groups, headings: headingsOf(was, is, groups, goes), brackets: bracketsOf(was, did, goes) };
}

/** The same up to the moment at which what is put in is written, where what stays has closed up around it by then. @param {Picture} was @param {Picture} is @param {Effect} did @returns {Scene} */
export function closingSceneOf(was, is, did) {
  const scene = sceneOf(was, is, did);
  const groups = scene.groups.map((group) => {
    const puts = group.puts.map((put) => ({ ...put, y0: put.y1 }));
    return { ...group, puts, y0: puts[0]?.y1 ?? group.y0 };
  });
  return { ...scene, groups, closes: true };
}

/** @param {import("../run/ranges.js").Range[]} ranges */
function numbered(ranges) {
  const all = new Numbered(ranges);
  return (/** @type {number} */ pool) => all.indexOf(pool) >= 0;
}

/** Places among so many, from 0 to 1. @param {number} k @param {number} count */
const share = (k, count) => (count > 1 ? k / (count - 1) : 0);

/**
 * What goes from one place, and what is put in there. Of what is put in where nothing that goes is in sight, nothing is told: it
 * comes with what stays.
 * @param {Picture} was @param {Picture} is @param {Effect} did @param {(pool: number) => boolean} goes
 * @returns {Group[]}
 */
function groupsOf(was, is, did, goes) {
  const rows = was.rows.filter(({ pool }) => goes(pool));
  const targets = placesOf(did);
  const groupOf = (/** @type {number} */ pool) =>
    Math.max(
      0,
      targets.findLastIndex(({ from }) => from < pool),
    );
  const groups = targets.map(({ pools }, g) => {
    const mine = rows.filter((row) => groupOf(row.pool) === g);
    const moving = mine.map((row, k) => ({ row, y0: row.y, share: share(k, mine.length) }));
    const here = mine.length || !did.taken.length ? pools : [];
    const count = targets.length > 1 ? 0 : size(did.taken);
    return { rows: moving, y0: mine[0]?.y ?? is.yOf(pools[0]) ?? 0, puts: putsOf(here, mine, is), count };
  });
  return groups.filter((group) => group.rows.length || group.puts.length);
}

/** Where what is put in stands, as `places` has it: several at one place are together. One nowhere where nothing is put in. @param {Effect} did */
function placesOf(did) {
  /** @type {{from: number, pools: number[]}[]} */ const found = [];
  for (const { from, pool } of places(did)) {
    if (found.at(-1)?.from === from) found.at(-1)?.pools.push(pool);
    else found.push({ from, pools: [pool] });
  }
  return found.length ? found : [{ from: -1, pools: [] }];
}

/** Each takes the place of a row that goes, in order; of more than those only the last. @param {number[]} pools @param {SeenRow[]} mine @param {Picture} is @returns {Put[]} */
function putsOf(pools, mine, is) {
  const hidden = mine.length ? Math.max(0, pools.length - mine.length) : 0;
  return pools.slice(hidden).flatMap((pool, k) => {
    const row = is.rows.find((row) => row.pool === pool);
    if (!row) return [];
    const y1 = bounded(is.yOf(pool) ?? row.y, is.view);
    return [{ row, y0: mine[k]?.y ?? y1, y1 }];
  });
}

/** Not so far away that it would shoot across. @param {number} y @param {number} view */
const bounded = (y, view) => Math.max(-view, Math.min(2 * view, y));

/**
 * @param {Picture} was @param {Picture} is
 * @param {(pool: number) => boolean} other  whether a row goes or is put in
 * @param {(pool: number) => boolean} emptied
 * @returns {Stayer[]}
 */
function stayersOf(was, is, other, emptied) {
  const stays = was.rows.filter((row) => !other(row.pool));
  const seen = new Set(stays.map(({ pool }) => pool));
  const after = new Map(is.rows.map((row) => [row.pool, row]));
  const marked = stays.filter((row) => emptied(row.pool));
  const here = stays.map((row) => {
    const k = marked.indexOf(row);
    const y1 = bounded(is.yOf(row.pool) ?? row.y, is.view);
    return { row, y0: row.y, y1, share: k < 0 ? -1 : share(k, marked.length), fresh: false, after: after.get(row.pool) };
  });
  const entering = is.rows.filter((row) => (row.ghost || !other(row.pool)) && !seen.has(row.pool));
  const there = entering.map((row) => {
    const y0 = row.ghost ? null : was.yOf(row.pool); // what went comes back as a ghost of itself, where it stood in the session
    return { row, y0: bounded(y0 ?? row.y, is.view), y1: row.y, share: -1, fresh: y0 === null, after: row };
  });
  return [...here, ...there];
}

/**
 * @param {Picture} was @param {Picture} is @param {Group[]} groups @param {(pool: number) => boolean} goes
 * @returns {Heading[]}
 */
function headingsOf(was, is, groups, goes) {
  const left = new Map(is.headings.map((heading) => [heading.id, heading]));
  const sectionOf = (/** @type {SeenRow | undefined} */ put) => is.headings.find(({ id }) => id === put?.section);
  const now = new Map(is.rows.map((row) => [row.pool, row]));
  let led = false;
  const found = was.headings.map((from) => {
    const rows = was.rows.filter(({ section }) => section === from.id);
    const going = rows.length > 0 && rows.every(({ pool }) => goes(pool));
    const kept = rows.find(({ pool }) => !goes(pool) && now.has(pool));
    const stays = left.get((kept && now.get(kept.pool)?.section) ?? from.id);
    const leads = going && !led;
    led ||= going;
    const to = going ? (leads && sectionOf(groups[0]?.puts[0]?.row)) || null : (stays ?? null);
    if (to) left.delete(to.id);
    return { y0: from.y, y1: to?.y ?? from.y, from, to, goes: going, leads };
  });
  const fresh = [...left.values()].map((to) => ({ y0: to.y, y1: to.y, from: null, to, goes: false, leads: false }));
  return [...found, ...fresh];
}

/**
 * What stays in front, what goes, what stays behind; none where they do not stand together.
 * @param {Picture} was @param {Effect} did @param {(pool: number) => boolean} goes
 * @returns {Bracket[]}
 */
function bracketsOf({ rows, headings }, { before, taken }, goes) {
  const going = rows.filter(({ pool }) => goes(pool));
  if (!going.length || going.length !== rows.indexOf(going[going.length - 1]) - rows.indexOf(going[0]) + 1) return [];
  const first = rows.indexOf(going[0]);
  const ahead = new Numbered(before).indexOf(taken[0][0]);
  const count = { front: ahead, goes: size(taken), stays: size(before) - size(taken) - ahead };
  const parts = { front: rows.slice(0, first), goes: going, stays: rows.slice(first + going.length) };
  return /** @type {const} */ (["front", "goes", "stays"])
    .filter((name) => parts[name].length && count[name])
    .map((name) => {
      const [top, bottom] = [parts[name][0].y, parts[name][parts[name].length - 1].y + ROW];
      const under = headings.filter(({ y }) => y <= top).at(-1);
      return { name, top: Math.max(top, under ? Math.min(top + ROW, under.y + 22) : top), bottom, count: count[name] };
    });
}
