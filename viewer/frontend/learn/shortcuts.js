// What the keys do in a lesson, for the list on "?".
/** @import { Lessons } from "./lessons.js" */
/** @import { KeysHere } from "../debugger/types.js" */

/** @type {KeysHere["keys"]} */
const PRESENTED = [
  [["→"], "to the end of what moves; then what is to be watched, the answer, or what solves the task; then the next step"],
  [["←"], "the step before"],
  [["S"], "show the answer, or what solves the task"],
  [["A", "B", "C", "D"], "mark what the room says; 1 to 4 do the same, and a number is typed"],
  [["1", "2", "3", "4"], "a phase of the compaction: trigger, partition, summarize, splice; where there is none, the lesson of that number"],
  [["R"], "play the compaction again"],
  [["Space"], "pause, go on"],
  [["−", "+"], "slower, faster"],
  [["Esc"], "leave"],
];

/** @type {KeysHere["keys"]} */
const STUDIED = [
  [["A", "B", "C", "D"], "choose an answer; 1 to 4 do the same, and a number is typed"],
  [["→", "Enter"], "check the answer, or play what is to be watched; behind it, the next step"],
  [["S"], "show the answer, or what solves the task"],
  [["←", "Backspace"], "the step before"],
  [["Shift", "P"], "present: large type for a room, keys alone; Esc returns"],
];

/** The keys of a lesson: in front of a room they are all there are, else the debugger's do their work once an answer is given. @param {Lessons} lessons @returns {KeysHere} */
export const keysHere = ({ place }) => (place.present ? { keys: PRESENTED, alone: true } : { keys: STUDIED, alone: false });
