// What the phases of a compaction are called in front of a room, each with what it is in plain words; and what the words of its window mean. Pure.

import { deeds, fellBack } from "./effect.js";
import { DOING, kindOf } from "./phasefigures.js";
/** @import { Deed } from "./effect.js" */
/** @import { Run } from "./model.js" */

/** A phase: its name, and what that is. @typedef {[name: string, means: string]} RoomPhase */

/** What comes of it where something is put in. */
const PLACED = "it takes their place";
/** The same where something goes, and nothing is put in. */
const CLOSES = "what stays closes up";

/** What the third phase is in plain words, and what then comes of it, by its name. @type {Record<string, [third: string, splice: string]>} */
const MEANS = {
  summarize: ["a summary is written", PLACED],
  clear: ["their content is removed", "nothing moves"],
  drop: ["they leave, without a summary", CLOSES],
  "clear, drop": ["some is emptied, some leaves", CLOSES],
  convert: ["they become one text", PLACED],
  replace: ["a summary that nobody can read is made", PLACED],
};

/** Where more than one of these is done. @type {[third: string, splice: string]} */
const SEVERAL = ["some is emptied, some replaced", PLACED];

/** The four phases of the compaction at a step, or of the attempt that failed there. @param {Run} run @param {number} step @param {number} k  the compaction, -1 for an attempt @returns {RoomPhase[]} */
export function roomPhases(run, step, k) {
  const done = k < 0 ? "" : deeds(run, k).map(called).join(", ");
  const failed = k < 0 ? run.failedAt(step) >= 0 : fellBack(run, k);
  const name = failed ? called(kindOf(run)) : done || called("summarise");
  const [third, splice] = MEANS[done || name] ?? SEVERAL;
  return [
    ["trigger", "why it happens"],
    ["partition", name === "clear" ? "what is emptied, what stays" : "what goes, what stays"],
    [name, failed ? "no summary comes of it" : third],
    ["splice", failed && !done ? "nothing changes" : splice],
  ];
}

/** What the third phase is called where this is done. @param {Deed} deed */
const called = (deed) => DOING[deed];

/** What the words of a window mean to who sees them first: those of the regions that it has. @param {Record<string, number>} regions  tokens of each @param {string} [hatched]  what is hatched beside them */
export function regionWords({ compactable, recent }, hatched = "") {
  const words = [compactable > 0 && "Compactable: may go at the next compaction.", recent > 0 && `Recent: stays${hatched && "."}`, hatched];
  return words.filter(Boolean).join(" ");
}
