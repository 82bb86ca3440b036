// Share, of the lanes: one file that shows them beside each other, or one of the first lane that the others come along in.
import { fetchJson, posting } from "../lib/json.js";
import { ShareDialog } from "../share/dialog.js";
import { stepAt } from "./held.js";
/** @import { Compare } from "./app.js" */

/** @param {Compare} app */
export function shareOf(app) {
  return new ShareDialog({
    subject: () => {
      const [first, ...others] = app.runs;
      const of = { tid: first.view.tid, others: others.map(({ view }) => view.tid) };
      return { ...of, step: stepAt(first, app.at), texts: app.pins.texts, base: app.board.base, message: app.at };
    },
    post: (path, body) => fetchJson(path, posting(body)),
    copyLink: () => void app.copyLink(),
    pictures: null,
    lanes: true,
  });
}
