// The page of an exported lesson: what the sidebar and the page of Learn are in the app, beside each other.
import { keepInHash } from "../lib/address.js";
import { answerWith } from "../lib/asking.js";
import { el } from "../lib/dom.js";
import { themeOf } from "../lib/theme.js";
import { LearnPage } from "../learn/page.js";
import { Lessons } from "../learn/lessons.js";
import { LessonPanel } from "../learn/panel.js";
import { styledRoot } from "./held.js";
import { lessonAnswers } from "./lessonanswers.js";
/** @import { Held } from "./held.js" */
/** @import { LessonHead } from "./types.js" */

/** Open the lesson that the file holds, in an element of its document. @param {HTMLElement} place @param {Held} held */
export async function openLesson(place, held) {
  const head = /** @type {LessonHead} */ (await held.json("head"));
  held.starts = head.starts;
  answerWith(lessonAnswers(held, head));
  keepInHash();
  furnish(await styledRoot(place, held), new Lessons(), head);
}

/** @param {ShadowRoot} parent @param {Lessons} lessons @param {LessonHead} head */
function furnish(parent, lessons, head) {
  const side = el("aside", { class: "fl-classroom-side", "aria-label": "Lesson" });
  const main = el("main", { class: "fl-classroom-main" });
  const root = el("div", { class: "fl-learn fl-classroom" }, side, main);
  parent.append(root);
  const panel = new LessonPanel(side, lessons);
  const page = new LearnPage(main, lessons);
  const own = { source: head.own, session: "", name: "", note: head.notes.join(" ") };
  const update = () => {
    root.dataset.theme = themeOf(root);
    panel.update();
    page.update(own);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  update();
}
