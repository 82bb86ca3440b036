// The box that speaks to a live run: one line that grows to four, and the bar with it. Enter sends; "/" offers commands.
import { attribute, button, el } from "../lib/dom.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { LiveState } from "./types.js" */

const MOST_LINES = 4;
const LINE = 18;

/** @type {[string, string][]} */
const COMMANDS = [
  ["/compact", "compact now, regardless of the limit"],
  ["/stop", "cancel the current call and end the turn"],
  ["/reset", "start a new run with the same settings"],
];

/** The commands a text may become. @param {string} text @returns {[string, string][]} */
export const offered = (text) => (/^\/\w*$/.test(text) ? COMMANDS.filter(([name]) => name.startsWith(text)) : []);

export class Chat {
  /** @param {App} app @param {LiveRun} drive @param {HTMLElement} driving  the buttons that drive the run */
  constructor(app, drive, driving) {
    this.app = app;
    this.drive = drive;
    this.prefilled = "";
    this.at = 0;
    this.busy = false;
    const label = { rows: "1", "aria-label": "Message to the agent", "aria-controls": "fl-slash", "aria-autocomplete": "list", spellcheck: "true" };
    this.box = el("textarea", { class: "fl-say", ...label });
    this.menu = el("div", { class: "fl-slash", id: "fl-slash", role: "listbox", "aria-label": "Commands", hidden: true });
    this.driving = driving;
    this.take = button("Take over", () => this.drive.do("take"), { class: "fl-send", hidden: true });
    this.saying = el("div", { class: "fl-saying" }, this.menu, this.box);
    this.node = el("div", { class: "fl-chat" }, this.saying, this.driving, this.take);
    this.box.addEventListener("input", () => this.#typed());
    this.box.addEventListener("keydown", (event) => this.#key(event));
    this.box.addEventListener("blur", () => this.#shut());
    this.drive.on("chat", () => this.box.focus());
    this.drive.on("send", (how) => this.submit(/** @type {object | undefined} */ (how)));
    new ResizeObserver(() => requestAnimationFrame(() => this.#grow())).observe(this.saying);
    void document.fonts.ready.then(() => this.#grow());
  }

  draw() {
    const { state, hindered, lost } = this.drive;
    const follows = Boolean(state) && !lost && hindered !== "";
    this.#prefill(state?.goal ?? "");
    this.box.readOnly = Boolean(hindered);
    attribute(this.box, "aria-disabled", hindered ? "true" : null);
    attribute(this.box, "placeholder", follows ? "Another tab drives this run; you can watch it here" : this.#invitation(state));
    this.driving.hidden = follows;
    this.take.hidden = !follows;
  }

  /** @param {LiveState | null} state */
  #invitation(state) {
    if (!state) return "";
    return this.drive.empty ? "The task for the agent" : "Message to the agent, or / for commands";
  }

  /** A task to begin with, once: what a person wrote stays. @param {string} goal */
  #prefill(goal) {
    if (goal === this.prefilled) return;
    if (this.box.value === this.prefilled) {
      this.#fill(goal);
      this.box.setSelectionRange(0, 0); // whoever comes by key reads it from its first line
    }
    this.prefilled = goal;
  }

  /** @param {string} text */
  #fill(text) {
    this.box.value = text;
    this.drive.text = text;
    this.#grow();
  }

  #typed() {
    this.drive.text = this.box.value;
    this.at = 0;
    this.#offer();
    this.#grow();
    this.drive.changed(); // the main button says what Enter does
  }

  /** As many lines as it holds, four at most; the bar grows with it. It does so whether written in or not: nothing moves under a click that leaves it. */
  #grow() {
    const { box } = this;
    box.style.height = "";
    const lines = Math.round(box.scrollHeight / LINE);
    const more = LINE * (Math.min(MOST_LINES, Math.max(1, lines)) - 1);
    box.style.height = `${30 + more}px`;
    this.app.root.style.setProperty("--fl-say-more", `${more}px`);
    if (!box.matches(":focus")) box.scrollTop = 0;
  }

  #offer() {
    const found = offered(this.box.value);
    this.menu.hidden = !found.length;
    this.at = Math.min(this.at, Math.max(0, found.length - 1));
    this.menu.replaceChildren(...found.map(([name, about], k) => this.#option(name, about, k)));
    attribute(this.box, "aria-activedescendant", found.length ? `fl-slash-${this.at}` : null);
  }

  /** @param {string} name @param {string} about @param {number} k */
  #option(name, about, k) {
    const node = el("div", { id: `fl-slash-${k}`, role: "option", "aria-selected": String(k === this.at) }, el("b", { text: name }), ` ${about}`);
    node.addEventListener("pointerdown", (event) => (event.preventDefault(), this.#choose(name)));
    return node;
  }

  #shut() {
    this.menu.hidden = true;
    attribute(this.box, "aria-activedescendant", null);
  }

  /** @param {string} name */
  #choose(name) {
    this.#fill(name);
    this.#shut();
    void this.submit();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.isComposing) return;
    const found = this.menu.hidden ? [] : offered(this.box.value);
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (found.length && move) this.at = (this.at + move + found.length) % found.length;
    else if (found.length && event.key === "Tab" && !event.shiftKey) this.#fill(found[this.at][0]);
    else if (found.length && event.key === "Enter") this.#choose(found[this.at][0]);
    else if (event.key === "Enter" && !event.shiftKey) void this.submit();
    else if (event.key === "Escape") this.menu.hidden ? this.app.root.focus({ preventScroll: true }) : this.#shut();
    else return;
    event.preventDefault();
    if (found.length && (move || event.key === "Tab")) this.#offer();
  }

  /** Send what is written; it stays in the box where it is refused. @param {object} [how]  {step: true}: pause after one model call */
  async submit(how = {}) {
    const text = this.box.value.trim();
    if (!text) return this.box.focus();
    if (this.busy) return;
    this.busy = true;
    const answer = await this.drive.do("say", { text, ...how });
    this.busy = false;
    if (answer && this.box.value.trim() === text) this.#fill("");
    if (answer && this.app.run) this.app.setFollow(true);
    if (answer && this.box.matches(":focus")) this.app.root.focus({ preventScroll: true }); // the keys drive now
    this.draw();
  }
}
