// Where the Tune page leads: a setting in Debug, beside another in Compare, and as a command. Pure.
import { fixedOf } from "./places.js";
/** @import { Grid, Prices, SessionFacts } from "./types.js" */

/** @typedef {{[name: string]: string}} Query */

/** A query as an address has it. @param {Query} query */
const text = (query) =>
  new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""))
    .toString()
    .replace(/%2F/gi, "/")
    .replace(/%3A/gi, ":")
    .replace(/%2C/gi, ",")
    .replace(/%3D/gi, "=");

/** The session that Debug and Compare open. @param {SessionFacts} one @param {Query} open  what is open there now, for a session in memory @returns {Query} */
export const placeQuery = (one, open) =>
  one.source ? { source: one.source, session: one.session } : { source: open.source ?? "", session: open.session ?? "" };

/** A session under a setting, in Debug. @param {Query} place @param {Query} setting @param {{meter: string, summaries: string}} terms */
export const debugLink = (place, setting, { meter, summaries }) => `./?${text({ ...place, ...setting, meter, summaries })}`;

/** A session under two settings, in Compare; null stands for the recorded run. @param {Query} place @param {Query | null} a @param {Query} b @param {{meter: string, summaries: string}} terms */
export const compareLink = (place, a, b, { meter, summaries }) => `compare?${text({ ...place, a: laneOf(a), b: laneOf(b), meter, summaries })}`;

/** A lane as Compare's address has it: "agentkit.memory,budget=60000,keep_recent=12". @param {Query | null} setting */
export function laneOf(setting) {
  if (!setting?.policy || setting.policy === "recorded") return "recorded";
  const { policy, ...parameters } = setting;
  return [policy, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join(",");
}

/** What `foldline tune` calls some of all sessions: a file whose sessions are all meant, else each by its name. @param {SessionFacts[]} sessions @param {SessionFacts[]} all */
function pathsOf(sessions, all) {
  const counted = (/** @type {SessionFacts[]} */ some, /** @type {string} */ of) => some.filter(({ source }) => source === of).length;
  const first = (/** @type {string} */ name) => all.some((other) => other.name.startsWith(`${name}#`));
  const pathOf = (/** @type {SessionFacts} */ { source, session, name, others }) => {
    const count = counted(all, source);
    const whole = !others && count === counted(sessions, source) && (count > 1 || !session);
    return !source || whole ? source.replace(/^path:/, "") : (others && !session) || first(name) ? `${name}#0` : name;
  };
  return [...new Set(sessions.map(pathOf))];
}

/** What the command calls the meters where sessions have different ones. */
const OWN = "own";

/**
 * The meter and the prices that the command is given, and in what its numbers differ from the page's all the same.
 * @param {{sameMeter: string, prices: Prices | "own" | null, samePrices: Prices | null, own: ReturnType<typeof import("./priced.js").pricedBy>}} tuning
 */
export function commandTerms({ sameMeter, prices, samePrices, own }) {
  const filled = prices === "own" && own.without > 0;
  const taken = prices === "own" ? null : prices;
  const priced =
    filled && !samePrices ? [`The command gives no cost where a model has no known price; the page takes that of ${own.priced[0].model}.`] : [];
  return { meter: sameMeter || OWN, prices: filled ? samePrices : taken, differs: priced };
}

/**
 * The command that prints what one grid's part of the map shows, over some of all sessions; "" for sessions that have no path.
 * @param {SessionFacts[]} sessions @param {SessionFacts[]} all @param {Grid} grid @param {{meter: string, summaries: string, prices: number[] | null, window: number}} terms
 */
export function commandOf(sessions, all, grid, { meter, summaries, prices, window }) {
  const paths = pathsOf(sessions, all);
  if (!paths.length || paths.includes("")) return "";
  const values = grid.axes.map(({ name, values }) => quoted(`${name}=${values.join(",")}`));
  const priced = prices ? ["--prices", prices.join(",")] : [];
  const set = Object.entries(fixedOf(grid)).flatMap(([name, value]) => ["--set", quoted(`${name}=${value}`)]);
  const parts = [
    ...paths.map(quoted),
    "--policy",
    grid.policy,
    ...(values.length ? ["--grid", ...[...values].reverse()] : []),
    ...set,
    "--meter",
    meter,
    "--summaries",
    summaries,
    ...priced,
    ...(window ? ["--window", String(window)] : []),
    "--no-findings",
  ];
  return `foldline tune ${parts.join(" ")}`;
}

/** The command that simulates one session under one setting; "" for a session that has no path. @param {SessionFacts} one @param {Query} setting @param {string} summaries */
export function simulateCommand({ source, session, meter }, { policy, ...parameters }, summaries) {
  if (!source) return "";
  const set = Object.entries(parameters).flatMap(([name, value]) => ["--set", quoted(`${name}=${value}`)]);
  const path = quoted(source.replace(/^path:/, ""));
  const parts = [path, "--session", quoted(session || "0"), "--policy", policy, ...set, "--meter", meter, "--summaries", quoted(summaries)];
  return `foldline simulate ${parts.join(" ")}`;
}

/** A word of a shell, in quotes where it needs them. @param {string} word */
export const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
