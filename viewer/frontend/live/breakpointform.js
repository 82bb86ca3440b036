// The form of a breakpoint: what kind it is, its condition, and from which hit on it pauses the run.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { kindWords } from "../run/findingwords.js";
/** @import { Breakpoint, BreakpointKind, Conditions } from "./types.js" */

/** @type {[BreakpointKind, string][]} */
const KINDS = [
  ["tool", "tool"],
  ["text", "text"],
  ["tokens", "tokens over"],
  ["messages", "message number"],
  ["finding", "finding"],
  ["error", "error"],
  ["before_compaction", "before a compaction"],
  ["compaction", "after a compaction"],
];
/** @type {[string, string][]} */
const ROLES = [
  ["", "any message"],
  ["user", "a user message"],
  ["assistant", "an assistant message"],
  ["tool", "a tool result"],
];
/** @type {[string, string][]} */
const ERRORS = [
  ["", "any error"],
  ["tool", "a tool's error"],
  ["compaction", "a failed compaction"],
];
/** The largest number of each field; the server takes no hit above. @type {Record<string, number>} */
const MOST = { Tokens: 1e9, "Message number": 1e6, "From hit": 1e6 };

/** What a form makes: a breakpoint without its id. @typedef {Omit<Breakpoint, "id" | "on" | "words" | "hit" | "hits">} Condition */

export class BreakpointForm {
  /**
   * @param {{add: (condition: Condition) => Promise<string>, runTo: (condition: Condition) => Promise<string>, usual: () => number}} does  both
   * answer with what is wrong, "" for nothing; a number of tokens to begin with
   */
  constructor(does) {
    this.does = does;
    /** @type {Conditions} */ this.known = { tools: {}, findings: [] };
    this.kind = select("Kind of breakpoint", KINDS, () => this.#ask());
    this.fields = el("span", { class: "fl-stopvalue" });
    this.from = number("from_hit", "From hit", 1);
    this.from.classList.add("fl-fromhit");
    this.wrong = el("p", { class: "fl-stoperror", id: "fl-stop-wrong", role: "alert" });
    this.add = el("button", { type: "submit", class: "fl-send", "data-primary": "true", text: "Add" });
    this.to = button("Run to it", () => this.#send(this.does.runTo), {
      class: "fl-send",
      title: "Continue, once, until this condition is hit; step mode does not pause the run on the way, breakpoints do",
    });
    this.hits = el("label", { class: "fl-stophits" }, el("span", { text: "from hit" }), this.from);
    this.node = el(
      "form",
      { class: "fl-addstop", novalidate: true },
      el("span", { text: "Pause on" }),
      this.kind,
      this.fields,
      this.hits,
      this.add,
      this.to,
      this.wrong,
    );
    this.node.addEventListener("change", () => this.#say(this.#wrongNumber()));
    this.node.addEventListener("submit", (event) => (event.preventDefault(), this.#send(this.does.add)));
    this.#ask();
  }

  /** What there is to wait for. @param {Conditions} known */
  offer(known) {
    if (JSON.stringify(known) === JSON.stringify(this.known)) return;
    const before = this.#read();
    this.known = known;
    this.#ask();
    this.#fill(before);
  }

  /** Show a breakpoint to be changed, or an empty form for a new one. @param {Condition | null} stop */
  edit(stop) {
    write(this.add, stop ? "Save" : "Add");
    this.from.value = String(stop?.from_hit ?? 1);
    if (!stop) return this.#ask();
    this.kind.value = stop.kind;
    this.#ask();
    this.#fill(stop);
  }

  /** The fields of the kind that is chosen. */
  #ask() {
    const kind = /** @type {BreakpointKind} */ (this.kind.value);
    this.fields.replaceChildren(...this.#fieldsOf(kind));
    this.hits.hidden = kind === "messages"; // a message arrives once
    this.#say(null);
  }

  /** @param {BreakpointKind} kind @returns {(Node | string)[]} */
  #fieldsOf(kind) {
    const { tools, findings } = this.known;
    switch (kind) {
      case "tokens":
        return [number("value", "Tokens", Math.round(this.does.usual()))];
      case "messages":
        return [number("value", "Message number", 1), "has arrived"];
      case "tool":
        return this.#toolFields(Object.keys(tools));
      case "text":
        return [
          text("value", "Text", "a word or a line", true),
          named("regex", el("input", { type: "checkbox", id: "fl-stop-regex" })),
          el("label", { for: "fl-stop-regex", text: "as a pattern (RE2)" }),
          "in",
          named("role", select("Role", ROLES)),
        ];
      case "finding":
        return [named("value", select("Kind of finding", [["", "any finding"], ...findings.map((f) => pair(f, kindWords(f)))]))];
      case "error":
        return [named("value", select("Kind of error", ERRORS))];
      default:
        return [];
    }
  }

  /** @param {string[]} tools */
  #toolFields(tools) {
    const tool = select("Tool", [["", "any tool"], ...tools.map((name) => pair(name, visible(name)))], () => this.#arguments(tool, argument));
    const argument = select("Argument", [["", "an argument"]]);
    this.#arguments(tool, argument);
    return [named("value", tool), "with", named("argument", argument), "matching", text("pattern", "Pattern", "any (RE2)", false)];
  }

  /** @param {HTMLSelectElement} tool @param {HTMLSelectElement} argument */
  #arguments(tool, argument) {
    const { tools } = this.known;
    const names = tool.value ? (tools[tool.value] ?? []) : [...new Set(Object.values(tools).flat())];
    argument.replaceChildren(
      ...[["", "any argument"], ...names.map((name) => pair(name, visible(name)))].map(([value, words]) => el("option", { value, text: words })),
    );
  }

  /** @param {string} name @returns {HTMLInputElement | null} */
  #field(name) {
    return this.fields.querySelector(`[data-field="${name}"]`);
  }

  /** @returns {Condition} */
  #read() {
    const kind = /** @type {BreakpointKind} */ (this.kind.value);
    const of = (/** @type {string} */ name) => this.#field(name)?.value.trim() ?? "";
    const counts = kind === "tokens" || kind === "messages";
    return {
      kind,
      value: counts ? Number(of("value")) : of("value"),
      argument: of("pattern") ? of("argument") : "",
      pattern: of("pattern"),
      role: of("role"),
      regex: Boolean(this.#field("regex")?.checked),
      from_hit: this.hits.hidden ? 1 : Number(this.from.value),
    };
  }

  /** @param {Condition} stop */
  #fill(stop) {
    for (const name of /** @type {const} */ (["value", "argument", "pattern", "role"])) {
      const field = this.#field(name);
      if (field) field.value = String(stop[name]);
      if (name === "value" && stop.kind === "tool") field?.dispatchEvent(new Event("change"));
    }
    const regex = this.#field("regex");
    if (regex) regex.checked = stop.regex;
  }

  /** The first field with an impossible number. @returns {Wrong | null} */
  #wrongNumber() {
    /** @type {NodeListOf<HTMLInputElement>} */ const fields = this.node.querySelectorAll("input[type=number]");
    for (const field of fields) {
      const [label, number] = [field.getAttribute("aria-label") ?? "", Number(field.value)];
      if (field === this.from && this.hits.hidden) continue;
      if (Number.isInteger(number) && number >= 1 && number <= MOST[label]) continue;
      const given = field.value ? `, not ${field.value}` : "";
      return { field, words: `${label} must be a whole number from 1 to ${int(MOST[label])}${given}.` };
    }
    return null;
  }

  /** A breakpoint on a text without one. @returns {Wrong | null} */
  #noText() {
    const field = this.kind.value === "text" ? this.#field("value") : null;
    return field && !field.value.trim() ? { field, words: "Type the text to wait for." } : null;
  }

  /** Say what is wrong, beside the field that it is wrong in. @param {Wrong | null} wrong */
  #say(wrong) {
    write(this.wrong, wrong?.words ?? "");
    for (const field of this.node.querySelectorAll("input")) {
      attribute(field, "aria-invalid", field === wrong?.field ? "true" : null);
      attribute(field, "aria-describedby", field === wrong?.field ? this.wrong.id : null);
    }
  }

  /** @param {(condition: Condition) => Promise<string>} act */
  async #send(act) {
    const wrong = this.#wrongNumber() ?? this.#noText();
    this.#say(wrong);
    if (wrong) return wrong.field.focus();
    write(this.wrong, await act(this.#read()));
  }
}

/** A field and what is wrong with it. @typedef {{field: HTMLInputElement, words: string}} Wrong */

/** @param {string} value @param {string} words @returns {[string, string]} */
const pair = (value, words) => [value, words];

/** @template {HTMLElement} N @param {string} name @param {N} node */
function named(name, node) {
  node.dataset.field = name;
  return node;
}

/** @param {string} label @param {[string, string][]} options @param {() => void} [change] */
function select(label, options, change = () => {}) {
  return el("select", { "aria-label": label, on: { change } }, ...options.map(([value, words]) => el("option", { value, text: words })));
}

/** @param {string} name @param {string} label @param {number} value */
const number = (name, label, value) => named(name, el("input", { type: "number", min: "1", step: "1", value: String(value), "aria-label": label }));

/** @param {string} name @param {string} label @param {string} placeholder @param {boolean} required */
const text = (name, label, placeholder, required) =>
  named(name, el("input", { type: "text", maxlength: "200", placeholder, "aria-label": label, required }));
