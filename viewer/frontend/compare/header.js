// The session's name and facts, and what can be done with the picture as a whole.

import { button, el } from "../lib/dom.js";
import { chip, whole } from "../lib/chips.js";
import { titled } from "../lib/titled.js";
import { titleWords } from "../lib/titlewords.js";
import { chipTexts } from "../run/headerwords.js";
/** @import { Change, Compare } from "./app.js" */

export class Header {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    this.title = titled(null);
    this.chips = el("div", { class: "fl-facts" });
    const title = "Share these lanes as one file, or copy their link";
    const link = app.share ? button("Share…", () => app.share?.open(), { class: "fl-link", title }) : "";
    const help = button("?", () => app.help.open(), { class: "fl-link", title: "Shortcuts, and what is measured (?)", "aria-label": "Help" });
    const name = el("span", { class: "fl-compare-name", text: "Compare" });
    this.node = el("div", { class: "fl-slot-header" }, el("header", { class: "fl-header" }, name, this.title.node, this.chips, link, help));
    this.watch = new ResizeObserver(() => whole(this.chips));
    this.watch.observe(this.chips);
  }

  /** @param {Change} change */
  update({ runs }) {
    if (!runs) return;
    const { header } = this.app.runs[0].store;
    this.title.show(titleWords(header.title) || "Untitled session", header.title, 0.6);
    this.chips.replaceChildren(
      ...chipTexts(header)
        .filter(([kind]) => kind !== "recorded")
        .map(chip),
    );
    whole(this.chips);
  }

  stop() {
    this.watch.disconnect();
  }
}
