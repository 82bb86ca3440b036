// Share, of a lesson: one file, made ready by the server; its last step is about a sample, or about the session that is open.
import { dialogOf } from "../lib/dialog.js";
import { el, visible } from "../lib/dom.js";
import { problemText } from "../lib/problem.js";
import { findSecrets } from "../share/looking.js";
import { Preparing } from "../share/preparing.js";
import { Review } from "../share/review.js";
/** @import { Lessons } from "./lessons.js" */

const ABOUT =
  "One HTML file with this lesson: its questions, its tasks with their checks, and the presenter. It opens from disk in any browser, without a network.";

export class LessonShare {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    /** Whether the session that is open was looked through for secrets. */ this.reviewed = false;
    /** What stops the search. */ this.searches = new AbortController();
    this.whose = el("select", { id: "fl-lesson-whose", on: { change: () => this.#chosen() } });
    this.review = new Review(() => this.preparing.drop());
    this.preparing = new Preparing({
      prepare: () => this.#prepare(),
      changed: () => this.preparing.show(true, this.reviewed || !this.#own),
      failed: () => this.#own && void this.#look(),
    });
    const { told, ways } = this.preparing;
    const about = el("p", { class: "fl-share-about", text: ABOUT });
    const last = el("p", { class: "fl-share-last" }, el("label", { for: this.whose.id, text: "Its last step is about" }), this.whose);
    this.node = dialogOf("Share this lesson", "fl-share", about, last, this.review.node, told, ways);
    this.node.addEventListener("close", () => (this.preparing.stop(), this.searches.abort()));
  }

  /** Whether the session that is open goes into the file. */
  get #own() {
    return this.whose.value === "own";
  }

  open() {
    const { lessons, whose } = this;
    const own = lessons.subject.source ? [el("option", { value: "own", text: visible(lessons.subjectName) })] : [];
    whose.replaceChildren(el("option", { value: "", text: "a sample" }), ...own);
    whose.value = own.length && lessons.last ? "own" : "";
    this.#chosen();
    this.node.showModal();
  }

  #chosen() {
    const own = this.#own;
    this.reviewed = false;
    this.review.node.hidden = !own;
    this.preparing.drop();
    this.searches.abort();
    if (own) void this.#look();
  }

  async #look() {
    const { signal } = (this.searches = new AbortController());
    this.review.wait();
    try {
      const { found, list } = await findSecrets("api/share/lesson", this.lessons.subject, (progress) => this.review.wait(progress), signal);
      this.review.show(found, list);
      this.reviewed = true;
    } catch (error) {
      if (signal.aborted) return;
      this.review.say("");
      this.preparing.say(problemText(error));
    }
    this.preparing.show(true, this.reviewed);
  }

  /** What the file is asked for with. */
  #prepare() {
    const { lessons, review } = this;
    const asked = this.#own ? { ...lessons.subject, keep: [...review.kept], list: review.list } : {};
    return { path: `api/share/lesson/${lessons.place.lesson}`, asked };
  }
}
