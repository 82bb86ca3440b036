// What the summary of a compaction says of the task and of the work at hand, as lines to be read aloud to a room. Pure.

import { int } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
/** @import { CompactionLosses } from "./types.js" */

/** Letters that are read out of one of two quotes, and of one alone. */
const MOST = [130, 280];

/** "The summary says of the task: “Build the gallery”"; none where no words of it are known. @param {CompactionLosses} row @returns {{who: string, said: string}[]} */
export function summaryNotes({ goal, points = 0, work, opening }) {
  const found = [
    { who: `The summary says of ${theTask(points)}:`, said: goal },
    { who: goal ? "And of the work at hand:" : "The summary says of the work at hand:", said: work },
    { who: "The summary begins:", said: opening },
  ];
  const quoted = found.filter(({ said }) => said);
  return quoted.map(({ who, said }) => ({ who, said: `“${wholeSentences(said, MOST[quoted.length > 1 ? 0 : 1])}”` }));
}

/** "the task, the first of 6 points": of a list only that is quoted. @param {number} [points] */
export const theTask = (points) => (points ? `the task, the first of ${int(points)} points` : "the task");
