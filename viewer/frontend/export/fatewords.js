// The answer at a stretch of steps, as a sentence and a line. Pure; core/why/words.py has the words. What needed other words of it takes the engine.
import { int, pluralize } from "../lib/format.js";
import { nameOf } from "../run/compactionfigures.js";
import { stepName } from "../run/places.js";
import { deedOf, summaryName } from "./fateevents.js";
import { howGone } from "./fatehow.js";
import { arrivedBy } from "./textlane.js";
/** @import { EventKind, FateEvent, Stretch } from "../why/types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Lane, Row } from "./textlane.js" */

const UNKNOWN = "A file does not tell whether it was needed then, or stands in other words in a summary: open the session in foldline.";
const REST = "Whether other words of it were needed before, or stand in a summary, a file does not tell: open the session in foldline.";
/** What ends that a text is gone. @type {EventKind[]} */
const BACK = ["said", "read_again", "needed"];
/** Summaries that are named. */
const MOST_NAMED = 4;

/** A stretch with its words. @param {Lane} lane @param {FateEvent[]} events @param {Row[]} rows @returns {Stretch[]} */
export function worded(lane, events, rows) {
  const how = (/** @type {Omit<Row, "count">} */ { state, from }) => (state === "gone" ? howGone(lane, from) : "");
  return rows.map(({ count, ...row }, k) => {
    const said = title(lane, events, row, count);
    return {
      ...row,
      title: row.state === "verbatim" ? ahead(lane, events, said, rows.slice(k + 1)) : said,
      text: text(lane, events, row),
      how: how(row),
    };
  });
}

/** The stretch of a text that is too common to follow. @param {Omit<Row, "count">} row @param {number} total  messages that have it @returns {Stretch} */
export function tooCommon(row, total) {
  return {
    ...row,
    title: `Too common to follow: ${int(total)} messages have it.`,
    text: "Select a name, a number, or three words or more.",
    how: "",
  };
}

/** @param {Lane} lane @param {FateEvent[]} events @param {Omit<Row, "count">} row @param {number} count */
function title(lane, events, { from, to, state }, count) {
  if (lane.first >= lane.run.length) return "Never said in this session.";
  if (state === "gone") return gone(lane, events, from);
  if (state === "summary") return kept(lane, events, to);
  return state === "before" ? "Not said yet." : whereabouts(arrivedBy(lane, from), count);
}

/** @param {Lane} lane @param {FateEvent[]} events @param {Omit<Row, "count">} row */
function text(lane, events, { from, to, state }) {
  if (lane.first >= lane.run.length) return `None of ${all(lane)} has it; case and line breaks do not matter.`;
  if (state === "before") return `First said at ${stepName(lane.run, lane.first)}.`;
  if (state === "summary") return `In no message since ${stepName(lane.run, from)}.`;
  if (state === "gone") return again(lane, events, from, to);
  const first = events.find(({ kind }) => kind === "said");
  return first ? `${first.words}, ${first.k < 0 ? "" : "at "}${stepName(lane.run, first.step)}.` : "";
}

/** A title with what comes next; core/origins/ahead.py has the words. @param {Lane} lane @param {FateEvent[]} events @param {string} said @param {Row[]} behind  the stretches that follow */
function ahead({ run, unread }, events, said, behind) {
  const next = behind.find(({ state }) => state !== "verbatim");
  if (!next) return said;
  const rest = behind.slice(behind.indexOf(next) + 1);
  const lost = rest.find(({ state }) => state !== "summary");
  const k = run.epochOf(next.from) - 1;
  const then =
    next.state === "summary" ? `only in ${saying(run, events, next.from, lost?.from ?? run.length)}` : unread.has(k) ? "out of sight" : "gone";
  const back = rest.find(({ state }) => state === "verbatim");
  const until = `${said.replace(/\.$/, said.includes(",") ? "," : "")} until ${stepName(run, next.from)};`;
  if (next.state === "gone") return back ? `${until} then ${then} until ${stepName(run, back.from)}.` : `${until} ${then} from then on.`;
  if (lost?.state !== "gone") return `${until} then ${then}${back ? ` until ${stepName(run, back.from)}` : ""}.`;
  return `${until} then ${then}, and gone from ${stepName(run, lost.from)} ${back ? `to ${stepName(run, back.from)}` : "on"}.`;
}

/** @param {Lane} lane */
function all({ run }) {
  const summaries = run.view.c.added.filter((added) => added.some(([, injected]) => injected === "summary")).length;
  return `the ${pluralize(run.n, "message")}${summaries ? ` and ${pluralize(summaries, "summary", "summaries")}` : ""}`;
}

/** That no text has it any more, or none that can be read, and what took the last of it. @param {Lane} lane @param {FateEvent[]} events @param {number} step */
function gone({ run, unread }, events, step) {
  const k = run.epochOf(step) - 1;
  if (run.view.c.edit?.[k]) return `Gone since ${nameOf(run, k)}: it was removed manually.`;
  const left = events.some((event) => event.step === step && event.kind === "left_out");
  if (left && unread.has(k)) return `Out of sight since ${nameOf(run, k)}: nobody can read whether ${summaryName(run, k)} says it.`;
  return left ? `Gone since ${nameOf(run, k)}: ${summaryName(run, k)} left it out.` : `Gone since ${nameOf(run, k)} ${deedOf(run, k)} it.`;
}

/** The summaries that have kept it since a message said it. @param {Lane} lane @param {FateEvent[]} events @param {number} end */
function kept({ run, hits }, events, end) {
  const back = events.filter(({ step }) => step <= end).reverse();
  const said = back.findIndex(({ kind }) => BACK.includes(kind));
  const found = back.slice(0, said < 0 ? back.length : said).filter(({ kind }) => kind === "in_summary");
  const ks = found.map(({ k }) => k).reverse();
  const verb = ks.length > 1 && ks.every((k) => run.view.c.number[k] > 0) ? "say" : "says";
  return `Kept: ${named(run, ks)} ${verb} it${hits.match === "exact" ? " word for word" : ""}.`;
}

/** The summaries that come to say it from a step on, before another. @param {Run} run @param {FateEvent[]} events @param {number} from @param {number} before */
function saying(run, events, from, before) {
  const found = events.filter(({ kind, step }) => kind === "in_summary" && step >= from && step < before);
  return named(
    run,
    found.map(({ k }) => k),
  );
}

/** The summaries of compactions: "summary #1", "summaries #1 and #2". @param {Run} run @param {number[]} ks */
function named(run, ks) {
  const numbers = ks.map((k) => run.view.c.number[k]);
  if (!numbers.length || numbers.some((number) => !(number > 0))) return ks.length ? summaryName(run, ks[ks.length - 1]) : "a summary";
  const last = numbers[numbers.length - 1];
  if (numbers.length > MOST_NAMED) return `the summaries from #${numbers[0]} to #${last}`;
  const some = numbers.slice(0, -1).map((number) => `#${number}`);
  return some.length ? `summaries ${some.join(", ")} and #${last}` : `summary #${last}`;
}

/** @param {number} arrived @param {number} here */
function whereabouts(arrived, here) {
  if (arrived <= 1) return "In the window.";
  return `In the window, in ${here >= arrived ? "all" : int(here)} of its ${int(arrived)} places.`;
}

/** What says a text again that is gone, and what a file cannot tell of it. @param {Lane} lane @param {FateEvent[]} events @param {number} from @param {number} to */
function again({ run }, events, from, to) {
  const next = events.find(({ step, kind }) => step > from && step <= to + 1 && BACK.includes(kind));
  if (next?.kind === "needed") return `Needed at ${stepName(run, next.step)}, when nothing in the window said it. ${REST}`;
  return `${next ? `Said again at ${stepName(run, next.step)}. ` : ""}${UNKNOWN}`;
}
