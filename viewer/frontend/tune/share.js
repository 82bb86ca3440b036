// Share, of a sweep: what it found as a page that opens anywhere, or its rows as a table.
import { dialogOf } from "../lib/dialog.js";
import { button, el, write } from "../lib/dom.js";
import { save, saveBlob } from "../lib/saving.js";
import { reportOf } from "./report.js";
/** @import { Tuning } from "./tuning.js" */

const ROWS = "Every run as a row: the path of its session, its setting, and each figure. No text of a session is in it.";

/** A form, what it is called, and what it is. @type {[string, string, string][]} */
const FORMS = [
  [
    "html",
    "Report, one HTML file",
    "The recommendation, the map, the plot and the table as they stand. Opens from disk in any browser and fetches nothing. It names your sessions by their titles.",
  ],
  ["csv", "Runs, CSV", `${ROWS} As foldline tune --csv writes them.`],
  ["parquet", "Runs, Parquet", ROWS],
  ["json", "Runs, JSON", ROWS],
];

export class TuneShare {
  /** @param {Tuning} tuning @param {HTMLElement} page */
  constructor(tuning, page) {
    this.tuning = tuning;
    this.page = page;
    const options = FORMS.map(([name, label]) => el("option", { value: name, text: label }));
    this.form = el("select", { "aria-label": "Form", on: { change: () => this.#chosen() } }, ...options);
    this.about = el("p", { class: "fl-share-about" });
    const keep = button("Save", () => this.#save(), { class: "fl-send fl-share-save" });
    this.node = dialogOf("Share this sweep", "fl-share", this.form, this.about, el("div", { class: "fl-ways" }, keep));
  }

  open() {
    this.#chosen();
    this.node.showModal();
  }

  #chosen() {
    write(this.about, FORMS.find(([name]) => name === this.form.value)?.[2] ?? "");
  }

  #save() {
    const { tuning, form } = this;
    if (form.value === "html") return saveBlob(reportOf(this.page, tuning.sessions.length), "foldline-tune.html");
    const query = new URLSearchParams({ sweep: tuning.sweep, ...(tuning.prices ? { prices: String(tuning.prices) } : {}) });
    save(new URL(`api/tune/rows.${form.value}?${query}`, document.baseURI).href, `foldline-tune.${form.value}`);
  }
}
