// What the sidebar of the Tune page opens: its dialogs, and the one of all policies.
import { Chooser } from "../settings/chooser.js";
import { el } from "../lib/dom.js";
import { themeOf } from "../lib/theme.js";
import { showPrices, showSessions, showUnread, showValues } from "./dialogs.js";
import { newGrid } from "./tuning.js";
/** @import { Catalogue } from "../settings/picking.js" */
/** @import { Tuning } from "./tuning.js" */

/** @param {ParentNode} parent @param {Tuning} tuning @param {() => Catalogue | null} catalogue */
export function tuneDialogs(parent, tuning, catalogue) {
  const host = el("div", { class: "fl-tune fl-tune-dialogs" });
  const hidden = el("div", { class: "fl-tune-hidden-chooser" });
  parent.append(host, hidden);
  const chooser = new Chooser(hidden, (name) => add(tuning, name), catalogue);
  const themed = (/** @type {() => void} */ open) => () => {
    host.dataset.theme = themeOf(host);
    open();
  };
  return {
    addPolicy: () => {
      chooser.update({ name: tuning.chosen.grids[0]?.policy ?? "agentkit.memory", fidelity: "", about: "", recorded: "recorded" });
      chooser.open();
    },
    values: themed(() => showValues(host, tuning)),
    sessions: themed(() => showSessions(host, tuning)),
    prices: themed(() => showPrices(host, tuning)),
    unread: themed(() => showUnread(host, tuning)),
  };
}

/** Sweep one more policy, and show it on the map. @param {Tuning} tuning @param {string} name */
function add(tuning, name) {
  const { grids } = tuning.chosen;
  if (name === "recorded") return;
  tuning.chosen.map = name;
  if (!grids.some(({ policy }) => policy === name)) tuning.regrid([...grids, newGrid(name)]);
  else tuning.set({ map: name });
}
