// The part: Share, of the run that is shown.
import { ShareDialog } from "../share/dialog.js";
import { ofRun } from "../share/subjects.js";
import { timelinePng, timelineSvg } from "./sawtooth.js";
/** @import { App } from "./app.js" */

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const dialog = new ShareDialog({
    subject: ({ text }) => ({ ...ofRun(app.run.view.tid), more: text ? { step: app.step, texts: [chosen(app)] } : lookedAt(app) }),
    text: () => chosen(app),
    copyLink: () => void app.copyLink(),
    pictures: { svg: () => timelineSvg(app.run, app.root), png: () => timelinePng(app.run, app.root) },
  });
  root.append(dialog.node);
  dialog.node.addEventListener("close", () => app.open.share && app.toggle("share"));
  const update = () => {
    const open = Boolean(app.open.share);
    if (open === dialog.node.open) return;
    if (open) dialog.open();
    else dialog.node.close();
  };
  return { update };
}

/** The step, the texts that are followed, and that who opens the file sees the overview first, unless Why is in front. @param {App} app */
const lookedAt = ({ step, why }) => ({ step, overview: !why.front, texts: why.open ? why.lanes.map(({ text }) => text) : [] });

/** The text that Why is open on. @param {App} app */
const chosen = ({ why }) => (why.open && why.chosen?.text) || "";
