// The findings of one compaction, or of one attempt, in its card.

import { icon } from "./findingmarks.js";
import { findingText } from "./findingtext.js";
import { whyButton } from "./findingwhy.js";
import { messageLink } from "./messagelink.js";
import { el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { SEVERITY } from "../run/findingwords.js";
import { ADDED } from "../run/pool.js";
/** @import { App } from "./app.js" */
/** @import { Finding, Severity } from "../run/types.js" */

/** @param {App} app @param {Finding[]} findings */
export function findingNotes(app, findings) {
  if (!findings.length) return [el("p", { class: "fl-none", text: "No findings" })];
  return findings.map((finding) => note(app, finding));
}

/** @param {App} app @param {Finding} finding */
function note(app, finding) {
  const { severity, title, text, messages } = finding;
  const { run } = app;
  const known = [...new Set(/** @type {number[]} */ (messages ?? []))].filter((i) => i >= 0 && i < ADDED + run.pool.added.length);
  const links = known.slice(0, 12).map((i) => messageLink(app, i));
  const left = known.length - links.length;
  const said = el(
    "div",
    {},
    el("b", { text: visible(title) }),
    " ",
    ...findingText(text),
    " ",
    ...links.flatMap((link, k) => (k ? [", ", link] : [link])),
    left > 0 && ` and ${int(left)} more`,
  );
  const why = whyButton(app, finding, () => app.why.ask(finding.subject ?? ""));
  if (why) said.append(" ", why);
  return el("div", { class: `fl-finding fl-${severity ?? "warning"}`, role: "note" }, sign(severity ?? "warning"), said);
}

/** How bad it is, as the list shows it. @param {Severity} severity */
function sign(severity) {
  const { word, about } = SEVERITY[severity];
  return el("span", { class: "fl-sign", role: "img", "aria-label": word, title: `${word}: ${about}` }, icon(severity));
}
