// Share, of a lesson: one file, made ready by the server.
import { dialogOf } from "../lib/dialog.js";
import { el, write } from "../lib/dom.js";
import { Preparing } from "../share/preparing.js";
/** @import { Lessons } from "./lessons.js" */

const ABOUT =
  "One HTML file with this lesson: its questions, its tasks with their checks, and the presenter. It opens from disk in any browser, without a network.";
const OWN = "Its last step shows a sample. To have a session of yours there, use ";

export class LessonShare {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    this.command = el("code");
    this.preparing = new Preparing({
      prepare: () => ({ path: `api/share/lesson/${lessons.place.lesson}`, asked: {} }),
      changed: () => this.preparing.show(true, true),
      failed: () => {},
    });
    const { told, ways } = this.preparing;
    const about = el("p", { class: "fl-share-about", text: ABOUT });
    const own = el("p", { class: "fl-share-about" }, OWN, this.command, " on the command line.");
    this.node = dialogOf("Share this lesson", "fl-share", about, own, told, ways);
    this.node.addEventListener("close", () => this.preparing.stop());
  }

  open() {
    write(this.command, `foldline export FILE --lesson ${this.lessons.place.lesson} -o lesson.html`);
    this.preparing.drop();
    this.node.showModal();
  }
}
