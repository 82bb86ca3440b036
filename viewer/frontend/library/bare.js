// A page whose list has nothing yet: what the page is for, and the one button that fills it.
import { button, el, write } from "../lib/dom.js";
import { draw } from "../lib/svg.js";

/** Rows of a list as they will stand there, in the colors of a window. */
const ROWS = ["system", "compactable", "summary", "recent"];

export class Bare {
  /** @param {{title: string, about: string, does: string, label: string, press: () => void}} said  `does` is what the button does */
  constructor({ title, about, does, label, press }) {
    this.usual = title;
    this.title = el("h2", { text: title });
    const act = button(label, press, { class: "fl-bare-act" });
    this.node = el(
      "section",
      { class: "fl-bare", hidden: true },
      picture(),
      this.title,
      el("p", { text: about }),
      act,
      el("p", { class: "fl-bare-does", text: does }),
    );
  }

  /** @param {boolean} on @param {string} [title]  why there is nothing */
  show(on, title = this.usual) {
    this.node.hidden = !on;
    write(this.title, title);
  }
}

function picture() {
  const bars = ROWS.flatMap((region, k) => [
    draw("rect", { x: 0, y: k * 15, width: 10, height: 10, rx: 2.5, class: `fl-is-${region}` }),
    draw("rect", { x: 16, y: k * 15 + 2, width: [104, 84, 96, 60][k], height: 6, rx: 3, class: "fl-bare-line" }),
  ]);
  return /** @type {any} */ (draw("svg", { viewBox: "0 0 120 55", class: "fl-bare-picture", "aria-hidden": "true" }, ...bars));
}
