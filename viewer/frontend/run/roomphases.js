// What the phases of a compaction are called in front of a room, each with what it is in plain words; and what the words of its window mean. Pure.

import { phases, phasesOfAttempt } from "./phasefigures.js";
/** @import { Run } from "./model.js" */

/** A phase: its name, and what that is. @typedef {[name: string, means: string]} RoomPhase */

/** What comes of it where a summary is written. */
const PLACED = "it takes their place";

/** What the third phase is in plain words, and what then comes of it, by its name. @type {Record<string, [third: string, splice: string]>} */
const MEANS = {
  summarize: ["a summary is written", PLACED],
  clear: ["their content is removed", "nothing moves"],
  drop: ["they leave, without a summary", "what stays closes up"],
  convert: ["they become one text", PLACED],
  replace: ["a summary that nobody can read is made", PLACED],
};

/** Where more than one of these is done. @type {[third: string, splice: string]} */
const SEVERAL = ["some is emptied, some replaced", PLACED];

/** The four phases of the compaction at a step, or of the attempt that failed there. @param {Run} run @param {number} step @param {number} k  the compaction, -1 for an attempt @returns {RoomPhase[]} */
export function roomPhases(run, step, k) {
  const failed = k < 0 && run.failedAt(step) >= 0;
  const name = failed ? phasesOfAttempt(run, run.failedAt(step))[2].name : k < 0 ? "summarize" : phases(run, k)[2].name;
  const [third, splice] = MEANS[name] ?? SEVERAL;
  return [
    ["trigger", "why it happens"],
    ["partition", name === "clear" ? "what is emptied, what stays" : "what goes, what stays"],
    [name, third],
    ["splice", splice],
  ];
}

/** What the words of a window mean to who sees them first: those of the regions that it has. @param {Record<string, number>} regions  tokens of each */
export function regionWords({ compactable, recent }) {
  const words = [compactable > 0 && "Compactable: may go at the next compaction.", recent > 0 && "Recent: stays"];
  return words.filter(Boolean).join(" ");
}
