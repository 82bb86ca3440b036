// The one mutable state of the debugger, its commands and its keys. Parts draw it; they change it through commands alone.
import { Address, NoAddress, addressed, addressSource, changed, queryOf, showsOverview, stepIn } from "../lib/address.js";
import { leave, leftIn, nameOf, stepAtPlace, stepLike } from "../run/leftplaces.js";
import { ROLES } from "../run/decode.js";
import { arriveAt } from "../run/liveplaces.js";
import { lookedFor } from "../run/lookedfor.js";
import { part as announcer } from "./announcer.js";
import { Earlier } from "./earlier.js";
import { el } from "../lib/dom.js";
import { fetchJson, posting } from "../lib/json.js";
import { fetchLines } from "../lib/lines.js";
import { watchDrops } from "../lib/drop.js";
import { part as find } from "./find.js";
import { part as findings } from "./findings.js";
import { part as fork } from "./fork.js";
import { part as header } from "./header.js";
import { part as help } from "./help.js";
import { Highlights } from "./highlights.js";
import { part as inspector } from "./inspector.js";
import { typing, undoes, unused } from "../lib/keys.js";
import { showToast } from "../lib/toast.js";
import { commandOf } from "./keys.js";
import { Layers } from "./layers.js";
import { LostWalk } from "./lostwalk.js";
import { Newest } from "./newest.js";
import { Questions } from "./questions.js";
import { part as plan } from "./plan.js";
import { part as presenting } from "./presenting.js";
import { part as share } from "./share.js";
import { Opening } from "./opening.js";
import { Player } from "./player.js";
import { Reopening } from "./reopening.js";
import { Returning } from "./returning.js";
import { Show } from "./show.js";
import { shown } from "./shownwindow.js";
import { justDropped } from "./subject.js";
import { part as timeline } from "./timeline.js";
import { part as transport } from "./transport.js";
import { part as why } from "./whypart.js";
import { part as windowList } from "./windowlist.js";
import { WhyStore, withoutWhy } from "../why/store.js";
/** @import { Run } from "../run/model.js" */
/** @import { Asked } from "./returning.js" */
/** @import { AddressData, Change, Command, KeysHere, LiveExtension, MakePart, OpeningData, Part, Query } from "./types.js" */

/** It outlives a debugger, for an answer may come to one mounted anew. */
const returning = new Returning();

/**
 * What settles which messages are sent to the browser. Back to others loads the page anew: Streamlit may take messages it sent a
 * while ago for known, when its own page has just forgotten them.
 */
const STORED = ["source", "session", "lane", "meter"];

/** What is said where a key leads to another page. */
const ALONE = "This is an exported file: open the session in foldline to fork, compare or share it";

/** Keys of what a debugger inside another page has not: a fork, Share, a stage of its own, the comparison, the overview, a file that grows. */
const LEADS_AWAY = new Set(["F", "S", "P", "v", "o", "t"]);

/** In the order they are updated. @type {Record<string, MakePart>} */
const PARTS = { header, timeline, transport, plan, window: windowList, inspector, find, findings, help, announcer, why, presenting };

export class App {
  /**
   * @param {ParentNode} parent  the shadow root to fill
   * @param {LiveExtension | null} [extension]  what the live run it shows adds; null for a file
   * @param {"page" | "export" | "lesson" | "exported lesson"} [where]  a page of its own; an exported file, without a server and the
   *   pages beside this one; a part of another page, which says what is shown and has the address; both
   */
  constructor(parent, extension = null, where = "page") {
    this.extension = extension;
    this.alone = where.startsWith("export");
    this.hosted = where.endsWith("lesson");
    /** The first step that the timeline covers. */ this.covered = Infinity;
    /** Whether what is covered is not asked for now, but later. */ this.later = false;
    /** Whether the window is shown without its parts: what goes and what stays is not said. */ this.unparted = false;
    /** Whether what a compaction writes is shown in no place of the window yet: where it goes is asked. */ this.unplaced = false;
    /** Never null while a part is updated. @type {Run} */ this.run = /** @type {never} */ (null);
    /** Sends a trigger to Python. @type {(name: string, value: any) => void} */ this.tell = () => {};
    /** What the address bar holds besides the step. @type {Query} */ this.query = {};
    /** The how many-th session that was opened here this is; the same one counts each time. */ this.opened = 0;
    /** The policy that recorded compactions are compared with. @type {NonNullable<AddressData["rival"]>} */ this.rival = {};
    this.step = 0;
    this.playing = false;
    this.speed = 1;
    /** @type {string | null} */ this.selected = null;
    /** The step at which it was selected, or -1. */ this.chosenAt = -1;
    /** Whether the inspector shows what happened in the session: at first, until something is chosen. */ this.overview = false;
    this.ghosts = false;
    this.findQuery = "";
    /** Whether it is shown to a room. */ this.presenting = false;
    /** Where it was until then. */ this.presentedFrom = { step: 0, selected: /** @type {string | null} */ (null), overview: false, tid: "" };
    /** Whether a room is told first what the session is: the overview was on show. */ this.opens = false;
    /** Whether a room is told of the whole session: the curve stands alone, without a cursor, and nothing of it is covered. */ this.whole = false;
    /** Whether a room is told that in any case: an exported file that nobody has presented yet. */ this.untold = false;
    /** The change that made the run which stands in for the real one, as the title of its window names it; "" for the real one. */ this.change = "";
    /** The message that a room is told of, and what of it. @type {import("./toldrow.js").Told | null} */ this.told = null;
    /** The keys of what stands around it, in a lesson or in front of a room. @type {(() => KeysHere) | null} */ this.keysHere = null;
    /** Whether the cursor stays at the newest message while the file grows. */ this.follow = false;
    this.open = { find: false, findings: false, help: false, notes: false, fork: false, share: false };
    const returned = (/** @type {string} */ query, /** @type {number} */ step, /** @type {string} */ front) =>
      this.#returnTo(query, step, front === "overview");
    this.address = this.hosted ? new NoAddress() : new Address(extension ? "live" : "debug", returned);
    this.highlights = new Highlights();
    this.show = new Show();
    /** Whether the last press came while something moved on: → then shows the end of that. Each press says it anew. */ this.cut = false;
    /** What a slider is compared with. */ this.earlier = new Earlier(() => this.notify({ earlier: true }));
    /** How often what came could not be shown. */ this.failures = 0;
    /** The texts that are followed. */ this.why = new WhyStore(this);
    /** What the newest press waits for. */ this.newest = new Newest(this);
    /** The texts that are lost, one after the other. */ this.lost = new LostWalk(this);
    this.questions = new Questions(this);
    this.reopening = new Reopening(() => this.tell("opened", ""));
    this.player = new Player(this);
    this.layers = new Layers(this);
    this.highlights.watch(() => this.run?.length && this.layers.note());
    /** What is shown while a transcript is opened. @type {Opening | null} */ this.opening = null;
    this.follower = extension?.follower(this);
    /** Whether the agent of a live run is at work. */ this.busy = false;
    /** The step that the address asks a live run to be shown at first, or -1: its newest. */ this.start = -1;
    /** Whether Back has led to what only a new page can show. */ this.reloading = false;
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.stopped = new AbortController();
    this.root = el("div", { class: "fl-app", tabindex: "-1", role: "region", "aria-label": "foldline debugger" });
    this.grid = el("div", { class: "fl-grid" });
    this.waiting = el("div", { class: "fl-waiting", role: "status", text: "Opening…" });
    this.toast = el("div", { class: "fl-toast", role: "status", "aria-live": "polite" });
    /** @type {{name: string, part: Part}[]} */ this.parts = this.#build(parent);
    this.#listen();
  }

  /** The step whose window is on show: a compaction that is told or taken apart has yet to replace the one before it. */
  get shownStep() {
    return shown(this).step;
  }

  /** Whether no animation is wanted. */
  get reduced() {
    return this.motion.matches;
  }

  /** @param {ParentNode} parent */
  #build(parent) {
    const wanted = Object.entries({
      ...PARTS,
      ...(this.extension ? { live: this.extension.bar } : this.alone || this.hosted ? {} : { fork }),
      ...(this.alone || this.hosted ? {} : { share }),
    });
    const slots = Object.fromEntries(wanted.map(([name]) => [name, el("section", { class: `fl-slot-${name}` })]));
    const slot = (/** @type {string} */ name) => slots[name];
    for (const name of ["timeline", "window", "inspector"]) slot(name).classList.add("fl-card");
    const bar = el("div", { class: "fl-bar" }, slot("transport"), slot("plan"));
    this.grid.append(slot("header"), slot("timeline"), bar, slot("window"), slot("inspector"));
    if (this.extension) this.#furnishLive(slot("live"));
    else this.root.toggleAttribute("data-waiting", true);
    this.root.append(
      this.grid,
      slot("find"),
      slot("findings"),
      slot("help"),
      ...[slots.fork, slots.share].filter(Boolean),
      slot("announcer"),
      slot("why"),
      this.waiting,
      this.toast,
    );
    parent.append(this.root);
    return wanted.map(([name, make]) => ({ name, part: safely(() => make(slot(name), this), name) }));
  }

  /** Adds the bar of a live run. @param {HTMLElement} bar */
  #furnishLive(bar) {
    bar.classList.add("fl-card");
    this.grid.append(bar);
    this.root.toggleAttribute("data-live", true);
    this.root.toggleAttribute("data-empty", true);
  }

  #listen() {
    const on = { signal: this.stopped.signal };
    this.root.addEventListener("keydown", (event) => this.#key(event), on);
    this.root.addEventListener("click", () => this.#keepFocus(), on);
    this.root.addEventListener("click", (event) => this.#pressed(event), { ...on, capture: true });
    document.addEventListener("keydown", (event) => unused(event) && this.#key(event), on); // the focus is in no part of the debugger
    for (const type of ["pointerdown", "wheel"]) this.root.addEventListener(type, () => this.#touched(), { ...on, capture: true, passive: true });
    this.motion.addEventListener("change", () => this.notify({ theme: true }), on);
    if (!this.alone) watchDrops(this, this.stopped.signal);
  }

  /**
   * A new trace: the cursor stays at the same message. The first one starts where the address says.
   * @param {Run} run
   * @param {AddressData} address
   */
  setRun(run, address) {
    this.#leaveOpening();
    const first = !this.run;
    const named = this.awaits ? undefined : addressed(); // until Python has answered, the cursor may have gone on from the address
    const { same, more, step, left: before } = arrival(this, run, address, named);
    const again = !first && this.opened !== (address?.opened ?? 0);
    this.opened = address?.opened ?? 0;
    this.#touched();
    const answer = returning.answered(address?.nth);
    const back = answer?.step ?? -1;
    this.#compareSettings(run, address, answer);
    this.run = run;
    const came = first ? arriveAt(String(address?.query?.source ?? "")) : { step: -1, texts: {} };
    const left = came.step < 0 && back < 0 ? before : null;
    if (!same) this.overview = !this.hosted && came.step < 0 && back < 0 && startsAnew(first ? address?.start : "", address?.arrive);
    this.step = came.step >= 0 ? run.clamp(came.step) : back < 0 ? step : run.clamp(back);
    const selected = left ? left.selected : same ? this.selected : null;
    this.#choose(holds(run, selected) ? selected : null);
    if (left) this.overview = left.overview;
    this.overview = answer?.overview ?? this.overview;
    if (!same) this.player.stop();
    if (!same) this.#closePanels();
    if (!same) this.follow = false;
    if (!same) this.toast.dataset.shown = "false"; // "Reading …": it is read
    if (more && !this.follow) this.message(`${more === 1 ? "1 new message" : `${more} new messages`}: press t to follow`);
    this.root.toggleAttribute("data-waiting", false);
    this.root.toggleAttribute("data-empty", !run.length);
    this.waiting.hidden = run.length > 0;
    if (!run.length) this.#empty();
    this.#addressed(address, answer, again);
    this.questions.follow(same, first || answer !== null, came.texts);
    this.notify({ run: true, step: true, selected: !same });
    this.#painted(run.view.stamp);
    if (!first) return;
    this.#takeFocus();
    const sought = this.hosted ? "" : lookedFor(address?.query);
    if (!sought) return;
    this.address.arrive();
    this.seek(sought);
  }

  /** What was opened about the session before does not stay over another one. */
  #closePanels() {
    const { help } = this.open;
    this.open = { find: false, findings: false, help, notes: false, fork: false, share: false };
    this.findQuery = "";
    this.notify({ open: true });
    this.layers.note();
  }

  /** A change of the settings by hand stays in sight, not what Back leads to. @param {Run} run @param {AddressData} address @param {Asked | null} answer */
  #compareSettings(run, address, answer) {
    if (this.run && !this.hosted && (!answer || answer.kind))
      this.earlier.take({ run: this.run, query: this.query }, { run, query: address?.query ?? this.query });
    else if (this.run && this.run.store !== run.store) this.earlier.forget();
    else this.earlier.leave();
  }

  /** A transcript that is being opened takes the place of what is shown. @param {OpeningData} data */
  setOpening(data) {
    this.player.stop();
    this.show.end();
    this.opening ??= new Opening(this, () => this.tell("opened", data.id));
    this.waiting.hidden = true;
    this.root.toggleAttribute("data-waiting", true);
    if (!this.opening.root.isConnected) this.root.append(this.opening.root);
    this.opening.show(data);
    delete this.root.dataset.rendered;
    requestAnimationFrame(() => setTimeout(() => this.opening && (this.root.dataset.opening = data.id)));
  }

  #leaveOpening() {
    this.opening?.stop();
    this.opening = null;
    delete this.root.dataset.opening;
  }

  /**
   * A live run as it now is. The cursor stays where it is, the walker takes it on; a run not seen before is shown at its end.
   * @param {Run} run
   * @param {boolean} same  whether it is the one that is shown
   */
  setLive(run, same) {
    const before = same ? this.run : null;
    const held = before && holds(run, this.selected) && !(this.follow && justDropped(before, run, this.selected));
    this.step = run.clamp(before ? grownStep(before, this.step, run) : this.start < 0 ? run.length - 1 : this.start);
    if (!before) Object.assign(this, { follow: this.step >= run.length - 1, start: -1 });
    if (!before) this.player.stop();
    this.#touched();
    this.run = run;
    this.questions.follow(before !== null, true);
    this.#choose(held ? this.selected : null);
    this.root.toggleAttribute("data-empty", !run.length);
    this.waiting.hidden = run.length > 0;
    if (!run.length) this.#empty();
    this.notify({ run: true, step: true, selected: !held, follow: !before });
    this.#painted(run.view.stamp);
    if (!before) this.#takeFocus();
  }

  /** A session without messages: its header stands, and opens what was noted while loading. */
  #empty() {
    this.waiting.textContent = this.extension ? "Nothing sent yet. Enter the task below and press Start." : "This session has no messages.";
    Object.assign(this.root.dataset, { step: "0", steps: "0", tokens: "0" });
  }

  /** The picture is the one that is shown; of a question that it answers, the step is left to go to. @param {AddressData | undefined} address */
  setAddress(address) {
    if (this.run && address && (address.opened ?? 0) !== this.opened) return this.setRun(this.run, address);
    const answer = returning.answered(address?.nth);
    this.#addressed(address, answer);
    if (this.run && answer && answer.step >= 0) this.go(answer.step, { jump: false });
  }

  /** What Python says the address is. @param {AddressData | undefined} address @param {Asked | null} answer  to the question it answers @param {boolean} [again]  whether a session was opened in place of another, or of itself */
  #addressed(address, answer, again = false) {
    const before = this.query;
    this.query = address?.query ?? before;
    this.rival = address?.rival ?? this.rival;
    if (!this.run || this.#returning) return;
    const known = Object.keys(before).length > 0 ? before : { ...this.query, ...addressSource() };
    const chosen = this.extension ? "" : changed(known, this.query) || (again ? "opened" : "");
    this.writeAddress(answer ? answer.kind : chosen);
  }

  /** Whether the picture of an address is still to come: what is shown is of another one. */
  get #returning() {
    return !this.extension && returning.awaited !== null;
  }

  /** The address bar says where the cursor is; of a live run that is followed, that it is followed. @param {string} [kind]  of a jump */
  writeAddress(kind = "") {
    if (this.#returning) return returning.postpone(kind);
    this.address.set({ ...this.query, ...this.why.query }, this.extension && this.follow ? -1 : this.step, kind, this.overview ? "overview" : "");
  }

  /**
   * What Back or Forward led to: another step of this picture, or another picture, which Python sends.
   * @param {string} query
   * @param {number} step  or -1
   * @param {boolean} overview  whether the overview was shown there
   */
  #returnTo(query, step, overview) {
    this.player.stop();
    if (this.open.find) this.toggle("find");
    const all = Object.fromEntries(new URLSearchParams(query));
    const other = withoutWhy(all);
    this.questions.restore(all);
    const there = queryOf(other, -1) === queryOf(this.query, -1);
    const reloads =
      this.reloading || (!there && (this.extension !== null || STORED.some((name) => (other[name] ?? "") !== String(this.query[name] ?? ""))));
    if (reloads) return this.#reload();
    if (!there || this.#returning) return this.tell("address", { nth: returning.ask(step, "", overview), query: queryOf(other, -1) });
    this.writeAddress();
    if (step < 0) return this.setFollow(true);
    this.go(step, { jump: false, overview });
  }

  /** Whether a question to Python has no answer yet. */
  get awaits() {
    return returning.awaited !== null;
  }

  /** Load the page anew at the entry of the history that is reached by now. */
  #reload() {
    this.reloading = true;
    location.reload();
  }

  /** Show the same with other settings, as if it had been opened by their address; Back returns. @param {Query} query @param {number} [step]  to go to there; without one the cursor stays at its message */
  apply(query, step = -1) {
    this.player.stop();
    this.show.end();
    this.tell("address", { nth: returning.ask(step, "applied"), query: queryOf(query, -1) });
  }

  /** Show this run beside what it was before its settings were changed, else beside the recorded one, on the Compare page. */
  compare() {
    if (this.alone) return this.message(ALONE);
    const { query } = this.earlier;
    this.address.flush();
    if (!this.extension) this.tell("compare", { message: this.run.step(this.step).messages, before: query ? queryOf(query, -1) : "" });
  }

  /** Keep a message of a live run through every compaction. @param {number} pool */
  pin(pool) {
    this.extension?.pin(this, pool);
  }

  /** @param {"light"|"dark"} theme */
  setTheme(theme) {
    const before = this.root.dataset.theme;
    this.root.dataset.theme = theme;
    if (before && before !== theme && this.run?.length) this.notify({ theme: true });
  }

  /** @param {string} text  an error that leaves nothing to show, or the last picture standing */
  fail(text) {
    this.#leaveOpening();
    this.failures += 1;
    if (this.run) {
      this.notify({ why: true }); // what was tried there has failed
      return this.message(text);
    }
    this.waiting.hidden = false;
    this.waiting.textContent = text;
  }

  /**
   * Move the cursor.
   * @param {number} step
   * @param {{animate?: boolean, walked?: boolean, scrubbed?: boolean, jump?: boolean, overview?: boolean}} [how]  `walked`: on the way to the
   *   newest step, which is followed; `scrubbed`: more may follow at once, with no time to read what is in the inspector;
   *   `jump`: Back undoes it, by default if it is a move by hand over more than one step;
   *   `overview`: of an entry of the history, whether what happened in the session is shown there
   */
  go(step, { animate = false, walked = false, scrubbed = false, jump = !walked && !this.playing && Math.abs(step - this.step) > 1, overview } = {}) {
    const to = this.run.clamp(step);
    if (to === this.step) return this.setOverview(Boolean(overview), overview === undefined);
    const left = this.overview && overview === undefined;
    this.overview = Boolean(overview);
    const from = this.step;
    this.show.end();
    this.step = to;
    if (this.follow && !walked && to < this.run.length - 1) this.setFollow(false);
    if (!walked) this.toast.dataset.shown = "false"; // it was about the place that is left
    if (animate) this.show.begin(this, from, to);
    this.notify({ step: true, from, scrubbed, animate: this.show.now !== null, earlier: this.earlier.leave() });
    if (this.show.now) this.follower?.hold(this.show.length);
    this.show.start();
    if (!walked) returning.moved();
    this.writeAddress(left && !this.playing ? "overview" : jump ? "step" : "");
  }

  /** Go back to where the last jump began, as Back would. @param {number} step @param {boolean} [overview]  whether that was in front */
  undo(step, overview) {
    this.go(step, { jump: false, overview: overview || undefined });
    this.address.leave();
  }

  /** @param {string | null} key @param {boolean} [behind]  whether what is in front stays there */
  select(key, behind = false) {
    if (key !== null && !behind) this.setOverview(false);
    if (key === this.selected && (key === null || this.chosenAt === this.step)) return;
    this.show.end();
    this.#choose(key);
    this.notify({ selected: true });
  }

  /** @param {string | null} key */
  #choose(key) {
    this.selected = key;
    this.chosenAt = key === null ? -1 : this.step;
  }

  /** Show what happened in the session, or what is chosen. @param {boolean} on @param {boolean} [jump]  whether Back undoes it */
  setOverview(on, jump = true) {
    if (on && this.hosted) return;
    if (on && this.extension) return this.message("Open the run in Debug to see its overview");
    if (on) this.why.bring(false);
    if (on === this.overview) return;
    this.overview = on;
    this.notify({ overview: true });
    this.writeAddress(jump ? "overview" : "");
  }

  /** Show what happened in the session, also where Why stands in front of it; else what is chosen. */
  toggleOverview() {
    this.pause();
    this.setOverview(!this.overview || this.why.front);
  }

  /** Choose the row so many rows below the one that is shown; above it, if negative. @param {number} by */
  walk(by) {
    for (const { part } of this.parts) part.walk?.(by);
  }

  /** Close find, and return to the step it was opened at. */
  leaveFind() {
    for (const { part } of this.parts) part.leave?.();
  }

  play() {
    this.player.start();
  }

  pause() {
    this.player.stop();
  }

  /** Pause, with what is told at its end; says whether the press that wants that came while it moved on. */
  cutShort() {
    const cut = this.cut || this.show.movesOn;
    this.cut = false;
    this.pause();
    this.show.end();
    return cut;
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.notify({ speed: true });
  }

  /** @param {"ghosts"|"find"|"findings"|"help"|"notes"|"fork"|"share"} name */
  toggle(name) {
    if ((name === "fork" || name === "share") && this.alone) return this.message(ALONE);
    if (name === "ghosts") {
      this.ghosts = !this.ghosts;
      return this.notify({ ghosts: true });
    }
    const open = !this.open[name];
    this.open = { ...this.open, [name]: open };
    this.layers.note();
    this.notify({ open: true });
    if (!open) this.root.focus({ preventScroll: true });
  }

  /** Show it to a room, or no longer. @param {boolean} on */
  present(on) {
    if (on && this.extension) return this.message("Open the run in Debug to present it");
    if (on === this.presenting) return;
    if (on) while (this.layers.close());
    const { step, selected, overview, run } = this;
    if (on) this.presentedFrom = { step, selected, overview, tid: run.view.tid };
    this.opens = on && (this.overview || this.untold);
    this.untold &&= !on;
    if (this.opens) this.go(titleStep(this.run));
    this.setOverview(false);
    this.pause();
    this.presenting = on;
    this.notify({ present: true });
    if (!on) this.#leavePresented();
    this.root.focus({ preventScroll: true });
  }

  /** Back to where the run was when it was presented, as Esc of Find does; a live run has gone on, and another may stand in its place. */
  #leavePresented() {
    const { step, selected, overview, tid } = this.presentedFrom;
    if (this.run.view.live || this.run.view.tid !== tid) return;
    this.undo(step, overview);
    this.select(selected, overview);
  }

  /** Whether more may come: of a live run, or of a file that was opened by its path. */
  get grows() {
    return this.extension !== null || String(this.query.source ?? "").startsWith("path:");
  }

  /** Whether the newest message is the one that is shown: a person who has chosen another holds on to that. */
  get follows() {
    return this.follow && this.selected === null;
  }

  /** @param {boolean} on  stay at the newest message from now on, and let go of the one that is chosen */
  setFollow(on) {
    this.follow = on && this.grows;
    if (this.follow) this.go(this.run.length - 1);
    if (this.follow) this.select(null);
    this.notify({ follow: true });
  }

  /** @param {boolean} on  the agent of a live run is at work */
  setBusy(on) {
    if (on === this.busy) return;
    this.busy = on;
    this.notify({ busy: true });
  }

  /** @param {string} text */
  find(text) {
    if (text === this.findQuery) return;
    this.findQuery = text;
    this.notify({ findQuery: true });
  }

  /** Open Find with a text, and go to its first match. @param {string} text */
  seek(text) {
    this.findQuery = text;
    if (!this.open.find) this.toggle("find");
    for (const { part } of this.parts) part.seek?.();
  }

  /** Shows a text at the bottom for a moment, with what takes back what it tells of. @param {string} text @param {() => void} [undo] */
  message(text, undo) {
    showToast(this.toast, text, undo);
  }

  /** Say what stands on the page already to those who listen, also a second time. @param {string} text */
  say(text) {
    this.toast.textContent = "";
    requestAnimationFrame(() => (this.toast.textContent = text));
  }

  /** JSON from the server this page came from. @param {string} path  "api/…" */
  get(path) {
    return this.extension || this.alone || this.hosted ? fetchJson(path) : this.reopening.get(path);
  }

  /** JSON that comes line by line. @param {string} path @param {(line: any) => void} each @param {AbortSignal} signal */
  lines(path, each, signal) {
    return fetchLines(path, each, signal);
  }

  /** The same of what is sent as JSON. @param {string} path @param {object} body */
  post(path, body) {
    return fetchJson(path, posting(body));
  }

  /** Copy the address of what is on screen. */
  async copyLink() {
    const copied = await navigator.clipboard?.writeText(this.address.href).then(
      () => true,
      () => false,
    );
    this.message(copied ? "Link copied" : "The browser did not allow copying. Copy the link from the address bar");
  }

  /** Updates the parts; without messages most of them have nothing to show. @param {Change} change */
  notify(change) {
    if (!this.run) return;
    const parts = this.run.length ? this.parts : this.parts.filter(({ name }) => ["header", "help", "live"].includes(name));
    for (const { name, part } of parts) safely(() => part.update(this, change), name);
    if (change.step) this.layers.note();
    if ((change.step || change.selected || change.overview) && this.run.length) this.#marks();
  }

  #marks() {
    const { run, step } = this;
    const here = run.step(step);
    if (run.view.live) this.extension?.stood(step);
    else if (!this.hosted) leave(run, this.opened, step, this);
    Object.assign(this.root.dataset, { step: String(step), steps: String(run.length), tokens: String(here.tokens) });
  }

  /** @param {string} stamp  what the tests wait for: set once the browser has had a frame to paint it */
  #painted(stamp) {
    requestAnimationFrame(() => setTimeout(() => this.run?.view.stamp === stamp && (this.root.dataset.rendered = stamp)));
  }

  /** What is told ends at once where a pointer or a wheel wants something, or another run comes. */
  #touched() {
    this.cut = this.show.movesOn;
    this.player.hold();
    this.show.end();
  }

  /** A pointer's press began before its click; one by a screen reader, by voice or by Enter on a button begins with it. @param {MouseEvent} event */
  #pressed(event) {
    if (!event.detail) this.cut = this.show.movesOn;
  }

  /** What was pressed may be gone by the next picture: then the keys are the debugger's. */
  #keepFocus() {
    requestAnimationFrame(() => requestAnimationFrame(() => !this.stopped.signal.aborted && this.#takeFocus()));
  }

  #takeFocus() {
    if (document.activeElement === document.body) this.root.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    this.cut = this.show.movesOn;
    const types = event.getModifierState?.("AltGraph"); // [ and ], on many keyboards
    const chord = (event.ctrlKey || event.metaKey || event.altKey) && !types;
    if (chord && !(this.extension && undoes(event))) return;
    event.stopPropagation(); // Streamlit has shortcuts of its own, and does not see that we are typing
    if (event.defaultPrevented || !this.run || this.opening) return;
    if (typing(event) && event.key !== "Escape") return;
    const live = this.extension?.commandOf(event);
    if (!this.run.length && !live && event.key !== "Escape" && event.key !== "?") return;
    const command = live ?? this.#presented(event) ?? commandOf(event);
    if (!command || (this.hosted && LEADS_AWAY.has(event.key))) return;
    event.preventDefault();
    this.player.hold();
    if (!this.presenting) this.show.end(); // in front of a room "next" asks whether something moves
    command(this);
    this.#keepFocus();
  }

  /** What a key does in front of a room. @param {KeyboardEvent} event @returns {Command | undefined} */
  #presented(event) {
    return this.parts.map(({ part }) => part.commandOf?.(event)).find(Boolean);
  }

  destroy() {
    this.stopped.abort();
    this.show.end();
    this.earlier.leave();
    this.player.stop();
    this.follower?.stop();
    this.#leaveOpening();
    this.address.stop();
    this.why.stop();
    for (const { part } of this.parts) part.stop?.();
    this.root.remove();
  }
}

/**
 * One part that fails must not take the others with it.
 * @template T
 * @param {() => T} act
 * @param {string} name
 * @returns {T | Part}
 */
function safely(act, name) {
  try {
    return act();
  } catch (error) {
    console.error(`foldline: ${name}`, error);
    return { update() {} };
  }
}

/**
 * What a new run means for the cursor: whether it is of the session that is shown, how many messages that has grown by, where the
 * cursor then stands, and, where a page comes back to its session, how that was left. A session that is opened again begins anew.
 * @param {{run: Run | null, query?: Query, step: number, follow: boolean, opened?: number, hosted?: boolean}} shown
 * @param {Run} run
 * @param {AddressData} address
 * @param {URLSearchParams} [named]  what the address bar says
 */
export function arrival({ run: before, query, step, follow, opened = 0, hosted = false }, run, address, named = new URLSearchParams()) {
  const anew = before !== null && opened !== (address?.opened ?? 0);
  const more = before && !anew && sameFile(query, address?.query) ? Math.max(0, run.n - before.n) : 0;
  const same = before !== null && !anew && (more > 0 || nameOf(before) === nameOf(run));
  const newest = more > 0 && (follow || !before?.length);
  const stays = same && before ? sameMessage(before, step, run) : -1;
  const kept = before || hosted ? null : leftIn(run, address?.opened ?? 0);
  const left = kept && isHere(kept, named) ? kept : null;
  const begun = left ? stepAtPlace(run, left) : startOf(run, before ? "" : address?.start, address?.arrive);
  return { same, more, left, step: run.clamp(newest ? run.length - 1 : same ? stays : begun) };
}

/** Whether an address that Back has led to names this place, as it may another of the session; the links between pages name none. @param {{step: number, overview: boolean}} place @param {URLSearchParams} query */
function isHere({ step, overview }, query) {
  const named = stepIn(query.get("step") ?? "");
  return named < 0 || (named === step && overview === (query.get("show") === "overview"));
}

/** The step of a live run at which the cursor stays: its own, the same message's where the run was opened anew. @param {Run} before @param {number} step @param {Run} run */
function grownStep(before, step, run) {
  if (!before.length) return 0;
  return before.view.tid === run.view.tid ? step : sameMessage(before, step, run);
}

/**
 * The step of the new run at which the cursor sees the same newest message; at a compaction, the same one if it is still there.
 * @param {Run} before
 * @param {number} step
 * @param {Run} run
 */
function sameMessage(before, step, run) {
  const { messages, kind } = before.step(step);
  return stepLike(run, messages, kind === "compaction");
}

/**
 * Where a session is first shown: at the message it was gone to for, else as the address says, else just before the first compaction.
 * @param {Run} run
 * @param {string} [start]
 * @param {number} [arrive]  the place of a message
 */
export function startOf(run, start, arrive = -1) {
  if (arrive >= 0 && arrive < run.n) return run.stepOfMessage(arrive);
  const wanted = stepIn(start);
  if (wanted >= 0) return wanted;
  return run.compactions ? Math.max(0, run.steps[0] - 1) : run.length - 1;
}

/** Where a room is told what a session is: where it begins, before the first reply and the first compaction. @param {Run} run */
function titleStep(run) {
  const last = Math.max(0, (run.steps[0] ?? run.length) - 1);
  const reply = run.store.role.indexOf(ROLES.indexOf("assistant"));
  return reply < 0 ? last : Math.min(last, Math.max(0, run.stepOfMessage(reply) - 1));
}

/**
 * Whether no particular place of a session is asked for, or the address asks for the overview: what happened is told first.
 * @param {string} [start]
 * @param {number} [arrive]
 */
const startsAnew = (start, arrive = -1) => arrive < 0 && (stepIn(start) < 0 || showsOverview());

/**
 * Whether two addresses name the same window of the same file.
 * @param {Query | undefined} one @param {Query | undefined} other
 */
function sameFile(one, other) {
  return one !== undefined && other !== undefined && ["source", "session", "lane"].every((name) => (one[name] ?? "") === (other[name] ?? ""));
}

/**
 * Whether what is selected, a message or a recorded compaction, still exists in the run.
 * @param {Run} run
 * @param {string | null} key
 */
export function holds(run, key) {
  const [, kind, number] = /^([mcr])(\d+)/.exec(key ?? "") ?? [];
  if (kind === "r") return Number(number) < run.store.header.recorded.at.length;
  return kind === "m" ? Number(number) < run.n : kind === "c" && Number(number) < run.compactions;
}
