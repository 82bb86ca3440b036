// Has the server search for what looks secret, and reports its progress.
import { int } from "../lib/format.js";
import { posting, refusalText } from "../lib/json.js";
import { fetchLines } from "../lib/lines.js";
/** @import { Answer, SearchProgress } from "./types.js" */

/** What looks secret. Rejects where the search does not run, and where it is aborted. @param {string} path @param {object} named @param {(progress: SearchProgress) => void} report @param {AbortSignal} signal @returns {Promise<Answer>} */
export async function findSecrets(path, named, report, signal) {
  /** @type {Answer | null} */ let found = null;
  let failed = "";
  const take = (/** @type {any} */ line) => {
    signal.throwIfAborted(); // what had come by then is not of interest
    if (line.of !== undefined) report(line);
    else if (line.failed) failed = refusalText({ error: line.failed, hint: line.hint });
    else found = line;
  };
  await fetchLines(`${path}/secrets`, take, signal, posting(named));
  signal.throwIfAborted();
  if (!found) throw new Error(failed || "The search for secrets did not end.");
  return found;
}

/** @param {SearchProgress} progress */
export const progressWords = ({ read, of }) =>
  read < of ? `${int(read)} of ${int(of)} texts read` : `all ${int(of)} texts read; the search for keys of known makers goes on`;
