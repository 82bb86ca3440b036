// What has left the window, above it: the newest of it in a few rows, scrolled like the window itself.

import { HEADING, ROW } from "../run/layout.js";
import { RowList } from "./rows.js";
import { ghostSection, poolOf } from "../run/sections.js";
/** @import { App } from "./app.js" */
/** @import { Section } from "../run/layout.js" */

const FEW = 6;
/** The share of the pane the ghosts may take: few of them, and all of them. */
const SHARE = { few: 0.4, all: 0.7 };

/** The ghosts' own list, empty and hidden while they are not wanted. */
export class GhostList {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.opened = false;
    /** @type {Section | null} */ this.section = null;
    this.list = new RowList({ label: "Messages that have left the window", choose: (row) => app.select(row.key), open: () => this.#toggle() });
    this.list.follow = true;
    this.node = this.list.node;
    this.node.classList.add("fl-past");
    this.node.hidden = true;
  }

  /** Show what had left the window by a step; says whether it takes another height than before. @param {boolean} wanted @param {number} full tokens of a full bar */
  show(wanted, full) {
    const { run, step } = this.app;
    const stood = this.node.hidden || this.node.style.height;
    this.section = wanted ? ghostSection(run, step, this.opened, FEW) : null;
    this.node.hidden = !this.section?.count;
    this.list.full = full;
    if (!this.node.hidden) this.#draw();
    return stood !== (this.node.hidden || this.node.style.height);
  }

  #draw() {
    const { section } = this;
    if (!section) return;
    this.#fit(this.opened ? section.count : Math.min(FEW, section.count), this.opened ? SHARE.all : SHARE.few);
    this.list.show([section]);
  }

  /** As high as these rows, a share of the pane at most, whole rows. @param {number} rows @param {number} share */
  #fit(rows, share) {
    const pane = this.node.parentElement?.clientHeight ?? 0;
    const room = Math.max(2, Math.floor((share * pane - HEADING) / ROW));
    const height = `${HEADING + ROW * Math.min(rows, room)}px`;
    if (this.node.style.height === height) return;
    this.node.style.height = height;
    this.list.viewHeight = undefined;
  }

  #toggle() {
    this.opened = !this.opened;
    this.list.follow = true;
    this.show(true, this.list.full);
  }

  /** @param {string | null} key @param {Iterable<string>} others */
  select(key, others) {
    if (!this.node.hidden) this.list.select(key, poolOf(this.app.run, key), others);
  }

  /** Bring a ghost into view; says whether it is one. @param {number} pool */
  reveal(pool) {
    if (this.node.hidden || !this.section || this.section.find(pool) < 0) return false;
    this.list.follow = false;
    return this.list.reveal(pool);
  }
}
