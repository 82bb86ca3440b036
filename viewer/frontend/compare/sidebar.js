// The lanes in the sidebar: a card each, the sliders of the chosen one, and what can be done with it.

import { attribute, breakable, button, el } from "../lib/dom.js";
import { themeOf } from "../lib/theme.js";
import { Chooser } from "../settings/chooser.js";
import { badge } from "../settings/aboutpolicy.js";
import { Panel } from "../settings/panel.js";
import { PinnedTexts } from "./pinned.js";
import { CAVEAT, LETTERS, laneLine, laneName, pinnedWords } from "./words.js";
/** @import { Catalogue } from "../settings/picking.js" */
/** @import { Board, LaneData } from "./board.js" */

export class LaneCards {
  /** @param {ParentNode} parent  the shadow root to fill @param {Board} board @param {() => Catalogue | null} catalogue */
  constructor(parent, board, catalogue) {
    this.board = board;
    /** Takes the policy that is chosen in the dialog. @type {(name: string) => void} */ this.choose = () => {};
    /** Which card is open, and of how many. */ this.shape = "";
    this.count = el("span");
    this.cards = el("div", { class: "fl-lane-cards" });
    this.slot = el("div", { class: "fl-lane-slot" });
    this.panel = new Panel(this.slot, ({ values }) => board.change(board.chosen, values));
    this.deeds = el("div", { class: "fl-lane-deeds" });
    this.add = button("Add a lane…", () => this.#offer(), { class: "fl-lane-add", "aria-expanded": "false" });
    this.ways = el("div", { class: "fl-lane-ways", role: "group", "aria-label": "Add a lane", hidden: true });
    const dialogs = el("div", { class: "fl-lane-chooser" });
    this.chooser = new Chooser(dialogs, (name) => this.choose(name), catalogue);
    this.pinned = new PinnedTexts(board);
    const head = el("h2", { class: "fl-lanes-title" }, "Lanes, side by side", this.count);
    this.root = el(
      "div",
      { class: "fl-panel fl-lanes-panel" },
      head,
      this.cards,
      this.add,
      this.ways,
      dialogs,
      this.pinned.node,
      el("p", { class: "fl-note", text: CAVEAT }),
    );
    parent.append(this.root);
    this.unwatch = board.watch(() => this.update());
  }

  update() {
    this.root.dataset.theme = themeOf(this.root);
    const { board } = this;
    if (!board.lanes.length) return;
    this.count.textContent = `${board.lanes.length} of 4`;
    const chosen = board.lanes[board.chosen];
    this.#drawCards();
    this.pinned.update();
    this.slot.hidden = !chosen.panel;
    if (chosen.panel) this.panel.update({ ...chosen.panel, policy: `${board.place} ${chosen.panel.policy}` });
    this.add.hidden = !board.room;
    this.ways.hidden ||= !board.room;
  }

  #drawCards() {
    const { board } = this;
    const focused = /** @type {ShadowRoot} */ (this.root.getRootNode()).activeElement;
    const name = focused instanceof HTMLElement && this.cards.contains(focused) && !this.slot.contains(focused) ? focused.dataset.act : undefined;
    const cards = board.lanes.map((lane, k) => this.#card(lane, k));
    this.#place(cards);
    if (name) /** @type {HTMLElement | null} */ (this.cards.querySelector(`[data-act="${name}"]`))?.focus();
  }

  /** The sliders stay in the page while the cards around them are drawn anew: one of them may be held. @param {HTMLElement[]} cards */
  #place(cards) {
    const { board } = this;
    const shape = `${board.chosen} ${board.lanes.length}`;
    const shell = /** @type {HTMLElement[]} */ ([...this.cards.children]);
    if (shape === this.shape && shell.length === cards.length) return cards.forEach((card, k) => refill(shell[k], card, this.slot));
    this.shape = shape;
    this.cards.replaceChildren(...cards);
    cards[board.chosen].insertBefore(this.slot, cards[board.chosen].lastElementChild);
  }

  /** @param {LaneData} lane @param {number} k */
  #card(lane, k) {
    const { board } = this;
    const chosen = k === board.chosen;
    const compactions = board.compactions[k] ?? 1;
    const tag =
      board.base === k ? el("span", { class: "fl-lane-tag", text: "baseline" }) : lane.card ? badge(lane.card.fidelity, lane.card.not_modelled) : "";
    const head = button("", () => board.choose(k), { class: "fl-lane-choose", "aria-pressed": String(chosen), "data-act": `choose ${k}` });
    const line = el(
      "span",
      { class: "fl-lane-card-line" },
      el("span", { text: chosen && lane.panel ? pinnedWords(lane) : laneLine(lane, compactions) }),
      tag ?? "",
    );
    head.append(
      el("b", { class: "fl-letter", text: LETTERS[k] }),
      el("span", { class: "fl-lane-card-name" }, ...breakable(laneName(lane, compactions))),
      line,
    );
    const node = el("div", { class: "fl-lane-card", "data-lane": LETTERS[k] }, head, chosen ? this.#deeds(lane, k) : "");
    attribute(node, "data-chosen", chosen);
    return node;
  }

  /** @param {LaneData} lane @param {number} k */
  #deeds(lane, k) {
    const { board } = this;
    const deed = (/** @type {string} */ text, /** @type {() => void} */ act, off = false) =>
      button(text, act, { class: "fl-small", "data-act": text, disabled: off });
    return el(
      "div",
      { class: "fl-lane-deeds" },
      deed("Policy…", () => this.#choosePolicy(lane.name, (name) => board.replace(k, name))),
      deed("Make baseline", () => board.setBase(k), board.base === k),
      lane.pinned?.length ? deed("Unpin", () => board.unpin(k)) : "",
      deed("Remove", () => board.remove(k), board.lanes.length <= 2),
    );
  }

  /** Open the dialog of policies. @param {string} now @param {(name: string) => void} then */
  #choosePolicy(now, then) {
    this.choose = then;
    this.chooser.update({ name: now, fidelity: "", about: "", recorded: "recorded" });
    this.chooser.open();
  }

  /** What a new lane may show. */
  #offer() {
    const { board } = this;
    const there = new Set(board.lanes.map(({ name }) => name));
    const way = (/** @type {string} */ text, /** @type {() => void} */ act) => button(text, () => (this.#fold(), act()));
    const ways = [
      way("A policy…", () => this.#choosePolicy("", (name) => board.add(name))),
      !there.has("none") && way("No compaction", () => board.add("none")),
      !there.has("recorded") && way("As recorded", () => board.add("recorded")),
    ];
    const open = this.ways.hidden;
    this.ways.replaceChildren(...ways.filter((node) => node !== false));
    this.ways.hidden = !open;
    attribute(this.add, "aria-expanded", String(open));
    if (open) /** @type {HTMLElement} */ (this.ways.firstElementChild).focus();
  }

  #fold() {
    this.ways.hidden = true;
    attribute(this.add, "aria-expanded", "false");
  }

  destroy() {
    this.unwatch();
    this.panel.destroy();
    this.root.remove();
  }
}

/** What a card says now, around sliders that stay. @param {HTMLElement} shell @param {HTMLElement} card @param {HTMLElement} slot */
function refill(shell, card, slot) {
  const [head, deeds] = [...card.children];
  const old = [...shell.children].filter((node) => node !== slot);
  old[0].replaceWith(head);
  if (deeds && old[1]) old[1].replaceWith(deeds);
}
