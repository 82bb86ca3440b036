// What would have kept a text: changes that are tried unasked, where that takes no time worth waiting for.

import { fixesPath } from "../lib/api.js";
import { el, visible } from "../lib/dom.js";
import { adviceNodes, adviceTo } from "../why/advice.js";
import { keeperName, mainFirst, settingsNow } from "../why/fixwords.js";
/** @import { App } from "./app.js" */
/** @import { Loss } from "../run/types.js" */
/** @import { Fix, FixLine } from "../why/types.js" */

/** Messages of a session in which changes are tried unasked: it takes a second or two. */
const SHORT = 600;

/** Changes that are named. */
const NAMED = 3;

/** Whether changes are tried: users of an agent cannot turn its settings, and a file holds what was tried. @param {App} app @param {Loss} loss */
export const tries = ({ run, hosted, extension, alone }, loss) => !adviceTo(run, loss) && !hosted && !extension && (run.n <= SHORT || alone);

/** What the makers of the agent advise; none where they do not. @param {App} app @param {Loss} loss */
export function advised({ run }, loss) {
  const advice = adviceTo(run, loss);
  return advice ? adviceNodes(advice) : [];
}

/** Try the changes for a loss. @param {App} app @param {Loss} loss @param {AbortSignal} signal @returns {Promise<Fix[]>}  those of the settings, and a pin, that keep it word for word; none where nothing does */
export async function keepers(app, loss, signal) {
  /** @type {Fix[]} */ const rows = [];
  const until = loss.said_again_at > loss.used_at ? loss.used_at : app.run.length - 1;
  const take = (/** @type {FixLine} */ line) => line.row && rows.push(line.row);
  await app.lines(fixesPath(app.run.view.tid, loss.followed, until), take, signal).catch(() => rows.splice(0));
  return rows
    .filter((fix) => fix.cure && !fix.other)
    .sort(mainFirst)
    .slice(0, NAMED);
}

/** Changes by their names: "message 2 pinned, or keep_recent 8 → 115". @param {App} app @param {Fix[]} fixes @returns {(Node | string)[]} */
export const keeperNames = (app, fixes) => fixes.flatMap((fix, k) => [k ? ", or " : "", el("b", { text: nameOf(app, fix) })]);

/** The name of a change within a sentence. @param {App} app @param {Fix} fix */
export const nameOf = (app, fix) => visible(keeperName(fix, settingsNow(app)));
