// The sidebar of the Tune page: policies, the parameters that are swept, sessions, prices, and Run.
import { attribute, breakable, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { themeOf } from "../lib/theme.js";
import { titleWords } from "../lib/titlewords.js";
import { LONG } from "./estimate.js";
import { amountOf, changesNothing, fixedOf, longValue } from "./places.js";
import { pricedText } from "./priced.js";
import { RangeSlider } from "./rangeslider.js";
import { SHAPES, markIcon } from "./tradeoff.js";
import { brief, duration } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { Grid, Proposal } from "./types.js" */

const KIND_NAMES = { this: "This one", folder: "Folder", library: "Library", result: "Result" };
/** The ratios of uncached to cached prices that the slider has. */
const RATIOS = [1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50];
/** Sessions of a sample. */
const SAMPLE = 8;

/** Why a folder may have fewer sessions than the Library lists. */
const PARTS = "A sub-agent's file belongs to the session that started it. The Library lists it by itself too";

export class TunePanel {
  /** @param {ParentNode} parent @param {Tuning} tuning @param {{addPolicy: () => void, values: () => void, sessions: () => void, prices: () => void, unread: () => void}} open  its dialogs */
  constructor(parent, tuning, open) {
    this.tuning = tuning;
    this.open = open;
    this.stop = new AbortController();
    this.policies = el("ul", { class: "fl-tune-policies" });
    this.parameters = el("div", { class: "fl-tune-parameters" });
    /** @type {HTMLInputElement} */ this.window = el("input", {
      type: "number",
      min: 1,
      step: 1,
      class: "fl-tune-field",
      "aria-label": "Context window of the models that are not known, in tokens",
      on: { change: () => this.#giveWindow() },
    });
    this.windowWhy = el("p", { class: "fl-tune-mute fl-tune-how" });
    this.windowBox = el(
      "div",
      { class: "fl-tune-window", hidden: true },
      el("label", { class: "fl-tune-parameter-name" }, el("span", { text: "Context window" }), this.window),
      this.windowWhy,
    );
    this.drawn = "";
    /** @type {RangeSlider[]} */ this.sliders = [];
    this.kinds = Object.entries(KIND_NAMES).map(([kind, text]) => button(text, () => this.#kind(kind, open.sessions), { "data-kind": kind }));
    this.where = el("div", { class: "fl-tune-box" });
    this.choose = button("Choose…", open.sessions, { class: "fl-tune-link", "aria-haspopup": "dialog" });
    this.priced = el("span", { class: "fl-tune-mute fl-tune-listed" });
    this.prices = el("div", { class: "fl-tune-box" });
    this.change = button("Change…", open.prices, { class: "fl-tune-link", "aria-haspopup": "dialog" });
    this.ratio = el("input", {
      type: "range",
      min: 0,
      max: RATIOS.length - 1,
      step: 1,
      "aria-label": "Cached to uncached price",
      on: { input: () => this.#ratio() },
    });
    this.run = button("Run", () => (tuning.running ? tuning.stop() : void tuning.run()), { class: "fl-tune-run" });
    this.how = el("p", { class: "fl-tune-mute fl-tune-how" });
    this.offers = el("p", { class: "fl-tune-how", hidden: true });
    const add = button("Add…", open.addPolicy, { class: "fl-tune-link", "aria-haspopup": "dialog" });
    this.values = button("Values…", open.values, { class: "fl-tune-link", "aria-haspopup": "dialog" });
    /** What is there only where a sweep can be run: a result has what it has. */
    this.sweeping = [section("Policies", add), this.policies, section("Parameters"), this.parameters];
    this.root = el(
      "div",
      { class: "fl-tune fl-tune-panel" },
      ...this.sweeping,
      this.windowBox,
      section("Sessions"),
      el("div", { class: "fl-tune-switch fl-tune-kinds", role: "group", "aria-label": "Sessions" }, ...this.kinds),
      this.where,
      section("Prices", this.priced),
      this.prices,
      el("div", { class: "fl-tune-runbox" }, this.run, this.how, this.offers),
    );
    parent.append(this.root);
    tuning.addEventListener("change", () => this.draw(), { signal: this.stop.signal });
  }

  update() {
    this.root.dataset.theme = themeOf(this.root);
    this.draw();
  }

  /** @param {string} kind @param {() => void} open */
  #kind(kind, open) {
    const { tuning } = this;
    if (kind === tuning.chosen.kind) return open();
    tuning.choosing({ kind: /** @type {"this"} */ (kind), without: [], least: -1 });
    if ((kind === "folder" && !tuning.chosen.folder) || (kind === "result" && !tuning.chosen.result)) open();
  }

  draw() {
    const { tuning } = this;
    this.#policies();
    this.#parameters();
    this.#window();
    this.#sessions();
    this.#prices();
    this.#run();
    for (const one of this.sweeping) one.hidden = tuning.chosen.kind === "result";
  }

  #policies() {
    const { tuning } = this;
    const rows = tuning.chosen.grids.map((grid, g) => {
      const shown = button("", () => tuning.set({ map: grid.policy }), {
        class: "fl-tune-policy",
        "aria-pressed": String(tuning.grids[tuning.mapped] === grid),
        title: `Show ${grid.policy} on the map`,
      });
      shown.append(markIcon(SHAPES[g % SHAPES.length]), el("span", {}, ...breakable(grid.policy)));
      const remove = button("×", () => tuning.regrid(tuning.chosen.grids.filter((other) => other !== grid)), {
        class: "fl-tune-remove",
        "aria-label": `Remove ${grid.policy}`,
        title: "Remove",
      });
      return el("li", {}, shown, tuning.chosen.grids.length > 1 ? remove : null);
    });
    const recorded = el("span", { class: "fl-tune-policy fl-tune-mute" }, markIcon("cross"), "as recorded, and without compaction");
    const said = JSON.stringify([tuning.chosen.grids.map(({ policy }) => policy), tuning.mapped, tuning.grids.map(({ policy }) => policy)]);
    if (this.policies.dataset.said === said) return;
    this.policies.dataset.said = said;
    this.policies.replaceChildren(...rows, el("li", {}, recorded));
  }

  #parameters() {
    const { tuning } = this;
    const grid = tuning.grids[tuning.mapped];
    const why = grid?.axes.map(({ name }, n) => [name, this.#known(grid, n)?.why]); // the ranges come first, their reasons later
    const shape = JSON.stringify([grid?.policy, why, tuning.found?.set, tuning.least, tuning.chosen.without.length, Boolean(tuning.reading)]);
    if (shape !== this.drawn) this.#buildParameters(grid);
    this.drawn = shape;
    if (!grid) return;
    grid.axes.forEach((_, n) => this.#showRange(grid, n));
    const product = grid.axes.map(({ values }) => values.length).join(" × ");
    const about = /** @type {HTMLElement} */ (this.parameters.lastElementChild);
    const set = Object.entries(fixedOf(grid)).map(([name, value]) => `${name} ${longValue(value) || "unset"}`);
    const others = set.length ? `Also set: ${set.join(", ")}. The rest is at its default. ` : "Other parameters are at their defaults. ";
    const count = grid.axes.reduce((settings, { values }) => settings * values.length, 1);
    const kind = `${grid.own ? "" : "round "}${count > 1 ? "values" : "value"}`;
    about.replaceChildren(`${product ? `${product} ${kind}` : "No values"}. ${visible(others)}`, this.values);
  }

  #giveWindow() {
    this.tuning.limit(Math.max(0, Math.floor(Number(this.window.value)) || 0));
  }

  /** Ask for the context window, where a policy needs that of a model which is not known. */
  #window() {
    const { tuning } = this;
    const needing = tuning.chosen.grids.filter((grid) => tuning.needsWindow(grid)).map(({ policy }) => policy);
    this.windowBox.hidden = !needing.length;
    if (this.window !== active(this.window)) this.window.value = tuning.chosen.window ? String(tuning.chosen.window) : "";
    const whose = `Not known for the ${tuning.unlimited === 1 ? "model of 1 session" : `models of ${int(tuning.unlimited)} sessions`}.`;
    this.windowWhy.textContent = tuning.chosen.window
      ? whose
      : `${whose} Until you give it, ${needing.join(" and ")} ${needing.length > 1 ? "are" : "is"} left out.`;
  }

  /** @param {Grid | undefined} grid */
  #buildParameters(grid) {
    this.sliders = [];
    const parts = (grid?.axes ?? []).map((axis, n) => {
      const known = this.#known(grid, n);
      const said = el("b");
      const slider = new RangeSlider(
        axis.name,
        (low, high) => grid && this.tuning.range(this.tuning.grids[this.tuning.mapped], n, low, high),
        (low, high) => (said.textContent = rangeText(known, low, high)),
      );
      slider.root.style.visibility = known ? "" : "hidden"; // its stops come with the sessions
      this.sliders.push(slider);
      const why = el("p", { class: "fl-tune-mute fl-tune-why", text: known?.why ?? "" });
      return el(
        "div",
        { class: "fl-tune-parameter" },
        el(
          "span",
          { class: "fl-tune-parameter-name" },
          el("span", {}, axis.name, el("span", { class: "fl-tune-mute", text: ` ${known?.unit ?? ""}` })),
          said,
        ),
        slider.root,
        why,
      );
    });
    this.parameters.replaceChildren(
      ...parts,
      el("p", {
        class: "fl-tune-mute fl-tune-how",
        text: grid
          ? ""
          : this.tuning.reading
            ? "The ranges follow from the sessions, once they are read."
            : "Choose sessions first: the ranges are proposed from them.",
      }),
    );
  }

  /** @param {Grid | undefined} grid @param {number} n */
  #known(grid, n) {
    return this.tuning.known.get(grid?.policy ?? "")?.find(({ parameter }) => parameter === grid?.axes[n].name);
  }

  /** @param {Grid} grid @param {number} n */
  #showRange(grid, n) {
    const known = this.#known(grid, n);
    const { values } = grid.axes[n];
    const said = this.parameters.children[n]?.querySelector("b");
    const ends = [values[0], values[values.length - 1]];
    if (said) said.textContent = values.length > 1 ? `${longValue(ends[0])}–${longValue(ends[1])}` : longValue(ends[0]);
    if (!known) return;
    const { grids, mapped, picture } = this.tuning;
    const flat = changesNothing(grids, mapped, n, picture) ? " Here it changes nothing: all its values come to the same." : "";
    const why = this.parameters.children[n]?.querySelector(".fl-tune-why");
    if (why) write(why, `${known.why}${flat}`);
    const places = ends.map((value) => nearestStop(known, value));
    this.sliders[n]?.show(known.stops.map(longValue), places[0], places[1]);
  }

  #sessions() {
    const { tuning } = this;
    const { chosen, found, sessions, data } = tuning;
    for (const one of this.kinds) {
      attribute(one, "aria-pressed", String(one.dataset.kind === chosen.kind));
      one.hidden = !data?.local && one.dataset.kind !== "this";
    }
    const name =
      chosen.kind === "this"
        ? (found?.sessions[0]?.title ?? data?.title ?? "")
        : chosen.kind === "folder"
          ? chosen.folder || "No folder yet"
          : chosen.kind === "result"
            ? chosen.result || "No result yet"
            : [chosen.agent || "Newest sessions", chosen.words && `“${chosen.words}”`].filter(Boolean).join(", ");
    const least = tuning.least ? `: over ${int(tuning.least)} tokens` : "";
    const all = found?.sessions.length ?? 0;
    const kept = tuning.kept && `${pluralize(tuning.kept.sessions, "session")}, kept by foldline tune`;
    const counted = found
      ? chosen.kind === "this"
        ? ""
        : sessions.length < all
          ? `${int(sessions.length)} of ${pluralize(all, "session")}${chosen.without.length ? "" : least}`
          : pluralize(all, "session")
      : tuning.reading
        ? "Reading…"
        : "";
    const size = sessions.length ? `${pluralize(sum(sessions, "messages"), "message")} · ~${brief(sum(sessions, "tokens"))} tokens` : "";
    this.choose.hidden = chosen.kind === "this";
    this.where.replaceChildren(
      el(
        "span",
        { class: "fl-tune-box-head" },
        el("b", { class: "fl-tune-cut", dir: "auto", text: visible(chosen.kind === "this" ? titleWords(name) : name), title: visible(name) }),
        this.choose,
      ),
      ...[kept ?? counted, size]
        .filter((text) => text !== "")
        .map((text) => el("span", { class: "fl-tune-mute fl-tune-line", title: chosen.kind === "folder" ? PARTS : null, text })),
      ...(found?.failures.length ? [this.#unread()] : []),
    );
  }

  /** That files were left out, which leads to their names: one note may be on several of them. */
  #unread() {
    return button("Some files were left out: which?", this.open.unread, { class: "fl-tune-link fl-tune-line", "aria-haspopup": "dialog" });
  }

  #prices() {
    const { tuning } = this;
    const { model, own, samePrices: prices } = tuning;
    this.priced.textContent = tuning.chosen.prices ? "as typed" : tuning.prices ? tuning.list : "";
    this.change.textContent = tuning.prices ? "Change…" : "Set prices…";
    const mixed = tuning.prices === "own" && (own.priced.length > 1 || own.without > 0);
    const name = mixed ? "By each one’s model" : model || (tuning.found ? "No model is named" : "");
    const priceWords = tuning.prices
      ? mixed
        ? pricedText(own)
        : `${this.#forAll()}$ per million tokens: ${amount(prices?.[0] ?? 0)} in · ${amount(prices?.[3] ?? 0)} out`
      : tuning.kept
        ? tuning.priced
          ? "Those that the result was made with"
          : "No prices: the map counts tokens sent instead."
        : tuning.found && (tuning.problem || !tuning.unpriced.length)
          ? `No prices${model ? " for this model" : ""}: the map counts tokens sent instead.`
          : "";
    const head = el("span", { class: "fl-tune-box-head" }, el("b", { class: "fl-tune-cut", text: visible(name), title: visible(name) }), this.change);
    const ratio = prices?.[1] ? prices[0] / prices[1] : 0;
    const shown = ratio ? `1 : ${Math.round(ratio * 10) / 10}` : "–";
    this.ratio.disabled = !prices;
    this.ratio.hidden = mixed;
    if (this.ratio !== active(this.ratio))
      this.ratio.value = String(
        Math.max(
          0,
          RATIOS.findLastIndex((one) => one <= ratio + 0.01),
        ),
      );
    attribute(this.ratio, "aria-valuetext", shown);
    if (!this.ratioText) {
      this.ratioText = el("b", { class: "fl-tune-ratio" });
      this.about = el("span", { class: "fl-tune-mute fl-tune-line" });
      this.prices.replaceChildren(
        head,
        this.about,
        el("span", { class: "fl-tune-box-head" }, el("span", { text: "cached : uncached" }), this.ratioText),
        this.ratio,
      );
    }
    this.prices.firstElementChild?.replaceWith(head);
    this.ratioText.textContent = shown;
    attribute(/** @type {Element} */ (this.ratioText.parentElement), "hidden", mixed ? "" : null);
    if (this.about) this.about.textContent = priceWords;
  }

  /** That one model's prices, or typed ones, hold for sessions that may have used others. */
  #forAll() {
    const { tuning } = this;
    const { sessions, chosen } = tuning;
    if (sessions.length < 2 && !tuning.kept) return "";
    const used = sessions.filter(({ model }) => model === chosen.model).length;
    const some = chosen.model && !chosen.prices && used < sessions.length ? `, ${int(used)} of which used it` : "";
    return `for all ${tuning.kept ? "" : `${int(sessions.length)} `}sessions${some}; `;
  }

  #ratio() {
    const { samePrices: prices } = this.tuning;
    if (!prices) return;
    const ratio = RATIOS[Number(this.ratio.value)];
    this.tuning.set({ prices: [prices[0], Math.round((prices[0] / ratio) * 1e6) / 1e6, prices[2], prices[3]] });
  }

  #run() {
    const { tuning } = this;
    const runs = tuning.settings * tuning.sessions.length;
    const again = tuning.sweep && !tuning.stopped;
    this.run.textContent = tuning.running ? "Stop" : tuning.stopped ? "Run the rest" : again ? "Run again" : "Run";
    attribute(this.run, "aria-disabled", runs ? null : "true");
    this.run.hidden = tuning.chosen.kind === "result";
    const product = `${pluralize(tuning.settings, "setting")} × ${pluralize(tuning.sessions.length, "session")}`;
    const time = tuning.expected;
    this.how.textContent = !runs
      ? ""
      : tuning.running
        ? `${product}, a rough picture first. When you stop, what is done stays.`
        : tuning.stopped
          ? `${product}. What is done stays.`
          : again
            ? `${product}${tuning.took ? `, took ${duration(tuning.took)}` : ""}. New prices need no run.`
            : `${product}: ${pluralize(runs, "run")}, about ${duration(time)}.`;
    const long = !tuning.running && !again && time > LONG;
    this.offers.hidden = !long;
    if (long) this.#offer();
  }

  /** Something smaller, where a run would take more than five minutes. */
  #offer() {
    const { tuning } = this;
    const parts = [button("a coarser grid", () => tuning.coarser(), { class: "fl-tune-link" })];
    if (tuning.sessions.length > SAMPLE) parts.push(button(`a sample of ${SAMPLE} sessions`, () => tuning.sample(SAMPLE), { class: "fl-tune-link" }));
    this.offers.replaceChildren("That takes long. Choose ", ...parts.flatMap((part, n) => (n ? [" or ", part] : [part])), ".");
  }

  destroy() {
    this.stop.abort();
    this.root.remove();
  }
}

/** @param {string} name @param {Node} [beside] */
const section = (name, beside) => el("div", { class: "fl-tune-section" }, el("h2", { text: name }), beside ?? null);

/** The stops from one place to another, in words. @param {Proposal | undefined} known @param {number} low @param {number} high */
const rangeText = (known, low, high) => (known ? `${longValue(known.stops[low])}–${longValue(known.stops[high])}` : "");

/** The stop that a value stands at, or that is nearest to it. @param {Proposal} known @param {string} value */
function nearestStop(known, value) {
  const place = known.stops.indexOf(value);
  if (place >= 0) return place;
  const amount = amountOf(value);
  return known.amounts.reduce((best, one, k) => (Math.abs(one - amount) < Math.abs(known.amounts[best] - amount) ? k : best), 0);
}

/** What has the focus where a node stands. @param {Element} node */
const active = (node) => /** @type {ShadowRoot} */ (node.getRootNode()).activeElement ?? null;

/** A price: 5.00, 0.075. @param {number} price */
export const amount = (price) => (price >= 0.1 || price === 0 ? price.toFixed(2) : String(Number(price.toPrecision(3))));

/** @param {{messages: number, tokens: number}[]} sessions @param {"messages" | "tokens"} what */
const sum = (sessions, what) => sessions.reduce((total, one) => total + one[what], 0);
