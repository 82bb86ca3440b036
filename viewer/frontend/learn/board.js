// The board of the game: the past of a window, to choose what stays; beside it how that does, and what the agent wanted later.

import { button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { Groups } from "./groups.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { Figure, GameFigure, Need } from "./types.js" */

export class Board {
  /** @param {Lessons} lessons @param {(place: number) => void} read  show the message at this place */
  constructor(lessons, read) {
    this.lessons = lessons;
    this.room = el("p", { class: "fl-board-room", role: "status" });
    this.bar = el("i");
    this.groups = new Groups({ toggle: ({ id }, box) => this.#toggle(id, box), read: ({ id }) => read(id) });
    this.side = el("div", { class: "fl-board-side" });
    const head = el(
      "div",
      { class: "fl-board-head" },
      el("h2", { text: "Your window" }),
      this.room,
      el("div", { class: "fl-board-bar", "aria-hidden": "true" }, this.bar),
    );
    this.root = el(
      "div",
      { class: "fl-board", hidden: true },
      el("section", { class: "fl-card", "aria-label": "Your window" }, head, this.groups.root),
      this.side,
    );
    this.root.addEventListener("keydown", (event) => event.stopPropagation()); // Space is for a box, not for playback
  }

  /** What is drawn, if this step has a game. @returns {GameFigure | null} */
  get game() {
    const figure = this.lessons.figure ?? this.lessons.data?.figures ?? null;
    const all = /** @type {Figure[]} */ (figure?.kind === "many" ? figure.figures : figure ? [figure] : []);
    return all.find((one) => one.kind === "game") ?? null;
  }

  /** The groups that are kept. */
  get kept() {
    if (!this.plays) return new Set(this.game?.kept ?? []);
    return new Set(
      String(this.lessons.controls.keep ?? "")
        .split(",")
        .filter(Boolean)
        .map(Number),
    );
  }

  /** Whether a person chooses. */
  get plays() {
    return Boolean(this.lessons.data?.task?.controls.includes("keep"));
  }

  draw() {
    const { game, lessons } = this;
    this.root.hidden = !game;
    if (!game) return;
    const { kept } = this;
    const used = game.groups.filter(({ id }) => kept.has(id)).reduce((sum, { tokens }) => sum + tokens, 0);
    write(this.room, `${int(used)} of ${int(game.room)} tokens kept · ${int(game.stays.system)} pinned, ${int(game.stays.recent)} recent`);
    this.bar.style.width = `${(100 * used) / game.room}%`;
    this.groups.show(game.groups, { kept, plays: this.plays, told: !lessons.blind && !lessons.covers("later") });
    const show = (/** @type {number | null} */ was) => this.groups.point(was);
    const told = lessons.blind
      ? []
      : [...this.#scores(game), ...needs("Missed", game.missed, "✗", show), ...needs("Still seen", game.seen, "✓", show)];
    this.side.replaceChildren(...told);
    this.side.hidden = !this.side.childElementCount;
  }

  /** @param {number} id @param {HTMLInputElement} box */
  #toggle(id, box) {
    const { game, kept } = this;
    if (!game) return;
    if (!this.plays) {
      box.checked = kept.has(id);
      return;
    }
    if (box.checked) kept.add(id);
    else kept.delete(id);
    const used = game.groups.filter((group) => kept.has(group.id)).reduce((sum, { tokens }) => sum + tokens, 0);
    if (used > game.room) return this.#refuse(box, used - game.room);
    this.lessons.set("keep", [...kept].sort((a, b) => a - b).join(","));
  }

  /** There is no room: the row shakes, or with less motion its figure is red. @param {HTMLInputElement} box @param {number} over */
  #refuse(box, over) {
    box.checked = false;
    const row = /** @type {HTMLElement} */ (box.closest("li"));
    row.removeAttribute("data-refused");
    void row.offsetWidth; // so that it shakes again
    row.setAttribute("data-refused", "true");
    write(this.room, `No room: ${int(over)} tokens too many`);
  }

  /** @param {GameFigure} game */
  #scores({ scores }) {
    if (!scores) return [];
    const most = Math.max(1, ...scores.map(({ misses }) => misses));
    const rows = scores.map(({ name, about, misses, you, best }) => {
      const bar = el("i");
      bar.style.width = `${(100 * misses) / most}%`;
      const said = el("span", {}, el("b", { text: name }), el("small", { text: about }));
      return el(
        "li",
        { "data-you": you ? "true" : null, "data-best": best ? "true" : null },
        said,
        el("span", { class: "fl-board-bar", "aria-hidden": "true" }, bar),
        el("b", { text: int(misses) }),
      );
    });
    return [el("section", { class: "fl-card" }, el("h2", { text: "Misses, fewer is better" }), el("ol", { class: "fl-scores" }, ...rows))];
  }

  destroy() {
    this.groups.destroy();
    this.root.remove();
  }
}

/** @param {string} title @param {Need[]} found @param {string} mark @param {(was: number | null) => void} show  where it stood */
function needs(title, found, mark, show) {
  if (!found?.length) return [];
  const rows = found.map(({ name, was, at }) => {
    const where = was === null || was === undefined ? "" : `message ${int(was + 1)} → `;
    const node = button("", () => show(was ?? null), { title: "Show where it stood" });
    const told = el("span", { text: `${where}message ${int(at + 1)}` });
    node.append(el("span", { "aria-hidden": "true", text: mark }), el("code", { text: name, dir: "auto" }), told);
    return el("li", {}, node);
  });
  return [
    el("section", { class: "fl-card" }, el("h2", { text: `${title} ${found.length}` }), el("ul", { class: "fl-needs", "data-kind": title }, ...rows)),
  ];
}
