// Traces and sessions that a page asks the server for by their ids; those asked for last are kept.

import { answerAt, answersByFile } from "../lib/asking.js";
import { refusalText } from "../lib/json.js";
import { decodePacked, decodeStore } from "./decode.js";
/** @import { Store } from "./decode.js" */
/** @import { View } from "./types.js" */

const KEPT_VIEWS = 16;
const KEPT_STORES = 3;

/** Traces by id, as they are asked for; a failed one is asked for again. @type {Map<string, Promise<View>>} */
const views = new Map();
/** Sessions likewise. @type {Map<string, Promise<Store>>} */
const stores = new Map();

/** @param {string} tid */
export const viewOf = (tid) => kept(views, KEPT_VIEWS, tid, async () => decodePacked(await bytesOf("view", tid, "A trace")));

/** @param {string} sid */
export const storeOf = (sid) => kept(stores, KEPT_STORES, sid, async () => decodeStore(await bytesOf("store", sid, "A session")));

/**
 * @template Value
 * @param {Map<string, Promise<Value>>} known @param {number} most @param {string} id @param {() => Promise<Value>} ask
 */
function kept(known, most, id, ask) {
  const asked = known.get(id) ?? ask();
  known.delete(id);
  known.set(id, asked);
  for (const old of [...known.keys()].slice(0, -most)) known.delete(old);
  asked.catch(() => known.delete(id));
  return asked;
}

/** @param {string} what @param {string} id @param {string} name */
async function bytesOf(what, id, name) {
  const answer = await answerAt(`api/${what}/${encodeURIComponent(id)}`).catch(() => null);
  if (!answer?.ok) throw new Error(await refusal(answer, `${name} is no longer open on the server. Reload the page.`));
  return new Uint8Array(await answer.arrayBuffer());
}

/** Why there are no bytes: a file says so itself. @param {Response | null} answer @param {string} otherwise */
const refusal = async (answer, otherwise) => (answer && answersByFile() ? refusalText(await answer.json(), otherwise) : otherwise);
