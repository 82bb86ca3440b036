// A recorded compaction beside what a policy would have done to the same window: two columns of numbers, and who kept what.
import { problemText } from "../lib/problem.js";
import { ask, comparedPath } from "../lib/api.js";
import { el, visible, button } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { header, tilde } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Compared } from "./types.js" */

/** The policy that is compared with, once somebody has chosen another than the one Python names. */
let chosen = "";

/** A node with the comparison of recorded compaction k; it fills itself, and then calls `filled`. @param {App} app @param {number} k @param {() => void} [filled] */
export function comparison(app, k, filled = () => {}) {
  const node = el("div", { class: "fl-versus", "aria-busy": "true" }, el("p", { class: "fl-none", text: "…" }));
  void fill(app, k, node).then(filled);
  return node;
}

/** The policy to compare with: the one that is shown, or was last, with its settings. @param {App} app */
function comparedPolicy(app) {
  const { policy: name, ...settings } = app.rival ?? {};
  return chosen && chosen !== name ? { name: chosen, settings: {} } : { name: name ?? "", settings };
}

/** @param {App} app @param {number} k @param {HTMLElement} node */
async function fill(app, k, node) {
  const { name, settings } = comparedPolicy(app);
  try {
    const found = await ask(app, comparedPath(header(app.run).sid, k, name, settings));
    node.replaceChildren(...drawn(app, k, node, found));
  } catch (error) {
    node.replaceChildren(failure(problemText(error), () => void fill(app, k, node)));
  }
  node.removeAttribute("aria-busy");
}

/** @param {App} app @param {number} k @param {HTMLElement} node @param {Compared} found */
function drawn(app, k, node, found) {
  const options = found.policies.map((/** @type {string} */ name) => el("option", { value: name, text: name, selected: name === found.policy }));
  const pick = el("select", { class: "fl-select", "aria-label": "Policy to compare with" }, ...options);
  pick.addEventListener("change", () => {
    chosen = pick.value;
    void fill(app, k, node);
  });
  const settings = settingsWords(found.settings);
  return [
    el("p", { class: "fl-versus-with" }, "the same window under ", pick),
    settings ? el("p", { class: "fl-why", text: visible(settings), title: visible(found.about) }) : "",
    el("p", { class: "fl-why", text: [fittedWords(found), ownWill(found)].filter(Boolean).join(" ") }),
    table(app.run, found),
    ...kept(app, found),
  ];
}

/** Why a setting is not the agent's own, so that nobody reads it as such. @param {Compared} found */
export function fittedWords({ fitted, settings, policy }) {
  if (!fitted.length) return "";
  const own = settingsWords(Object.fromEntries(fitted.map((name) => [name, settings[name]])));
  return `${own} is not the agent's own: ${policy} counts only the messages in this file, and so set it acts nearest to the record.`;
}

/** "budget 6,000 · keep_recent 6". @param {Record<string, string>} settings */
export const settingsWords = (settings) =>
  Object.entries(settings)
    .map(([name, text]) => `${name} ${/^\d+$/.test(String(text)) ? int(Number(text)) : text}`)
    .join(" · ");

/** What stands in for the summary that a model would write. */
const OFFLINE = "Made by rule from parts of the messages, without a model. A model's summary would be of another size.";

/** What a pass comes to that leaves the window as it was. */
const NOTHING = ["not_triggered", "nothing_to_do", "failed"];

/** Whether the policy, with these settings, acts there by itself, and on what amounts. @param {Compared} found */
export function ownWill({ automatic, status, reason, policy, why, hidden }) {
  if (NOTHING.includes(status)) return `${policy} would do nothing here: ${visible(reason)}.`;
  if (automatic) return `So set it acts here by itself: ${visible(why)}.`;
  const beside = hidden ? `; ~${int(hidden)} more were sent that are not in this file` : "";
  return `So set it would not act here by itself (${visible(why)}${beside}); the comparison makes it act.`;
}

/** @param {Run} run @param {Compared} found */
function table(run, { recorded, made, policy }) {
  const about = tilde(run);
  const amount = (/** @type {number} */ tokens) => `${about}${int(tokens)}`;
  /** @type {[string, string, string][]} */ const rows = [
    ["before", amount(recorded.before), amount(made.before)],
    ["after", amount(recorded.after) + (recorded.unreadable ? " + ?" : ""), amount(made.after)],
    ["freed", recorded.unreadable ? "?" : share(recorded), share(made)],
    ["removed", int(recorded.removed), int(made.removed)],
    ...(recorded.cleared || made.cleared ? [/** @type {[string, string, string]} */ (["cleared", int(recorded.cleared), int(made.cleared)])] : []),
    ["kept", int(recorded.kept), int(made.kept)],
    [
      "summary",
      recorded.summary === null ? `${visible(recorded.unreadable ?? "")}, size unknown` : amount(recorded.summary),
      made.summary ? `${amount(made.summary)} by the offline summarizer` : "none",
    ],
  ];
  const head = el("tr", {}, el("th", {}), el("th", { scope: "col", text: "recorded" }), el("th", { scope: "col", text: policy }));
  const body = rows.map(([name, left, right]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: name }),
      el("td", { text: left }),
      el("td", { text: right, title: name === "summary" && made.summary ? OFFLINE : undefined }),
    ),
  );
  const caption = el("caption", { text: `Tokens of the messages in this file, by ${header(run).meter}` });
  return el("table", { class: "fl-versus-table" }, caption, el("thead", {}, head), el("tbody", {}, ...body));
}

/** @param {{before: number, after: number}} numbers */
function share({ before, after }) {
  return before > 0 ? `${Math.round((100 * (before - after)) / before)} %` : "–";
}

/** Who kept what, with the way there. @param {App} app @param {Compared} found */
function kept(app, { both, recorded_alone: theirs, policy_alone: ours, policy }) {
  const line = (/** @type {string} */ text, /** @type {{total: number, first: number[]}} */ { total, first }) => {
    if (!total) return [];
    const links = first
      .slice(0, 6)
      .map((/** @type {number} */ i) => button(int(i + 1), () => app.select(`m${i}`), { class: "fl-link", title: `message ${int(i + 1)}` }));
    const rest = total > links.length ? ` and ${int(total - links.length)} more` : "";
    const nodes = links.flatMap((/** @type {Node} */ link, /** @type {number} */ n) => (n ? [", ", link] : [link]));
    return [el("p", {}, `${text} ${pluralize(total, "message")}: `, ...nodes, rest)];
  };
  return [
    both ? el("p", { text: `Both keep ${pluralize(both, "message")} unchanged.` }) : "",
    ...line("Kept only by the agent:", theirs),
    ...line(`Kept only by ${policy}:`, ours),
  ];
}
