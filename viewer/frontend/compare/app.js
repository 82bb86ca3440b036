// The Compare page in the browser: two to four runs of one session under one cursor, which counts the messages that have arrived.
// Its one mutable state beside the lanes themselves (board.js), its commands and its keys.

import { Address, addressed, stepIn } from "../lib/address.js";
import { el } from "../lib/dom.js";
import { fetchJson } from "../lib/json.js";
import { fetchLines } from "../lib/lines.js";
import { OWN_ARROWS, onButton, typing, unused, within } from "../lib/keys.js";
import { problemText } from "../lib/problem.js";
import { Run } from "../run/model.js";
import { leave, leftIn, stepAtPlace } from "../run/leftplaces.js";
import { viewOf } from "../run/views.js";
import { askedBy, askedIn, remember } from "../why/asked.js";
import { Places } from "./divergence.js";
import { Header } from "./header.js";
import { BesideTexts } from "./besidetexts.js";
import { stepAt } from "./held.js";
import { Help } from "./help.js";
import { Reader, subjectOf } from "./reader.js";
import { shareOf } from "./share.js";
import { Pins } from "./pins.js";
import { differenceAt, keyOf, lanesIn } from "./sets.js";
import { Timeline } from "./timeline.js";
import { Totals } from "./totals.js";
import { Transport } from "./transport.js";
import { Windows } from "./windows.js";
import { showToast } from "../lib/toast.js";
/** @import { Difference } from "./sets.js" */
/** @import { Store } from "../run/decode.js" */
/** @import { View } from "../run/types.js" */
/** @import { Query } from "../lib/address.js" */
/** @import { Board, LaneData } from "./board.js" */

/**
 * @typedef {{sid: string, place: string, nth: number, lanes: LaneData[],
 *   address: {query: Query, message?: string, base?: string, opened?: number}}} CompareData
 */
/** @typedef {{runs?: boolean, cursor?: boolean, board?: boolean, theme?: boolean, pair?: boolean, pins?: boolean, playing?: boolean}} Change */

/** Where the cursor was when the page was left, by what was opened. @type {Map<string, number>} */
const left = new Map();

/** Pixels of a page in which the message stands below the list. */
const STACKED = 600;
/** Messages a second while it plays. */
const PACE = 4;

/** Why an exported file, which is alone, cannot do something. */
const ALONE = "This is an exported file: open the session in foldline to debug a lane or to follow another text";

export class Compare {
  /**
   * @param {ParentNode} parent  the shadow root to fill
   * @param {Board} board
   * @param {(sid: string) => Store | undefined} session
   * @param {((name: string, value: unknown) => void) | null} trigger  null in an exported file, which has no other page
   */
  constructor(parent, board, session, trigger) {
    this.board = board;
    this.session = session;
    this.trigger = trigger;
    /** Whether this is an exported file: lanes and texts are those that it holds. */ this.alone = !trigger;
    /** @type {Run[]} */ this.runs = [];
    this.places = new Places([]);
    /** How many messages have arrived at the cursor. */ this.at = 0;
    /** The lanes whose windows are compared, by number; all where it is null. @type {number[] | null} */ this.pair = null;
    this.playing = 0;
    /** What was worked out last. @type {{key: string, runs: Run[], difference: Difference} | null} */ this.known = null;
    /** @type {Query} */ this.query = {};
    /** The how many-th session that was opened here this is. */ this.opened = 0;
    this.sent = 0;
    this.sid = "";
    /** @type {{views: View[], data: CompareData} | null} */ this.waiting = null;
    this.stopped = new AbortController();
    this.root = el("div", { class: "fl-app fl-compare", tabindex: "-1", role: "region", "aria-label": "Compare" });
    this.toast = el("div", { class: "fl-toast", role: "status", "aria-live": "polite" });
    this.empty = el("div", { class: "fl-waiting", role: "status", text: "Opening…" });
    this.address = new Address("compare", (query, at) => this.#returned(query, at), "message");
    this.pins = new Pins(this);
    board.pins = this.pins;
    this.help = new Help(this);
    this.share = this.alone ? null : shareOf(this);
    this.windows = new Windows(this);
    this.reader = new Reader(this);
    this.texts = new BesideTexts(this);
    /** @type {{update(change: Change): void, stop?(): void, node: HTMLElement}[]} */ this.parts = [
      new Header(this),
      new Timeline(this),
      new Transport(this),
      this.windows,
      new Totals(this),
      this.reader,
    ];
    this.root.append(
      el("div", { class: "fl-compare-grid" }, ...this.parts.map(({ node }) => node)),
      this.help.node,
      this.texts.node,
      this.share?.node ?? "",
      this.empty,
      this.toast,
    );
    parent.append(this.root);
    this.#listen();
  }

  #listen() {
    const on = { signal: this.stopped.signal };
    this.root.addEventListener("keydown", (event) => this.#key(event), on);
    document.addEventListener("keydown", (event) => unused(event) && this.#key(event), on);
    this.unwatch = this.board.watch(() => this.runs.length && this.#arranged());
    this.pins.watch(() => this.runs.length && this.#followed());
  }

  /** @param {"light" | "dark"} theme */
  setTheme(theme) {
    const before = this.root.dataset.theme;
    this.root.dataset.theme = theme;
    if (before && before !== theme) this.notify({ theme: true });
  }

  /** @param {CompareData} data */
  async take(data) {
    const order = ++this.sent;
    try {
      const found = await Promise.all(data.lanes.map(({ tid }) => viewOf(tid)));
      if (order !== this.sent) return; // newer lanes are on their way
      this.waiting = { views: found, data };
      this.apply();
    } catch (error) {
      if (order === this.sent) this.fail(problemText(error));
    }
  }

  /** Show what has come, if the session it belongs to is here. */
  apply() {
    const { waiting } = this;
    const store = waiting && this.session(waiting.data.sid);
    if (!waiting || !store) return;
    this.waiting = null;
    const { views: found, data } = waiting;
    const first = data.sid !== this.sid;
    this.sid = data.sid;
    this.query = data.address.query;
    this.opened = data.address.opened ?? 0;
    const runs = data.lanes.map(({ tid }, k) => this.runs.find((run) => run.store === store && run.view.tid === tid) ?? new Run(store, found[k]));
    const same = runs.length === this.runs.length && runs.every((run, k) => run === this.runs[k]);
    this.runs = runs;
    this.board.compactions = runs.map((run) => run.compactions);
    if (!same) this.places = new Places(runs);
    if (this.pair?.some((lane) => lane >= runs.length)) this.pair = null;
    this.board.take(data.place, data.lanes, data.nth);
    if (first) this.unread();
    if (first) this.#begin(data);
    this.at = this.clamp(this.at);
    this.empty.hidden = store.n > 0;
    this.empty.textContent = "This session has no messages.";
    this.root.toggleAttribute("data-empty", !store.n);
    this.pins.follow(runs);
    this.notify({ runs: true, cursor: true });
    this.#painted(data.lanes.map(({ tid }) => tid).join());
    this.write();
  }

  /** Where a session is first shown: as the address says, else where it was left, where the lanes first differ, or at its end. @param {CompareData} data */
  #begin({ address }) {
    const asked = stepIn(address.message);
    const before = left.get(this.#opening) ?? this.places.first;
    this.at = asked > 0 ? asked : before > 0 ? before : this.n;
    this.board.setBase(Math.max(0, ["a", "b", "c", "d"].indexOf(address.base ?? "")));
    const followed = askedIn(this.runs[0]);
    this.pins.restore(askedBy(addressed()) ?? followed.query, followed.at);
    if (document.activeElement === document.body) this.root.focus({ preventScroll: true });
  }

  /** What is shown, and how many sessions were opened before: one that is opened again begins afresh. */
  get #opening() {
    return `${this.opened} ${this.sid}`;
  }

  /** Other texts, another that is chosen, or news of one: Debug follows the same. */
  #followed() {
    const { query, at } = this.pins;
    remember(this.runs[0], { query, at });
    this.notify({ pins: true });
    this.board.tell();
  }

  #arranged() {
    this.notify({ board: true });
    this.write();
  }

  get n() {
    return this.runs[0]?.n ?? 0;
  }

  /** @param {number} at */
  clamp(at) {
    return Math.max(Math.min(1, this.n), Math.min(this.n, Math.round(at) || 0));
  }

  /** The lanes whose windows are compared. */
  get shown() {
    return this.pair ?? this.runs.map((_, lane) => lane);
  }

  /** How the windows of the lanes differ at the cursor. @param {number[]} [lanes] */
  difference(lanes = this.shown) {
    const key = `${lanes.join()} ${this.at}`;
    if (this.known?.key !== key || this.known.runs !== this.runs)
      this.known = {
        key,
        runs: this.runs,
        difference: differenceAt(
          lanes.map((lane) => this.runs[lane]),
          this.at,
        ),
      };
    return this.known.difference;
  }

  /** Move the cursor. @param {number} at */
  go(at) {
    const to = this.clamp(at);
    if (to === this.at) return;
    const jump = Math.abs(to - this.at) > 1 && !this.playing;
    this.at = to;
    this.toast.dataset.shown = "false";
    this.notify({ cursor: true });
    this.write(jump ? "message" : "");
  }

  /** Move by hand: playback stops. `to` -1: nowhere, and `none` says so. @param {number} to @param {string} [none] */
  walk(to, none = "") {
    this.pause();
    if (to < 0) return this.message(none);
    this.go(to);
  }

  /** @param {number[] | null} pair */
  narrow(pair) {
    this.pair = pair;
    this.notify({ pair: true });
  }

  play() {
    if (this.playing || !this.n) return this.pause();
    if (this.at >= this.n) this.go(1);
    let last = performance.now();
    let due = 0;
    const tick = (/** @type {number} */ now) => {
      this.playing = requestAnimationFrame(tick);
      due += Math.min(0.25, (now - last) / 1000) * PACE;
      last = now;
      if (due < 1) return;
      this.go(this.at + Math.floor(due));
      due %= 1;
      if (this.at >= this.n) this.pause();
    };
    this.playing = requestAnimationFrame(tick);
    this.notify({ playing: true });
  }

  pause() {
    cancelAnimationFrame(this.playing);
    if (!this.playing) return;
    this.playing = 0;
    this.notify({ playing: true });
  }

  /** Read the message of a row in the list of the windows. @param {string} key */
  read(key) {
    this.reader.show(key);
    this.windows.list.mark(key, true);
    if (this.root.clientWidth < STACKED) this.reader.node.scrollIntoView({ block: "nearest" });
  }

  /** The lane whose summary is read has become another: read the newest that it has now. */
  reread() {
    const lane = this.shown.indexOf(subjectOf(this.reader.key).lane);
    const one = this.difference().added.findLast(({ mask }) => lanesIn(mask).includes(lane));
    if (one) this.read(keyOf(one, this.shown));
    else this.unread();
  }

  /** Close the message that is read. */
  unread() {
    this.windows.list.mark(this.reader.key, false);
    this.reader.show("");
  }

  /** Close it by hand: the focus returns to its row. */
  leaveReader() {
    this.unread();
    this.windows.list.focus();
  }

  /** Open a lane on the Debug page, at the message of the cursor: where the cursor was there, if it has not moved. @param {number} lane */
  debug(lane) {
    if (!this.trigger) return this.message(ALONE);
    if (this.board.lanes[lane]?.name === "none") return;
    const run = this.runs[lane];
    const before = leftIn(run, this.opened);
    const step = before?.messages === this.at ? stepAtPlace(run, before) : stepAt(run, this.at);
    leave(run, this.opened, step, { selected: this.#read(lane) ?? `m${this.at - 1}`, overview: false });
    this.trigger("debug", { lane });
  }

  /** The key that Debug has for the message that is read, if the run of a lane has it. @param {number} lane */
  #read(lane) {
    if (!this.reader.key) return null;
    const { lane: own, pool } = subjectOf(this.reader.key);
    return pool < this.n || own === lane ? this.runs[lane].pool.row(pool).key : null;
  }

  /** Shows a text at the bottom for a moment. @param {string} text */
  message(text) {
    if (!text) return;
    showToast(this.toast, text);
  }

  /** @param {string} text  an error that leaves nothing to show, or the last picture standing */
  fail(text) {
    if (this.runs.length) return this.message(text);
    this.empty.hidden = false;
    this.empty.textContent = text;
  }

  /** @param {string} path */
  get(path) {
    return fetchJson(path);
  }

  /** @param {string} path @param {(line: any) => void} each @param {AbortSignal} signal */
  lines(path, each, signal) {
    return fetchLines(path, each, signal);
  }

  /** The address bar says what is shown: lanes, baseline, message and texts. @param {string} [kind]  of a jump, which Back undoes */
  write(kind) {
    const { board } = this;
    if (!this.runs.length) return;
    const { source, session, lane, ...rest } = this.query;
    const lanes = Object.fromEntries(board.lanes.map(({ text }, k) => ["abcd"[k], text]));
    this.address.set({ source, session, lane, ...lanes, base: "abcd"[board.base], ...rest, ...this.pins.query }, this.at, kind);
  }

  /** What Back or Forward led to: another message of these lanes, or other lanes, for which the page is loaded anew. @param {string} query @param {number} at */
  #returned(query, at) {
    this.pause();
    const now = new URLSearchParams(this.address.href.split("?")[1]);
    const then = new URLSearchParams(query);
    now.delete("message");
    if ([...new Set([...now.keys(), ...then.keys()])].some((key) => now.get(key) !== then.get(key))) return location.reload();
    this.go(at);
  }

  async copyLink() {
    this.address.write();
    const copied = await navigator.clipboard?.writeText(this.address.href).then(
      () => true,
      () => false,
    );
    this.message(copied ? "Link copied" : "The browser did not allow copying. Copy the link from the address bar");
  }

  /** @param {Change} change */
  notify(change) {
    if (!this.runs.length) return;
    const parts = this.n ? this.parts : this.parts.slice(0, 1);
    for (const part of parts) part.update(change);
    Object.assign(this.root.dataset, { message: String(this.at), messages: String(this.n), laneCount: String(this.runs.length) });
    this.root.style.setProperty("--fl-lanes-count", String(this.runs.length));
  }

  /** @param {string} stamp  what the tests wait for: set once the browser has had a frame to paint it */
  #painted(stamp) {
    requestAnimationFrame(() => setTimeout(() => (this.root.dataset.rendered = stamp)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation(); // Streamlit has shortcuts of its own
    if (event.defaultPrevented || !this.n || typing(event)) return;
    if (event.key === " " && onButton(event)) return;
    if (/^(Home|End|Page|Arrow)/.test(event.key) && within(event, ".fl-sets-scroll, .fl-ibody") && !/^Arrow/.test(event.key)) return;
    if (/^Arrow(Up|Down)$/.test(event.key) && (within(event, OWN_ARROWS) || !(this.reader.key || this.windows.list.focused))) return;
    const command = Object.hasOwn(COMMANDS, event.key) ? COMMANDS[event.key] : undefined;
    if (!command) return;
    event.preventDefault();
    command(this);
  }

  destroy() {
    if (this.n) left.set(this.#opening, this.at);
    this.stopped.abort();
    this.unwatch?.();
    this.pause();
    this.pins.stop();
    this.address.stop();
    for (const part of this.parts) part.stop?.();
    this.root.remove();
  }
}

/** @type {Record<string, (app: Compare) => unknown>} */
const COMMANDS = {
  ArrowRight: (app) => app.walk(app.at + 1),
  ArrowLeft: (app) => app.walk(app.at - 1),
  ArrowDown: (app) => app.windows.walk(1),
  ArrowUp: (app) => app.windows.walk(-1),
  b: (app) => app.texts.open(),
  d: (app) => app.walk(app.places.differing(app.at, 1), app.places.first < 0 ? "The lanes do not differ" : "No later difference"),
  D: (app) => app.walk(app.places.differing(app.at, -1), app.places.first < 0 ? "The lanes do not differ" : "No earlier difference"),
  n: (app) => app.walk(app.places.compaction(app.at, 1), "No later compaction"),
  p: (app) => app.walk(app.places.compaction(app.at, -1), "No earlier compaction"),
  g: (app) => app.walk(1),
  Home: (app) => app.walk(1),
  G: (app) => app.walk(app.n),
  End: (app) => app.walk(app.n),
  " ": (app) => app.play(),
  1: (app) => app.board.choose(0),
  2: (app) => app.board.choose(1),
  3: (app) => app.board.choose(2),
  4: (app) => app.board.choose(3),
  x: (app) => app.board.setBase(app.board.chosen),
  w: (app) => (app.alone ? app.message(ALONE) : app.pins.selection()),
  v: (app) => app.debug(app.board.chosen),
  S: (app) => (app.share ? app.share.open() : app.message(ALONE)),
  "?": (app) => app.help.open(),
  Escape: (app) => (app.reader.key ? app.leaveReader() : app.narrow(null)),
};
