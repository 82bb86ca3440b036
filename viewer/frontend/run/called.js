// Calls that are looked for by what they are: "tool:Grep", "wrote:committed.go", "is:error". Pure.

/** @typedef {"tool" | "wrote" | "is"} Kind */
/** The places of messages, once for each call, by kind and name: docs/wire.md. @typedef {Record<Kind, {[name: string]: number[]}>} Called */
/** @typedef {{kind: Kind, name: string}} Wanted */

const FORM = /^(tool|wrote):(\S.*)$|^(is):(error|refused|blocked|cancelled|shell)$/i;

/** What calls a query of Find names, or null where it is a text. @param {string} query @returns {Wanted | null} */
export function callsIn(query) {
  const [, named = "", name = "", is, state] = FORM.exec(query.trim()) ?? [];
  return named || is ? { kind: /** @type {Kind} */ ((named || is).toLowerCase()), name: name || state } : null;
}

/** The text that a query of Find looks for: "" where it names calls. @param {string} [query] */
export const textIn = (query = "") => (callsIn(query) ? "" : query.trim());

/** A file by either kind of slash, whatever the case. @param {string} name */
const plain = (name) => name.replaceAll("\\", "/").toLowerCase();

/** How a name may be the one that is wanted, the surest first: as it is written, whatever the case, as the end of a path, in part. @type {((name: string, wanted: string) => boolean)[]} */
const ALIKE = [
  (name, wanted) => name === wanted,
  (name, wanted) => plain(name) === plain(wanted),
  (name, wanted) => plain(name).endsWith(`/${plain(wanted)}`),
  (name, wanted) => plain(name).includes(plain(wanted)),
];

/** The messages of the calls that are wanted, in order, and how many calls these are. @param {Called} called @param {Wanted} wanted */
export function messagesOf(called, { kind, name }) {
  const all = Object.keys(called[kind]);
  const names = ALIKE.map((alike) => all.filter((one) => alike(one, name))).find((some) => some.length) ?? [];
  const places = names.flatMap((one) => called[kind][one]);
  return { hits: [...new Set(places)].sort((a, b) => a - b), calls: places.length };
}
