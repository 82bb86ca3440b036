// From a finding to the text it is about: where it went, which Why tells.
import { button, visible } from "../lib/dom.js";
/** @import { App } from "./app.js" */
/** @import { Finding } from "../run/types.js" */

/**
 * A button that asks where the text of a finding went; null where it is about none.
 * @param {App} app @param {Finding} finding @param {() => void} press
 */
export function whyButton(app, { subject }, press) {
  if (!subject || app.hosted) return null;
  const name = `Why: where did “${visible(subject)}” go?`;
  return button("Why", press, { class: "fl-finding-why", title: `${name} (w)`, "aria-label": name });
}
