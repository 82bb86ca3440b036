// What a person may do to the message that the inspector shows, while a live run stands still: drop it, or pin it.
import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { ADDED } from "../run/pool.js";
import { compactionOf } from "../run/sections.js";
import { subjectOf } from "../debugger/subject.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */

/** The role of a model's reply, as the store has it. */
const ASSISTANT = 2;

/** Why nothing can be done to a message of an earlier window; beside its buttons there is room for less. */
const GONE = "Gone from the newest window";

export class MessageActions {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    this.pool = -1;
    this.drop = button("", () => this.#drop(), { class: "fl-handle", "aria-label": "Drop from window" });
    this.drop.append("Drop", el("span", { class: "fl-more-words", text: " from window" }));
    this.pin = button("Pin", () => this.#pin(), { class: "fl-handle" });
    this.request = button("Request", () => this.#request(), { class: "fl-handle" });
    this.fork = button("Fork…", () => this.#fork(), { class: "fl-handle" });
    this.back = button("Undo drop", () => this.#undo(), { class: "fl-handle", title: "Send what was dropped again (Ctrl Z)" });
    this.note = el("span", { class: "fl-handnote" });
    this.node = el(
      "div",
      { class: "fl-handles", role: "group", "aria-label": "This message" },
      this.back,
      this.drop,
      this.pin,
      this.request,
      this.fork,
      this.note,
    );
    this.drive.on("drop", () => this.#drop());
    this.drive.on("undo", () => this.#undo());
    this.drive.on("pin", () => this.#pin());
    this.drive.on("selected request", () => this.#request());
    this.drive.watch(() => this.draw());
    app.highlights.watch(() => this.draw());
  }

  /** The message that is shown, or -1. @param {number} pool */
  show(pool) {
    this.pool = pool;
    this.draw();
  }

  draw() {
    const { run } = this.app;
    const undo = this.#undoes();
    const card = undo && this.pool < 0;
    this.node.hidden = this.pool < 0 && !undo;
    for (const node of [this.drop, this.pin]) node.hidden = undo;
    for (const node of [this.request, this.fork]) node.hidden = card;
    this.back.hidden = !undo;
    if (undo) this.#drawUndo();
    if (card || this.pool < 0 || !run?.length) return;
    this.#drawWays();
    if (undo) return;
    const why = this.#why();
    const own = this.pool < run.n;
    for (const node of [this.drop, this.pin]) attribute(node, "aria-disabled", why || (node === this.pin && !own) ? "true" : null);
    write(this.pin, this.#held() ? "Unpin" : "Pin");
    attribute(this.pin, "aria-pressed", String(this.#held()));
    attribute(this.drop, "title", why || `${["Stop sending it", this.#along()].filter(Boolean).join(", ")} (Delete)`);
    attribute(this.pin, "title", why || (own ? "Keep it through every compaction (h)" : "Messages added by a compaction cannot be pinned"));
    write(this.note, why === GONE ? "Gone by now" : why || this.#along());
    attribute(this.note, "title", why || this.#along());
  }

  /** The request and the fork of a message, which may be gone from the window. */
  #drawWays() {
    const { run } = this.app;
    const wrote = this.pool >= run.n || run.store.role[this.pool] === ASSISTANT;
    attribute(this.request, "title", `${wrote ? "The model call that wrote it" : "The model call that first sent it"}: its request (Q)`);
    attribute(this.fork, "title", "Fork from where it arrived: a new run begins with that window (F forks from the cursor)");
  }

  /** Whether the newest drop can be undone, and what is shown is its card, or a message that it took. */
  #undoes() {
    const { run } = this.app;
    const newest = run?.length ? run.compactions - 1 : -1;
    if (!this.drive.state?.undo || newest < 0 || !run.compaction(newest).edit) return false;
    if (this.pool >= 0) return this.#inWindow(run.steps[newest] - 1) && !this.#inWindow(run.length - 1);
    const what = this.app.overview ? {} : subjectOf(this.app);
    return "card" in what && what.card === newest;
  }

  /** Whether the message is in the window of a step. @param {number} step */
  #inWindow(step) {
    return this.app.run.indexInWindow(step, this.pool) >= 0;
  }

  #drawUndo() {
    attribute(this.back, "aria-disabled", this.drive.hindered ? "true" : null);
    const until = "Until the next model call";
    write(this.note, this.drive.hindered || (this.pool < 0 ? until : "Dropped"));
    attribute(this.note, "title", this.pool < 0 ? null : `Undo: possible ${until.toLowerCase()}`);
  }

  #held() {
    return this.app.run.pool.held.has(this.pool);
  }

  /** Why nothing can be done to it, "" where something can. */
  #why() {
    const { run } = this.app;
    if (this.drive.hindered) return this.drive.hindered;
    if (!this.#inWindow(run.length - 1)) return GONE;
    return this.drive.still ? "" : "Pause the run to drop or pin";
  }

  /** What goes with it. */
  #along() {
    const { pairs } = this.app.highlights.now;
    const others = pairs.filter((p) => p !== this.pool);
    if (!others.length) return "";
    return others.length === 1 ? `with message ${int(others[0] + 1)}, its tool pair` : `with ${pluralize(others.length, "message")}, its tool pairs`;
  }

  #request() {
    if (this.pool < 0) return this.app.message("Select a message first");
    this.drive.ask("request of", this.pool);
  }

  /** From the step that the message came in with. */
  #fork() {
    const { run } = this.app;
    this.drive.ask("fork", this.pool < run.n ? run.stepOfMessage(this.pool) : run.steps[compactionOf(run, this.pool)]);
  }

  #drop() {
    const { run } = this.app;
    if (!this.#ready()) return;
    const what = this.pool < run.n ? { places: [this.pool] } : { places: [], added: [this.pool - ADDED] };
    const held = this.node.matches(":focus-within");
    void this.drive.do("drop", what).then((done) => {
      if (!done) return;
      if (!done.later) this.app.message("Dropped: no longer sent", () => this.#undo());
      if (held) this.app.root.focus({ preventScroll: true }); // the inspector leaves the message, and its buttons with it
    });
  }

  /** The newest drop is taken back, unless a model call was sent without what it took. */
  #undo() {
    if (!this.drive.state?.undo) return this.app.message("Nothing was dropped since the last model call");
    const held = this.node.matches(":focus-within");
    void this.drive.do("undo").then((done) => {
      if (!done) return;
      this.app.message("Undone: sent again");
      if (held) this.app.root.focus({ preventScroll: true }); // the card goes, and its button with it
    });
  }

  #pin() {
    if (!this.#ready()) return;
    if (this.pool >= this.app.run.n) return this.app.message("Messages added by a compaction cannot be pinned");
    const on = !this.#held();
    void this.drive
      .do("pin", { places: [this.pool], on })
      .then((done) => done && this.app.message(on ? "Pinned: kept through every compaction" : "Unpinned"));
  }

  #ready() {
    const why = this.pool < 0 ? "Select a message first" : this.#why();
    if (why) this.app.message(why);
    return !why;
  }
}
