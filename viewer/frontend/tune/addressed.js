// What the Tune page keeps in the address: which sessions, policies and values, prices, the limit, and what is looked at. Pure.
/** @import { Grid, Prices } from "./types.js" */

/**
 * What a person chose on the page. `cell` is the chosen setting, -1 for none; `prices` only where they were typed.
 * @typedef {{kind: "this" | "folder" | "library" | "result", folder: string, result: string, words: string, agent: string, newest: number, least: number,
 * without: string[], grids: Grid[], meter: string, summaries: string, window: number, limit: number, model: string, prices: Prices | null,
 * measure: string, view: string, map: string, cell: number}} Chosen
 */

export const KINDS = /** @type {const} */ (["this", "folder", "library", "result"]);
export const NEWEST = 40;
export const LIMIT = 5;
/** In place of a meter: each session's own, where Debug has another. */
const OWN = "own";

/** What a page begins with. @returns {Chosen} */
export function begun() {
  const sessions = { kind: /** @type {const} */ ("this"), folder: "", result: "", words: "", agent: "", newest: NEWEST, least: -1, without: [] };
  const priced = { limit: LIMIT, model: "", prices: null };
  return { ...sessions, grids: [], meter: "", summaries: "structural", window: 0, ...priced, measure: "misses", view: "map", map: "", cell: -1 };
}

/**
 * A grid as the address has it: "agentkit.memory;budget=20000,40000;keep_recent=4,8;!role=user". Its values stand there only where
 * somebody chose them; behind a "!" what else is set, a "!" alone for nothing.
 * @param {Grid} grid
 */
function gridText({ policy, axes, own, fixed }) {
  const swept = own ? axes.map(({ name, values }) => `${name}=${values.join(",")}`) : [];
  const set = fixed ? Object.entries(fixed).map(([name, value]) => `!${name}=${encodeURIComponent(value)}`) : [];
  return [policy, ...swept, ...(fixed && !set.length ? ["!"] : set)].join(";");
}

/** @param {string} text @returns {Grid} */
function gridIn(text) {
  const [policy, ...all] = text.split(";");
  const parts = all.filter((part) => !part.startsWith("!"));
  const set = all.filter((part) => part.startsWith("!"));
  const axes = parts.map((part) => ({
    name: part.slice(0, part.indexOf("=")),
    values: part
      .slice(part.indexOf("=") + 1)
      .split(",")
      .filter(Boolean),
  }));
  const own = axes.length > 0 && axes.length < 3 && axes.every(({ name, values }) => name && values.length);
  return { policy, axes: own ? axes : [], own, fixed: set.length ? Object.fromEntries(set.filter((part) => part.includes("=")).map(pairOf)) : null };
}

/** A name and its value of "!name=value". @param {string} part @returns {[string, string]} */
function pairOf(part) {
  const at = part.indexOf("=");
  try {
    return [part.slice(1, at), decodeURIComponent(part.slice(at + 1))];
  } catch {
    return [part.slice(1, at), part.slice(at + 1)];
  }
}

/**
 * The query of an address, without what is as it begins.
 * @param {Chosen} chosen @param {{[name: string]: string}} kept  what Python and the links need @param {string} [meter]  that of Debug
 */
export function queryOf(chosen, kept, meter = "") {
  const usual = begun();
  const query = new URLSearchParams(kept);
  for (const name of /** @type {const} */ ([
    "kind",
    "folder",
    "result",
    "words",
    "agent",
    "newest",
    "least",
    "summaries",
    "window",
    "limit",
    "model",
    "measure",
    "view",
    "map",
    "cell",
  ])) {
    if (chosen[name] !== usual[name] && chosen[name] !== "") query.set(name === "kind" ? "sessions" : name, String(chosen[name]));
  }
  if (chosen.meter || meter) query.set("meter", chosen.meter || OWN);
  if (chosen.without.length) query.set("without", chosen.without.join(","));
  if (chosen.prices) query.set("prices", chosen.prices.join(","));
  if (chosen.kind !== "result") for (const grid of chosen.grids) query.append("grid", gridText(grid)); // those of a result are its own
  return query.toString().replace(/%2F/gi, "/").replace(/%3A/gi, ":").replace(/%2C/gi, ",").replace(/%3B/gi, ";");
}

/** What an address asks for. @param {string} search @param {string} [meter]  that of Debug, where the address names none @returns {Chosen} */
export function chosenIn(search, meter = "") {
  const query = new URLSearchParams(search);
  const chosen = begun();
  const kind = KINDS.find((name) => name === query.get("sessions"));
  if (kind) chosen.kind = kind;
  for (const name of /** @type {const} */ (["folder", "result", "words", "agent", "summaries", "model", "measure", "view", "map"]))
    chosen[name] = query.get(name) ?? chosen[name];
  for (const name of /** @type {const} */ (["newest", "least", "window", "limit", "cell"])) chosen[name] = numberIn(query.get(name), chosen[name]);
  const counted = query.get("meter") ?? meter;
  chosen.meter = counted === OWN ? "" : counted;
  chosen.without = (query.get("without") ?? "").split(",").filter(Boolean);
  chosen.prices = pricesIn(query.get("prices") ?? "");
  chosen.grids = query
    .getAll("grid")
    .map(gridIn)
    .filter(({ policy }) => policy);
  return chosen;
}

/** @param {string | null} text @param {number} otherwise */
function numberIn(text, otherwise) {
  const number = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) && number >= 0 ? number : otherwise;
}

/** Four prices of a text, or null. @param {string} text @returns {Prices | null} */
function pricesIn(text) {
  const parts = text.split(",").map((part) => numberIn(part, -1));
  return parts.length === 4 && parts.every((part) => part >= 0) ? [parts[0], parts[1], parts[2], parts[3]] : null;
}
