// Where a live run pauses by itself: step mode, and breakpoints with their conditions and hits; and where to run to.
import { dialogOf } from "../lib/dialog.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { toggle } from "../settings/amount.js";
import { BreakpointForm } from "./breakpointform.js";
/** @import { Condition } from "./breakpointform.js" */
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { Breakpoint } from "./types.js" */

const NONE = "No breakpoints. A breakpoint pauses the run before the next model call after a hit; one on a tool pauses before the tool runs.";

export class BreakpointDialog {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    this.drawn = "";
    /** The breakpoint that is being changed, by its id; 0 for none. */ this.editing = 0;
    this.stepping = toggle("Pause before every model call", false, (on) => this.drive.do("set", { stepping: on }));
    const step = el(
      "label",
      { class: "fl-stopline" },
      this.stepping,
      el("span", {}, el("b", { text: "Step mode" }), ": pause before every model call"),
    );
    this.list = el("ul", { class: "fl-stops", "aria-label": "Breakpoints" });
    this.none = el("p", { class: "fl-nostop", text: NONE });
    this.form = new BreakpointForm({
      add: (condition) => this.#save(condition),
      runTo: (condition) => this.#runTo(condition),
      usual: () => this.app.run?.view.policy?.limit ?? this.drive.state?.next?.tokens ?? 8000,
    });
    this.toEnd = button("Run to the end of the turn", () => this.#runTo(null), {
      class: "fl-send",
      title: "Continue until the model answers: step mode does not pause the run, breakpoints do",
    });
    this.foot = el("p", { class: "fl-nostop" });
    this.node = dialogOf(
      "Breakpoints",
      "fl-breakpoints",
      step,
      this.none,
      this.list,
      this.form.node,
      el("div", { class: "fl-stopend" }, this.foot, this.toEnd),
    );
    this.drive.on("breakpoints", () => this.open());
  }

  open() {
    if (this.node.open) return;
    this.drawn = "";
    this.#edit(null);
    this.node.showModal();
    this.draw();
    this.form.kind.focus();
    void this.drive.conditions().then(
      (known) => this.form.offer(known),
      (error) => this.app.message(error.message),
    );
  }

  /** @returns {Breakpoint[]} */
  get stops() {
    return this.drive.state?.breakpoints ?? [];
  }

  /** Add a breakpoint, or put it in the place of the one that is being changed. @param {Condition} condition @returns {Promise<string>} */
  async #save(condition) {
    const id = this.editing || 1 + Math.max(0, ...this.stops.map((stop) => stop.id));
    const made = { ...condition, on: true, id };
    const there = this.stops.some((stop) => stop.id === id);
    const wrong = await this.#set(there ? this.stops.map((stop) => (stop.id === id ? made : stop)) : [...this.stops, made]);
    if (wrong) return wrong;
    this.#edit(null);
    this.form.kind.focus(); // the field that was written in is gone, and Escape would not reach the dialog
    return "";
  }

  /** @param {Omit<Breakpoint, "words">[]} stops @returns {Promise<string>} what is wrong with them, "" for nothing */
  #set(stops) {
    return refusalOf(this.drive.order("set", { breakpoints: stops.map(plain) }));
  }

  /** @param {Condition | null} target  null for the end of the turn @returns {Promise<string>} */
  async #runTo(target) {
    const wrong = await refusalOf(this.drive.order("to", { target }));
    if (!wrong) this.node.close();
    else if (!target) this.app.message(wrong);
    return wrong;
  }

  /** @param {Breakpoint | null} stop */
  #edit(stop) {
    this.editing = stop?.id ?? 0;
    this.form.edit(stop);
    this.drawn = "";
  }

  draw() {
    const { state, hindered } = this.drive;
    if (!this.node.open || !state) return;
    this.stepping.checked = state.stepping;
    this.stepping.disabled = Boolean(hindered);
    const why =
      hindered ||
      (state.status === "running" ? "" : state.more || state.status === "paused" ? "" : "There is no turn to continue: send a message first");
    for (const node of [this.form.to, this.toEnd]) attribute(node, "disabled", why ? true : null);
    write(this.foot, why || "A model call that fails always pauses the run.");
    const known = JSON.stringify([this.stops, hindered, this.editing]);
    if (known === this.drawn) return;
    this.drawn = known;
    const root = /** @type {ShadowRoot | Document} */ (this.node.getRootNode());
    const held = /** @type {HTMLElement | null} */ (root.activeElement)?.dataset.stop;
    this.none.hidden = this.stops.length > 0;
    this.list.replaceChildren(...this.stops.map((stop) => this.#row(stop)));
    for (const field of this.form.node.querySelectorAll("select, input, [type=submit]")) attribute(field, "disabled", hindered ? true : null);
    const again = /** @type {HTMLElement | null} */ (held ? this.list.querySelector(`[data-stop="${held}"]`) : null);
    if (held) (again ?? this.form.kind).focus();
  }

  /** @param {Breakpoint} stop */
  #row(stop) {
    const words = visible(stop.words);
    const box = toggle(words, stop.on, (on) => this.#set(this.stops.map((one) => (one.id === stop.id ? { ...one, on } : one))));
    box.dataset.stop = `on-${stop.id}`;
    box.disabled = Boolean(this.drive.hindered);
    const remove = () => void this.#set(this.stops.filter((one) => one.id !== stop.id));
    const edit = button("Edit", () => (this.#edit(stop), this.draw(), this.form.kind.focus()), link("Edit", words, `edit-${stop.id}`));
    const away = button("Remove", remove, link("Remove", words, `off-${stop.id}`));
    const from = stop.from_hit > 1 ? ` (pauses from hit ${int(stop.from_hit)} on)` : "";
    const hits = el("span", { class: "fl-hits", text: stop.hit ? "paused here" : stop.hits ? pluralize(stop.hits, "hit") : "" });
    const row = el("li", { class: "fl-stopline", "data-hit": stop.hit ? "true" : null, "aria-current": stop.id === this.editing ? "true" : null });
    row.append(el("label", {}, box, el("span", { text: words + from })), hits, edit, away);
    row.addEventListener("keydown", (event) => event.key === "Delete" && !this.drive.hindered && remove());
    return row;
  }
}

/** @param {string} what @param {string} words @param {string} stop */
const link = (what, words, stop) => ({ class: "fl-link", "aria-label": `${what}: ${words}`, "data-stop": stop });

/** What the server needs of a breakpoint. @param {Omit<Breakpoint, "words">} stop */
const plain = ({ kind, value, argument, pattern, role, regex, from_hit, on, id }) => ({
  kind,
  value,
  argument,
  pattern,
  role,
  regex,
  from_hit,
  on,
  id,
});

/** What was refused, in words; "" where nothing was. @param {Promise<unknown>} request @returns {Promise<string>} */
export const refusalOf = (request) =>
  request.then(
    () => "",
    (error) => visible(error instanceof Error ? error.message : String(error)),
  );
