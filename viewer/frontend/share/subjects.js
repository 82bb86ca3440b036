// What can be handed on, as the server is asked for it. Pure.
import { pluralize } from "../lib/format.js";
/** @import { Subject } from "./types.js" */

/** A run that is open, by what the server calls it. @param {string} tid */
export const ofRun = (tid) => ({ path: `api/share/${encodeURIComponent(tid)}`, named: {} });

/** A session as Debug would open it. @param {{run: string} | {path: string, number: string}} named @param {string} title @returns {Subject} */
export const ofSession = (named, title) => ({ path: "api/share/session", named, more: {}, title });

/** The rows of a list. @param {"library" | "runs"} list @param {(number | string)[]} ids @param {string} noun  of one row @returns {Subject} */
export const ofList = (list, ids, noun) => ({
  path: `api/share/list/${list}`,
  named: { ids },
  more: {},
  title: `${pluralize(ids.length, noun)}, in the order of this page`,
});
