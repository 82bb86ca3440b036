// What looks secret or personal, before anything is written: each entry is masked, or kept as it is.
import { button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { progressWords } from "./looking.js";
/** @import { SearchProgress, Secret } from "./types.js" */

const KNOWN = "Rules find what has a known form, and no name in a sentence: look at the file before you send it.";

export class Review {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Secret[]} */ this.secrets = [];
    /** Numbers of entries that stay as they are. @type {Set<number>} */ this.kept = new Set();
    this.list = "";
    this.head = el("h3");
    const all = button("Mask all", () => this.#all(true), { class: "fl-link" });
    const none = button("Keep all", () => this.#all(false), { class: "fl-link" });
    this.ways = el("span", {}, all, none);
    this.rows = el("tbody");
    const heads = ["masked", "kind", "times", "what"].map((text) => el("th", { scope: "col", text }));
    this.table = el("table", { "aria-label": "What looks secret or personal" }, el("thead", {}, el("tr", {}, ...heads)), this.rows);
    this.box = el("div", { class: "fl-share-rows", tabindex: 0, role: "group", "aria-label": "Review" }, this.table);
    this.bar = el("progress", { "aria-label": "Texts read" });
    this.progress = el("p", { class: "fl-share-progress" });
    this.waits = el("div", { class: "fl-share-wait", hidden: true }, this.bar, this.progress);
    this.note = el("p", { class: "fl-share-note", text: KNOWN });
    this.node = el(
      "section",
      { class: "fl-share-review" },
      el("div", { class: "fl-share-head" }, this.head, this.ways),
      this.waits,
      this.box,
      this.note,
    );
    this.say("");
  }

  /** Say something in the place of the list. @param {string} text */
  say(text) {
    write(this.head, text);
    this.waits.hidden = this.box.hidden = this.ways.hidden = true;
  }

  /** Say how far the search is; at first nobody knows. @param {SearchProgress | null} [progress] */
  wait(progress = null) {
    this.say("Looking for what may be secret…");
    this.waits.hidden = false;
    write(this.progress, progress ? progressWords(progress) : "");
    if (progress && progress.read < progress.of) Object.assign(this.bar, { max: progress.of, value: progress.read });
    else this.bar.removeAttribute("value"); // it goes on for as long as it takes
  }

  /** All are masked at first; in a list that was shown before they stay as they were left. @param {Secret[]} secrets @param {string} list  what names it */
  show(secrets, list) {
    if (list !== this.list) {
      this.list = list;
      this.secrets = secrets;
      this.kept.clear();
      this.rows.replaceChildren(...secrets.map((secret) => this.#row(secret)));
    }
    this.waits.hidden = true;
    this.box.hidden = this.ways.hidden = !secrets.length;
    this.#count();
  }

  /** @param {Secret} secret */
  #row(secret) {
    const { number, kind, preview, times } = secret;
    const change = (/** @type {Event} */ event) => this.#mask(number, /** @type {HTMLInputElement} */ (event.target).checked);
    const box = el("input", { type: "checkbox", id: `fl-secret-${number}`, checked: times > 0, disabled: !times, on: { change } });
    const name = el("label", { for: box.id, text: visible(kind) });
    const found = times ? int(times) : "encoded: cannot be masked";
    return el("tr", {}, el("td", {}, box), el("td", {}, name), el("td", { text: found }), el("td", {}, el("code", { text: visible(preview) })));
  }

  /** @param {number} number @param {boolean} masked */
  #mask(number, masked) {
    if (masked) this.kept.delete(number);
    else this.kept.add(number);
    this.#count();
    this.changed();
  }

  /** @param {boolean} masked */
  #all(masked) {
    for (const box of this.rows.querySelectorAll("input")) if (!box.disabled) box.checked = masked;
    this.kept = new Set(masked ? [] : this.secrets.map(({ number }) => number));
    this.#count();
    this.changed();
  }

  #count() {
    const { length } = this.secrets;
    const masked = this.secrets.filter(({ number, times }) => times && !this.kept.has(number)).length;
    const looks = `${pluralize(length, "entry", "entries")} ${length === 1 ? "looks" : "look"} secret or personal`;
    write(this.head, length ? `${looks}, ${int(masked)} masked` : "Nothing looks secret or personal");
  }
}
