// What went wrong in a live run, over the foot of the window: what happened, and what to do about it. The bar below tries again.
import { button, el, visible, write } from "../lib/dom.js";
import { capitalized, int, pluralize } from "../lib/format.js";
import { errorWords } from "../run/statuswords.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { LiveError } from "./types.js" */

export class ErrorCard {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    /** What was closed is not shown again. */ this.closed = "";
    /** The error that is shown. */ this.known = "";
    this.title = el("b");
    this.text = el("p", { class: "fl-what" });
    this.hint = el("p", { class: "fl-hint" });
    this.cut = el("p", { class: "fl-hint" });
    this.reply = el("pre", { class: "fl-cut", tabindex: "0", "aria-label": "Reply so far" });
    this.without = button("Continue without it", () => this.drive.act("without"), { class: "fl-send" });
    this.shut = button("×", () => this.#shut(), { class: "fl-icon", "aria-label": "Close", title: "Close; click the status to reopen" });
    this.node = el(
      "div",
      { class: "fl-trouble", role: "alert", hidden: true },
      this.title,
      this.shut,
      this.text,
      this.hint,
      this.cut,
      this.reply,
      el("div", { class: "fl-ways" }, this.without),
    );
    this.node.addEventListener("keydown", (event) => event.key === "Escape" && (event.stopPropagation(), this.#shut()));
  }

  draw() {
    const error = this.drive.lost ? null : this.drive.state?.error;
    const known = error ? JSON.stringify([error, this.drive.state?.calls]) : "";
    if (known !== this.known) this.#fill(error);
    this.known = known;
    this.node.hidden = !error || this.closed === known;
    this.without.toggleAttribute("disabled", Boolean(this.drive.hindered));
  }

  /** @param {LiveError | null | undefined} error */
  #fill(error) {
    this.closed = "";
    if (!error) return;
    const { kind, text, hint, orphans, policy, reply = "", reply_length: length = reply.length } = error;
    const words = errorWords(kind);
    write(this.title, capitalized(words));
    write(this.text, visible(text));
    write(this.hint, visible([hint, policy && `current policy: ${policy}`].filter(Boolean).join("; ")));
    const part = length > reply.length ? `the last ${int(reply.length)} of ${pluralize(length, "character")}` : pluralize(length, "character");
    write(this.cut, length ? `The reply was cut off. It is not part of the window; so far it said (${part}):` : "");
    write(this.reply, visible(reply));
    this.reply.hidden = !length;
    this.without.hidden = !orphans?.length;
    if (orphans?.length) write(this.without, `Continue without ${orphans.length === 1 ? "it" : `the ${pluralize(orphans.length, "message")}`}`);
  }

  /** Open it again. */
  show() {
    if (!this.drive.state?.error) return;
    this.closed = "";
    this.draw();
    this.shut.focus();
  }

  #shut() {
    this.closed = this.known;
    this.draw();
    this.app.root.focus({ preventScroll: true });
  }
}
