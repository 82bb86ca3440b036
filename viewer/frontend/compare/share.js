// Share, of the lanes: one file that shows each of them, and opens at the first.
import { fetchJson, posting } from "../lib/json.js";
import { ShareDialog } from "../share/dialog.js";
import { stepAt } from "./held.js";
/** @import { Compare } from "./app.js" */

/** @param {Compare} app */
export function shareOf(app) {
  return new ShareDialog({
    subject: () => {
      const [first, ...others] = app.runs;
      return { tid: first.view.tid, step: stepAt(first, app.at), texts: app.pins.texts, others: others.map(({ view }) => view.tid) };
    },
    post: (path, body) => fetchJson(path, posting(body)),
    copyLink: () => void app.copyLink(),
    pictures: null,
  });
}
