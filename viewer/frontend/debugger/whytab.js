// Why as a tab of the inspector, beside what is chosen; without a question there are no tabs.

import { attribute, button, el, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { WhyPanel } from "../why/panel.js";
import { TriedAway } from "../why/triedaway.js";
import { leaveArrows, typing } from "../lib/keys.js";
import { recordedKey, subjectOf } from "./subject.js";
import { WhyOffer } from "./whyoffer.js";
/** @import { App } from "./app.js" */

/** The two tabs: Why in front, and what is chosen. */
const SIDES = /** @type {const} */ ([true, false]);

export class WhyTab {
  /** @param {HTMLElement} root  the inspector @param {HTMLElement} body  what the other tab shows @param {App} app */
  constructor(root, body, app) {
    this.root = root;
    this.body = body;
    this.app = app;
    this.panel = new WhyPanel(app);
    this.away = new TriedAway(root, this.panel.tried);
    this.offer = new WhyOffer(app);
    const named = { class: "fl-why-tab", role: "tab" };
    this.front = button("Why", () => app.why.bring(true), { ...named, id: "fl-why-tab", "aria-controls": "fl-why-panel" });
    this.behind = button("", () => app.why.bring(false), { ...named, id: "fl-chosen-tab", "aria-controls": "fl-chosen-panel" });
    const on = { keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event), mousedown: leaveArrows };
    const tabs = el("div", { class: "fl-why-tabs", role: "tablist", "aria-label": "Inspector", on });
    tabs.append(this.front, this.behind);
    this.nth = el("span");
    /** Of a lost text what it is, where there is room. */ this.kind = el("span", { class: "fl-why-kind" });
    this.count = el("span", { class: "fl-why-nth" }, this.nth, this.kind);
    const icon = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => unknown} */ press) =>
      button(text, press, { class: "fl-icon", "aria-label": name, title: name });
    this.previous = icon("‹", "", () => this.#turn(-1));
    this.next = icon("›", "", () => this.#turn(1));
    this.turns = el("span", {}, this.previous, this.count, this.next);
    const close = icon("×", "Close Why (Esc)", () => this.#close());
    this.node = el("div", { class: "fl-why-top" }, tabs, el("span", { class: "fl-why-turn" }, this.turns, close));
    app.root.addEventListener("keydown", (event) => this.#pin(event));
    this.update();
  }

  /** The window on show becomes another while the cursor stays. */
  follow() {
    const { run, step } = this.app;
    if (run && step < run.length && this.app.shownStep !== this.told) this.update(); // a live run that grew may be yet to come
  }

  update() {
    const { why, run } = this.app;
    /** The step of which it tells. */ this.told = run?.length ? this.app.shownStep : -1;
    const { open, front } = why;
    const hides = front && this.body.matches(":focus-within"); // what asked goes behind Why, which then takes the keys
    this.#stand(open);
    this.panel.node.hidden = this.offer.node.hidden = !front;
    attribute(this.root, "data-why", open ? (front ? "front" : "behind") : null);
    this.#asPanel(open);
    if (open) this.#tabs(front);
    if (open && run?.length) this.#turns();
    if (run) this.panel.update();
    this.away.update(open);
    if (open && run && !why.chosen) this.offer.update();
    if (hides) (why.chosen ? this.panel : this.offer).take();
  }

  /** Its nodes are on the page while it is open: of a text its panel, else what can be asked. @param {boolean} open */
  #stand(open) {
    const [shown, other] = this.app.why.chosen ? [this.panel.node, this.offer.node] : [this.offer.node, this.panel.node];
    other.remove();
    if (!open) for (const node of [this.node, shown]) node.remove();
    else if (this.node.parentNode !== this.root || shown.parentNode !== this.root) this.root.prepend(this.node, shown);
  }

  /** @param {boolean} front */
  #tabs(front) {
    [this.front, this.behind].forEach((tab, i) => {
      const chosen = SIDES[i] === front;
      attribute(tab, "aria-selected", String(chosen));
      attribute(tab, "tabindex", chosen ? 0 : -1);
    });
    if (this.app.run?.length) write(this.behind, nameOf(this.app));
  }

  /** Which lost text of how many it is; of any other, which of those that are followed. */
  #turns() {
    const { why, lost } = this.app;
    void lost.join();
    const { walk } = lost;
    const [at, of] = walk ? [walk.at, walk.texts.length] : [why.at, why.lanes.length];
    this.turns.hidden = !walk && of < 2;
    write(this.nth, `${walk ? "Lost text " : ""}${int(at + 1)} of ${int(of)}`);
    write(this.kind, walk ? ` · ${walk.texts[at].kind}` : "");
    attribute(this.count, "title", walk?.words ?? null);
    for (const one of [this.previous, this.next]) one.hidden = of < 2;
    this.#name(this.previous, walk ? "Previous lost text (W)" : "Previous text ([)");
    this.#name(this.next, walk ? "Next lost text (w)" : "Next text (])");
  }

  /** @param {HTMLElement} node @param {string} name */
  #name(node, name) {
    attribute(node, "aria-label", name);
    attribute(node, "title", name);
  }

  /** @param {1 | -1} by */
  #turn(by) {
    const { why, lost } = this.app;
    if (lost.walk) lost.turn(by);
    else why.turn(by);
  }

  /** What is chosen is the other tab's panel while there are tabs. @param {boolean} open */
  #asPanel(open) {
    attribute(this.body, "role", open ? "tabpanel" : null);
    attribute(this.body, "id", open ? "fl-chosen-panel" : null);
    attribute(this.body, "aria-labelledby", open ? "fl-chosen-tab" : null);
  }

  #close() {
    this.app.why.close();
    this.app.root.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!/^(ArrowLeft|ArrowRight|Home|End)$/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const front = event.key === "Home" || (event.key !== "End" && !this.app.why.front);
    this.app.why.bring(front);
    (front ? this.front : this.behind).focus();
  }

  /** While Why offers to pin a message, h pins that one. @param {KeyboardEvent} event */
  #pin(event) {
    if (event.key !== "h" || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || typing(event)) return;
    if (this.panel.pin()) event.preventDefault();
  }

  stop() {
    this.panel.stop();
  }
}

/** What the other tab shows: "Message 149", "Compaction". @param {App} app */
function nameOf(app) {
  if (app.overview) return "Overview";
  if (recordedKey(app.selected) >= 0) return "Recorded";
  const what = subjectOf(app);
  if ("card" in what) return "Compaction";
  if ("attempt" in what) return "Attempt";
  return what.message < app.run.n ? `Message ${int(what.message + 1)}` : capitalized(app.run.pool.row(what.message).label || "message");
}
