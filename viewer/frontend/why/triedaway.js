// While Why is closed a change that is tried still stands: what it is, and the way back, in the place of Why.

import { attribute, el, visible, write } from "../lib/dom.js";
/** @import { Tried } from "./tried.js" */

export class TriedAway {
  /** @param {HTMLElement} root  where Why is while it is open @param {Tried} tried */
  constructor(root, tried) {
    this.root = root;
    this.tried = tried;
    this.words = el("span");
    this.node = el("div", { class: "fl-why-away" }, this.words, tried.undoing());
  }

  /** @param {boolean} open  whether Why is */
  update(open) {
    const name = open ? "" : visible(this.tried.name);
    if (!name) return this.node.remove();
    write(this.words, `Tried: ${name}`);
    attribute(this.words, "title", name);
    if (!this.node.isConnected) this.root.prepend(this.node);
  }
}
