// What the Tune page knows: what was chosen, the sessions, the sweep and how it stands. It asks the server, and says "change".
import { addressOf, isAt } from "../lib/address.js";
import { fetchJson, posting, refusalText } from "../lib/json.js";
import { fetchLines } from "../lib/lines.js";
import { problemText } from "../lib/problem.js";
import { chosenIn, queryOf } from "./addressed.js";
import { expectedSeconds } from "./estimate.js";
import { keepLeft, leftBy } from "./left.js";
import { pricedBy } from "./priced.js";
import { firstOf, fixedOf, labelOf, sameAxes, settingOf, shortName, sizeOf, spreadOver } from "./places.js";
/** @import { Chosen } from "./addressed.js" */
/** @import { Axis, Grid, Kept, PageData, Picture, PolicyFacts, Prices, Progress, Proposal, SessionFacts, SessionSet } from "./types.js" */

const USUAL = "agentkit.memory";
/** Values that are proposed for one parameter. */
export const MOST_VALUES = 8;
/** Milliseconds that a setting is pointed at before the table shows it. */
const POINTED = 120;

/** @type {SessionFacts[]} */ const NONE = [];

/** The sessions of at least so many tokens, but for some. @param {SessionFacts[]} all @param {number} least @param {string[]} without */
function kept(all, least, without) {
  const left = new Set(without);
  return all.filter(({ id, tokens }) => tokens >= least && !left.has(id));
}

/** A function that keeps its last answer: a table asks for the same again and again. @template {unknown[]} A @template R @param {(...asked: A) => R} made @returns {(...asked: A) => R} */
function lastOf(made) {
  /** @type {A | null} */ let before = null;
  /** @type {R} */ let answer;
  return (...asked) => {
    if (!before || asked.some((one, k) => one !== before?.[k])) answer = made(...asked);
    before = asked;
    return answer;
  };
}

export class Tuning extends EventTarget {
  #swept = lastOf(kept);
  #priced = lastOf((/** @type {SessionFacts[]} */ sessions, /** @type {Map<string, Prices | null>} */ rates, /** @type {number} */ _known) =>
    pricedBy(sessions, rates),
  );

  constructor() {
    super();
    this.chosen = chosenIn(location.search);
    /** @type {PageData | null} */ this.data = null;
    /** @type {SessionSet | null} */ this.found = null;
    /** Files read, of how many, while they are. @type {[number, number] | null} */ this.reading = null;
    this.problem = "";
    /** The parameters of each policy with their ranges. @type {Map<string, Proposal[]>} */ this.known = new Map();
    /** What else is known of each. @type {Map<string, PolicyFacts>} */ this.facts = new Map();
    this.sweep = "";
    /** The result that is open in place of sessions. @type {Kept | null} */ this.kept = null;
    /** The figure by which its sessions are listed. */ this.figure = "misses";
    /** @type {Picture | null} */ this.picture = null;
    /** @type {Progress | null} */ this.progress = null;
    /** Whether the sweep was stopped before its end. */ this.stopped = false;
    /** Whether the run is over, and only its last picture is awaited. */ this.ending = false;
    /** Seconds that the last run took. */ this.took = 0;
    /** The prices of models, null for one that has none. @type {Map<string, Prices | null>} */ this.rates = new Map();
    /** The list that they are from. */ this.list = "";
    /** The setting that is pointed at, -1 for none. */ this.pointed = -1;
    this.reader = new AbortController();
    this.runner = new AbortController();
    this.looker = new AbortController();
    /** What is still to be known before a run, and whether there was one before. */ this.preparing = 0;
    this.asked = 0;
    this.timer = 0;
    this.back = (/** @type {PopStateEvent} */ event) => {
      if (!isAt("tune")) return; // Streamlit opens the other page
      event.stopImmediatePropagation(); // and would run this one again
      this.#returned();
    };
    addEventListener("popstate", this.back, true);
  }

  /** @param {PageData} data */
  start(data) {
    if (this.data) return;
    this.data = data;
    const left = location.search ? "" : leftBy(data);
    this.#chooseBy(location.search || left);
    left ? this.keep() : keepLeft(this.#query);
    void this.find();
  }

  /** What an address asks for, with what else the page begins with. @param {string} search */
  #chooseBy(search) {
    this.chosen = chosenIn(search, this.data?.meter);
    if (!this.data) return;
    if (!this.chosen.grids.length) this.chosen.grids = [newGrid(this.now.policy || this.data.own || USUAL)];
    if (!this.chosen.folder) this.chosen.folder = this.data.folder;
  }

  /** The setting that the debugger shows: a policy and its parameters. */
  get now() {
    const said = new URLSearchParams(location.search).get("now");
    /** @type {{[name: string]: string}} */ const query = said ? Object.fromEntries(new URLSearchParams(said)) : (this.data?.now ?? {});
    return query.policy && query.policy !== "recorded" ? query : {};
  }

  /** The number of that setting in the sweep, or null. */
  get nowAt() {
    return settingOf(this.grids, this.now, this.facts.get(this.now.policy)?.defaults);
  }

  /** The grids whose values are known, without those that wait for a context window. */
  get grids() {
    if (this.kept) return this.kept.grids;
    return this.chosen.grids.filter((grid) => (grid.axes.length || this.known.get(grid.policy)?.length === 0) && !this.lacksWindow(grid));
  }

  /** Whether a policy needs the context window of a model that is not known. @param {Grid} grid */
  needsWindow({ policy, axes, fixed }) {
    const name = this.facts.get(policy)?.window;
    return Boolean(name) && this.unlimited > 0 && !axes.some((axis) => axis.name === name) && !(name && fixed?.[name]);
  }

  /** Whether it is left out until somebody gives one. @param {Grid} grid */
  lacksWindow(grid) {
    return !this.chosen.window && this.needsWindow(grid);
  }

  /** How many sessions have a model whose context window is not known. */
  get unlimited() {
    return this.sessions.filter(({ limited }) => !limited).length;
  }

  /** The sessions that are swept. @returns {SessionFacts[]} */
  get sessions() {
    const { found, least, chosen } = this;
    return this.#swept(found?.sessions ?? NONE, least, chosen.without);
  }

  /** Tokens below which a session is left out: what was typed, else a tenth of the largest, as smaller ones never fill its budgets. */
  get least() {
    if (this.chosen.least >= 0) return this.chosen.least;
    const largest = Math.max(0, ...(this.found?.sessions ?? []).map(({ tokens }) => tokens));
    const tenth = largest / 10;
    const scale = 10 ** Math.floor(Math.log10(Math.max(1, tenth)));
    return (this.found?.sessions.length ?? 0) > 3 ? Math.floor(tenth / scale) * scale : 0;
  }

  get settings() {
    return this.grids.reduce((sum, grid) => sum + sizeOf(grid), 0);
  }

  /** Whether runs are missing: what is said of the rest holds so far. */
  get unfinished() {
    return (this.running && !this.ending) || this.stopped;
  }

  get running() {
    return this.progress !== null;
  }

  /** The prices in use: those typed, those of the chosen model, else "own", each session's by its own model; null where there are none. @returns {Prices | "own" | null} */
  get prices() {
    const { prices, model } = this.chosen;
    if (prices) return prices;
    if (model) return this.rates.get(model) ?? null;
    return this.own.priced.length ? "own" : null;
  }

  /** The meter that counts every session, or "" where they differ. */
  get sameMeter() {
    if (this.chosen.meter) return this.chosen.meter;
    const meters = new Set(this.sessions.map(({ meter }) => meter));
    return meters.size === 1 ? [...meters][0] : "";
  }

  /** The meter that links name: none where the other pages take the same without; a sample has one that its file does not say. */
  get linkMeter() {
    const sample = this.chosen.kind === "this" && this.data?.source.startsWith("sample:");
    return sample ? this.sameMeter : this.chosen.meter;
  }

  /** The models that the sessions are priced by. */
  get own() {
    return this.#priced(this.sessions, this.rates, this.rates.size);
  }

  /** The prices that hold for every session, or null where models differ. @returns {Prices | null} */
  get samePrices() {
    const { prices, own } = this;
    if (prices !== "own") return prices;
    return new Set(own.priced.map((one) => one.prices.join())).size === 1 ? own.priced[0].prices : null;
  }

  /** Whether there are costs: at prices, or those of a result's rows. */
  get priced() {
    return this.prices !== null || Boolean(this.picture?.priced);
  }

  /** What links and figures go by: the meter, and how summaries are made. */
  get terms() {
    return this.kept ?? this.chosen;
  }

  /** The model whose prices stand for all: as chosen, else the commonest of the sessions. */
  get model() {
    return this.chosen.model || this.own.priced[0]?.model || this.sessions.find(({ model }) => model)?.model || "";
  }

  /** Seconds that a run takes. */
  get expected() {
    return expectedSeconds(this.sessions, this.settings, this.data?.workers ?? 1);
  }

  /** Which grid the map shows. */
  get mapped() {
    const at = this.grids.findIndex((grid) => labelOf(grid) === this.chosen.map);
    return at < 0 ? 0 : at;
  }

  /** What the advice is about, whatever is pointed at: the chosen setting, else the best. @returns {number | null} */
  get advised() {
    return this.chosen.cell >= 0 && this.chosen.cell < this.settings ? this.chosen.cell : (this.picture?.best ?? null);
  }

  /** Whether a setting is pointed at that the advice, if there is any, is not about. */
  get elsewhere() {
    return this.pointed >= 0 && this.pointed !== this.advised;
  }

  /** What is shown beside the map: the setting pointed at, else that of the advice. @returns {number | null} */
  get shown() {
    return this.pointed >= 0 ? this.pointed : this.advised;
  }

  /** A setting as it was run on a session: with the context window that was given for its model. @param {SessionFacts | undefined} session @param {{[name: string]: string}} setting */
  settingFor(session, setting) {
    const { window } = this.facts.get(setting.policy) ?? { window: "" };
    return window && this.chosen.window && session && !session.limited && !setting[window]
      ? { ...setting, [window]: String(this.chosen.window) }
      : setting;
  }

  /** The short name of a setting: 80k/12. @param {number} k */
  nameOf(k) {
    return shortName(this.grids, k);
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Find the sessions that are asked for, with the ranges that suit them and what is known of their sweep. */
  async find() {
    this.stop();
    this.reader.abort();
    this.looker.abort();
    const { signal } = (this.reader = new AbortController());
    const { kind, folder, words, agent, newest, meter } = this.chosen;
    Object.assign(this, { found: null, kept: null, picture: null, sweep: "", problem: "", reading: null, stopped: false });
    this.known.clear();
    for (const grid of this.chosen.grids) if (!grid.own) grid.axes = []; // those of other sessions
    this.#changed();
    if (kind === "result") return this.#open(signal);
    if (kind === "folder" && !folder) return this.#changed();
    this.reading = [0, 0];
    this.#changed();
    const asked = { kind, folder, words, agent, newest, meter, source: this.data?.source, session: this.data?.session };
    await this.#try(() => fetchLines("api/tune/sessions", (line) => this.#read(line), signal, posting(asked)), signal);
    if (signal.aborted) return;
    this.reading = null;
    this.#changed();
    if (this.found) await this.#prepare();
  }

  /** Open a kept result. @param {AbortSignal} signal */
  async #open(signal) {
    if (!this.chosen.result) return;
    this.reading = [0, 0];
    this.#changed();
    await this.#try(async () => {
      const kept = await fetchJson("api/tune/result", { ...posting({ path: this.chosen.result }), signal });
      Object.assign(this, { kept, sweep: kept.result });
    }, signal);
    if (signal.aborted) return;
    this.reading = null;
    this.#changed();
    await this.draw();
  }

  /** List the sessions of a result by another figure. @param {string} figure */
  listBy(figure) {
    this.figure = figure;
    void this.draw();
  }

  /** @param {{read?: [number, number], found?: SessionSet, failed?: string, hint?: string}} line */
  #read(line) {
    if (line.read) this.reading = line.read;
    if (line.found) this.found = line.found;
    if (line.failed) this.problem = refusalText({ error: line.failed, hint: line.hint });
    this.#changed();
  }

  /** The ranges and the prices, then what is known of the sweep. */
  #prepare() {
    return this.#settle(() => Promise.all([this.#propose(), this.#price()]));
  }

  /** Find what a run needs, then what is known of the sweep: until then nothing is ready. @param {() => Promise<unknown>} work */
  async #settle(work) {
    this.preparing += 1;
    try {
      await work();
      await this.look();
    } finally {
      this.preparing -= 1;
      this.#changed();
    }
  }

  /** @param {() => Promise<unknown>} work @param {AbortSignal} [signal] */
  async #try(work, signal) {
    try {
      await work();
    } catch (error) {
      if (signal?.aborted) return;
      this.problem = problemText(error);
    }
    this.#changed();
  }

  /** Ranges for every policy that has none; of those that nobody chose, anew. */
  async #propose() {
    for (const grid of this.chosen.grids) {
      if (!this.known.has(grid.policy)) await this.#try(async () => this.#take(await this.#ask("proposals", this.#about({ policy: grid.policy }))));
      if (!grid.own) grid.axes = this.#proposed(grid.policy);
      grid.fixed ??= this.#setNow(grid.policy);
    }
    this.#changed();
  }

  /** @param {{policy: string, parameters: Proposal[]} & PolicyFacts} answer */
  #take({ policy, parameters, defaults, window }) {
    this.known.set(policy, parameters);
    this.facts.set(policy, { defaults, window });
  }

  /** What the debugger has set of a policy that is not as by default. @param {string} policy */
  #setNow(policy) {
    const { defaults = {} } = this.facts.get(policy) ?? {};
    const set = this.now.policy === policy ? Object.entries(this.now) : [];
    return Object.fromEntries(set.filter(([name, value]) => name in defaults && value !== defaults[name]));
  }

  /** The one or two parameters to sweep first, with the value that they have now among the others. @param {string} policy @returns {Axis[]} */
  #proposed(policy) {
    const first = (this.known.get(policy) ?? []).slice(0, 2);
    return first.map((one) => ({ name: one.parameter, values: this.#values(one, one.low, one.high, policy) }));
  }

  /** The values between two stops. @param {Proposal} one @param {number} low @param {number} high @param {string} policy */
  #values(one, low, high, policy) {
    const places = spreadOver(low, high, MOST_VALUES);
    const now = this.now.policy === policy ? one.stops.indexOf(this.now[one.parameter] ?? "") : -1;
    if (now >= low && now <= high && !places.includes(now)) places[nearest(places, now)] = now;
    return [...new Set(places)].sort((a, b) => a - b).map((k) => one.stops[k]);
  }

  /** @param {object} more */
  #about(more = {}) {
    const { without, summaries } = this.chosen;
    return { set: this.found?.set, without, least: this.least, summaries, ...more };
  }

  /** @param {string} what @param {object} body @returns {Promise<any>} */
  #ask(what, body) {
    return fetchJson(`api/tune/${what}`, posting(body));
  }

  /** The models whose prices are not known yet. */
  get unpriced() {
    return [this.chosen.model, ...(this.found?.models ?? [])].filter((model) => model && !this.rates.has(model));
  }

  /** Ask for their prices. */
  async #price() {
    const models = this.unpriced;
    if (!models.length) return;
    await this.#try(async () => {
      const answer = await this.#ask("prices", { models });
      for (const [k, model] of models.entries()) this.rates.set(model, answer.prices[k] ?? null);
      this.list = answer.list;
    });
  }

  get #question() {
    const grids = this.grids.map((grid) => ({
      policy: grid.policy,
      fixed: fixedOf(grid),
      axes: grid.axes.map(({ name, values }) => [name, values]),
    }));
    return this.#about({ grids, window: this.chosen.window || null });
  }

  /** What is known of the sweep already, without a run. */
  async look() {
    this.picture = null;
    this.sweep = "";
    this.stopped = false;
    if (!this.found || !this.sessions.length || !this.settings) return this.#changed();
    this.looker.abort();
    const { signal } = (this.looker = new AbortController());
    await this.#try(() => fetchLines("api/tune/run", (line) => this.#begun(line), signal, posting({ ...this.#question, look: true })), signal);
    if (!signal.aborted && this.sweep) await this.draw();
  }

  /** @param {{sweep: string, done: number, runs: number}} line */
  #begun({ sweep, done, runs }) {
    this.sweep = done ? sweep : "";
    this.stopped = done > 0 && done < runs;
  }

  /** Run what is missing. */
  async run() {
    if (this.running || !this.found || !this.settings || !this.sessions.length) return;
    this.looker.abort(); // what was known before is not asked for any more
    const { signal } = (this.runner = new AbortController());
    const begun = performance.now();
    this.problem = "";
    this.stopped = false;
    this.progress = { done: 0, runs: this.settings * this.sessions.length, part: 0, left: null };
    this.#changed();
    await this.#try(() => fetchLines("api/tune/run", (line) => this.#news(line), signal, posting(this.#question)), signal);
    if (this.runner.signal !== signal) return;
    this.took = (performance.now() - begun) / 1000;
    this.stopped = signal.aborted;
    this.ending = true;
    await this.draw();
    this.ending = false;
    if (this.runner.signal !== signal) return;
    this.progress = null;
    this.#changed();
    if (!signal.aborted) this.dispatchEvent(new CustomEvent("finished"));
  }

  /** @param {{sweep?: string, failed?: string, finished?: boolean} & Partial<Progress>} line */
  #news(line) {
    if (line.sweep) this.sweep = line.sweep;
    if (line.failed) this.problem = refusalText({ error: line.failed });
    if (line.part !== undefined) this.progress = /** @type {Progress} */ (line);
    void this.draw();
  }

  /** End the run; what is done stays. */
  stop() {
    this.runner.abort();
    this.progress = null;
  }

  /** Ask how the sweep stands, at the prices and the limit of now; an answer that comes too late is put aside. */
  async draw() {
    const turn = ++this.asked;
    if (!this.sweep) return this.#changed();
    const { limit, cell } = this.chosen;
    const body = { sweep: this.sweep, prices: this.prices, limit: limit / 100, chosen: cell >= 0 ? cell : null, running: this.unfinished };
    await this.#try(async () => {
      const shown = this.pointed >= 0 ? this.pointed : null;
      const picture = await this.#ask(this.kept ? "kept" : "picture", { ...body, shown, figure: this.figure });
      if (turn === this.asked) this.picture = picture;
    });
  }

  /** Point at a setting, or at none. @param {number} k @param {Element} [at]  its cell or its mark */
  point(k, at) {
    if (k === this.pointed) return;
    this.pointed = k;
    this.dispatchEvent(new CustomEvent("point", { detail: at }));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), POINTED);
  }

  /** Choose a setting, or none; a second time lets go of it. @param {number} k */
  choose(k) {
    this.chosen.cell = this.chosen.cell === k ? -1 : k;
    this.pointed = -1;
    this.keep();
    void this.draw();
  }

  /** Change what needs no run. @param {Partial<Chosen>} changes */
  set(changes) {
    Object.assign(this.chosen, changes);
    this.keep();
    void this.#price().then(() => this.draw());
  }

  /** Choose other sessions. @param {Partial<Chosen>} changes */
  choosing(changes) {
    Object.assign(this.chosen, { cell: -1, ...changes });
    this.keep(true);
    void this.find();
  }

  /** Leave out some of the sessions that were found. @param {string[]} without @param {number} least */
  leaving(without, least) {
    Object.assign(this.chosen, { without, least, cell: -1 });
    this.stop();
    this.known.clear();
    this.keep(true);
    void this.#prepare();
  }

  /** Say what context window the models have that are not known; 0: nobody knows. @param {number} window */
  limit(window) {
    if (window === this.chosen.window) return;
    this.chosen.window = window;
    this.regrid(this.chosen.grids);
  }

  /** Change the policies or their values. @param {Grid[]} grids */
  regrid(grids) {
    this.stop();
    Object.assign(this.chosen, { grids, cell: -1 });
    this.keep(true);
    void this.#settle(() => this.#propose());
  }

  /** Sweep a parameter over the stops from one place to another. @param {Grid} grid @param {number} n @param {number} low @param {number} high */
  range(grid, n, low, high) {
    const one = this.known.get(grid.policy)?.find(({ parameter }) => parameter === grid.axes[n].name);
    if (!one) return;
    const axes = grid.axes.map((axis, k) => (k === n ? { ...axis, values: this.#values(one, low, high, grid.policy) } : axis));
    if (sameAxes(axes, grid.axes)) return;
    this.regrid(this.chosen.grids.map((other) => (other === grid ? { ...grid, axes, own: true } : other)));
  }

  /** Take every other value of each parameter: a quarter of the runs. */
  coarser() {
    const every = (/** @type {string[]} */ values) => values.filter((_, k) => k % 2 === 0 || k === values.length - 1);
    this.regrid(
      this.chosen.grids.map((grid) => ({ ...grid, own: true, axes: grid.axes.map(({ name, values }) => ({ name, values: every(values) })) })),
    );
  }

  /** Take some sessions, spread over all sizes. @param {number} count */
  sample(count) {
    const bySize = [...this.sessions].sort((a, b) => a.tokens - b.tokens);
    const kept = new Set(spreadOver(0, bySize.length - 1, count).map((k) => bySize[k].id));
    this.leaving([...this.chosen.without, ...bySize.filter(({ id }) => !kept.has(id)).map(({ id }) => id)], this.least);
  }

  /** The address of what is on the page. `jump` makes an entry of the history, which Back undoes. @param {boolean} [jump] */
  keep(jump = false) {
    keepLeft(this.#query);
    const url = addressOf(this.#query);
    if (url === location.href || !isAt("tune")) return;
    if (jump) history.pushState(history.state, "", url);
    else history.replaceState(history.state, "", url);
  }

  get #query() {
    const now = new URLSearchParams(this.now).toString();
    const { source = "", session = "", meter } = this.data ?? {};
    return queryOf(this.chosen, Object.fromEntries(Object.entries({ source, session, now }).filter(([, value]) => value)), meter);
  }

  /** Back or Forward has led to another address of this page. */
  #returned() {
    const before = queryOf({ ...this.chosen, cell: -1, measure: "", view: "", map: "", limit: 0 }, {});
    this.#chooseBy(location.search);
    keepLeft(this.#query);
    const after = queryOf({ ...this.chosen, cell: -1, measure: "", view: "", map: "", limit: 0 }, {});
    if (before === after) void this.draw();
    else void this.find();
  }

  /** The first setting of the grid on the map. */
  get firstMapped() {
    return firstOf(this.grids, this.mapped);
  }

  destroy() {
    this.stop();
    this.reader.abort();
    this.looker.abort();
    clearTimeout(this.timer);
    removeEventListener("popstate", this.back, true);
  }
}

/** A policy whose values are to be proposed. @param {string} policy @returns {Grid} */
export const newGrid = (policy) => ({ policy, axes: [], own: false, fixed: null });

/** Which place is nearest to a number, but for the first and the last. @param {number[]} places @param {number} to */
function nearest(places, to) {
  let best = 0;
  for (const [k, place] of places.entries()) if (Math.abs(place - to) < Math.abs(places[best] - to)) best = k;
  return best;
}
