// A link to a message of the window, or of what compactions put in.

import { button } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { App } from "./app.js" */

/** @param {App} app @param {number} pool */
export function messageLink(app, pool) {
  const { key, label } = app.run.pool.row(pool);
  return button(pool < app.run.n ? `message ${int(pool + 1)}` : label, () => app.select(key), { class: "fl-link" });
}
