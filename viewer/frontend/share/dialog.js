// Share: in which form a run is handed on, what looks secret in it, how large the file becomes; then it is saved.
import { dialogOf } from "../lib/dialog.js";
import { button, el, write } from "../lib/dom.js";
import { problemText } from "../lib/problem.js";
import { saveBlob } from "../lib/saving.js";
import { FORMS, formOf } from "./forms.js";
import { Preparing } from "./preparing.js";
import { Review } from "./review.js";
/** @import { Host } from "./types.js" */

export class ShareDialog {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** The run that is looked through, and whether that is done. */ this.tid = "";
    this.reviewed = false;
    this.form = el("select", { "aria-label": "Form", on: { change: () => this.#chosen() } }, ...groups(host));
    this.about = el("p", { class: "fl-share-about" });
    this.review = new Review(() => this.#changed());
    this.preparing = new Preparing({
      prepare: () => this.#prepare(),
      changed: () => this.#draw(),
      failed: () => void this.#look(host.subject().tid),
    });
    this.save = button("Save", () => void this.#savePicture(), { class: "fl-send fl-share-save", hidden: true });
    const link = button("Copy link", () => this.#copyLink(), { class: "fl-link", title: "Copy the address of what is on screen, for this machine" });
    const { told, ways } = this.preparing;
    ways.append(this.save, link);
    this.node = dialogOf("Share", "fl-share", this.form, this.about, this.review.node, told, ways);
    this.node.addEventListener("close", () => this.preparing.stop());
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
      this.preparing.say(problemText(error));
    }
    this.#draw();
  }

  #chosen() {
    const several = this.form.value === "html" && this.host.subject().others.length > 0;
    write(this.about, `${formOf(this.form.value).about}${several ? " It shows one lane at a time: the menu at its top chooses." : ""}`);
    this.#changed();
  }

  /** What was prepared is of other choices. */
  #changed() {
    this.preparing.drop();
    this.#draw();
  }

  #draw() {
    const { picture } = formOf(this.form.value);
    this.review.node.hidden = Boolean(picture);
    this.save.hidden = !picture;
    this.preparing.show(!picture, this.reviewed);
  }

  /** What the file is asked for with. */
  #prepare() {
    const { tid, ...subject } = this.host.subject();
    const asked = { ...subject, form: this.form.value, keep: [...this.review.kept], list: this.review.list };
    return { path: `api/share/${encodeURIComponent(tid)}`, asked };
  }

  async #savePicture() {
    const { picture } = formOf(this.form.value);
    const blob = picture && (await this.host.pictures?.[picture]());
    if (blob) saveBlob(blob, `timeline.${picture}`);
  }

  #copyLink() {
    this.host.copyLink();
    this.node.close();
  }
}

/** @param {Host} host */
function groups({ pictures, lanes }) {
  return FORMS.map(([label, forms]) => {
    const some = forms.filter((form) => (!form.picture || pictures) && (!form.lanes || lanes));
    return el("optgroup", { label }, ...some.map(({ name, label: text }) => el("option", { value: name, text })));
  });
}
