// The buttons that move the cursor, where it is, and what the lanes have lost there, in one sentence.

import { attribute, button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { lowerBound } from "../run/bisect.js";
import { tilde } from "../run/sections.js";
import { LETTERS, listed, lostWords } from "./words.js";
/** @import { Run } from "../run/model.js" */
/** @import { Change, Compare } from "./app.js" */

export class Transport {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    const tool = (/** @type {string} */ name, /** @type {string} */ title, /** @type {() => void} */ act, mark = "") => {
      const label = title.replace(/ \(.*/, "");
      const click = () => node.getAttribute("aria-disabled") || act();
      const node = button("", click, { title, "aria-label": label, "data-tool": name, "data-mark": mark || null });
      node.append(icon(name));
      return node;
    };
    const { places } = { places: () => app.places };
    this.first = tool("first", "First message (g)", () => app.walk(1));
    this.earlier = tool("earlier", "Previous difference (D)", () => app.walk(places().differing(app.at, -1)), "differs");
    this.previous = tool("previous", "Previous compaction in any lane (p)", () => app.walk(places().compaction(app.at, -1)), "true");
    this.back = tool("back", "Back one message (←)", () => app.walk(app.at - 1));
    this.play = tool("play", "Play (Space)", () => app.play());
    this.forward = tool("forward", "Forward one message (→)", () => app.walk(app.at + 1));
    this.next = tool("next", "Next compaction in any lane (n)", () => app.walk(places().compaction(app.at, 1)), "true");
    this.later = tool("later", "Next difference (d)", () => app.walk(places().differing(app.at, 1)), "differs");
    this.last = tool("last", "Last message (G)", () => app.walk(app.n));
    this.play.classList.add("fl-play");
    const nodes = [this.first, this.earlier, this.previous, this.back, this.play, this.forward, this.next, this.later, this.last];
    this.number = el("b");
    this.of = el("span");
    this.position = el("span", { class: "fl-position" }, "message ", this.number, this.of);
    this.lead = el("b");
    this.rest = el("span");
    this.plan = el(
      "div",
      { class: "fl-plan", role: "status" },
      el("span", { class: "fl-differ-sign", "aria-hidden": "true" }),
      el("p", {}, this.lead, this.rest),
    );
    const bar = el("div", { class: "fl-transport", role: "toolbar", "aria-label": "Playback" }, ...nodes, this.position);
    this.node = el("div", { class: "fl-bar" }, bar, this.plan);
  }

  /** @param {Change} change */
  update({ runs, cursor, board, playing }) {
    if (runs) this.#widen();
    if (runs || cursor || playing) this.#place();
    if (runs || cursor || board || playing) this.#say();
  }

  /** Room for the largest numbers, so that nothing moves while they grow. */
  #widen() {
    const { n, runs } = this.app;
    const widest = `message ${int(n)} of ${int(n)} · turn ${int(runs[0].store.turnStarts.length)}`;
    this.position.style.width = `${widest.length - 4}ch`;
  }

  #place() {
    const { app } = this;
    const { at, n, places } = app;
    write(this.number, int(at));
    write(this.of, ` of ${int(n)} · turn ${int(lowerBound(app.runs[0].store.turnStarts, at))}`);
    const none = (/** @type {HTMLElement} */ node, /** @type {boolean} */ nothing) => attribute(node, "aria-disabled", nothing ? "true" : null);
    for (const node of [this.first, this.back]) none(node, at <= 1);
    for (const node of [this.forward, this.last]) none(node, at >= n);
    none(this.previous, places.compaction(at, -1) < 0);
    none(this.next, places.compaction(at, 1) < 0);
    none(this.earlier, places.differing(at, -1) < 0);
    none(this.later, places.differing(at, 1) < 0);
    const name = app.playing ? "pause" : "play";
    if (this.play.dataset.icon === name) return;
    this.play.dataset.icon = name;
    this.play.replaceChildren(icon(name));
    attribute(this.play, "aria-label", app.playing ? "Pause" : "Play");
  }

  /** What the lanes have lost, and where they differ next. */
  #say() {
    const { app } = this;
    attribute(this.plan, "aria-live", app.playing ? "off" : "polite");
    const lanes = app.runs.map((_, lane) => lane);
    const { lead, text } = lostWords(app.difference(lanes), app.board.base, lanes.length, tilde(app.runs[0]));
    const next = this.#next();
    if (app.places.first < 0) {
      write(this.lead, "No difference.");
      write(this.rest, " The lanes hold the same messages throughout.");
    } else {
      write(this.lead, lead || "The same window in every lane.");
      write(this.rest, `${text}${next}`);
    }
    attribute(this.plan, "data-tone", lead ? "differs" : null);
    this.plan.title = `${this.lead.textContent}${this.rest.textContent}`;
  }

  #next() {
    const { app } = this;
    const at = app.places.differing(app.at, 1);
    if (at < 0) return "";
    const who = app.runs.flatMap((run, lane) => (compactsAt(run, at) ? [LETTERS[lane]] : []));
    return ` The next difference is at message ${int(at)}: ${listed(who)} ${who.length === 1 ? "compacts" : "compact"}.`;
  }
}

/** Whether a run compacts once so many messages have arrived; at the file's beginning, with its first. @param {Run} run @param {number} at */
function compactsAt({ view }, at) {
  const k = lowerBound(view.c.at, at === 1 ? 0 : at);
  return k < view.c.at.length && view.c.at[k] <= at;
}
