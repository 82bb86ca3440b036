// One live run, as this page knows it: what has been heard of it, and what can be asked of it. Parts draw it; docs/wire.md is the
// contract.
import { asSentence } from "../lib/format.js";
import { fetchJson, posting } from "../lib/json.js";
import { problemText } from "../lib/problem.js";
import { Feed } from "./feed.js";
import { NewsLine, RETRYING } from "./newsline.js";
import { hindrance, mainOf, still } from "./statewords.js";
import { tabName } from "./tabname.js";
/** @import { News } from "./types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Answer, CallRow, Conditions, KeptCall, LiveState, WaitingCall } from "./types.js" */

export class LiveRun {
  /** @param {{message: (text: string) => void, moved: (from: string, to: string) => void}} tell  a word to the person; another run has taken this one's place */
  constructor(tell) {
    this.tell = tell;
    this.id = "";
    this.feed = new Feed();
    /** @type {LiveState | null} */ this.state = null;
    /** When the state came, in milliseconds of the page. */ this.heard = 0;
    /** Why there is no connection, "" while there is one. */ this.lost = "";
    /** Whether the server is there, and will not have the question. */ this.refused = false;
    /** Whether the page shows this run already. */ this.same = false;
    /** What stands in the chat box. */ this.text = "";
    /** @type {Set<() => void>} */ this.watchers = new Set();
    /** @type {Map<string, (detail?: unknown) => void>} */ this.answers = new Map();
    /** Told that the run is another than before: how to make it, whether it is the one on show, and whether that had another past. @type {(make: () => Run, same: boolean, anew: boolean) => void} */ this.arrived =
      () => {};
    /** The name of this tab, once it has been asked for. */ this.tab = "";
    /** @type {NewsLine | null} */ this.line = null;
    this.leaving = new AbortController();
    addEventListener("pagehide", () => this.#leave(), { signal: this.leaving.signal });
  }

  /** The tab is closed, or shows another page: others may drive at once. `keepalive` lets the request outlive the page. */
  #leave() {
    if (!this.state?.drives) return;
    const body = JSON.stringify({ tab: this.tab, do: "leave" });
    void fetch(this.#url("do"), { method: "POST", body, keepalive: true }).catch(() => null);
  }

  /** Follow a run. @param {string} id */
  follow(id) {
    if (id === this.id || !id) return;
    this.id = id;
    this.feed = new Feed();
    this.state = null;
    this.same = false;
    this.lost = "";
    this.line?.stop();
    this.changed();
    this.line = new NewsLine(this.#url("news"), {
      question: () => this.#question(),
      hear: (news) => this.#hear(news),
      lose: (error) => this.#lose(error),
    });
  }

  /** Be told of every change of the state. @param {() => void} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
  }

  changed() {
    for (const watcher of this.watchers) watcher();
  }

  async #question() {
    this.tab = await tabName();
    return { ...this.feed.counts, tab: this.tab };
  }

  /** @param {string} path */
  #url(path) {
    return new URL(`api/live/${encodeURIComponent(this.id)}/${path}`, document.baseURI);
  }

  /** @param {string} path */
  #get(path) {
    return fetchJson(this.#url(path), undefined, RETRYING);
  }

  /** @param {News} news */
  #hear(news) {
    const anew = news.life !== this.feed.life;
    const changed = this.feed.take(news);
    const { notice } = news.state;
    this.lost = "";
    if (this.state && notice && notice[0] > (this.state.notice?.[0] ?? 0)) this.tell.message(asSentence(notice[1]));
    this.state = news.state;
    this.heard = performance.now();
    if (changed || (this.feed.view && !this.same)) this.#arrive(anew);
    this.changed();
  }

  /** @param {boolean} anew  its past is another than what the page has */
  #arrive(anew) {
    if (!this.feed.view) return; // what came did not join on to what is here: the next answer brings all
    const { feed } = this;
    this.arrived(() => feed.run(), this.same, anew);
    this.same = true;
  }

  /** @param {Error & {status?: number}} error */
  #lose(error) {
    this.lost = error.message;
    this.refused = Boolean(error.status);
    this.changed();
  }

  /** For how long it has been doing what it does, in seconds. */
  get seconds() {
    return this.state ? this.state.seconds + (performance.now() - this.heard) / 1000 : 0;
  }

  /** Whether no message has been sent yet; the system prompt is none. */
  get empty() {
    return !this.state?.turn;
  }

  /** What the main button says and does now. */
  get main() {
    return mainOf(this.state, { empty: this.empty, text: this.text.trim() !== "" });
  }

  /** Whether a message is written that is sent next. */
  get sends() {
    return this.main.does === "say" && this.text.trim() !== "";
  }

  /** Why no command can be given, "" where one can. */
  get hindered() {
    return hindrance(this.state, this.lost);
  }

  /** Whether the window may be changed by hand now. */
  get still() {
    return !this.hindered && still(this.state);
  }

  /** A part answers to a name: "chat", "breakpoints", "request", "request of" (a message), "drop", "pin". @param {string} name @param {(detail?: unknown) => void} answer */
  on(name, answer) {
    this.answers.set(name, answer);
  }

  /** @param {string} name @param {unknown} [detail]  what it is asked about */
  ask(name, detail) {
    this.answers.get(name)?.(detail);
  }

  /** Press one of the buttons. @param {"main" | "step" | "stop" | "compact" | "retry" | "without"} what */
  act(what) {
    if (what === "step" && this.sends) return this.ask("send", { step: true });
    const does = what === "main" ? this.main.does : what;
    if (does === "say") return this.ask(this.text.trim() ? "send" : "chat");
    if (does) void this.do(does);
  }

  /**
   * Ask the server for something; what it refuses is said.
   * @param {string} what
   * @param {object} [more]
   * @returns {Promise<Answer | null>}  its answer, or null
   */
  async do(what, more = {}) {
    if (this.hindered && what !== "take") return this.tell.message(this.hindered), null;
    try {
      return await this.order(what, more);
    } catch (error) {
      this.tell.message(problemText(error));
      return null;
    }
  }

  /**
   * The same for a dialog, which says itself what is refused: rejects with an Error that can be shown.
   * @param {string} what
   * @param {object} [more]
   * @returns {Promise<Answer>}
   */
  async order(what, more = {}) {
    if (this.hindered && what !== "take") throw new Error(this.hindered);
    if (what !== "take" && !this.state?.drives) await this.#post("take", {});
    const answer = await this.#post(what, more);
    if (answer.run) this.#move(answer.run);
    if (answer.later) this.tell.message("Will run before the next model call");
    return answer;
  }

  /** @param {string} what @param {object} more */
  async #post(what, more) {
    return fetchJson(this.#url("do"), posting({ tab: await tabName(), do: what, ...more }), RETRYING);
  }

  /** @param {string} id  the run that takes the place of this one */
  #move(id) {
    const from = this.id;
    this.follow(id);
    this.tell.moved(from, id);
  }

  /** What would be sent next, as JSON. @returns {Promise<{body: unknown, note?: string}>} */
  request() {
    return this.#get("request");
  }

  /** The tool call that the run waits before. @returns {Promise<WaitingCall>} */
  waitingCall() {
    return this.#get("tool");
  }

  /** What breakpoints can be on. @returns {Promise<Conditions>} */
  conditions() {
    return this.#get("conditions");
  }

  /** Every model call that was made. @returns {Promise<{calls: CallRow[]}>} */
  calls() {
    return this.#get("calls");
  }

  /** A call as it was sent, and its reply. @param {number} number @returns {Promise<KeptCall>} */
  call(number) {
    return this.#get(`calls/${number}`);
  }

  stop() {
    this.#leave();
    this.leaving.abort();
    this.line?.stop();
    this.watchers.clear();
    this.answers.clear();
  }
}
