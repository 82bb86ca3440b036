// The search for what looks secret, on the server: asked for, and told how far it is.
import { int } from "../lib/format.js";
import { posting } from "../lib/json.js";
import { fetchLines } from "../lib/lines.js";
/** @import { Answer, Searched } from "./types.js" */

/** What looks secret. Rejects where the search does not run. @param {string} path @param {object} named @param {(far: Searched) => void} told @param {AbortSignal} signal @returns {Promise<Answer>} */
export async function lookFor(path, named, told, signal) {
  /** @type {Answer | null} */ let found = null;
  let failed = "";
  const hear = (/** @type {any} */ line) => {
    if (line.of !== undefined) told(line);
    else if (line.failed) failed = [line.failed, line.hint].filter(Boolean).join("; ");
    else found = line;
  };
  await fetchLines(`${path}/secrets`, hear, signal, posting(named));
  if (!found) throw new Error(failed || "the search for secrets did not end");
  return found;
}

/** How far it is, in words. @param {Searched} far */
export const farWords = ({ read, of }) =>
  read < of ? `${int(read)} of ${int(of)} texts read` : `all ${int(of)} texts read; the search for keys of known makers goes on`;
