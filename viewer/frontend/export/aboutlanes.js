// What an exported file of lanes says of itself: each lane with all its settings, what was masked, what is not in it.
import { dialogOf } from "../lib/dialog.js";
import { el, visible } from "../lib/dom.js";
import { LETTERS, laneLine, laneName } from "../compare/words.js";
import { sayable } from "../settings/settings.js";
/** @import { LaneData } from "../compare/board.js" */
/** @import { LanesHead } from "./types.js" */

/** @param {LanesHead} head @param {() => void} closed */
export function aboutLanes({ lanes, notes }, closed) {
  const rows = lanes.flatMap((lane, k) => {
    const letter = el("b", { class: "fl-letter", text: LETTERS[k] });
    return [el("dt", {}, letter, " ", laneName(lane)), el("dd", { text: settingsOf(lane) })];
  });
  const said = notes.map((text) => el("li", { text: visible(text) }));
  const shown = el("section", {}, el("h3", { text: "Lanes" }), el("dl", {}, ...rows));
  const node = dialogOf("About this file", "fl-about-lanes", shown, el("section", {}, el("h3", { text: "Notes" }), el("ul", {}, ...said)));
  node.addEventListener("close", closed);
  return node;
}

/** All settings of a lane: "budget 8,000 · keep_recent 4". @param {LaneData} lane */
function settingsOf(lane) {
  if (!lane.panel) return laneLine(lane, 1);
  const set = lane.panel.params.filter(({ value }) => value !== null && value !== undefined);
  return set.map((param) => visible(`${param.name} ${sayable(param.value, param)}`)).join(" · ");
}
