// Share: in which form a run is handed on, what looks secret in it, how large the file becomes; then it is saved.
import { dialogOf } from "../lib/dialog.js";
import { button, el, visible, write } from "../lib/dom.js";
import { problemText } from "../lib/problem.js";
import { FORMS, formOf, readyWords, sizeWords } from "./forms.js";
import { Review } from "./review.js";
/** @import { Host, Ready } from "./types.js" */

export class ShareDialog {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** @type {Ready | null} */ this.ready = null;
    /** Tells an answer that is no longer wanted. */ this.nth = 0;
    /** The run that is looked through, and whether that is done. */ this.tid = "";
    this.reviewed = false;
    this.form = el("select", { "aria-label": "Form", on: { change: () => this.#chosen() } }, ...groups(host));
    this.about = el("p", { class: "fl-share-about" });
    this.review = new Review(() => this.#changed());
    this.sizes = el("p", { class: "fl-share-sizes", role: "status" });
    this.missing = el("ul", { class: "fl-share-missing" });
    this.wrong = el("p", { class: "fl-stoperror", role: "alert" });
    this.make = button("Prepare file", () => void this.#make(), { class: "fl-send" });
    this.save = button("Save", () => this.#save(), { class: "fl-send fl-share-save", hidden: true });
    const link = button("Copy link", () => this.#copyLink(), { class: "fl-link", title: "Copy the address of what is on screen, for this machine" });
    const ways = el("div", { class: "fl-ways" }, this.make, this.save, link);
    this.node = dialogOf("Share", "fl-share", this.form, this.about, this.review.node, this.sizes, this.missing, this.wrong, ways);
  }

  /** Open it on what is on screen now. */
  open() {
    this.#chosen();
    this.node.showModal();
    this.form.focus();
    void this.#look(this.host.subject().tid);
  }

  /** Ask what looks secret: a live run may have gone on since. @param {string} tid */
  async #look(tid) {
    this.tid = tid;
    this.reviewed = false;
    this.review.say("Looking for what may be secret…");
    this.#draw();
    try {
      const { found, list } = await this.host.post(`api/share/${encodeURIComponent(tid)}/secrets`, {});
      if (tid !== this.tid) return;
      this.review.show(found, list);
      this.reviewed = true;
    } catch (error) {
      if (tid !== this.tid) return;
      this.review.say("");
      write(this.wrong, problemText(error));
    }
    this.#draw();
  }

  #chosen() {
    write(this.about, formOf(this.form.value).about);
    this.#changed();
  }

  /** What was prepared is of other choices. */
  #changed() {
    this.nth++;
    this.ready = null;
    write(this.wrong, "");
    write(this.sizes, "");
    this.missing.replaceChildren();
    this.#draw();
  }

  #draw() {
    const { picture } = formOf(this.form.value);
    this.review.node.hidden = Boolean(picture);
    this.make.hidden = Boolean(picture || this.ready);
    this.make.disabled = !this.reviewed;
    this.save.hidden = !picture && !this.ready;
    write(this.save, this.ready ? `Save ${sizeWords(this.ready.bytes)}` : "Save");
  }

  async #make() {
    const nth = ++this.nth;
    const { tid, ...subject } = this.host.subject();
    write(this.wrong, "");
    write(this.sizes, "Preparing…");
    this.make.disabled = true;
    try {
      const asked = { ...subject, form: this.form.value, keep: [...this.review.kept], list: this.review.list };
      const ready = await this.host.post(`api/share/${encodeURIComponent(tid)}`, asked);
      if (nth === this.nth) this.#show(ready);
    } catch (error) {
      if (nth !== this.nth) return;
      write(this.sizes, "");
      write(this.wrong, problemText(error));
      void this.#look(tid);
    }
  }

  /** @param {Ready} ready */
  #show(ready) {
    this.ready = ready;
    write(this.sizes, `${ready.name}: ${readyWords(ready)}`);
    this.missing.replaceChildren(...ready.left_out.map((text) => el("li", { text: `Not in the file: ${visible(text)}` })));
    this.#draw();
    this.save.focus();
  }

  #save() {
    const { picture } = formOf(this.form.value);
    if (picture) return void this.#savePicture(picture);
    if (this.ready) download(new URL(this.ready.file, document.baseURI).href, this.ready.name);
  }

  /** @param {"svg" | "png"} kind */
  async #savePicture(kind) {
    const blob = await this.host.pictures?.[kind]();
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    download(url, `timeline.${kind}`);
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  #copyLink() {
    this.host.copyLink();
    this.node.close();
  }
}

/** @param {Host} host */
function groups({ pictures }) {
  return FORMS.map(([label, forms]) => {
    const some = forms.filter(({ picture }) => !picture || pictures);
    return el("optgroup", { label }, ...some.map(({ name, label: text }) => el("option", { value: name, text })));
  });
}

/** @param {string} href @param {string} name */
function download(href, name) {
  el("a", { href, download: name }).click();
}
