// The request that would be sent next, word for word, in a dialog from which it can be copied.
import { dialogOf } from "../lib/dialog.js";
import { button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { block } from "../lib/text.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */

export class RequestDialog {
  /** @param {LiveRun} drive */
  constructor(drive) {
    this.drive = drive;
    this.text = "";
    this.note = el("p", { class: "fl-reqnote" });
    this.body = el("div", { class: "fl-reqbody", tabindex: "0", role: "region", "aria-label": "Request body" });
    this.copy = button("Copy", () => this.#copy(), { class: "fl-send" });
    const again = button("Refresh", () => this.#ask(), { class: "fl-send" });
    this.node = dialogOf("The next request", "fl-request", el("div", { class: "fl-reqhead" }, this.note, again, this.copy), this.body);
    drive.on("request", () => this.open());
  }

  open() {
    if (this.node.open) return;
    this.node.showModal();
    this.copy.focus();
    void this.#ask();
  }

  async #ask() {
    write(this.note, "Loading…");
    try {
      const { body, note } = await this.drive.request();
      this.text = JSON.stringify(body, null, 2);
      this.body.replaceChildren(block(this.text, ""));
      write(this.note, [visible(note ?? ""), `${int(this.text.length)} characters`].filter(Boolean).join(" · "));
    } catch (error) {
      this.text = "";
      this.body.replaceChildren();
      write(this.note, error instanceof Error ? error.message : String(error));
    }
  }

  async #copy() {
    const done =
      this.text &&
      (await navigator.clipboard?.writeText(this.text).then(
        () => true,
        () => false,
      ));
    write(this.copy, done ? "Copied" : "Not copied");
    setTimeout(() => write(this.copy, "Copy"), 1600);
  }
}
