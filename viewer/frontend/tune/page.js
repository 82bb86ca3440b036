// The Tune page: the map, the trade-off, the recommendation, and a table of the sessions.
import { attribute, button, el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { themeOf } from "../lib/theme.js";
import { MEASURE_WORDS, showCaveat, showDialog, showKeys, showMeasures } from "./dialogs.js";
import { HeatMap } from "./heatmap.js";
import { LoserTable } from "./losertable.js";
import { labelOf, placeOf } from "./places.js";
import { PointedSetting } from "./pointed.js";
import { TuneShare } from "./share.js";
import { SessionTable } from "./sessiontable.js";
import { TradeOff } from "./tradeoff.js";
import { Verdict } from "./verdict.js";
import { MEASURES, countedBy, duration } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { PageData } from "./types.js" */

/** Pixels of the table's head with its frame, and of a row; so many rows have room at least. */
const [HEAD, ROW, LEAST] = [31, 26, 2];
/** What the summaries are that no model writes. @type {Record<string, string>} */
const WRITTEN = { structural: "summaries of quotes", "fixed size": "summaries of a fixed size" };

export class TunePage {
  /** @param {ParentNode} parent @param {Tuning} tuning */
  constructor(parent, tuning) {
    this.tuning = tuning;
    this.stopped = new AbortController();
    this.facts = el("div", { class: "fl-tune-facts" });
    this.bar = el("i");
    this.done = el("span", { class: "fl-tune-done" });
    const stop = button("Stop", () => tuning.stop(), { class: "fl-tune-button fl-tune-stop" });
    this.progress = el(
      "div",
      { class: "fl-tune-progress", hidden: true },
      el(
        "span",
        { class: "fl-tune-progress-bar", role: "progressbar", "aria-label": "Runs done", "aria-valuemin": 0, "aria-valuemax": 100 },
        this.bar,
      ),
      this.done,
      stop,
    );
    this.link = button("Copy link", () => void this.#copy(), { class: "fl-tune-quiet" });
    const help = button("?", () => showKeys(this.root), { class: "fl-tune-quiet", "aria-label": "Keys", title: "Keys (?)" });
    this.said = el("p", { class: "fl-said", role: "status" });
    const head = el("header", { class: "fl-tune-head" }, el("h1", { text: "Tune" }), this.facts, this.progress, this.link, help);
    this.map = new HeatMap(tuning, { explain: (measure) => this.#explain(measure) });
    this.plot = new TradeOff(tuning);
    this.verdict = new Verdict(tuning, { caveat: () => showCaveat(this.root), best: () => this.#best(), share: () => this.share.open() });
    this.pointed = new PointedSetting(tuning);
    this.table = new SessionTable(tuning);
    this.losers = new LoserTable(tuning);
    this.root = el(
      "div",
      { class: "fl-tune fl-tune-page", tabindex: -1 },
      head,
      this.map.root,
      this.plot.root,
      this.verdict.root,
      this.table.root,
      this.losers.root,
      this.pointed.node,
      this.said,
    );
    this.share = new TuneShare(tuning, this.root);
    this.root.append(this.share.node);
    /** What progress was said last, in tenths. */ this.tenth = 0;
    this.queued = 0;
    this.#listen();
    parent.append(this.root);
  }

  #listen() {
    const { signal } = this.stopped;
    this.tuning.addEventListener("change", () => this.#soon(), { signal });
    this.tuning.addEventListener("point", (event) => this.#point(/** @type {CustomEvent} */ (event).detail), { signal });
    this.tuning.addEventListener("finished", () => (this.#draw(), this.#say(this.verdict.sentence.textContent ?? "")), { signal });
    addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  /** @param {Element | null} at  the cell or the mark that is pointed at */
  #point(at) {
    this.map.point();
    this.plot.point();
    this.pointed.show(at);
    this.verdict.point();
  }

  /** @param {PageData} data */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    if (data) this.tuning.start(data);
    this.#soon();
  }

  /** Draw with the next frame, once for all that has changed. */
  #soon() {
    if (this.queued) return;
    this.queued = requestAnimationFrame(() => {
      this.queued = 0;
      this.#draw();
    });
  }

  #draw() {
    const { tuning } = this;
    this.root.dataset.view = tuning.chosen.view;
    this.root.dataset.state = tuning.running
      ? "running"
      : tuning.reading || tuning.preparing
        ? "reading"
        : tuning.picture
          ? tuning.stopped
            ? "stopped"
            : "done"
          : tuning.found || tuning.kept
            ? "ready"
            : "empty";
    this.#facts();
    this.#progress();
    this.map.draw();
    this.plot.draw();
    this.verdict.draw();
    this.pointed.draw();
    this.table.root.hidden = tuning.chosen.kind === "result";
    this.losers.root.hidden = !this.table.root.hidden;
    const table = this.table.root.hidden ? this.losers : this.table;
    table.draw();
    this.root.style.setProperty("--table", `${HEAD + ROW * Math.max(LEAST, table.rows)}px`);
    this.root.dataset.drawn = String(Number(this.root.dataset.drawn ?? 0) + 1);
  }

  #facts() {
    const { tuning } = this;
    const { sessions } = tuning;
    const facts = [
      tuning.kept ? pluralize(tuning.kept.sessions, "session") : tuning.found ? pluralize(sessions.length, "session") : "",
      tuning.settings ? `${int(tuning.settings)} ${tuning.settings === 1 ? "setting" : "settings"}` : "",
      countedBy(tuning.terms.meter, sessions),
      `${WRITTEN[tuning.terms.summaries] ?? `${tuning.terms.summaries} summaries`}, no model`,
    ];
    this.facts.replaceChildren(...facts.filter(Boolean).map((text) => el("span", { class: "fl-fact", text })));
  }

  #progress() {
    const { progress } = this.tuning;
    this.progress.hidden = !progress;
    this.link.hidden = Boolean(progress);
    if (!progress) {
      this.tenth = 0;
      return;
    }
    const part = Math.round(100 * progress.part);
    this.bar.style.width = `${part}%`;
    attribute(/** @type {Element} */ (this.bar.parentElement), "aria-valuenow", part);
    const left = progress.left === null ? "" : ` · ${duration(progress.left)} left`;
    this.done.replaceChildren(el("b", { text: int(progress.done) }), ` of ${pluralize(progress.runs, "run")}${left}`);
    if (Math.floor(part / 10) > this.tenth) {
      this.tenth = Math.floor(part / 10);
      this.#say(`${this.tenth * 10} % of the runs are done`);
    }
  }

  /** @param {string} text */
  #say(text) {
    this.said.textContent = text;
  }

  /** @param {string} measure */
  #explain(measure) {
    const label = MEASURES.find(({ name }) => name === measure)?.label ?? "";
    const [, text] = MEASURE_WORDS.find(([name]) => name === label) ?? MEASURE_WORDS[0];
    const { picture } = this.tuning;
    const uses = picture?.recorded[0] === picture?.sessions ? (picture?.recorded[6] ?? 0) : 0;
    const counted =
      measure === "misses" && uses ? ` Here there are ${int(uses)} such uses in ${pluralize(this.tuning.sessions.length, "session")}.` : "";
    const all = button("All measures…", () => (node.close(), showMeasures(this.root)), { class: "fl-tune-link" });
    const node = showDialog(this.root, label, el("p", { text: text + counted }), all);
  }

  async #copy() {
    this.tuning.keep();
    try {
      await navigator.clipboard.writeText(location.href);
      this.link.textContent = "Copied";
    } catch {
      this.link.textContent = "Not copied";
    }
    setTimeout(() => (this.link.textContent = "Copy link"), 1500);
  }

  /** The keys of the page, wherever the focus is, unless something is typed into. @param {KeyboardEvent} event */
  #key(event) {
    const at = event.composedPath()[0];
    const typing = at instanceof Element && at.matches("input:not([type=range], [type=checkbox]), textarea, select, dialog *");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || this.root.querySelector("dialog[open]")) return;
    const { tuning } = this;
    if (event.key === "m") tuning.set({ measure: next(tuning.chosen.measure) });
    else if (event.key === "b") this.#best();
    else if (event.key === "r") tuning.running ? tuning.stop() : void tuning.run();
    else if (event.key === "?") showKeys(this.root);
    else if (event.key === "Escape" && tuning.chosen.cell >= 0) tuning.choose(tuning.chosen.cell);
    else if (event.key === "Escape" && tuning.pointed >= 0) tuning.point(-1);
    else if (event.key.startsWith("Arrow") && !(at instanceof Element && at.matches("input, [role=slider], [role=grid] *, .fl-long")))
      this.map.focus();
    else return;
    event.preventDefault();
  }

  /** Go to the best setting, on the map of its policy. */
  #best() {
    const { tuning } = this;
    const best = tuning.picture?.best ?? null;
    const place = best === null ? null : placeOf(tuning.grids, best);
    if (best === null || !place) return;
    tuning.set({ map: labelOf(tuning.grids[place.g]), view: "map" });
    this.#draw();
    this.map.focus(best);
  }

  destroy() {
    this.stopped.abort();
    cancelAnimationFrame(this.queued);
    this.plot.stop();
    this.table.stop();
    this.losers.stop();
    this.root.remove();
  }
}

/** The measure after this one. @param {string} measure */
const next = (measure) => MEASURES[(MEASURES.findIndex(({ name }) => name === measure) + 1) % MEASURES.length].name;
