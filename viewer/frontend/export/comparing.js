// The page of an exported file of lanes: Compare, and above it a bar with the texts that are followed and what the file says of itself.
import { addressed, keepInHash } from "../lib/address.js";
import { answerWith } from "../lib/asking.js";
import { button, el } from "../lib/dom.js";
import { themeOf } from "../lib/theme.js";
import { Compare } from "../compare/app.js";
import { Board } from "../compare/board.js";
import { decodeStore } from "../run/decode.js";
import { aboutLanes } from "./aboutlanes.js";
import { answersFrom } from "./answers.js";
import { Followed } from "./followed.js";
import { styledRoot } from "./held.js";
import { PinnedChips } from "./pinnedchips.js";
/** @import { Held } from "./held.js" */
/** @import { Store } from "../run/decode.js" */
/** @import { LanesHead } from "./types.js" */

class LanesPage {
  /** @param {ShadowRoot} parent @param {Held} held @param {LanesHead} head @param {Store} store */
  constructor(parent, held, head, store) {
    this.head = head;
    this.bar = el("header", { class: "fl-export" }, el("b", { text: "foldline" }), el("span", { class: "fl-export-what", text: "exported file" }));
    const main = el("main", { class: "fl-export-main" });
    parent.append(this.bar, main);
    this.app = new Compare(main, new Board(), () => store, null);
    this.followed = new Followed(held, (text) => this.app.pins.pin(text));
    this.chips = new PinnedChips(this.app.pins);
    const about = aboutLanes(head, () => this.app.root.focus({ preventScroll: true }));
    this.app.root.append(about);
    this.bar.append(
      this.chips.node,
      this.followed.node,
      button("About this file", () => about.showModal(), { class: "fl-link" }),
    );
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#theme());
    this.#theme();
  }

  #theme() {
    const theme = themeOf(this.app.root);
    this.bar.dataset.theme = theme;
    this.app.setTheme(theme);
  }

  /** Show the lanes as the address says, or else as they were when the file was made. */
  async open() {
    const { head } = this;
    const query = addressed();
    const [base, message] = [query.get("base") ?? "abcd"[head.base], query.get("message") ?? String(head.message || "")];
    void this.followed.show(head.lanes[0].tid);
    await this.app.take({ sid: head.sid, place: head.sid, nth: 0, lanes: head.lanes, address: { query: {}, base, message } });
    if (query.toString()) return;
    for (const text of head.why) this.app.pins.pin(text);
    if (head.why.length) this.app.pins.choose(0);
  }
}

/** Open what the file holds, in an element of its document. @param {HTMLElement} place @param {Held} held */
export async function openLanes(place, held) {
  const head = /** @type {LanesHead} */ (await held.json("head"));
  answerWith(answersFrom(held));
  keepInHash();
  const parent = await styledRoot(place, held);
  await new LanesPage(parent, held, head, decodeStore(await held.bytes(`store-${head.sid}`))).open();
}
