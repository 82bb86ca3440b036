// What the sub-agents of a session did, each in a window of its own, with the ways to these windows.

import { button, el, visible } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { sumWords } from "../run/overviewwords.js";
import { unfolding } from "./counted.js";
/** @import { App } from "./app.js" */
/** @import { SubAgentsTold } from "../run/types.js" */

/** Windows that are named until the others are asked for. */
const NAMED = 6;

/** @param {App} app @param {SubAgentsTold} agents @returns {HTMLElement[]} */
export function subAgents(app, { started, known, sums, windows }) {
  if (!known) return [el("p", { text: `${int(started)}, whose messages are not in this file` })];
  const did = sumWords({ ...sums, typed: 0 });
  const where = started === 1 ? "a window of its own" : "windows of their own";
  const others = known < started ? [el("p", { class: "fl-osmall", text: `The messages of ${int(started - known)} more are not in this file.` })] : [];
  return [
    el("p", { text: `${int(started)}, in ${where}${did && `: ${did}`}` }),
    el("ul", { class: "fl-oitems" }, ...unfolding(windows.map(wayTo(app)), NAMED, known)),
    ...others,
  ];
}

/** A window by the name of its sub-agent; a file that was exported has it not. @param {App} app */
const wayTo =
  (app) =>
  /** @param {[number: number, name: string, messages: number]} window */
  ([number, name, messages]) => {
    const shown = [visible(name), el("b", { text: ` ${pluralize(messages, "message")}` })];
    if (app.alone) return el("li", {}, ...shown);
    const open = () => app.tell("lane", `${app.query?.lane ? `${app.query.lane}.` : ""}${number}`);
    const way = button("", open, { class: "fl-ocount", title: "Open its window" });
    way.append(el("span", {}, shown[0]), shown[1]);
    return el("li", {}, way);
  };
