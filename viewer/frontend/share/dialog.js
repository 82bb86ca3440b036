// Share: in which form a run or a list is handed on, what looks secret in it, how large the file becomes; then it is saved.
import { dialogOf } from "../lib/dialog.js";
import { button, el, visible, write } from "../lib/dom.js";
import { problemText } from "../lib/problem.js";
import { saveBlob } from "../lib/saving.js";
import { formsOf } from "./forms.js";
import { findSecrets } from "./looking.js";
import { Preparing } from "./preparing.js";
import { Review } from "./review.js";
/** @import { Form } from "./forms.js" */
/** @import { Host, Subject } from "./types.js" */

export class ShareDialog {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    /** What is looked through, and whether that is done. */ this.looked = "";
    this.reviewed = false;
    /** What stops the search. */ this.searches = new AbortController();
    /** The forms there are now. @type {Form[]} */ this.forms = [];
    this.form = el("select", { "aria-label": "Form", on: { change: () => this.#chosen() } });
    this.title = el("p", { class: "fl-share-of", dir: "auto", hidden: true });
    this.about = el("p", { class: "fl-share-about" });
    this.review = new Review(() => this.#changed());
    this.preparing = new Preparing({ prepare: () => this.#prepare(), changed: () => this.#draw(), failed: () => void this.#look(this.#subject) });
    this.save = button("Save", () => void this.#savePicture(), { class: "fl-send fl-share-save", hidden: true });
    const link = button("Copy link", () => this.#copyLink(), { class: "fl-link", title: "Copy the address of what is on screen, for this machine" });
    link.hidden = !host.copyLink;
    const { told, ways } = this.preparing;
    ways.append(this.save, link);
    this.node = dialogOf("Share", "fl-share", this.title, this.form, this.about, this.review.node, told, ways);
    this.node.addEventListener("close", () => (this.preparing.stop(), this.searches.abort()));
  }

  /** The form that is chosen. */
  get #form() {
    return /** @type {Form} */ (this.forms.find(({ name }) => name === this.form.value));
  }

  /** What is handed on in it. */
  get #subject() {
    return /** @type {Subject} */ (this.host.subject(this.#form));
  }

  /** Open it on what is on screen now. @param {string} [name]  the form to begin with */
  open(name = "") {
    const groups = formsOf(this.host);
    this.forms = groups.flatMap(([, forms]) => forms);
    const options = (/** @type {Form[]} */ forms) => forms.map((form) => el("option", { value: form.name, text: form.label }));
    const last = name || this.form.value;
    this.form.replaceChildren(...groups.map(([label, forms]) => el("optgroup", { label }, ...options(forms))));
    this.form.value = this.forms.some((form) => form.name === last) ? last : this.forms[0].name;
    this.looked = "";
    this.#chosen();
    this.node.showModal();
    this.form.focus();
  }

  /** Ask what looks secret: a live run may have gone on since. @param {Subject} subject */
  async #look(subject) {
    const { path, named } = subject;
    this.looked = keyOf(subject);
    this.reviewed = false;
    this.searches.abort();
    const { signal } = (this.searches = new AbortController());
    this.review.wait();
    this.#draw();
    try {
      const { found, list } = await findSecrets(path, named, (progress) => this.review.wait(progress), signal);
      this.review.show(found, list);
      this.reviewed = true;
    } catch (error) {
      if (signal.aborted) return;
      this.review.say("");
      this.preparing.say(problemText(error));
    }
    this.#draw();
  }

  #chosen() {
    const subject = this.#subject;
    const several = this.form.value === "html" && (subject.more.others?.length ?? 0) > 0;
    write(this.title, visible(subject.title ?? ""));
    this.title.hidden = !subject.title;
    write(this.about, `${this.#form.about}${several ? " It shows one lane at a time: the menu at its top chooses." : ""}`);
    this.#changed();
    if (keyOf(subject) !== this.looked) void this.#look(subject);
  }

  /** What was prepared is of other choices. */
  #changed() {
    this.preparing.drop();
    this.#draw();
  }

  #draw() {
    const { picture } = this.#form;
    this.review.node.hidden = Boolean(picture);
    this.save.hidden = !picture;
    this.preparing.show(!picture, this.reviewed);
  }

  /** What the file is asked for with. */
  #prepare() {
    const { path, named, more } = this.#subject;
    return { path, asked: { ...named, ...more, form: this.form.value, keep: [...this.review.kept], list: this.review.list } };
  }

  async #savePicture() {
    const { picture } = this.#form;
    const blob = picture && (await this.host.pictures?.[picture]());
    if (blob) saveBlob(blob, `timeline.${picture}`);
  }

  #copyLink() {
    this.host.copyLink?.();
    this.node.close();
  }
}

/** @param {Subject} subject */
const keyOf = ({ path, named }) => `${path} ${JSON.stringify(named)}`;
