// The debugger's keys for the list on "?": those that one needs first, then the others in groups.

/** @import { App } from "./app.js" */

/** Keys, and what they do. @typedef {[names: string[], text: string]} KeyRow */
/** @typedef {{title: string, rows: KeyRow[], open?: boolean}} KeyGroup */

/** What one needs first. @type {KeyRow[]} */
const FIRST = [
  [["←", "→"], "previous, next message or compaction; while one is animated, → shows its end first"],
  [["n", "p"], "next, previous compaction, or manual edit (▪ on the timeline)"],
  [["/"], "find a text in messages and summaries, or calls: tool:Grep, wrote:app.py, is:error (refused, blocked, cancelled, shell)"],
  [["w"], "why: where the selected text went"],
  [["Shift", "P"], "present: large type for a room, keys alone; Esc returns"],
];

/** @type {KeyGroup[]} */
const GROUPS = [
  {
    title: "Move",
    rows: [
      [["Shift", "←", "→"], "previous, next turn"],
      [["g", "G"], "first, last step"],
      [["Space"], "play, pause"],
      [["↑", "↓"], "message above, below, in the window"],
      [["t"], "follow a file that is still being written: the cursor stays at its newest message"],
    ],
  },
  {
    title: "Compactions",
    rows: [
      [["0"], "play the compaction on show slowly: it rests at each phase"],
      [["1", "2", "3", "4"], "phases of a compaction: trigger, partition, summarize (or clear, drop), splice; ← and → go on from there, Esc leaves"],
      [["r", "R"], "next, previous recorded compaction, compared with the policy"],
      [["x", "X"], "next, previous failed compaction attempt (× on the timeline; the first of several in a row)"],
      [["v"], "compare (versus): this run beside the settings before it, or the recorded one"],
    ],
  },
  {
    title: "Find and Why",
    rows: [
      [["Enter", "Shift Enter"], "next, previous match; Esc returns to where you began, Ctrl Enter stays"],
      [
        ["w", "W"],
        "without a selection, on the overview and at a compaction: why of each text that was lost; again: the next, the previous one. On a message: what was asked last, else why of its first words; Alt w in find",
      ],
      [["[", "]"], "previous, next lane of a followed text; on a lane Enter goes to its next event, Delete removes it"],
      [["Tab", "↑", "↓"], "in a summary: the sentence to look at; Enter shows what it comes from, Esc lets go of it"],
    ],
  },
  {
    title: "Panels and pages",
    rows: [
      [["o"], "overview: what happened in this session"],
      [["f"], "findings"],
      [["i"], "into the inspector at the right: a compaction's tabs, what Why says, or a message; again: back"],
      [["F"], "fork from here: a new live run begins with its window"],
      [["S"], "share: this run as one file, after a review of what looks secret"],
      [["?"], "this list"],
      [["Esc"], "close what was opened last, or deselect the message"],
    ],
  },
];

/** Keys that do nothing of their own in a lesson: they need other pages, or a file that grows, or lead from step to step there. */
const LEAVE = "←FSPvotr0";

/** The groups of the keys that do something here; the first one has no title. @param {Pick<App, "extension" | "alone" | "hosted">} app @param {KeyRow[]} [here]  those of what stands around the debugger @returns {KeyGroup[]} */
export function keyGroups({ extension, alone, hosted }, here = []) {
  const driven = extension ? [{ title: "The run", rows: extension.keys, open: true }] : [];
  const does = hosted ? inLesson : alone ? inFile : extension ? inLive : () => true;
  const say = hosted ? ofLesson : extension ? ofLive : (/** @type {KeyRow} */ row) => row;
  const groups = [{ title: "", rows: FIRST }, ...GROUPS].map((group) => ({ ...group, rows: group.rows.filter(does).map(say) }));
  groups[0].rows.unshift(...here);
  return [groups[0], ...driven, ...groups.slice(1)].filter(({ rows }) => rows.length);
}

/** @param {KeyRow} row */
const inLesson = ([names]) => !LEAVE.includes(names[0]) && names.at(-1) !== "P";

/** @param {KeyRow} row */
const inFile = ([[name]]) => !"vFtS".includes(name);

/** @param {KeyRow} row */
const inLive = ([names]) => !["o", "v", "P"].includes(names.at(-1) ?? "");

/** A key's words where a run is driven rather than a file read. @param {KeyRow} row @returns {KeyRow} */
const ofLive = ([names, text]) => [names, names[0] === "t" ? "follow the run: the cursor stays at its newest message" : text];

/** In a lesson no arrow leads from phase to phase. @param {KeyRow} row @returns {KeyRow} */
const ofLesson = ([names, text]) => [names, names[0] === "1" ? text.replace("; ← and → go on from there, Esc leaves", "; Esc leaves") : text];
