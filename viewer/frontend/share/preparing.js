// A file that the server makes ready: asked for, watched while it is made, stopped, saved.
import { button, el, visible, write } from "../lib/dom.js";
import { posting, refusalText } from "../lib/json.js";
import { fetchLines } from "../lib/lines.js";
import { problemText } from "../lib/problem.js";
import { save } from "../lib/saving.js";
import { readyWords, sizeWords } from "./forms.js";
/** @import { Line, Ready } from "./types.js" */

/**
 * What it is a part of: what a file is asked for with, and who is told when something changed, or was refused.
 * @typedef {{prepare: () => {path: string, asked: object}, changed: () => void, failed: () => void}} Of
 */

export class Preparing {
  /** @param {Of} of */
  constructor(of) {
    this.of = of;
    /** @type {Ready | null} */ this.ready = null;
    /** What stops the file that is made now. @type {AbortController | null} */ this.work = null;
    this.status = el("p", { class: "fl-share-sizes", role: "status" });
    this.doing = el("p", { class: "fl-share-doing" });
    this.missing = el("ul", { class: "fl-share-missing" });
    this.wrong = el("p", { class: "fl-stoperror", role: "alert" });
    this.told = el("div", {}, this.status, this.doing, this.missing, this.wrong);
    this.make = button("Prepare file", () => void this.#make(), { class: "fl-send" });
    this.cancel = button("Cancel", () => this.drop(), { class: "fl-send", hidden: true });
    this.keep = button("Save", () => this.#save(), { class: "fl-send fl-share-save", hidden: true });
    this.ways = el("div", { class: "fl-ways" }, this.make, this.cancel, this.keep);
  }

  /** Show what can be done now. @param {boolean} on  whether a file can be asked for at all @param {boolean} may  and whether now */
  show(on, may) {
    const { ready, work } = this;
    this.make.hidden = !on || Boolean(ready || work);
    this.make.disabled = !may;
    this.cancel.hidden = !work;
    this.keep.hidden = !on || !ready;
    if (ready) write(this.keep, `Save ${sizeWords(ready.bytes)}`);
  }

  /** Say what went wrong. @param {string} why */
  say(why) {
    write(this.wrong, why);
  }

  async #make() {
    this.drop();
    const { path, asked } = this.of.prepare();
    const work = new AbortController();
    this.work = work;
    write(this.status, "Preparing…");
    this.of.changed();
    this.cancel.focus();
    try {
      await fetchLines(path, (line) => this.work === work && this.#hear(line), work.signal, posting(asked));
      if (this.work === work) throw new Error("The file was not made.");
    } catch (error) {
      if (this.work !== work) return;
      this.drop();
      this.say(problemText(error));
      this.of.failed();
    }
  }

  /** @param {Line} line */
  #hear(line) {
    if (line.doing !== undefined) return write(this.doing, line.doing);
    this.drop();
    if (line.ready) this.#show(line.ready);
    else this.say(refusalText({ error: line.failed, hint: line.hint }));
  }

  /** @param {Ready} ready */
  #show(ready) {
    this.ready = ready;
    write(this.status, `${ready.name}: ${readyWords(ready)}`);
    this.missing.replaceChildren(...ready.left_out.map((text) => el("li", { text: `Not in the file: ${visible(text)}` })));
    this.of.changed();
    this.keep.focus();
  }

  #save() {
    if (this.ready) save(new URL(this.ready.file, document.baseURI).href, this.ready.name);
  }

  /** Stop what is made, and forget what was: it is of other choices. */
  drop() {
    const back = this.cancel.matches(":focus");
    this.stop();
    this.ready = null;
    for (const node of [this.status, this.doing, this.wrong]) write(node, "");
    this.missing.replaceChildren();
    this.of.changed();
    if (back) this.make.focus();
  }

  /** Stop what is made now: the work on the other side ends. */
  stop() {
    const { work } = this;
    this.work = null;
    work?.abort();
  }
}
