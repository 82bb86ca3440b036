// What the Library lists: sessions that match, in order, those of one file under it. No DOM.
import { compared } from "../lib/table.js";
/** @import { Sort } from "../lib/table.js" */

/**
 * A row as it arrives; docs/wire.md.
 * @typedef {[id: number, path: string, number: number, agent: string, format: string, title: string, project: string, model: string,
 * messages: number, turns: number, tokens: number, meter: string, compactions: number, subagents: number, ended: string,
 * unsearched: number, changed: string, approximate: boolean]} Row
 */
/**
 * @typedef {{id: number, path: string, number: number, agent: string, title: string, project: string, model: string, messages: number,
 * tokens: number, meter: string, compactions: number, ended: string, unsearched: number, changed: string, approximate: boolean}} Session
 */
/** One row of the list: a session, or a file of several. @typedef {SessionItem | FileItem} Item */
/** `inside`: it stands under its file. @typedef {{kind: "session", key: string, session: Session, inside: boolean}} SessionItem */
/** The sessions of a file that are shown, of `all` that it has. @typedef {{kind: "file", key: string, path: string, sessions: Session[], all: number, open: boolean}} FileItem */
/**
 * `found` are the ids that match what is typed, null where nothing is; those in `first` are listed before the others.
 * @typedef {{found: Set<number> | null, first?: Set<number>, agent: string, compacted: boolean, sort: Sort, open: (path: string) => boolean}} View
 */
/** `agents` are counted without the filter by agent, `compacted` without that by compactions. @typedef {{items: Item[], shown: Session[], agents: Map<string, number>, compacted: number}} Arranged */

/** @param {Row} row @returns {Session} */
export function sessionOf([
  id,
  path,
  number,
  agent,
  ,
  title,
  project,
  model,
  messages,
  ,
  tokens,
  meter,
  compactions,
  ,
  ended,
  unsearched,
  changed,
  approximate,
]) {
  return { id, path, number, agent, title, project, model, messages, tokens, meter, compactions, ended, unsearched, changed, approximate };
}

/** @param {Session[]} sessions @param {View} view @returns {Arranged} */
export function arranged(sessions, { found, first = new Set(), agent, compacted, sort, open }) {
  const matching = found ? sessions.filter(({ id }) => found.has(id)) : sessions;
  const ofAgent = (/** @type {Session} */ session) => !agent || session.agent === agent;
  const wanted = (/** @type {Session} */ session) => !compacted || session.compactions > 0;
  const shown = matching.filter((session) => ofAgent(session) && wanted(session));
  return {
    items: items(sessions, shown, sort, open, first),
    shown,
    agents: counted(matching.filter(wanted), "agent"),
    compacted: matching.filter((session) => ofAgent(session) && session.compactions > 0).length,
  };
}

/** How many sessions there are of each agent, or each file. @param {Session[]} sessions @param {"agent" | "path"} by @returns {Map<string, number>} */
export function counted(sessions, by) {
  const counts = new Map();
  for (const session of sessions) counts.set(session[by], (counts.get(session[by]) ?? 0) + 1);
  return counts;
}

/** Files and single sessions in order, and under each open file its sessions in the same order. @param {Session[]} sessions @param {Session[]} shown @param {Sort} sort @param {(path: string) => boolean} open @param {Set<number>} first */
function items(sessions, shown, sort, open, first) {
  const all = counted(sessions, "path");
  const outer = [...byFile(shown)].map(([path, inside]) =>
    inside.length > 1 ? fileItem(path, inside, all.get(path) ?? 0, open(path)) : sessionItem(inside[0], false),
  );
  const ahead = (/** @type {Item} */ item) => Number(!sessionsOf(item).some(({ id }) => first.has(id)));
  const ordered = sorted(outer, sort).sort((a, b) => ahead(a) - ahead(b));
  return ordered.flatMap((item) => [item, ...inner(item, sort)]);
}

/** @param {Item} item */
const sessionsOf = (item) => (item.kind === "file" ? item.sessions : [item.session]);

/** @param {Session[]} sessions @returns {Map<string, Session[]>} */
function byFile(sessions) {
  const files = new Map();
  for (const session of sessions) {
    const others = files.get(session.path);
    if (others) others.push(session);
    else files.set(session.path, [session]);
  }
  return files;
}

/** @param {Item} item @param {Sort} sort @returns {Item[]} */
function inner(item, sort) {
  if (item.kind === "session" || !item.open) return [];
  return sorted(
    item.sessions.map((session) => sessionItem(session, true)),
    sort,
  );
}

/** @param {string} path @param {Session[]} sessions @param {number} all @param {boolean} open @returns {Item} */
const fileItem = (path, sessions, all, open) => ({ kind: "file", key: `file ${path}`, path, sessions, all, open });

/** @param {Session} session @param {boolean} inside @returns {Item} */
const sessionItem = (session, inside) => ({ kind: "session", key: `${session.number} ${session.path}`, session, inside });

/** @param {Item[]} all @param {Sort} sort */
function sorted(all, { column, down }) {
  const values = new Map(all.map((item) => [item, columnValue(item, column)]));
  return all.sort((a, b) => compared(values.get(a) ?? null, values.get(b) ?? null, down));
}

/** The value of a column: of a file that of its sessions together; null where they have none in common. @param {Item} item @param {string} column @returns {number | string | null} */
export function columnValue(item, column) {
  const sessions = sessionsOf(item);
  const sum = (/** @type {(session: Session) => number} */ of) => sessions.reduce((total, session) => total + of(session), 0);
  if (column === "messages") return sum(({ messages }) => messages);
  if (column === "compactions") return sum(({ compactions }) => compactions);
  if (column === "tokens") return sessions.every(({ meter }) => meter === sessions[0].meter) ? sum(({ tokens }) => tokens) : null;
  if (column === "ended") return sessions.reduce((last, { ended }) => (ended > last ? ended : last), "") || null;
  if (column === "agent") return sessions[0].agent;
  return item.kind === "file" ? fileName(item.path) : item.session.title;
}

/** @param {string} path */
export const fileName = (path) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

/** The last two parts of a path. @param {string} path */
export const tail = (path) => path.split(/[\\/]/).filter(Boolean).slice(-2).join("/");
