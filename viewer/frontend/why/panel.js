// Why, in the inspector: where a text is in the window on show, what happened to it, why it was not kept, and what would have
// kept it.

import { attribute, button, el, unbroken, visible, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { adviceNodes, adviceOf, pinOf, triedAdvice } from "./advice.js";
import { answeredBefore, answerOf, placesWords, whoseWords } from "./answer.js";
import { markPressed } from "./fixrow.js";
import { FixRuns } from "./fixruns.js";
import { FixTable } from "./fixtable.js";
import { settingsNow } from "./fixwords.js";
import { Remedies, remediesTitle } from "./remedies.js";
import { Returning } from "./returning.js";
import { stateAt } from "./states.js";
import { Story } from "./story.js";
import { targetsOf } from "./targets.js";
import { Tried } from "./tried.js";
import { nameOf } from "../run/leftplaces.js";
import { stepName } from "../run/places.js";
/** @import { Fate, Fix, Lane, Trying } from "./types.js" */
/** @import { PanelHost } from "./host.js" */
/** @import { Answer } from "./answer.js" */
/** @import { Target } from "./targets.js" */

/** Places of a text that are links of their own. */
const LINKS = 3;
/** Reasons that are shown at once. */
const REASONS = 3;
/** Up to where each text is to be kept, as somebody chose it. @type {Map<string, string>} */
const aims = new Map();

export class WhyPanel {
  /** @param {PanelHost} app */
  constructor(app) {
    this.app = app;
    this.number = el("span", { class: "fl-why-no", "aria-hidden": "true" });
    this.quote = el("q", { dir: "auto" });
    this.places = el("span", { class: "fl-why-count-of" });
    this.gone = el("em");
    this.title = el("span");
    this.lines = el("div", { class: "fl-why-lines" });
    this.helps = el("p");
    /** What the button tries, or why there is none. @type {Fix | string} */ this.triedWith = "";
    /** What it costs to do that, and the button that tries it. */ this.trial = el("p", { class: "fl-why-trial" });
    this.advice = el("div", { class: "fl-why-advice", hidden: true }, this.helps, this.trial);
    this.story = new Story(app);
    this.reasons = el("div");
    this.target = el("select", { class: "fl-why-target", "aria-label": "Up to where", on: { change: () => this.#aim() } });
    this.runs = new FixRuns(
      () => app.why,
      () => this.#draw(),
    );
    /** @type {((fix: Fix) => void) | null} */ this.act = app.alone ? null : (fix) => this.#try(fix);
    this.table = new FixTable({ tried: this.act, again: () => this.runs.again() });
    this.remedies = new Remedies(this.act);
    this.tried = new Tried(app, () => this.returning.begin());
    this.fixes = section("What would have kept it", this.target, this.remedies.node, this.table.node);
    this.fixes.prepend(this.tried.node);
    this.why = section("Why not kept", null, this.reasons);
    const quote = el("div", { class: "fl-why-quote" }, this.number, this.quote, this.places);
    this.answer = el("h2", { class: "fl-why-answer" }, this.gone, this.title);
    this.node = el(
      "div",
      { class: "fl-why-panel", id: "fl-why-panel", role: "tabpanel", "aria-labelledby": "fl-why-tab", tabindex: 0 },
      ...[quote, this.answer, this.lines, this.advice, this.fixes, this.story.node, this.why],
    );
    this.returning = new Returning(this.node, app.root, () => this.#draw());
    this.node.addEventListener("blur", () => attribute(this.node, "data-given", null));
    /** What the table shows. @type {import("./tried.js").Search | null} */ this.search = null;
    /** @type {unknown} */ this.drawn = null;
    /** Whose texts are asked about. */ this.session = "";
  }

  /** Take the keys from what was pressed elsewhere: no ring is around what nobody went to. */
  take() {
    attribute(this.node, "data-given", "true");
    this.node.focus({ preventScroll: true });
  }

  /** Bring it up to date; nothing is asked of the server while it is out of sight. */
  update() {
    const { why, run } = this.app;
    if (this.session !== nameOf(run)) this.table.unfold(false);
    this.session = nameOf(run);
    this.tried.update();
    if (why.open && why.front && why.chosen) this.#draw();
    else this.runs.want(null);
  }

  #draw() {
    const { why, run, shownStep: step } = this.app;
    const lane = why.chosen;
    if (!lane) return;
    const walk = this.app.lost?.walk;
    const told = answerOf(run, lane, step);
    const answer = walk?.texts[walk.at]?.answered ? answeredBefore(told) : told;
    this.#head(lane, answer);
    this.tried.tell(lane);
    const fate = lane.failed ? null : lane.fate;
    const known = fate !== null && fate.lane.length > 0 && !fate.common && fate.total + fate.events.length > 0;
    this.story.node.hidden = !known;
    if (known) this.story.show(fate, step);
    this.#reasons(known ? fate : null, known ? stateAt(fate, step).state : "before");
    const stays = lane.stale && this.fixes.dataset.text === lane.text; // what is there, until it is known anew
    if (stays && !this.tried.search(lane.text)) this.runs.want(null);
    if (!stays) this.#fixes(known && !lane.stale && !this.app.hosted ? fate : null); // a lesson lets its reader look for them
    this.fixes.dataset.text = lane.text;
    this.returning.draw(known && !lane.stale && !this.tried.now && this.runs.now?.done === true);
  }

  /** @param {Lane} lane @param {Answer} answer */
  #head(lane, answer) {
    const { why, run, shownStep: step } = this.app;
    write(this.number, int(why.at + 1));
    write(this.quote, visible(lane.text));
    attribute(this.quote, "title", visible(lane.text));
    const places = placesWords(lane.fate);
    write(this.places, [places, places && whoseWords(run)].filter(Boolean).join(" · "));
    write(this.gone, answer.gone);
    attribute(this.gone, "data-done", answer.done ? "true" : null);
    if (this.title.textContent !== answer.title) this.title.replaceChildren(...titleNodes(answer));
    attribute(this.node, "data-outdated", lane.stale);
    attribute(this.node, "aria-busy", !lane.failed && (lane.stale || !lane.fate) ? "true" : null);
    const drawn = JSON.stringify([answer, run.view.advice, step === run.length - 1, lane.failed, lane.text, lane.fate?.places.length]);
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    this.lines.replaceChildren(...this.#lines(lane, answer));
  }

  /** @param {Lane} lane @param {Answer} answer */
  #lines(lane, { how, lines, pin, leaves }) {
    const { why } = this.app;
    if (lane.failed) this.#advise(null);
    if (lane.failed) return [failure(lane.failed, () => why.retry(why.at))];
    const said = [how, ...lines].filter(Boolean).map((text) => el("span", { text: `${visible(text)} ` }));
    this.#advise(leaves ? lane.fate : null);
    return [el("p", {}, ...said, ...this.#pin(pin)), ...this.#goes(lane.fate)];
  }

  /** What helps, of a text that is lost here or later. @param {Fate | null} fate */
  #advise(fate) {
    const advice = fate && adviceOf(this.app.run, fate);
    this.advice.hidden = !advice;
    if (advice) this.helps.replaceChildren(el("b", { text: "What helps: " }), ...adviceNodes(advice));
  }

  /** In a live run: to keep the message that the next compaction takes. @param {number} pool */
  #pin(pool) {
    const { extension, run, shownStep: step } = this.app;
    const newest = extension !== null && step === run.length - 1;
    this.pinned = newest && pool >= 0 && pool < run.n ? pool : -1;
    if (this.pinned < 0) return [];
    return [button("Pin it before the next call", () => this.pin(), { class: "fl-link" }), " ", el("kbd", { text: "h" })];
  }

  /** Pin the message that the answer offers to pin; whether there is one. */
  pin() {
    const { why, extension } = this.app;
    if (!why.open || !why.front || !extension || this.pinned === undefined || this.pinned < 0) return false;
    this.app.pin(this.pinned);
    return true;
  }

  /** Links to the messages that say it, where those are several. @param {Fate | null} fate */
  #goes(fate) {
    if (!fate || fate.common || fate.total < 2) return [];
    const links = fate.places.slice(0, LINKS).map((place, k) => {
      const name = `message ${int(place + 1)}`;
      return this.#link(k ? int(place + 1) : name, `Go to ${name}`, this.app.run.stepOfMessage(place));
    });
    const all = fate.total > LINKS ? [", … ", button(`all ${int(fate.total)}`, () => this.story.unfold(), { class: "fl-link" })] : [];
    return [el("p", {}, "Go to one: ", ...links.flatMap((link, k) => (k ? [", ", link] : [link])), ...all)];
  }

  /** The rule that took it; of a message that is there still, and of a recorded compaction, whose rule is not in the file, nothing is said. @param {Fate | null} fate @param {string} state */
  #reasons(fate, state) {
    const lost = state === "gone" || state === "summary";
    const reasons = lost && this.app.run.view.policy ? (fate?.reasons ?? []) : [];
    this.why.hidden = !reasons.length;
    write(/** @type {HTMLElement} */ (this.why.querySelector("h3")), state === "summary" ? "Why only in a summary" : "Why not kept");
    const drawn = JSON.stringify(reasons);
    if (this.reasons.dataset.drawn === drawn) return;
    this.reasons.dataset.drawn = drawn;
    const told = reasons.map((reason) => this.#reason(reason));
    const rest = told.slice(REASONS);
    const more = rest.length ? [el("details", {}, el("summary", { text: `${int(rest.length)} more` }), ...rest)] : [];
    this.reasons.replaceChildren(...told.slice(0, REASONS), ...more);
  }

  /** @param {Fate["reasons"][number]} reason */
  #reason({ k, text }) {
    const { run } = this.app;
    const step = run.steps[k];
    const words = policyFirst(text, run.view.policy?.name ?? "");
    if (step === undefined) return el("p", {}, ...words);
    return el("p", {}, this.#link(capitalized(stepName(run, step)), `Go to ${stepName(run, step)}`, step), ": ", ...words);
  }

  /** A link to a step. @param {string} text @param {string} name @param {number} step */
  #link(text, name, step) {
    const go = () => {
      this.app.pause();
      this.app.go(step);
      this.app.select(null);
    };
    return button(text, go, { class: "fl-link", "aria-label": name, title: name });
  }

  /** What would have kept it; of a change that was tried, the list that it is from. @param {Fate | null} fate */
  #fixes(fate) {
    const { run: shown, why, shownStep: step, extension } = this.app;
    const text = why.chosen?.text ?? "";
    const from = this.tried.search(text);
    const own = fate && !extension ? targetsOf(shown, fate, step) : [];
    const targets = from ? [from.target, ...own.filter(({ id }) => id !== from.target.id)] : own;
    const wanted = aims.get(text) ?? "";
    const target = targets.find(({ id }) => id === wanted) ?? targets[0];
    this.fixes.hidden = !target;
    const before = target === from?.target ? from : null;
    if (!before || before.run !== this.runs.now) this.runs.want(target && !before ? { text, step: target.step } : null); // a list that is still under way goes on
    this.trial.hidden = this.advice.hidden || !target || !fate || !shown.pool.isTyped(fate.places[0]);
    if (!target) return this.#tryAdvice(NOTHING, null);
    this.#targets(targets, target);
    const run = before?.run ?? this.runs.now ?? NOTHING;
    this.search = { text, target, run };
    const settings = before?.before ?? settingsNow(this.app);
    const tried = before && !before.undone ? { fix: before.fix, waits: !before.after } : null;
    const pin = this.trial.hidden ? null : pinOf(run);
    this.table.show(run, settings, tried);
    this.remedies.show(run, settings, tried, pin);
    write(/** @type {HTMLElement} */ (this.fixes.querySelector("h3")), tried?.waits === false ? "Changes that keep it" : remediesTitle(run, pin));
    this.#tryAdvice(run, tried);
  }

  /**
   * The button stays while more comes in: it may be pressed just then.
   * @param {import("./fixruns.js").FixRun} run @param {Trying | null} tried  the change that is on screen by now, or is on its way there
   */
  #tryAdvice(run, tried) {
    this.#drawTrial(run);
    const press = /** @type {HTMLElement | null} */ (this.trial.querySelector(".fl-why-try"));
    if (press) markPressed(press, null, pinOf(run) === tried?.fix, tried, "Try it");
  }

  /** @param {import("./fixruns.js").FixRun} run */
  #drawTrial(run) {
    const drawn = this.trial.hidden ? "" : (pinOf(run) ?? (run.failed || (run.done ? "none" : "waits")));
    if (this.triedWith === drawn) return;
    this.triedWith = drawn;
    this.trial.replaceChildren(...(run.failed || !drawn ? [] : triedAdvice(run, this.act)));
  }

  /** @param {Target[]} targets @param {Target} chosen */
  #targets(targets, chosen) {
    const words = targets.map(({ words }) => words).join("|");
    if (this.target.dataset.words !== words) this.target.replaceChildren(...targets.map(({ id, words }) => el("option", { value: id, text: words })));
    this.target.dataset.words = words;
    this.target.value = chosen.id;
  }

  #aim() {
    aims.set(this.app.why.chosen?.text ?? "", this.target.value);
    this.#draw();
  }

  /** A search that is under way goes on beside the picture of the change. @param {Fix} fix */
  #try(fix) {
    this.returning.note();
    if (this.search) this.tried.begin(fix, this.search);
    this.#draw();
  }

  stop() {
    this.runs.stop();
    this.story.stop();
  }
}

/** In a narrow panel the clause behind the colon stands aside: the lines below say it too. @param {Answer} answer */
function titleNodes({ gone, title }) {
  const [lead, ...clause] = gone ? title.split(/(?=: )/) : [title];
  return [...unbroken(lead), ...(clause.length ? [el("span", { class: "fl-why-clause" }, ...unbroken(clause.join("")))] : [])];
}

const NOTHING = { rows: [], progress: null, done: false, note: "", failed: "" };

/** @param {string} text @param {HTMLElement | null} beside @param {...Node} rest */
const section = (text, beside, ...rest) =>
  el("section", { class: "fl-why-section", hidden: true }, el("div", { class: "fl-why-h" }, el("h3", { text }), beside), ...rest);

/** A reason that begins with the policy's name has it in bold. @param {string} text @param {string} name */
function policyFirst(text, name) {
  return name && text.startsWith(`${name} `) ? [el("b", { text: name }), visible(text.slice(name.length))] : [visible(text)];
}
