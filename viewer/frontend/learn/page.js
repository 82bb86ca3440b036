// The Learn page: the list of lessons, or the debugger driven to a step, with the sidebar beside it or in front of a room.

import { el } from "../lib/dom.js";
import { leadsHere, typing, unused, within } from "../lib/keys.js";
import { themeOf } from "../lib/theme.js";
import { Board } from "./board.js";
import { Cards } from "./cards.js";
import { Desk } from "./desk.js";
import { Driver } from "./driver.js";
import { Ending } from "./ending.js";
import { LessonPanel } from "./panel.js";
import { Presenter } from "./presenter.js";
import { commandOf } from "./commands.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { PageData } from "./types.js" */

/** Windows in which Streamlit puts the sidebar away. */
const NARROW = "(max-width: 767px)";

export class LearnPage {
  /** @param {ParentNode} parent @param {Lessons} lessons @param {(trigger: string, value: string) => void} [tell]  the server; a file has none */
  constructor(parent, lessons, tell) {
    this.lessons = lessons;
    this.tell = tell;
    this.stop = new AbortController();
    this.cards = new Cards(lessons);
    this.stage = el("div", { class: "fl-learn-stage", hidden: true });
    this.board = new Board(lessons, (place) => this.driver?.app.select(`m${place}`));
    this.ending = new Ending(lessons);
    /** @type {Driver | null} */ this.driver = null;
    /** @type {Presenter | null} */ this.presenter = null;
    /** @type {Desk | null} */ this.desk = null;
    /** The number of the lesson that was entered last, 0 for the list; -1 for none yet. */ this.entered = -1;
    /** What the sidebar says, where it is away. */ this.side = el("aside", { class: "fl-learn-side", "aria-label": "Lesson", hidden: true });
    /** @type {LessonPanel | null} */ this.panel = null;
    this.narrow = matchMedia(NARROW);
    this.root = el("div", { class: "fl-learn fl-learn-page", tabindex: -1 }, this.cards.root, this.side, this.stage, this.ending.root);
    const on = { signal: this.stop.signal };
    this.narrow.addEventListener("change", () => this.#beside(), on);
    lessons.addEventListener("place", () => this.#placed(), on);
    lessons.addEventListener("answer", () => this.#answered(), on);
    addEventListener("keydown", (event) => this.#key(event), { ...on, capture: true });
    addEventListener("click", (event) => this.#click(event), { ...on, capture: true });
    parent.append(this.root);
  }

  /** @param {PageData} data */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    this.driver?.app.setTheme(themeOf(this.root));
    this.panel?.update();
    const { lessons, tell } = this;
    lessons.toLibrary = data?.library && tell ? () => tell("library", `${lessons.place.lesson}.${lessons.place.step}`) : null;
    if (data) void this.lessons.start(data);
  }

  /** Another step, or the list. */
  #placed() {
    const { lessons, root } = this;
    const lesson = lessons.lesson;
    this.cards.root.hidden = Boolean(lesson);
    this.stage.hidden = !lesson || lessons.ended;
    this.ending.draw();
    this.root.toggleAttribute("data-ended", lessons.ended);
    this.#drawPresenter();
    this.#drawDesk();
    this.#beside();
    if (!lesson) this.#leave();
    else if (!lessons.ended) this.#drive();
    this.#enter();
    root.dataset.place = lesson ? `${lessons.place.lesson}.${lessons.place.step}` : "list";
    this.revealed = lessons.revealed;
    this.#state();
  }

  /** A lesson that opens takes the focus: left on a link beside it, Enter would follow that link. So does the list from the link to it. */
  #enter() {
    const { number = 0 } = this.lessons.lesson ?? {};
    const taken = number > 0 || leadsHere(document.activeElement);
    if (taken && number !== this.entered) this.root.focus({ preventScroll: true });
    this.entered = number;
  }

  /** In a narrow window the step is told above the debugger: the sidebar would lie over it. */
  #beside() {
    const { lessons } = this;
    const wanted = this.narrow.matches && lessons.lesson !== null && !lessons.alone && !this.presenter;
    this.side.hidden = !wanted;
    if (wanted) this.panel ??= new LessonPanel(this.side, lessons);
    else {
      this.panel?.destroy();
      this.panel = null;
    }
    this.panel?.update();
  }

  #drive() {
    if (!this.driver) {
      this.driver = new Driver(this.stage, this.lessons);
      this.driver.app.setTheme(themeOf(this.root));
      this.stage.append(this.board.root);
    }
    void this.driver.draw().then(() => {
      this.presenter?.arrange();
      this.#state();
    });
    this.board.draw();
  }

  #leave() {
    this.driver?.destroy();
    this.driver = null;
    this.cards.draw();
  }

  #answered() {
    const { lessons, driver } = this;
    if (lessons.revealed && !this.revealed) driver?.reveal();
    else if (lessons.data?.task) void driver?.draw().then(() => this.#state());
    driver?.slots.mark(lessons.guess);
    this.revealed = lessons.revealed;
    this.board.draw();
    this.#state();
  }

  /** What the tests wait for: whose step is on the page, and how it stands. */
  #state() {
    const { lessons, root } = this;
    const { place, data, check } = lessons;
    root.dataset.state = !lessons.lesson
      ? "list"
      : lessons.ended
        ? "ended"
        : !data
          ? "asked"
          : lessons.asking
            ? "asking"
            : data.task
              ? check
                ? check.passed && !lessons.blind
                  ? "passed"
                  : "failing"
                : "asked"
              : "told";
    root.dataset.shown = this.driver?.shown || lessons.ended ? `${place.lesson}.${place.step}` : "";
  }

  #drawPresenter() {
    const { lessons } = this;
    const page = document.documentElement.dataset;
    const on = lessons.place.present && lessons.lesson !== null;
    if (on) page.flPresent = "true";
    else delete page.flPresent;
    this.root.toggleAttribute("data-present", on);
    if (!on) {
      this.presenter?.destroy();
      this.presenter = null;
    } else this.presenter ??= new Presenter(this.root, lessons, () => this.driver);
  }

  /** Of a step that is not presented: what it says and asks. */
  #drawDesk() {
    const { lessons } = this;
    const wanted = lessons.lesson !== null && !lessons.ended && !this.presenter;
    this.root.toggleAttribute("data-desk", wanted);
    if (wanted) this.desk ??= new Desk(this.root, lessons);
    else {
      this.desk?.destroy();
      this.desk = null;
    }
  }

  /** The link to this page leads from a lesson to the list. @param {MouseEvent} event */
  #click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !this.lessons.lesson) return;
    if (!event.composedPath().some(leadsHere)) return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit would run the page anew, and show the same step
    this.lessons.open(0);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (typing(event) && event.key !== "Escape") return;
    if (within(event, "dialog[open]")) return;
    const command = this.presenter
      ? this.presenter.commandOf(event)
      : (this.#toBoard(event) ?? this.#toCards(event) ?? commandOf(event, this.lessons, this.driver));
    if (!command) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    command();
  }

  /** The board covers the messages: up and down walk through its groups. @param {KeyboardEvent} event */
  #toBoard(event) {
    const walks = /^Arrow(Up|Down)$/.test(event.key) && unused(event) && !within(event, ".fl-board");
    return walks && this.lessons.lesson && this.board.game ? () => this.board.groups.focus() : undefined;
  }

  /** Arrows walk through the cards of the list. @param {KeyboardEvent} event */
  #toCards(event) {
    if (this.lessons.lesson || !event.key.startsWith("Arrow") || !unused(event) || within(event, "[role=tablist]")) return undefined;
    return () => this.cards.walk(event.key);
  }

  destroy() {
    this.stop.abort();
    this.presenter?.destroy();
    this.desk?.destroy();
    this.panel?.destroy();
    this.driver?.destroy();
    this.board.destroy();
    const page = document.documentElement.dataset;
    delete page.flPresent;
    this.root.remove();
  }
}
