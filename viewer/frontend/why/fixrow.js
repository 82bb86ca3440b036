// A change that would have kept a text: a row of the table, with its price and the button that tries it.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { brief, changeName, changeParts, difference } from "./fixwords.js";
/** @import { Fix, Trying } from "./types.js" */

export class FixRow {
  /** @param {Fix} fix @param {Fix | undefined} base  what it is compared with @param {Record<string, unknown>} query  the settings now @param {((fix: Fix) => void) | null} act */
  constructor(fix, base, query, act) {
    this.fix = fix;
    this.words = el("span", {}, ...changeParts(fix, query).map(([text, weight]) => el(weight || "span", { text: visible(text) })));
    const weak = fix.drawbacks.map(([text, title]) => el("span", { class: "fl-why-weak", text: ` · ${text}`, title }));
    const about = fix.about ? el("span", { class: "fl-why-about", text: visible(fix.about) }) : "";
    this.head = el("th", { scope: "row", title: visible(fix.text) }, this.words, ...weak, about);
    const label = `Try ${changeName(fix, query)}`;
    this.button = fix.now || fix.baseline || !act ? null : button("Try", () => act(fix), { class: "fl-why-try", "aria-label": label, title: label });
    this.shown = el("span", { class: "fl-why-weak", text: "shown", hidden: true });
    const prices = [int(fix.compacted_at.length), brief(fix.peak_tokens), brief(fix.tokens_sent)];
    const whole = [fix.compacted_at.length, fix.peak_tokens, fix.tokens_sent].map(int);
    const cells = prices.map((text, k) => el("td", { text, title: whole[k] }));
    this.node = el(
      "tr",
      { class: fix.now || fix.baseline ? "fl-why-now" : "" },
      this.head,
      ...cells,
      against(fix, base),
      el("td", {}, this.button ?? "", this.shown),
    );
  }

  /** Which change is on screen by now; null while it is the run that the changes are of. @param {Trying | null} tried */
  mark(tried) {
    const here = tried?.fix === this.fix;
    if (this.fix.now) write(this.words, tried && !tried.waits ? this.fix.text.replace("As it is", "As it was") : this.fix.text);
    if (this.button) markPressed(this.button, this.shown, here, tried);
  }
}

/** The button of a change says while that is tried that it is, and gives way to "shown". @param {HTMLElement} press @param {HTMLElement | null} shown @param {boolean} here  whether it is the one that was pressed @param {Trying | null} tried @param {string} [words] */
export function markPressed(press, shown, here, tried, words = "Try") {
  const waits = here && Boolean(tried?.waits);
  const now = (/** @type {string} */ text) => (waits ? `${text.replace(/^Try/, "Trying")}…` : text);
  press.hidden = here && !waits;
  if (shown) shown.hidden = !here || waits;
  write(press, now(words));
  attribute(press, "aria-label", now(press.title));
  attribute(press, "aria-disabled", waits ? "true" : null);
}

const OFTEN = 3; // times as many compactions as that run: fewer tokens are no gain by themselves

/** Whether a change compacts much more often than the run that it is compared with. @param {Fix} fix @param {Fix | undefined} base */
export const often = (fix, base) => fix.compacted_at.length > OFTEN * Math.max(1, base?.compacted_at.length ?? 0);

const TONES = { better: ", fewer tokens", worse: ", more tokens" };

/** What it sends more or less than the run that it is compared with. @param {Fix} fix @param {Fix | undefined} base */
function against(fix, base) {
  const { text, tone } = difference(fix.tokens_sent, fix.now || fix.baseline ? 0 : (base?.tokens_sent ?? 0));
  if (!tone) return el("td", {}, text);
  return el(
    "td",
    { class: tone === "better" && often(fix, base) ? "" : `fl-why-${tone}` },
    text,
    el("span", { class: "fl-said", text: TONES[tone] }),
  );
}
