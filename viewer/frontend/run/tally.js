// The messages of a window added up, under what is said of each. Pure.
/** @import { Run, Window } from "./model.js" */

/** What a compaction did with messages; `hidden` is what was sent and is in no message of the file. @typedef {"kept" | "gone" | "emptied" | "made" | "back" | "hidden"} Deed */

/** What is said of a message: of one that is kept its region alone tells it from others. @typedef {{deed: Deed, kind: string, region: string}} Said */

/**
 * Messages of which the same is said, `first` the first of them; `sealed` where one is a summary that nobody can read, whose size is in
 * no number; `most` are the tokens of what is hidden where they may be more.
 * @typedef {Said & {id: string, tokens: number, count: number, first: number, sealed: boolean, most?: number}} Part
 */

/** The name of a part in its column. @param {Said} said */
export const partId = ({ deed, kind, region }) => `${deed}/${deed === "kept" ? region : kind}`;

/**
 * The parts of a window, in the order of their first messages.
 * @param {Run} run
 * @param {Window} window
 * @param {(pool: number, origin: number, region: string) => Said} say  `origin` is the place of a message in the session
 * @returns {Part[]}
 */
export function tallied({ pool: all }, window, say) {
  /** @type {Map<string, Part>} */ const parts = new Map();
  let index = 0;
  for (const [a, b] of window.between(0, window.size))
    for (let pool = a; pool < b; pool++) {
      const first = all.originOf(pool);
      const said = say(pool, first, window.regionAt(index++));
      const id = partId(said);
      const part = parts.get(id) ?? { ...said, id, first, tokens: 0, count: 0, sealed: false };
      part.tokens += all.tokens(pool);
      part.count += 1;
      part.sealed ||= all.sealed.has(pool);
      parts.set(id, part);
    }
  return [...parts.values()];
}

/** Of parts whose kinds are many the largest, and one that holds the others. @param {Part[]} parts @param {number} most @param {string} kind  of the others @returns {Part[]} */
export function largest(parts, most, kind) {
  const sorted = parts.toSorted((a, b) => b.tokens - a.tokens);
  if (parts.length <= most + 1) return sorted;
  const others = sorted.slice(most);
  const sum = (/** @type {"tokens" | "count"} */ name) => others.reduce((all, part) => all + part[name], 0);
  const said = { ...others[0], kind };
  const first = Math.min(...others.map((part) => part.first));
  return [...sorted.slice(0, most), { ...said, id: partId(said), tokens: sum("tokens"), count: sum("count"), first }];
}
