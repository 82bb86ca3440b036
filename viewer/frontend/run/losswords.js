// What a compaction lost, in words. Pure.

import { capitalized, int, listed, pluralize, tokens } from "../lib/format.js";
import { editedWords } from "./broughtback.js";
import { UNTOLD, unlistedWords } from "./unlisted.js";
/** @import { AskedOf, CompactionLosses, Loss } from "./types.js" */
/** @import { Unlisted } from "./unlisted.js" */

/** The newest compaction of which can be told what became of the requests. @param {CompactionLosses[]} rows */
export const newestAsked = (rows) => rows.findLast(({ requests, unreadable }) => !unreadable && requests.of);

/** Which of the user's requests are counted: those before that compaction. @param {CompactionLosses[]} rows  of every compaction @param {string} one  what the only one is called @param {string} last  what the last of several is */
export function madeBefore(rows, one, last) {
  const which = rows.length === 1 ? one : newestAsked(rows) === rows.at(-1) ? last : `${last} whose summary can be read`;
  return `that the user made before ${which}`;
}

/** What stayed as it was: "the user's 12 messages and 11 replies", "3 of the user's 10 messages"; "" of nothing. @param {CompactionLosses["typed"]} typed */
export function stayedWords([stayed, of, replies = 0]) {
  const all = of === 1 ? "the user's message" : `the user's ${int(of)} messages`;
  const typed = stayed && (stayed < of ? `${int(stayed)} of ${all}` : all);
  return [typed, replies && pluralize(replies, "reply", "replies")].filter(Boolean).join(" and ");
}

/** That this is still in the window, or will be; "" of nothing. @param {{typed?: CompactionLosses["typed"]}} row @param {boolean} [ahead]  said before it happens */
export function typedWords({ typed = [0, 0] }, ahead = false) {
  const stayed = stayedWords(typed);
  return stayed && `${capitalized(stayed)} ${ahead ? "will stay" : "stayed"} in the window, word for word.`;
}

/** Whether every message of the user stayed, and no reply: the summary is of all that the model and its tools said. @param {Pick<CompactionLosses, "typed">} row */
export const onlyTyped = ({ typed: [stayed, of, replies = 0] }) => of > 0 && stayed === of && !replies;

/** @typedef {CompactionLosses["requests"]} Asked */

/** That some are gone that the agent was working on when they went; "" of none. @param {number} open */
export function openGone(open) {
  if (!open) return "";
  const which = open === 1 ? "A request that the agent was working on is" : `${int(open)} requests that the agent was working on are`;
  return `${which} not found in the window or a summary.`;
}

/** "22 of the 39 requests that the user made before the compaction are not found in the window or a summary, all of them already answered": those nobody was working on; "" of none. @param {Asked} asked @param {string} made */
export function doneGone({ of, gone, open, answered, stopped }, made) {
  const done = gone - open;
  if (!done) return "";
  const which = of === 1 ? `The request ${made} is` : `${int(done)} of the ${int(of)} requests ${made} ${done === 1 ? "is" : "are"}`;
  return `${which} not found in the window or a summary${answeredBy(done, answered, stopped)}.`;
}

/** ", 20 of them already answered and 2 stopped by the user": what had ended the work on some; "" where nothing had. @param {number} done @param {number} answered @param {number} stopped */
export function answeredBy(done, answered, stopped) {
  if (done === 1) return answered ? ", already answered" : stopped ? ", stopped by the user before a reply" : "";
  /** @type {[count: number, how: string][]} */ const kinds = [
    [answered, "already answered"],
    [stopped, "stopped by the user"],
  ];
  const [first, second] = kinds.filter(([count]) => count);
  if (!first) return "";
  const which = first[0] === done ? "all" : int(first[0]);
  return `, ${which} of them ${first[1]}${second ? ` and ${int(second[0])} ${second[1]}` : ""}`;
}

/** Those that stand in other words, in the list of all. @param {Asked} asked */
export const alsoReworded = ({ reworded }) =>
  reworded ? `${pluralize(reworded, "request")} ${reworded === 1 ? "is" : "are"} there only in other words or in part. ` : "";

/** What counts as a request. */
export const COUNTED =
  "A message that asks for anything counts as a request; a rule that it sets counts as a rule as well. One that only states something is no request, but for the first message and one that the agent was working on.";

/** What counts as a rule or statement. */
export const STATED =
  "Each sentence counts in which the user sets a rule, decides or tells something. Its message counts as a request as well where it asks for anything.";

/** Why messages of the user are not counted as requests: of one, of several, and behind one in a list. @type {[import("./types.js").NoRequest, one: string, many: string][]} */
const NO_REQUEST = [
  ["goes_on", "asks for nothing new", "ask for nothing new"],
  ["short", "has too few words to be looked for", "have too few words to be looked for"],
  ["command", "is a slash command alone", "are slash commands alone"],
  ["wordless", "has no words", "have no words"],
  ["stated", "only states something", "only state something"],
];

/** " 7 other messages of the user are not counted as requests: 2 ask for nothing new and 5 only state something."; "" where all are. @param {CompactionLosses} row */
export function uncounted({ requests: { of, uncounted = {} } }) {
  const kinds = NO_REQUEST.map(([reason, one, many]) => ({ count: uncounted[reason] ?? 0, one, many })).filter(({ count }) => count);
  const all = kinds.reduce((sum, { count }) => sum + count, 0);
  if (!of || !all) return "";
  const parts = kinds.map(({ count, one, many }) => `${kinds.length > 1 ? int(count) : all > 1 ? "they" : "it"} ${count === 1 ? one : many}`);
  return ` ${pluralize(all, "other message")} of the user ${all === 1 ? "is not counted as a request" : "are not counted as requests"}: ${listed(parts)}.`;
}

/** What the rules and statements that are gone are called: by their kind, where that is known of all. @param {CompactionLosses[]} rows @returns {[one: string, many: string]} */
export function ruleNouns(rows) {
  const kinds = rows.flatMap(({ told }) => told.map(({ kind }) => kind)).filter((kind) => kind === "rule" || kind === "said");
  if (kinds.length < rows.reduce((all, { rules }) => all + rules[0], 0) || new Set(kinds).size !== 1)
    return ["rule or statement", "rules or statements"];
  return kinds[0] === "rule" ? ["rule", "rules"] : ["statement", "statements"];
}

/** "5 of the user's statements": those that are gone. @param {number} gone @param {CompactionLosses[]} rows */
export const ofTheUsers = (gone, rows) => `${int(gone)} of the user's ${ruleNouns(rows)[1]}`;

/** What became of a request, in the words of the sentence that its list is under. @type {Record<import("./types.js").AskedOf["kind"], string>} */
export const HOW_SAID = {
  open: "gone, still being worked on",
  gone: "gone",
  answered: "gone, already answered",
  stopped: "gone, stopped by the user",
  partly: "in part",
  reworded: "in other words",
  kept: "still there, word for word",
  .../** @type {Record<import("./types.js").NoRequest, string>} */ (Object.fromEntries(NO_REQUEST)),
};

/** The requests that one compaction took, in front of the one that it quotes: the one that the agent was working on comes first; "" of none. @param {CompactionLosses} row @param {"are" | "seem"} [how]  judged by the words alone they seem so: that is said where nothing else says it */
export function requestsGoneHere({ requests: { here } }, how = "are") {
  const [gone, open, answered, stopped] = here;
  const earlier = gone - open;
  const verb = earlier === 1 ? { are: "is", seem: "seems" }[how] : how;
  const done = earlier ? `${pluralize(earlier, open ? "earlier request" : "request")} ${verb} gone${answeredBy(earlier, answered, stopped)}` : "";
  return open ? `${done && `${done}. `}The request that the agent was working on is gone` : done;
}

/** How many words of a text a summary has. @param {number} kept @param {number} words  no fewer than three: of a shorter text none are counted */
export const shareWords = (kept, words) => `${int(kept)} of its ${int(words)} content words in the sentences nearest to it`;

/** What the model used later, and what one of each is called: of the others the user said. @type {Record<string, string>} */
export const USED = { name: "name", command: "command", error: "error", task: "open task" };

/** How much that is gone the model used later, by kinds as the Ledger counts them: "1 name and 2 commands"; "" of nothing. @param {CompactionLosses[]} rows */
export function usedWords(rows) {
  const others = rows.flatMap(({ others: some = [] }) => some);
  const names = rows.reduce((all, { names_total: some }) => all + some, 0);
  const counts = Object.keys(USED).map(
    (kind) => /** @type {const} */ ([kind, kind === "name" ? names : others.filter((one) => one.kind === kind).length]),
  );
  const parts = counts.flatMap(([kind, count]) => (count ? [pluralize(count, USED[kind])] : []));
  return listed(parts);
}

/** How much that is, of every kind. @param {CompactionLosses[]} rows */
export const usedCount = (rows) => rows.reduce((all, { names_total: names, others = [] }) => all + names + others.length, 0);

/** What is said of a text that is gone, behind it. @param {Loss} loss @param {(step: number) => string} named  what a step is called */
export function lossNote({ kind, kept, words, used_at: used, said_again_at: said, answers }, named) {
  if (kind === "newest") return "the agent was still working on it";
  if (kind === "first") return words ? `the first request; the summary has ${shareWords(kept, words)}` : "the first request";
  if (kind in USED) return used >= 0 ? `used again at ${named(used)}` : "";
  const needs = [used >= 0 && used !== said && `needed again at ${named(used)}`, said >= 0 && `said again by the user at ${named(said)}`].filter(
    Boolean,
  );
  return [kind === "rule" && "an instruction", answers && `to: “${answers}”`, ...needs].filter(Boolean).join(", ");
}

/** Whether something later needed a text of the user's that is gone: such a loss is marked, of the others nothing is said. @param {Pick<Loss, "kind" | "used_at" | "said_again_at">} loss */
export const isNeeded = ({ kind, used_at, said_again_at }) => !(kind in USED) && Math.max(used_at, said_again_at) >= 0;

/** What Why is asked about of a request, whose text is how its message begins: "" where it can follow nothing. @param {AskedOf} asked */
export const followedOf = ({ text, followed }) => (followed ? text.replace(/…$/, "") : "");

/** What Why is asked about of the request that matters most of those that a compaction took. @param {CompactionLosses} row */
export function followedHere(row) {
  const asked = mostAsked(row);
  return asked ? followedOf(asked) : "";
}

/** That request. @param {CompactionLosses} row */
export const mostAsked = ({ requests: { at: most, took = [] } }) => took.find(({ at }) => at === most);

/** "2 more of the user's statements": so many that are gone are not named; where requests may be among them their number alone. @param {CompactionLosses} row @param {number} more @param {Loss[]} named */
export function moreGone(row, more, named) {
  const rules = row.rules[0] - named.filter(({ kind }) => kind === "rule" || kind === "said").length;
  return rules === more ? `${int(more)} more of the user's ${ruleNouns([row])[1]}` : `and ${int(more)} more`;
}

/** The text of tool results that is gone. @param {CompactionLosses} row @param {boolean} about  whether tokens are estimated */
export const lostResults = ({ results, result_tokens: size }, about) =>
  `the text of ${pluralize(results, "result")} left the window, ${tokens(size, about)} ${size === 1 ? "token" : "tokens"}`;

/** Why nobody can read a summary, behind "it is". @param {string} unreadable */
export const unreadWord = (unreadable) => (unreadable === "encrypted" ? "encrypted" : "not in the transcript");

/** Whether what a compaction took may still have been in the window: nobody can read its summary, or prompts held what the file does not show. @param {Pick<CompactionLosses, "unseen" | "unreadable">} row */
export const maybeThere = ({ unseen, unreadable }) => unseen > 0 || unreadable !== "";

/** Calls that brought back what a compaction took; their messages are named behind it. @param {CompactionLosses} row */
export function askedAgain(row) {
  const how = maybeThere(row) ? "read some of it again" : "asked again for what was gone";
  return `${pluralize(row.again, "later call")} ${how}${editedWords(row.again, row.again_edited ?? 0)}: `;
}

/** "2 messages of the user send the agent back to it."; "" where none does. @param {CompactionLosses[]} rows @param {string} what  they took */
export function sendsBack(rows, what) {
  const asked = new Set(rows.flatMap(({ sent_back = [] }) => sent_back.map(([at]) => at))).size; // two compactions may have taken what one asks for
  return asked ? `${pluralize(asked, "message")} of the user ${asked === 1 ? "sends" : "send"} the agent back to ${what}.` : "";
}

/** Whether the next prompt held more that the file does not show than earlier ones, so that part of what left may be there again. @param {Pick<CompactionLosses, "unseen_more" | "unreadable">} row */
export const maybeBack = ({ unseen_more: more, unreadable }) => more > 0 && !unreadable;

/**
 * What is said where no text is known to be lost; "" where one is.
 * @param {CompactionLosses} row @param {Unlisted} [unlisted]  what the record says of it, and of those like it behind it
 */
export function nothingLost(row, unlisted = UNTOLD) {
  const { taken, told_total: told, names_total: names, others = [], again, sent_back: asked = [], unreadable, quoted = [0, 0] } = row;
  if (unreadable) {
    const stayed = typedWords(row);
    const which = onlyTyped(row) ? "The summary of what the model and its tools said" : "Its summary";
    return `${stayed && `${stayed} `}${which} is ${unreadWord(unreadable)}: nobody can tell what it kept.`;
  }
  if (told || names || others.length || again || asked.length) return "";
  if (taken && quoted.some(Boolean))
    return "Nothing that was used again later is known to be missing. Quotes stand in for the summary here: a summary that a model writes may leave out what they keep.";
  if (taken) return "Nothing that was used again later is known to be missing.";
  return `${capitalized(unlistedWords(unlisted))}.`;
}

/** Whether nothing is known of what a compaction took. @param {CompactionLosses} row */
export const isBlank = ({ taken, again, sent_back: asked = [], unreadable }) => !taken && !again && !asked.length && !unreadable;

/** The compactions in order, those in a row of which nothing is known together. @param {CompactionLosses[]} rows @returns {CompactionLosses[][]} */
export function lossGroups(rows) {
  /** @type {CompactionLosses[][]} */ const groups = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && isBlank(row) && isBlank(last[0])) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
