// Where a live run pauses by itself: step mode, and breakpoints of four kinds.
import { dialogOf } from "../lib/dialog.js";
import { attribute, button, el, visible } from "../lib/dom.js";
import { toggle } from "../settings/amount.js";
import { STOPS, stopWords } from "./statewords.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { Breakpoint } from "./types.js" */

const ANY = "";

export class BreakpointDialog {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    this.drawn = "";
    this.stepping = toggle("Pause before every model call", false, (on) => this.drive.do("set", { stepping: on }));
    const step = el(
      "label",
      { class: "fl-stopline" },
      this.stepping,
      el("span", {}, el("b", { text: "Step mode" }), ": pause before every model call"),
    );
    this.list = el("ul", { class: "fl-stops", "aria-label": "Breakpoints" });
    this.none = el("p", { class: "fl-nostop", text: "No breakpoints. The run pauses before the next model call after a match." });
    this.kind = el("select", { "aria-label": "Kind of breakpoint", on: { change: () => this.#ask() } });
    this.value = el("span", { class: "fl-stopvalue" });
    /** @type {Breakpoint[] | null} */ this.sent = null;
    this.form = this.#form();
    this.node = dialogOf("Breakpoints", "fl-breakpoints", step, this.none, this.list, this.form);
    this.drive.on("breakpoints", () => this.open());
  }

  open() {
    if (this.node.open) return;
    this.drawn = "";
    this.node.showModal();
    this.draw();
    this.kind.focus();
  }

  #form() {
    for (const [kind, text] of [
      ["tokens", "tokens over"],
      ["tool", "tool"],
      ["text", "text"],
      ["compaction", "compaction"],
    ])
      this.kind.append(el("option", { value: kind, text }));
    const add = el("button", { type: "submit", class: "fl-send", text: "Add" });
    const form = el("form", { class: "fl-addstop" }, el("span", { text: "Pause on" }), this.kind, this.value, add);
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#add()));
    return form;
  }

  /** The field for the value of the kind that is chosen. */
  #ask() {
    const { asks } = STOPS[/** @type {keyof typeof STOPS} */ (this.kind.value)];
    const label = { "aria-label": "Value", required: true };
    const tools = (this.drive.state?.tools ?? []).map((name) => el("option", { value: name, text: visible(name) }));
    const field = {
      number: () => el("input", { type: "number", min: "1", step: "1", value: String(this.#usual()), ...label }),
      tool: () => el("select", { "aria-label": "Tool" }, el("option", { value: ANY, text: "any tool" }), ...tools),
      text: () => el("input", { type: "text", maxlength: "200", placeholder: "a word or a line", ...label }),
    }[asks];
    this.value.replaceChildren(...(field ? [field()] : []));
    this.asked = this.kind.value + tools.length;
  }

  /** A number of tokens to begin with: the limit, or what the next call is sent. */
  #usual() {
    return this.app.run?.view.policy?.limit ?? this.drive.state?.next?.tokens ?? 8000;
  }

  #add() {
    const field = /** @type {HTMLInputElement | null} */ (this.value.firstElementChild);
    const kind = /** @type {keyof typeof STOPS} */ (this.kind.value);
    const value = kind === "tokens" ? Math.round(Number(field?.value)) : (field?.value.trim() ?? "");
    if ((kind === "tokens" && !(Number(value) > 0)) || (kind === "text" && !value)) return field?.focus();
    const id = 1 + Math.max(0, ...this.stops.map((stop) => stop.id));
    this.#set([...this.stops, { kind, value, on: true, id }]);
    if (kind === "text" && field) field.value = "";
  }

  /** @returns {Breakpoint[]} */
  get stops() {
    return this.sent ?? this.drive.state?.breakpoints ?? [];
  }

  /** @param {Breakpoint[]} stops  shown at once; what the server makes of them is what stays */
  async #set(stops) {
    this.sent = stops;
    this.draw();
    await this.drive.do("set", { breakpoints: stops.map(({ kind, value, on, id }) => ({ kind, value, on, id })) });
    this.sent = null;
  }

  draw() {
    const { state, hindered } = this.drive;
    if (!this.node.open || !state) return;
    this.stepping.checked = state.stepping;
    this.stepping.disabled = Boolean(hindered);
    if (this.asked !== this.kind.value + state.tools.length) this.#ask();
    const known = JSON.stringify([this.stops, hindered]);
    if (known === this.drawn) return;
    this.drawn = known;
    const root = /** @type {ShadowRoot | Document} */ (this.node.getRootNode());
    const held = /** @type {HTMLElement | null} */ (root.activeElement)?.dataset.stop;
    this.none.hidden = this.stops.length > 0;
    this.list.replaceChildren(...this.stops.map((stop) => this.#row(stop)));
    for (const field of this.form.querySelectorAll("button, select, input")) attribute(field, "disabled", hindered ? true : null);
    const again = /** @type {HTMLElement | null} */ (held ? this.list.querySelector(`[data-stop="${held}"]`) : null);
    if (held) (again ?? this.kind).focus();
  }

  /** @param {Breakpoint} stop */
  #row(stop) {
    const words = visible(stopWords(stop));
    const box = toggle(words, stop.on, (on) => this.#set(this.stops.map((one) => (one.id === stop.id ? { ...one, on } : one))));
    box.dataset.stop = `on-${stop.id}`;
    box.disabled = Boolean(this.drive.hindered);
    const away = button("Remove", () => this.#set(this.stops.filter((one) => one.id !== stop.id)), {
      class: "fl-link",
      "aria-label": `Remove: ${words}`,
      "data-stop": `off-${stop.id}`,
    });
    const hit = stop.hit ? el("span", { class: "fl-hitmark", text: "paused here" }) : "";
    return el("li", { class: "fl-stopline", "data-hit": stop.hit ? "true" : null }, el("label", {}, box, el("span", { text: words })), hit, away);
  }
}
