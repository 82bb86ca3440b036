// Why of a whole message: of its first words.

import { ask, known } from "../lib/api.js";
import { questionOf } from "../run/lifewords.js";
import { pathOf } from "../message/body.js";
/** @import { App } from "./app.js" */

const NO_WORDS = "This message has no words to follow";

/** Ask about the first words of a message, once it is there; say so where it has none. @param {App} app @param {number} pool */
export async function askMessage(app, pool) {
  const path = pathOf(app.run, pool);
  const message = known(path) ?? (await app.newest.answer(ask(app, path)));
  if (message && !app.why.ask(questionOf(message.content))) app.message(NO_WORDS);
}
