// Share, of the lanes: one file that shows them beside each other, or one of the first lane that the others come along in.
import { ShareDialog } from "../share/dialog.js";
import { ofRun } from "../share/subjects.js";
import { stepAt } from "./held.js";
/** @import { Compare } from "./app.js" */

/** @param {Compare} app */
export function shareOf(app) {
  return new ShareDialog({
    subject: () => {
      const [first, ...others] = app.runs;
      const beside = { others: others.map(({ view }) => view.tid), base: app.board.base, message: app.at };
      return { ...ofRun(first.view.tid), more: { step: stepAt(first, app.at), texts: app.pins.texts, ...beside } };
    },
    copyLink: () => void app.copyLink(),
    pictures: null,
    lanes: true,
  });
}
