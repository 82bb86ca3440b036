// The story of a compaction: from a time to what is true then. Pure: no nodes and no clock.
// Every part of the page draws the same moment, so that none of them shows the new window before the others.

import { bezier, clamp, easeOut, linear } from "../lib/ease.js";
/** @import { Ease } from "../lib/ease.js" */
/** @import { Deed } from "./effect.js" */
/** @import { Phase } from "./types.js" */

/** What happens between the partition and the splice; of a fallback, what fails and then what is done instead. @typedef {Deed | "tiers" | "failed" | "fallback"} Story */
/** From and to, in milliseconds at 1x. @typedef {[number, number]} Span */

/**
 * When each thing happens. Of rows that move one after the other, `row` is the time of one, the rest of the span is the delay
 * of the last.
 * @typedef {object} Timetable
 * @property {number[]} phases   when each phase begins: the third as soon as a row moves
 * @property {Span} [wave]       rows are emptied where they stand
 * @property {Span} [gather]     rows move into the stack
 * @property {number} [row]
 * @property {Span} [leave]      the stack leaves
 * @property {Span} [close]      the stack closes in part
 * @property {Span} [open]       it opens again
 * @property {Span} [write]      what is put in gets its text and its number
 * @property {Span} [splice]     what stays closes up
 * @property {Span} [settle]     the totals change
 * @property {number} total
 */

/** What every story begins with. */
const RING = /** @type {Span} */ ([0, 200]);
const WARM = /** @type {Span} */ ([200, 320]);
const LIFT = /** @type {Span} */ ([200, 360]);
const BRACKETS = [0, 50, 100].map((delay) => /** @type {Span} */ ([200 + delay, 340 + delay]));
const UNBRACKETED = /** @type {Span} */ ([460, 560]);
/** What is put in takes the color of a summary. */
const AMBER = 120;

/** The new window: what stays closes up, and whatever says how full it is says so from then on. */
const END = { splice: /** @type {Span} */ ([1180, 1420]), settle: /** @type {Span} */ ([1180, 1600]), total: 1600 };

/** @type {Record<Story, Timetable>} */
const TIMETABLES = {
  summarise: { phases: [0, 200, 460, 1180], gather: [460, 900], row: 300, write: [860, 1180], ...END },
  opaque: { phases: [0, 200, 460, 1180], gather: [460, 900], row: 300, write: [860, 1180], ...END },
  digest: { phases: [0, 200, 460, 1180], gather: [460, 1060], row: 300, write: [460, 1180], ...END },
  drop: { phases: [0, 200, 460, 1180], gather: [460, 900], row: 300, leave: [900, 1120], ...END },
  tiers: { phases: [0, 200, 460, 1180], wave: [460, 760], gather: [760, 1040], row: 190, write: [1010, 1180], ...END },
  clear: { phases: [0, 200, 460, 1000], wave: [460, 900], settle: [1000, 1220], total: 1220 },
  failed: { phases: [0, 200, 460], close: [460, 592], open: [592, 772], total: 772 },
  fallback: {
    phases: [0, 200, 460, 860],
    close: [460, 592],
    open: [592, 772],
    gather: [860, 1120],
    row: 180,
    leave: [1120, 1280],
    splice: [1280, 1500],
    settle: [1280, 1680],
    total: 1680,
  },
};

/** Of a row that is emptied: its text is struck out, then its tokens have run down. */
const STRUCK = 160;
const DRAINED = 240;

const IN_OUT = bezier(0.45, 0, 0.25, 1);
const OUT = bezier(0.2, 0.7, 0.2, 1);
/** Milliseconds by which a time that was scaled may be off. */
const ROUNDED = 0.001;
/** How far the stack of an attempt that fails closes. */
const CLOSES = 0.3;

/**
 * How fast a story is told: `knots` are pairs of a time on the clock and the time in the story at 1x; `whole` where texts appear at
 * once, `fades` where no row travels and the old picture fades into the new one.
 * @typedef {{total: number, knots: [number, number][], whole: boolean, fades: Span | null}} Pace
 */

/**
 * How a story is told at a speed; null where only the final picture is shown.
 * @param {Story} story
 * @param {number} speed  1 by hand
 * @returns {Pace | null}
 */
export function paceOf(story, speed) {
  if (speed > 8) return null;
  const { total, settle = [total], splice = [0, settle[0]] } = TIMETABLES[story];
  if (speed < 4) return { total: total / speed, knots: pairs([0, total / speed], [0, total]), whole: speed >= 2, fades: null };
  const times = speed < 8 ? [0, 80, 300, 400] : [0, 60, 140, 200];
  return { total: times[3], knots: pairs(times, [0, 460, splice[1], total]), whole: true, fades: speed < 8 ? null : [60, 140] };
}

/** In stills: the ring of the trigger is wide; of the partition all is marked, and nothing has moved. */
const RING_SEEN = 150;
const PARTED = 460;

/**
 * The moment that stands for a phase where nothing moves: all that the phase is about is there, nothing of the next.
 * @param {Story} story
 * @param {1 | 2 | 3} phase
 * @returns {Moment}
 */
export function stillOf(story, phase) {
  const pace = /** @type {Pace} */ (paceOf(story, 1));
  const moment = momentAt(story, pace, stillTime(story, pace, phase));
  return phase === 3 ? { ...moment, phase, text: 1, number: 1 } : { ...moment, phase };
}

/** When, on the clock of a pace without jumps, that moment is. @param {Story} story @param {Pace} pace @param {1 | 2 | 3} phase */
export function stillTime(story, pace, phase) {
  const { phases, close, splice, settle, total } = TIMETABLES[story];
  const third = close ? (phases[3] ?? total) : (splice ?? settle ?? [total])[0];
  return ([RING_SEEN, PARTED, third][phase - 1] * pace.total) / total;
}

/** When the phase behind a phase begins, on the same clock. @param {Story} story @param {Pace} pace @param {1 | 2 | 3} phase */
export function endTime(story, pace, phase) {
  const { phases, total } = TIMETABLES[story];
  return ((phases[phase] ?? total) * pace.total) / total;
}

/** @param {number[]} times @param {number[]} told */
const pairs = (times, told) => times.map((time, k) => /** @type {[number, number]} */ ([time, told[k]]));

/** The time in the story at 1x. @param {Pace} pace @param {number} time */
function toldAt({ knots }, time) {
  const k = Math.max(
    1,
    knots.findIndex(([at]) => at >= time),
  );
  const [[a, x], [b, y]] = [knots[k - 1], knots[k]];
  return b > a ? x + (y - x) * clamp((time - a) / (b - a)) : y;
}

/**
 * What is true at a time. Parts of the way run from 0 to 1; what a story has not, stays 0.
 * @typedef {object} Moment
 * @property {number} time       milliseconds on the clock
 * @property {Phase} phase       the tile that is lit
 * @property {number} ring       of the ring on the curve
 * @property {number} warm       the tint of the rows that go
 * @property {number} lift       the rows that go, to the right
 * @property {number[]} brackets around what stays in front, what goes, what stays behind; gone again when the rows move
 * @property {number} gathered   of the stack: the rows that went into it
 * @property {(share: number) => number} row  of a row into the stack; `share` is its place among the rows, 0 the first, 1 the last
 * @property {(share: number) => {struck: number, drained: number}} emptied  of a row that is emptied where it stands
 * @property {number} leave      of the stack out of the window
 * @property {number} amber      of the stack to what is put in
 * @property {number} text       of the text of what is put in
 * @property {number} number     of its number
 * @property {number} splice     of what stays, to its new place
 * @property {number} settle     of the totals
 * @property {number} fade       of the old picture into the new one
 * @property {boolean} arrived   the new window is the one on show
 */

/**
 * @param {Story} story
 * @param {Pace} pace
 * @param {number} time
 * @returns {Moment}
 */
export function momentAt(story, pace, time) {
  const table = TIMETABLES[story];
  const t = toldAt(pace, time);
  const way = (/** @type {Span | undefined} */ span, /** @type {Ease} */ ease) => (span ? ease((t - span[0]) / (span[1] - span[0])) : 0);
  const { write, settle } = table;
  const writing = write && t >= write[0];
  return {
    time,
    phase: /** @type {Phase} */ (Math.max(1, table.phases.filter((begins) => t > begins - ROUNDED).length)),
    ring: time > 0 ? way(RING, easeOut) : 0,
    warm: way(WARM, linear),
    lift: way(LIFT, OUT),
    brackets: BRACKETS.map((span) => way(span, easeOut) * (1 - way(UNBRACKETED, linear))),
    gathered: closed(table, way) + way(table.gather, IN_OUT),
    row: (share) => gathering(table, t, share, way),
    emptied: (share) => emptying(table, t, share),
    leave: way(table.leave, easeOut),
    amber: write ? linear((t - write[0]) / AMBER) : 0,
    text: pace.whole ? Number(writing ?? false) : way(write, linear),
    number: way(write, easeOut),
    splice: way(table.splice, OUT),
    settle: way(settle, easeOut),
    fade: pace.fades ? linear((time - pace.fades[0]) / (pace.fades[1] - pace.fades[0])) : 0,
    arrived: settle ? t > settle[0] : true,
  };
}

/**
 * @param {Timetable} table @param {number} t @param {number} share
 * @param {(span: Span | undefined, ease: Ease) => number} way
 */
function gathering(table, t, share, way) {
  const { gather, row = 0 } = table;
  if (!gather) return closed(table, way);
  const begins = gather[0] + share * (gather[1] - gather[0] - row);
  return closed(table, way) + IN_OUT((t - begins) / row);
}

/** How far a stack that springs back is closed. @param {Timetable} table @param {(span: Span | undefined, ease: Ease) => number} way */
const closed = ({ close, open }, way) => CLOSES * (way(close, IN_OUT) - way(open, easeOut));

/** @param {Timetable} table @param {number} t @param {number} share */
function emptying({ wave }, t, share) {
  if (!wave) return { struck: 0, drained: 0 };
  const each = Math.min(DRAINED, (wave[1] - wave[0]) * 0.6);
  const begins = wave[0] + share * (wave[1] - wave[0] - each);
  return { struck: linear((t - begins) / ((each * STRUCK) / DRAINED)), drained: easeOut((t - begins) / each) };
}

/** The story of what a compaction did, in order. @param {Deed[]} deeds @returns {Story} */
export const storyOf = (deeds) => (deeds.length > 1 && deeds[0] === "clear" ? "tiers" : /** @type {Story} */ (deeds.at(-1)));
