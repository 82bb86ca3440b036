// The tool call that a live run waits before: its arguments can be edited, or a person answers in the tool's place.
import { dialogOf } from "../lib/dialog.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { refusalOf } from "./breakpoints.js";
import { busy } from "./statewords.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { WaitingCall } from "./types.js" */

const EDITED = "The call in the window stays as the model wrote it. The first line of the result says which arguments the tool received.";
const GIVEN = "The tool does not run. The first line of the result says that a person wrote it.";

export class ToolCallDialog {
  /** @param {LiveRun} drive @param {HTMLElement} page  gets the focus once the run goes on */
  constructor(drive, page) {
    this.drive = drive;
    this.page = page;
    /** @type {WaitingCall | null} */ this.call = null;
    this.opener = button("Edit call…", () => this.open(), {
      class: "fl-send",
      title: "Edit the arguments, or answer in the tool's place (e)",
      hidden: true,
    });
    this.arguments = area("Arguments, as JSON", "fl-callargs");
    this.result = area("Result", "fl-callresult");
    this.isError = el("input", { type: "checkbox", id: "fl-call-error" });
    this.wrongArguments = el("p", { class: "fl-stoperror", role: "alert" });
    this.wrongResult = el("p", { class: "fl-stoperror", role: "alert" });
    this.run = ways("Run with these arguments", "Run and continue", (pause) => this.#run(pause));
    this.answer = ways("Answer in its place", "Answer and continue", (pause) => this.#answer(pause));
    this.schema = el("pre", { class: "fl-schema", tabindex: "0", "aria-label": "Schema" });
    this.shown = el("details", { class: "fl-schemabox" }, el("summary", { text: "Schema of the arguments" }), this.schema);
    this.node = dialogOf("Before the tool runs", "fl-toolcall", this.#editing(), this.#answering());
    this.result.addEventListener("input", () => this.#lead());
    drive.on("tool call", () => this.open());
  }

  /** The primary button runs the tool; once an answer is written, it gives that. */
  #lead() {
    const answers = this.result.value !== "";
    attribute(this.run[0], "data-primary", answers ? null : "true");
    attribute(this.answer[0], "data-primary", answers ? "true" : null);
  }

  #editing() {
    this.title = el("h3");
    const ways = el("div", { class: "fl-ways" }, ...this.run);
    return el("section", {}, this.title, this.arguments, this.wrongArguments, el("p", { class: "fl-callnote", text: EDITED }), this.shown, ways);
  }

  #answering() {
    const error = el("label", { for: "fl-call-error" }, this.isError, " as an error");
    const ways = el("div", { class: "fl-ways" }, ...this.answer, error);
    return el(
      "section",
      {},
      el("h3", { text: "Or answer in its place" }),
      this.result,
      this.wrongResult,
      el("p", { class: "fl-callnote", text: GIVEN }),
      ways,
    );
  }

  draw() {
    const { state, hindered } = this.drive;
    const waits = Boolean(state?.tool) && !busy(state);
    this.opener.hidden = !waits || Boolean(hindered);
    if (this.node.open && !waits) this.node.close();
    for (const node of [...this.run, ...this.answer]) attribute(node, "disabled", hindered ? true : null);
  }

  async open() {
    if (this.node.open) return;
    if (!this.drive.state?.tool) return this.drive.tell.message("No tool is about to run: pause before one first, with a breakpoint on a tool");
    try {
      this.#fill(await this.drive.waitingCall());
    } catch (error) {
      return this.drive.tell.message(error instanceof Error ? error.message : String(error));
    }
    this.node.showModal();
    this.arguments.focus();
  }

  /** @param {WaitingCall} call */
  #fill(call) {
    const other = call.id !== this.call?.id;
    this.call = call;
    write(/** @type {Node} */ (this.title), visible(call.name));
    if (other) Object.assign(this.result, { value: "" });
    this.#lead();
    this.arguments.value = call.arguments;
    this.isError.checked = false;
    for (const node of [this.wrongArguments, this.wrongResult]) write(node, "");
    write(this.schema, visible(call.schema ?? ""));
    this.shown.hidden = !call.schema;
  }

  /** @param {boolean} pause */
  async #run(pause) {
    const what = { call: this.call?.id, arguments: this.arguments.value, pause };
    write(this.wrongArguments, await refusalOf(this.drive.order("edit", what)));
    this.#close(!this.wrongArguments.textContent);
  }

  /** @param {boolean} pause */
  async #answer(pause) {
    const what = { call: this.call?.id, text: this.result.value, error: this.isError.checked, pause };
    write(this.wrongResult, await refusalOf(this.drive.order("answer", what)));
    this.#close(!this.wrongResult.textContent);
  }

  /** @param {boolean} done */
  #close(done) {
    if (!done) return;
    this.node.close();
    this.page.focus({ preventScroll: true });
  }
}

/** @param {string} label @param {string} kind */
const area = (label, kind) => el("textarea", { class: `fl-area ${kind}`, "aria-label": label, spellcheck: "false", rows: "6" });

/**
 * The two buttons that let the call have its result: the run pauses again behind it, or goes on.
 * @param {string} once @param {string} on @param {(pause: boolean) => void} act
 */
const ways = (once, on, act) => [
  button(once, () => act(true), { class: "fl-send", title: "This one call: the run pauses again before the next model call or tool" }),
  button(on, () => act(false), { class: "fl-send", title: "The run goes on, as Continue does" }),
];
