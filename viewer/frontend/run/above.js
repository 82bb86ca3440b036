// What a list of messages has above what is in sight, in a few words. Pure.

import { int, pluralize } from "../lib/format.js";
import { HEADING, ROW } from "./layout.js";
/** @import { Layout, Section } from "./layout.js" */

/** What the rows of a section are called here, by its id; of any other, messages. @type {Record<string, string>} */
const NAMES = { system: "pinned", summary: "summary", compactable: "compactable", kept: "recent", recent: "recent" };

/**
 * "1 pinned · summary #2 · 41 compactable": the rows between two heights of a list; "" where there is none.
 * @param {Layout} layout @param {number} from @param {number} to
 */
export const aboveWords = (layout, from, to) =>
  counts(layout, from, to)
    .map((count, s) => named(layout.sections[s], count))
    .filter(Boolean)
    .join(" · ");

/** How many rows there are between two heights of a list. @param {Layout} layout @param {number} from @param {number} to */
export const aboveCount = (layout, from, to) => counts(layout, from, to).reduce((sum, count) => sum + Math.max(0, count), 0);

/** The rows of each section between two heights. @param {Layout} layout @param {number} from @param {number} to */
function counts(layout, from, to) {
  return layout.sections.map((section, s) => {
    const first = layout.tops[s] + (section.title ? HEADING : 0);
    const row = (/** @type {number} */ y) => Math.max(0, Math.min(section.count, Math.floor((y - first) / ROW)));
    return row(to) - row(from);
  });
}

/** @param {Section} section @param {number} count */
function named(section, count) {
  if (count <= 0) return "";
  const summaries = section.id === "summary" || section.unit === "summary";
  if (summaries && count === 1) return section.row(0).label || "1 summary";
  if (summaries) return `${int(count)} summaries`;
  const region = section.unit || section.row(0).held ? "" : NAMES[section.id.replace(/-\d+$/, "")];
  return region ? `${int(count)} ${region}` : pluralize(count, section.unit ?? "message");
}
