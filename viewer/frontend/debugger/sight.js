// From where a compaction is seen in the window's list: what stays, with some of what goes in front of it.

import { HEADING, ROW } from "../run/layout.js";
import { Numbered } from "../run/ranges.js";
/** @import { Effect } from "../run/effect.js" */
/** @import { RowList } from "./rows.js" */

/** Rows that go which are enough to tell the story by. */
const FEW = 3;
/** The share of the view that rows which go may take, where what stays would not fit beside them. */
const SHARE = 0.45;

/**
 * The top from which the list, which shows the window before, shows the story: the end, where what stays is, with some of what goes
 * in front of it; or what is emptied.
 * @param {RowList} list
 * @param {Effect} did
 * @param {number} from  the top where there is nothing better to see
 */
export function sight(list, { taken, emptied }, from) {
  if (!taken.length) return emptied.length ? list.topFor(emptied[0][0], list.follow ? list.end : from) : from;
  const [first, last] = [list.layout.find(taken[0][0]), list.layout.find(taken[taken.length - 1][1] - 1)];
  if (!first || !last) return from;
  const top = list.roof + HEADING + (list.told.of ? ROW : 0); // the row that is told of may stand there
  if (last.y + ROW - Math.max(first.y, list.end + top) >= Math.min(FEW * ROW, last.y + ROW - first.y)) return list.end;
  return Math.min(list.end, list.rest(Math.max(0, Math.max(first.y, last.y + ROW - SHARE * list.view) - top)));
}

/** The message seen first of those that go, where the list now stands; -1 for none. @param {RowList} list @param {Effect} did */
export function firstSeen(list, { taken }) {
  const goes = new Numbered(taken);
  const { layout, top, view, roof } = list;
  const under = top + roof + (list.sticky.hidden ? 0 : HEADING);
  const hidden = under - ROW + 1; // a scroller stands at whole pixels of the screen, which are not those of a zoomed page
  const seen = [...(roof ? layout.between(0, roof) : []), ...layout.between(top + roof, top + view).filter(({ y }) => y > hidden)];
  const rows = seen.filter(({ k }) => k >= 0).map((item) => layout.row(item));
  return rows.find(({ pool }) => goes.indexOf(pool) >= 0)?.pool ?? -1;
}
