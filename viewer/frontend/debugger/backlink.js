// The way back to the compaction under the cursor, after a link or a row led elsewhere.

import { button } from "../lib/dom.js";
import { nameOf } from "../run/compactionfigures.js";
/** @import { App } from "./app.js" */

/**
 * A button "‹ compaction 2" where the cursor is on a compaction, or an attempt that failed, and something else is shown, as a
 * list of one; else empty.
 * @param {App} app
 * @param {number} [shown] the compaction shown, or -1
 */
export function back(app, shown = -1) {
  const { run, step, selected } = app;
  const { compaction } = run.step(step);
  const failed = compaction < 0 && run.failedAt(step) >= 0;
  if (selected === null || (compaction < 0 ? !failed : compaction === shown)) return [];
  const name = failed ? "failed attempt" : nameOf(run, compaction);
  return [button(`‹ ${name}`, () => app.select(null), { class: "fl-link fl-back", title: `Back to ${name} (Esc)` })];
}
