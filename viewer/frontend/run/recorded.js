// The run as its transcript recorded it, whatever is shown over it: its window, and what its prompts held beyond it. Pure.
import { int } from "../lib/format.js";
import { lowerBound, upperBound } from "./bisect.js";
import { besideUntil } from "./leftout.js";
import { arrivedAmong } from "./places.js";
/** @import { Run } from "./model.js" */

/**
 * What the recorded run had in its window, by the meter, when so many messages had arrived.
 * @param {Run} run
 * @param {number} arrived
 */
export function recordedWindow(run, arrived) {
  const { at, left = [] } = run.store.header.recorded;
  const sums = run.store.running;
  const done = upperBound(at, arrived);
  return sums[arrived] + (done && left[done - 1] !== undefined ? left[done - 1] - sums[at[done - 1]] : 0);
}

/**
 * The recorded window as a line: [messages that had arrived, tokens], with both ends of every compaction.
 * @param {Run} run
 * @param {number} most  points, about
 * @returns {[number, number][]}
 */
export function recordedLine(run, most) {
  const { at } = run.store.header.recorded;
  const every = Math.max(1, Math.ceil(run.n / Math.max(1, most)));
  /** @type {[number, number][]} */ const points = [];
  let k = 0;
  for (let i = 0; i <= run.n; i++) {
    const drops = at[k] === i;
    if (drops) {
      const before = k ? recordedAfter(run, k - 1, i) : run.store.running[i];
      points.push([i, before]);
      while (at[k] === i) k++;
    }
    if (drops || i % every === 0 || i === run.n) points.push([i, recordedWindow(run, i)]);
  }
  return points;
}

/** @param {Run} run @param {number} k @param {number} arrived */
function recordedAfter(run, k, arrived) {
  const { at, left = [] } = run.store.header.recorded;
  const sums = run.store.running;
  return (left[k] ?? sums[at[k]]) + sums[arrived] - sums[at[k]];
}

/**
 * The step at which a recorded compaction stands that came when so many messages had arrived: that of the run's own compaction
 * there, if it has one, else that of the last of them.
 * @param {Run} run @param {number} at
 */
export const recordedStep = (run, at) => Math.max(0, at < run.n ? run.stepOfMessage(at) - 1 : run.length - 1);

/** Whether there is a recorded run that differs from everything that was said: one that compacted. @param {Run} run */
export const compacted = (run) => run.store.header.recorded.at.length > 0;

/**
 * What the recorded run had in its window after so many of its compactions, when so many messages had arrived.
 * @param {Run} run @param {number} arrived @param {number} epoch  compactions there have been
 */
export const windowAfter = (run, arrived, epoch) => (epoch ? recordedAfter(run, epoch - 1, arrived) : run.store.running[arrived]);

/** A recorded prompt, what of it no message accounts for, and how many messages had arrived. @typedef {{prompt: number, unseen: number, at: number}} Sent */

/**
 * The model call that says what is unseen: the one that was sent this very window, else the last one since the last compaction, else the
 * next before the next one, else the last one before microcompactions alone. Null where there is none, and where the window of the step is uncertain. `unseen_at` of core's
 * tests is the same.
 * @param {Run} run @param {number} arrived  messages @param {number} epoch  compactions there have been @param {number} step
 * @returns {(Sent & {last: boolean}) | null}
 */
export function unseenAt(run, arrived, epoch, step) {
  if (uncertainFrom(run, step) >= 0) return null;
  const ahead = sentNext(run, arrived, epoch);
  const last = ahead?.at === arrived && !shrinks(run, step) ? null : sentBy(run, arrived, epoch);
  const next = last ? null : ahead;
  const found = last ?? next ?? sentBy(run, arrived, epoch, true);
  return found && { ...found, last: next === null };
}

/** Whether the prompt that is sent at this step is one that left something out. @param {Run} run @param {number} step */
const shrinks = (run, step) => uncertainFrom(run, step + 1) >= 0 || besideUntil(run, step + 1) > besideUntil(run, step);

/** An agent's count is that of the window whose prompt was recorded where it differs from it by no more than this share (core/model/session.py). */
export const NEAR = 0.05;

/**
 * The size on record of the window that the next recorded compaction found, at the step before that one, where the agent counted
 * the whole window itself; else 0.
 * @param {Run} run @param {number} [messages] @param {number} [epoch] @param {number} [i]
 */
export function countedAt(run, messages = -1, epoch = 0, i = -1) {
  const { at, before = [] } = run.store.header.recorded;
  const found = run.view.policy || at[epoch] !== messages ? null : unseenAt(run, messages, epoch, i);
  const [counted, visible] = [before[epoch] ?? -1, windowAfter(run, Math.max(0, messages), epoch)];
  if (!found || found.unseen < 0 || counted < visible || counted === found.prompt) return 0;
  return Math.abs(counted - visible - found.unseen) <= NEAR * counted ? counted : 0;
}

/** How many tokens were sent beside the window that the file does not show; 0 where that is not known. @param {Run} run @param {number} [messages] @param {number} [epoch] @param {number} [i] */
export function hiddenAt(run, messages = -1, epoch = 0, i = -1) {
  if (run.view.policy) return 0;
  const counted = countedAt(run, messages, epoch, i);
  if (counted) return counted - windowAfter(run, messages, epoch);
  return Math.max(0, unseenAt(run, messages, epoch, i)?.unseen ?? 0);
}

/** Whether nothing but microcompactions lies between two epochs: they leave the window as it is, nearly. @param {Run} run @param {number} from @param {number} to */
export function sameWindow(run, from, to) {
  const { micro = [] } = run.store.header.recorded;
  return from <= to && lowerBound(micro, to) - lowerBound(micro, from) === to - from;
}

/**
 * The model call the cursor is at or behind, since the last compaction of the recorded run: its recorded prompt, and how much of
 * it no message accounts for; null where none is recorded.
 * @param {Run} run
 * @param {number} arrived  messages
 * @param {number} epoch  compactions there have been
 * @param {boolean} [further]  also one before the last microcompactions
 * @returns {Sent | null}
 */
export function sentBy(run, arrived, epoch, further = false) {
  const { prompts, at } = run.store.header.recorded;
  const k = upperBound(prompts.at, arrived - 1) - 1;
  const its = upperBound(at, prompts.at[k]);
  if (k < 0 || !(its === epoch || (further && sameWindow(run, its, epoch)))) return null;
  const prompt = prompts.tokens[k];
  return { prompt, unseen: prompt - recordedWindow(run, prompts.at[k]), at: prompts.at[k] };
}

/**
 * The first model call of this part of the recorded run, where none was made yet: its recorded prompt, and how much of it no
 * message accounts for; null where none is recorded.
 * @param {Run} run
 * @param {number} arrived  messages
 * @param {number} epoch  compactions there have been
 * @returns {Sent | null}
 */
export function sentNext(run, arrived, epoch) {
  const { prompts, at } = run.store.header.recorded;
  const k = upperBound(prompts.at, arrived - 1);
  if (k >= prompts.at.length || upperBound(at, prompts.at[k]) !== epoch) return null;
  const prompt = prompts.tokens[k];
  return { prompt, unseen: prompt - recordedWindow(run, prompts.at[k]), at: prompts.at[k] };
}

/**
 * What of a recorded prompt is unseen, in its two parts: not in the transcript, and in it but undercounted by the meter. Null where
 * nobody can tell them apart.
 * @param {Run} run
 * @param {Sent} sent
 * @returns {{missing: number, undercounted: number} | null}
 */
export function partsBy(run, { prompt, unseen, at }) {
  const { prompts } = run.store.header.recorded;
  const counted = prompts.scaled?.[upperBound(prompts.at, at) - 1];
  const missing = Math.max(0, prompt - (counted ?? 0));
  return counted === undefined ? null : { missing, undercounted: unseen - missing };
}

/**
 * The tokens a prompt would hold now: those of the last recorded one, and of what arrived since by the meter.
 * @param {Run} run @param {{prompt: number, at: number}} sent @param {number} arrived  messages
 */
export const nextPrompt = (run, { prompt, at }, arrived) => prompt + run.store.running[arrived] - run.store.running[at];

/**
 * The step from which on the recorded window is uncertain, where it is at this one: a prompt shrank, and nothing on record says
 * why. Else -1.
 * @param {Run} run
 * @param {number} step  of the run as recorded
 */
export function uncertainFrom(run, step) {
  return run.store.header.recorded.uncertain?.find(([from, to]) => from <= step && step < to)?.[0] ?? -1;
}

/** What is said of a window that may not have been sent. @param {Run} run @param {number} from  the step of the run as recorded */
export const uncertainWords = ({ store }, from) =>
  `uncertain from message ${int(arrivedAmong(store.header.recorded.at, from))} on: the recorded prompt shrank`;

/**
 * All steps of the recorded run at which its window is uncertain, in words; "" for none.
 * @param {[from: number, to: number][]} [stretches]
 * @param {ArrayLike<number>} [ats]  how many messages had arrived at each recorded compaction
 * @param {number} [n]  messages
 */
export function stretchWords(stretches = [], ats = [], n = Infinity) {
  if (!stretches.length) return "";
  const at = (/** @type {number} */ step) => int(arrivedAmong(ats, step));
  const last = n + ats.length - 1;
  const said = stretches.slice(0, 3).map(([from, to]) => `from message ${at(from)} ${to > last ? "on" : `to ${at(to - 1)}`}`);
  const more = stretches.length > 3 ? [`${int(stretches.length - 3)} times more`] : [];
  return `uncertain ${[...said, ...more].join(", ")}: the recorded prompt shrank, and no compaction is recorded`;
}

/**
 * How far the count of what arrived from one call to the next is off, where the transcript lets it be checked; and how far a whole window,
 * which begins with a recorded prompt: what arrived since is a part of it alone.
 * @param {number | null | undefined} error @param {number | null} [typical]
 */
export function errorWords(error, typical = null) {
  if (error === null || error === undefined) return "";
  const share = Math.abs(100 * error);
  if (share < 0.5) return "the count agrees with the recorded prompts where they can be compared";
  const arrived = `what arrives between calls is counted ${share < 10 ? share.toFixed(1) : Math.round(share)} % too ${error < 0 ? "low" : "high"}`;
  return typical === null
    ? arrived
    : `${arrived}; a prompt, told from an earlier one and what arrived since, is off by ${(100 * typical).toFixed(1)} %`;
}

/** "compaction 2 of 9" of the run as recorded; microcompactions and a person's edits are counted by themselves. @param {Run} run @param {number} k */
export function recordedPlace(run, k) {
  const { at, edits = [], micro = [] } = run.store.header.recorded;
  for (const [kind, places] of /** @type {const} */ ([
    ["edit", edits],
    ["microcompaction", micro],
  ])) {
    const nth = lowerBound(places, k);
    if (places[nth] === k) return `${kind} ${int(nth + 1)} of ${int(places.length)}`;
  }
  const others = lowerBound(edits, k) + lowerBound(micro, k);
  return `compaction ${int(k + 1 - others)} of ${int(at.length - edits.length - micro.length)}`;
}
