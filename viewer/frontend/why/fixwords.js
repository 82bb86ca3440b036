// What would have kept a text: the order and the groups of the changes, and their prices beside today's. Pure: no nodes.

import { pluralize, short } from "../lib/format.js";
/** @import { PanelHost } from "./host.js" */
/** @import { Fix } from "./types.js" */

/** Shares of what is sent now from which on a change counts as cheaper, and as dearer. */
const CHEAPER = -0.01;
const DEARER = 0.1;

/** The order of changes: what sends the fewest tokens is first. @param {Fix} a @param {Fix} b */
export const bySent = (a, b) => a.tokens_sent - b.tokens_sent || a.compacted_at.length - b.compacted_at.length;

/** The order of one policy's own changes: what a person changes first, then the others. @param {Fix} a @param {Fix} b */
export const mainFirst = (a, b) => Number(b.main ?? false) - Number(a.main ?? false) || bySent(a, b);

/** The button that shows all changes. @param {number} count  of those that keep it */
export const allTitle = (count) => (count ? `All ${pluralize(count, "change")} that would have kept it` : "What was tried");

/** What stands above the settings: whose they are. @param {Fix[]} fixes @param {string} policy  on screen @param {boolean} [none]  whether none helps */
export function ownTitle(fixes, policy, none = false) {
  const agent = (fixes.find(({ of }) => of)?.of ?? fixes.find(({ baseline }) => baseline)?.text)?.split(" ")[0];
  const whose = agent ?? (policy && policy !== "recorded" ? policy : "");
  if (none) return whose && `No single setting of ${whose} keeps it`;
  const pin = fixes.some(({ change }) => change.startsWith("pin message ")) ? ", or a pin" : "";
  if (agent) return `One setting of ${agent}, this agent's policy, with a limit near the recorded one${pin}`;
  return `One setting of ${policy && policy !== "recorded" ? policy : "this policy"}${pin}`;
}

/**
 * What a change sends more or less than now: "−10 %", "+0.4 %".
 * @param {number} sent @param {number} now
 * @returns {{text: string, tone: "" | "better" | "worse"}}
 */
export function difference(sent, now) {
  if (now <= 0) return { text: "", tone: "" };
  const by = (sent - now) / now;
  const share = Math.abs(100 * by);
  const said = share < 0.95 ? share.toFixed(1) : String(Math.round(share)).replace(/\B(?=(\d{3})+$)/g, ",");
  const text = said === "0.0" ? "same" : `${by < 0 ? "−" : "+"}${said} %`;
  return { text, tone: by <= CHEAPER ? "better" : by >= DEARER ? "worse" : "" };
}

/** The cost of what costs nothing. */
export const SAME = "same tokens";

/** What a change costs beside another run: "+24 % tokens", "same tokens". @param {Fix} fix @param {Fix | undefined} base */
export function costWords(fix, base) {
  const { text, tone } = difference(fix.tokens_sent, base?.tokens_sent ?? 0);
  return { text: text === "same" ? SAME : text && `${text} tokens`, tone };
}

/** A number of tokens in a narrow column: 950, 18.1k, 595k, 1.3M, 12.4M. @param {number} n */
export const brief = (n) => (n >= 100_000 && n < 999_500 ? `${Math.round(n / 1000)}k` : short(n));

/** @typedef {[text: string, weight: "b" | ""]} Part */

/**
 * A change in words, what matters in bold: "keep_recent 8 → 115", "codex.local with budget 16,000".
 * @param {Fix} fix @param {Record<string, unknown>} query  the settings now
 * @returns {Part[]}
 */
export function changeParts(fix, query) {
  const { change, value, text, now } = fix;
  if (now) return [[text, ""]];
  if (change === "summaries") return turned("Summaries", `${query.summaries ?? ""}`, `${value}`);
  const pin = pinnedBy(fix);
  if (pin) return bold(`Pin ${pin.message}`, `: no compaction removes it ${pin.size}`);
  const [name, before, after] = /^(\S+) (.*) → (.*)$/s.exec(text)?.slice(1) ?? [];
  if (name === change) return turned(name, before, after);
  const [lead, rest] = /^(\S+)(.*)$/s.exec(text)?.slice(1) ?? [text, ""];
  return bold(
    lead,
    rest
      .replace(/^ at its defaults(?:, with the same budget of (.*) tokens)?$/s, (_, budget) => (budget ? ` with budget ${budget}` : ""))
      .replace(ROOM, (...found) => roomOf(found.at(-1))),
  );
}

/** What another policy is given in a recorded run, in which nobody set a budget: the limit of its agent as it is simulated, or the window that was full. */
const ROOM =
  / at its defaults, with the (?:room of (?<agent>\S+) as it is simulated|recorded run's room) \(~(?<tokens>[\d,]+) tokens of messages.*\)$/;

/** @param {Record<string, string | undefined>} room */
const roomOf = ({ agent, tokens = "" }) =>
  ` with room for ~${brief(Number(tokens.replaceAll(",", "")))} tokens, as ${agent ? "simulated" : "recorded"}`;

/** What that is, where a change is given it; else "". @param {Fix[]} fixes */
export function roomWords(fixes) {
  const { groups } = fixes.map(({ text }) => ROOM.exec(text)).find(Boolean) ?? {};
  if (groups?.agent) return `As simulated: the limit of ${groups.agent} as it is simulated without a change.`;
  return groups ? "As recorded: the most tokens of messages that the recorded window held when it was compacted." : "";
}

/** @param {string} first @param {string} rest @returns {Part[]} */
const bold = (first, rest) => [
  [first, "b"],
  [rest, ""],
];

/** @param {string} name @param {string} before @param {string} after @returns {Part[]} */
const turned = (name, before, after) => [
  [name, "b"],
  [before ? ` ${before} → ` : " ", ""],
  [after, "b"],
];

/** A change in one line: "keep_recent 8 → 115", "claude_code.auto: window 160,898 → 337,307". @param {Fix} fix @param {Record<string, unknown>} query */
export const changeName = (fix, query) => [fix.of ? `${fix.of}: ` : "", ...changeParts(fix, query).map(([text]) => text)].join("");

/** The message that a change pins and its size, as "message 2" and "(~61 tokens)"; null of any other change. @param {Fix} fix */
export const pinnedBy = ({ text }) => /^Pin (?<message>message \S+) (?<size>\(.*\))$/.exec(text)?.groups ?? null;

/** A change that would have kept a text, within a sentence: "keep_recent 8 → 115", "message 2 pinned". @param {Fix} fix @param {Record<string, unknown>} query */
export function keeperName(fix, query) {
  const pin = pinnedBy(fix);
  return pin ? `${pin.message} pinned` : changeName(fix, query);
}

/** The one run that all changes are compared with: of a recorded run its agent simulated without a change, else the run as it is now. @param {Fix[]} rows */
export const comparedWith = (rows) => rows.find(({ baseline }) => baseline) ?? rows.find(({ now }) => now);

/** What the costs are compared with: one name for it everywhere. */
export const AGAINST = "tokens against the run without a change";

/** Whether a row is the recorded run. @param {Fix | undefined} fix */
export const isRecord = (fix) => Boolean(fix?.now && fix.query.policy === "recorded");

/** The settings that changes are of: those of the address, which in a file says nothing of them. @param {Pick<PanelHost, "alone" | "query" | "run">} shown @returns {PanelHost["query"]} */
export const settingsNow = ({ alone, query, run: { view } }) =>
  alone ? { policy: view.kind === "simulate" ? (view.policy?.name ?? "") : "recorded", summaries: view.summarizer?.by ?? "" } : query;
