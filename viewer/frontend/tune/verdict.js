// What the sweep recommends: one sentence with its spread, what it was chosen by, and where to go from here.
import { attribute, button, el } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { titleWords } from "../lib/titlewords.js";
import { commandOf, commandTerms, compareLink, debugLink, placeQuery, simulateCommand } from "./links.js";
import { wholeName } from "./places.js";
import { brief, faultOf, money, rate, unbroken } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { Cell, Picture, SessionFacts } from "./types.js" */

/** Sessions below which nothing is recommended. */
const FEWEST = 3;
const LIMITS = [1, 2, 3, 5, 8, 10, 15, 20, 30];

export class Verdict {
  /** @param {Tuning} tuning @param {{caveat: (button: HTMLElement) => void, best: () => void, share: () => void}} how */
  constructor(tuning, how) {
    this.tuning = tuning;
    this.sentence = el("p", { class: "fl-tune-sentence" });
    this.limit = el("select", { "aria-label": "Misses at most", class: "fl-tune-limit-choice" });
    this.limit.addEventListener("change", () => tuning.set({ limit: Number(this.limit.value) }));
    this.before = el("span");
    this.is = el("span", { text: ": " });
    this.best = button("", () => how.best(), { class: "fl-tune-link fl-tune-named", title: "Show it on its map (b)" });
    this.after = el("span");
    this.reason = el("p", { class: "fl-tune-reason" }, this.before, this.limit, this.is, this.best, this.after);
    this.fault = el("p", { class: "fl-tune-reason fl-tune-worse" });
    const means = button("What this means", () => how.caveat(means), { class: "fl-tune-link", "aria-haspopup": "dialog" });
    this.caveat = el("p", { class: "fl-tune-reason" }, "The recorded agent’s later steps are taken as given. ", means);
    this.debug = el("a", { class: "fl-tune-button fl-tune-primary", text: "Open in Debug" });
    this.compare = el("a", { class: "fl-tune-button", text: "Compare with now" });
    this.cli = copier("Copy the sweep", () => this.#command);
    this.simulate = copier("Copy this setting", () => this.simulation);
    /** The command for the session and the setting that Debug opens. */ this.simulation = "";
    this.share = button("Share…", () => how.share(), { class: "fl-tune-button" });
    this.buttons = el("div", { class: "fl-tune-buttons" }, this.debug, this.compare, this.simulate, this.cli, this.share);
    this.root = el(
      "section",
      { class: "fl-tune-card fl-tune-verdict", "aria-label": "Recommendation" },
      el("div", { class: "fl-tune-said" }, this.sentence, this.reason, this.fault, this.caveat),
      this.buttons,
    );
  }

  draw() {
    const { tuning } = this;
    const { picture, problem } = tuning;
    if (problem) this.sentence.replaceChildren(...problemNodes(problem));
    else
      this.sentence.replaceChildren(
        ...(picture?.said.length
          ? picture.said.map(([text, tone]) => el(tone === "strong" ? "b" : "span", { class: tone ? `fl-tune-${tone}` : "", text: unbroken(text) }))
          : [this.#nothing()]),
      );
    this.#limits();
    this.#fault(picture);
    this.#reason(picture);
    this.#links(picture);
    this.point();
  }

  /** Framed as the cell that it is about, while another is pointed at. */
  point() {
    const { elsewhere, advised, chosen } = this.tuning;
    attribute(this.root, "data-about", elsewhere && advised !== null ? (chosen.cell >= 0 ? "chosen" : "best") : null);
  }

  #nothing() {
    const { tuning } = this;
    const said =
      tuning.chosen.kind === "result"
        ? "Choose a result. It shows which settings suit its sessions, and which sessions lose most."
        : tuning.running
          ? "The first settings are at work…"
          : tuning.found && tuning.sessions.length && tuning.settings
            ? `Run tries ${pluralize(tuning.settings, "setting")} on ${pluralize(tuning.sessions.length, "session")}.`
            : tuning.reading || tuning.sessions.length
              ? "Run will show which budget suits the sessions."
              : "Choose sessions. Run shows which budget suits them.";
    return el("span", { class: "fl-tune-mute", text: said });
  }

  #limits() {
    const { limit } = this.tuning.chosen;
    const known = [...new Set([...LIMITS, limit])].sort((a, b) => a - b);
    if ([...this.limit.options].map(({ value }) => value).join() !== known.join())
      this.limit.replaceChildren(...known.map((one) => el("option", { value: one, text: `${one} %` })));
    this.limit.value = String(limit);
  }

  /** What is wrong with the setting that is told of, in place of what holds for all. @param {Picture | null} picture */
  #fault(picture) {
    const cell = picture?.cells[this.tuning.advised ?? -1];
    this.fault.textContent = cell && cell[0] === picture.sessions ? faultOf(cell) : "";
    this.fault.hidden = !this.fault.textContent;
    this.caveat.hidden = !this.fault.hidden;
  }

  /** @param {Picture | null} picture */
  #reason(picture) {
    const { tuning } = this;
    const { advised, grids } = tuning;
    const whole = picture?.cells.filter(([done]) => done === picture.sessions && done > 0).length ?? 0;
    const best = picture?.best ?? null;
    const chosen = tuning.chosen.cell >= 0 && advised !== null && advised !== best;
    const against = picture && advised !== null ? this.#against(picture, advised) : "";
    const about = whole ? `Cheapest of ${pluralize(whole, "setting")}` : "Looks for the cheapest setting";
    this.before.textContent = `${chosen ? `Chosen by you: ${tuning.nameOf(advised)}.${against} Cheapest` : about} with misses at most `;
    const told = chosen || (picture?.sessions ?? 0) >= FEWEST; // the sentence above names it whole
    this.is.hidden = !whole;
    this.best.textContent = best === null ? "" : told ? tuning.nameOf(best) : wholeName(grids, best);
    this.best.hidden = best === null;
    this.after.textContent = whole ? `${best === null ? "none" : ""}.${chosen ? "" : against}` : "";
  }

  /** What the setting comes to beside the recorded run and the one of now. @param {Picture} picture @param {number} k */
  #against(picture, k) {
    const { nowAt } = this.tuning;
    const cell = picture.cells[k];
    if (!cell || cell[0] !== picture.sessions) return "";
    if (picture.recorded[0] !== picture.sessions) return ` ${worth(cell)}.`;
    const now = nowAt === null || nowAt === k || picture.cells[nowAt]?.[0] !== picture.sessions ? null : picture.cells[nowAt];
    const also = now ? ` and ${worth(now)} now, with ${this.tuning.nameOf(nowAt ?? k)}` : "";
    return ` ${worth(cell)} against ${worth(picture.recorded)} as recorded${also}.`;
  }

  /** @param {Picture | null} picture */
  #links(picture) {
    const { tuning } = this;
    if (tuning.kept) return this.#noLinks();
    const one = this.opened;
    const setting = picture?.query.policy ? picture.query : null;
    const open = { source: tuning.data?.source ?? "", session: tuning.data?.session ?? "" };
    const terms = { meter: tuning.linkMeter, summaries: tuning.chosen.summaries };
    this.buttons.hidden = false;
    const place = one ? placeQuery(one, open) : open;
    const here = setting && tuning.settingFor(one, setting);
    this.debug.classList.toggle("fl-tune-primary", Boolean(here) && (tuning.sessions.length > 2 || tuning.chosen.cell >= 0));
    link(this.debug, here ? debugLink(place, here, terms) : "", one ? `Opens ${titleWords(one.title)}` : "");
    const now = tuning.now.policy ? tuning.now : null;
    this.compare.textContent = now ? "Compare with now" : "Compare with recorded";
    link(this.compare, here ? compareLink(place, now, here, terms) : "", one ? `Opens ${titleWords(one.title)}` : "");
    this.simulation = one && here ? simulateCommand(one, here, tuning.chosen.summaries) : "";
    attribute(this.simulate, "aria-disabled", this.simulation ? null : "true");
    this.simulate.title = this.simulation || (here ? "A session without a path has no command" : "Choose a setting on the map first");
    this.share.disabled = !tuning.sweep;
    attribute(this.cli, "aria-disabled", this.#command ? null : "true");
    const said = [...commandTerms(tuning).differs, this.#command].join("\n");
    this.cli.title = this.#command ? said : "A session without a path has no command";
  }

  /** A result has no session that stands for all: its rows lead to Debug. */
  #noLinks() {
    this.buttons.hidden = true;
  }

  /** The session that Debug opens: the only one, else the one that is open there, else the first of the table. @returns {SessionFacts | undefined} */
  get opened() {
    const { sessions, data } = this.tuning;
    return sessions.find(({ source, session }) => source === data?.source && session === (data.session || "")) ?? sessions[0];
  }

  get #command() {
    const { tuning } = this;
    const grid = tuning.grids[tuning.mapped];
    const terms = { ...tuning.chosen, ...commandTerms(tuning) };
    return grid ? commandOf(tuning.sessions, tuning.found?.sessions ?? [], grid, terms) : "";
  }
}

/** A button that copies a command, and says for a moment whether it did. @param {string} label @param {() => string} command */
function copier(label, command) {
  const node = button(label, () => void copy(), { class: "fl-tune-button" });
  const copy = async () => {
    if (!command()) return;
    try {
      await navigator.clipboard.writeText(command());
      node.textContent = "Copied";
    } catch {
      node.textContent = "Not copied";
    }
    setTimeout(() => (node.textContent = label), 1500);
  };
  return node;
}

/** A cost, or tokens where there is none, and the misses. @param {Cell} cell */
const worth = ([, missed, cost, , sent]) =>
  `${cost === null ? `${brief(sent)} tokens sent` : money(cost)} (misses\u00a0${rate(missed).replace(" ", "\u00a0")})`;

/** Lead somewhere, or nowhere. @param {HTMLAnchorElement} node @param {string} to @param {string} title */
function link(node, to, title) {
  attribute(node, "href", to || null);
  attribute(node, "aria-disabled", to ? null : "true");
  attribute(node, "role", to ? null : "link");
  attribute(node, "title", title || null);
}

/** What is wrong, and smaller the way out, which may be a long list. @param {string} problem */
export function problemNodes(problem) {
  const [what, ...way] = problem.split(/(?<=[.!?]) (?=[A-Z])/);
  return [el("span", { class: "fl-tune-worse", text: what }), ...(way.length ? [el("small", { text: way.join(" ") })] : [])];
}
