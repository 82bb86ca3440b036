// The best changes that would have kept a text, directly below the answer: three places, which are there from the start.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { markPressed, often } from "./fixrow.js";
import { AGAINST, bySent, changeName, changeParts, comparedWith, costWords, mainFirst } from "./fixwords.js";
import { walkable } from "./focuswalk.js";
/** @import { FixRun } from "./fixruns.js" */
/** @import { Fix, Trying } from "./types.js" */

const PLACES = 3;

/**
 * What keeps a text by itself: the own settings that a person changes first as they come, the last place and the rest once all are
 * tried, the own before other policies, of these the cheapest first. One that a summary has is better than none.
 * @param {FixRun} run @param {Fix | null} [pin]  that is told elsewhere
 */
function remediesOf({ rows, done }, pin = null) {
  const helping = rows.filter((fix) => fix.helps && fix !== pin);
  const sound = helping.filter(({ cure }) => cure);
  const first = sound.filter(({ main, other }) => main && !other).slice(0, PLACES - 1);
  if (!done) return first;
  const rest = (sound.length ? sound : helping).filter((fix) => !first.includes(fix)).sort(ownFirst);
  return [...first, ...rest].slice(0, PLACES);
}

/** @param {Fix} a @param {Fix} b */
const ownFirst = (a, b) => Number(a.other ?? false) - Number(b.other ?? false) || (a.other ? bySent(a, b) : mainFirst(a, b));

/** What stands above the best of them: nobody takes the rule of another agent for one that an own agent can follow. @param {FixRun} run @param {Fix | null} pin */
export function remediesTitle(run, pin) {
  const found = remediesOf(run, pin);
  if (run.rows.some(({ now, in_summary: quoted }) => now && quoted)) return "What would keep its message";
  return found.length && found.every(({ other }) => other) ? "Other policies that would have kept it" : "What would have kept it";
}

/** By what rule these were chosen, and what their costs are compared with. @param {Fix[]} found */
function orderWords(found) {
  const others = found.filter(({ other }) => other).length;
  const order = !others ? "" : others < found.length ? "own settings first, then the cheapest other policies; " : "the cheapest first; ";
  return found.length ? capitalized(`${order}${AGAINST}`) : "";
}

export class Remedies {
  /** @param {((fix: Fix) => void) | null} tried  null where no other settings can be shown */
  constructor(tried) {
    this.tried = tried;
    this.places = Array.from({ length: PLACES }, () => el("li"));
    /** What all costs are compared with. */ this.against = el("div", { class: "fl-why-against" });
    const list = el("ul", { class: "fl-why-remedies", "aria-label": "The best of what would have kept it" }, ...this.places);
    this.node = el("div", {}, this.against, list);
    walkable(list, "button");
    /** @type {(Fix | string)[]} */ this.drawn = [];
  }

  /**
   * A place that has a change keeps it; the first one without says how far the search is. At its end those without go.
   * @param {FixRun} run @param {Record<string, unknown>} query  the settings that the changes are of
   * @param {Trying | null} tried  the change that is on screen by now, or is on its way there @param {Fix | null} pin  that is told elsewhere
   */
  show(run, query, tried, pin) {
    const found = remediesOf(run, pin);
    this.node.hidden = Boolean(run.failed);
    write(this.against, orderWords(found));
    this.places.forEach((place, k) => {
      const shown = found[k] ?? (k === found.length ? waitingWords(run, k) : "");
      if (this.drawn[k] !== shown) place.replaceChildren(...(typeof shown === "string" ? [shown] : this.#remedy(shown, run, query)));
      attribute(place, "data-waits", typeof shown === "string");
      place.hidden = run.done && !shown;
      this.drawn[k] = shown;
      if (typeof shown !== "string") this.#mark(place, shown === tried?.fix, tried);
    });
  }

  /** @param {Fix} fix @param {FixRun} run @param {Record<string, unknown>} query */
  #remedy(fix, { rows }, query) {
    const name = changeName(fix, query);
    const words = changeParts(fix, query).map(([text, weight]) => el(weight || "span", { text: visible(text) }));
    const weak = [...fix.drawbacks, ...oftenWords(fix, comparedWith(rows))].map(([text, title]) =>
      el("span", { class: "fl-why-weak", text: ` · ${text}`, title }),
    );
    const about = aboutOf(fix);
    const what = el(
      "div",
      { class: "fl-why-what", title: visible([fix.other ? fix.text : name, about].filter(Boolean).join(": ")) },
      el("span", {}, ...words, ...weak),
    );
    if (about) what.append(el("span", { class: "fl-why-about", text: visible(about) }));
    const label = `Try ${name}`;
    const act = this.tried;
    const press = act && button("Try", () => act(fix), { class: "fl-why-try", "aria-label": label, title: label });
    const shown = press && el("span", { class: "fl-why-weak fl-why-shown", text: "shown" });
    return [what, costOf(fix, comparedWith(rows)), press ?? "", shown ?? ""];
  }

  /** @param {HTMLElement} place @param {boolean} here  whether it is the one that was pressed @param {Trying | null} tried */
  #mark(place, here, tried) {
    const [press, shown] = [".fl-why-try", ".fl-why-shown"].map((name) => /** @type {HTMLElement | null} */ (place.querySelector(name)));
    if (press && shown) markPressed(press, shown, here, tried);
  }
}

/** What a change does, in plain words: whose setting it is, or what another policy does. @param {Fix} fix */
function aboutOf({ about = "", of, other }) {
  if (other) return `Another policy. ${about}`;
  return [of, about].filter(Boolean).join(": ");
}

/** That it compacts much more often. @param {Fix} fix @param {Fix | undefined} base @returns {[text: string, title: string][]} */
const oftenWords = (fix, base) =>
  often(fix, base) ? [[`compacts ${int(fix.compacted_at.length)} times`, `${int(base?.compacted_at.length ?? 0)} without a change`]] : [];

/** What a change costs, beside the run that it is compared with. @param {Fix} fix @param {Fix | undefined} base */
function costOf(fix, base) {
  const { text, tone } = costWords(fix, base);
  const without = base ? `, ${int(base.tokens_sent)} without it (${visible(base.text)})` : "";
  const title = `${int(fix.tokens_sent)} tokens are sent in all, with ${int(fix.compacted_at.length)} compactions${without}`;
  return el("span", { class: `fl-why-cost${tone && ` fl-why-${tone}`}`, title, text });
}

/** What stands in the first place that has no change. @param {FixRun} run @param {number} found */
function waitingWords({ done, progress }, found) {
  if (done) return found ? "" : "No single change that was tried keeps it word for word.";
  const far = progress?.[1] ? `: ${int(progress[0])} of ${int(progress[1])}` : "";
  return `${found ? "Trying other settings and policies" : "Trying what would have kept it"}${far}…`;
}
