// The panel beside the window: the chosen message whole, or the card of a compaction.

import { AttemptView } from "./attemptcard.js";
import { CardView } from "./card.js";
import { el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { counted } from "../run/compactionfigures.js";
import { noCompactionHere } from "../run/places.js";
import { recordedPlace } from "../run/recorded.js";
import { typing, unused } from "../lib/keys.js";
import { MessageView } from "./message.js";
import { OverviewView } from "./overview.js";
import { OwnSession } from "./ownsession.js";
import { recordedKey, subjectOf } from "./subject.js";
import { compactionOf, poolOf, tilde } from "../run/sections.js";
import { comparison } from "./comparison.js";
import { originsOf } from "../why/origins.js";
import { WhyTab } from "./whytab.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** Milliseconds that the cursor has to rest while it is scrubbed, before what is there is drawn: until then nobody could read it. */
const RESTED = 100;

/** What key 0 says in a lesson. */
const IN_LESSON = "A lesson plays its compactions itself: key 0 does that in Debug";

/** The part: fills `root` and shows what is chosen, else what happened at the step. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const inspector = new Inspector(root, app);
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => inspector.update(change ?? {}), stop: () => inspector.stop() };
}

class Inspector {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.root = root;
    this.versus = "";
    /** Draws what is scrubbed to once that rests. */ this.resting = 0;
    const head = el("div", { class: "fl-ihead" });
    const body = el("div", { class: "fl-ibody", tabindex: "0" });
    root.classList.add("fl-inspector");
    root.setAttribute("aria-label", "Inspector");
    this.actions = app.extension?.actions(app);
    this.why = new WhyTab(root, body, app);
    this.own = new OwnSession(app);
    root.append(head, ...(this.actions ? [this.actions.node] : []), body, this.own.node);
    this.head = head;
    this.body = body;
    this.message = new MessageView(head, body, app);
    this.card = new CardView(head, body, app);
    this.attempt = new AttemptView(head, body, app);
    this.overview = new OverviewView(head, body, app);
    for (const state of [app.highlights, app.show]) state.watch(() => this.#followPhase());
    this.#keys();
  }

  /** A compaction goes on being told, or another phase of it is on show. */
  #followPhase() {
    this.#phased?.refresh();
    this.why.follow();
  }

  /** The card on show that has phases, if one is. */
  get #phased() {
    return [this.card, this.attempt].find(({ stamp }) => stamp);
  }

  /** 1 to 4 choose a phase and 0 plays all of them, wherever the focus is. */
  #keys() {
    const on = { signal: this.app.stopped.signal };
    this.app.root.addEventListener("keydown", (event) => !typing(event) && this.#key(event), on);
    document.addEventListener("keydown", (event) => unused(event) && this.#key(event), on);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (this.resting) this.#draw(); // what the key is about
    const { run, presenting, hosted } = this.app;
    if (!/^[0-4]$/.test(event.key) || !run || presenting) return;
    if (event.key === "0" && hosted) return this.app.message(IN_LESSON);
    event.preventDefault();
    this.app.setOverview(false);
    if (!this.#phased) return this.app.message(noCompactionHere(run, this.app.step));
    if (event.key === "0") return this.#phased.play();
    this.#phased.choose(/** @type {1 | 2 | 3 | 4} */ (Number(event.key)));
  }

  /** @param {Change} change */
  update(change) {
    if (!change.scrubbed) return this.#draw();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.#draw(), RESTED);
  }

  #draw() {
    clearTimeout(this.resting);
    this.resting = 0;
    if (!this.app.run?.length) return; // it may have become empty in the meantime
    this.#show();
    this.own.update();
    this.why.update();
    this.app.root.toggleAttribute("data-overview", this.overview.wide);
    this.app.root.toggleAttribute("data-overview-beside", this.overview.beside);
  }

  #show() {
    const { run, selected } = this.app;
    const recorded = recordedKey(selected);
    this.actions?.show(this.#chosen());
    if (this.app.overview) return this.#showOverview();
    this.overview.leave();
    if (recorded >= 0 && recorded < run.store.header.recorded.at.length) return this.#showRecorded(recorded);
    this.versus = "";
    const what = subjectOf(this.app);
    if ("card" in what) return this.#showCard(what.card);
    this.card.drop();
    if ("attempt" in what) return this.#showAttempt(what.attempt);
    this.attempt.drop();
    this.message.show(what.message);
    this.root.dataset.shows = `message ${what.message}`;
  }

  #showOverview() {
    this.versus = "";
    for (const view of [this.message, this.card, this.attempt]) view.drop();
    this.app.highlights.set({ pairs: [] });
    this.overview.show();
    this.root.dataset.shows = "overview";
  }

  /** Stop waiting for answers. */
  stop() {
    clearTimeout(this.resting);
    this.resting = 0;
    for (const view of [this.message, this.card, this.attempt, this.overview]) view.drop();
    originsOf(this.app).stop();
    this.why.stop();
  }

  /** The message that may be dropped or pinned: the one that is shown, or the summary whose card is. */
  #chosen() {
    const { run, selected } = this.app;
    const what = subjectOf(this.app);
    if ("message" in what) return what.message;
    if ("attempt" in what) return -1;
    const pool = poolOf(run, selected);
    return pool >= run.n && compactionOf(run, pool) === what.card ? pool : -1;
  }

  /** A compaction of the run as recorded, beside the policy that is shown. @param {number} k */
  #showRecorded(k) {
    const { run } = this.app;
    const stamp = `${run.view.stamp}/${k}`;
    this.message.drop();
    this.card.drop();
    this.attempt.drop();
    this.app.highlights.set({ pairs: [] });
    this.root.dataset.shows = `recorded ${k}`;
    if (this.versus === stamp) return;
    this.versus = stamp;
    const { at, before, after } = run.store.header.recorded;
    const known = (/** @type {number} */ tokens) => (tokens < 0 ? "?" : int(tokens));
    const title = el("h2", { class: "fl-title", text: `Recorded ${recordedPlace(run, k)}` });
    const where = el("span", { class: "fl-when", text: `after message ${int(at[k])}` });
    this.head.replaceChildren(el("div", { class: "fl-hline" }, title, where));
    const told =
      before[k] < 0 && after[k] < 0
        ? []
        : [
            el(
              "div",
              { class: "fl-numbers" },
              el("b", { text: known(before[k]) }),
              el("span", { class: "fl-arrow", text: "→" }),
              el("b", { text: known(after[k]) }),
              el("span", { class: "fl-named", text: "recorded" }),
            ),
          ];
    this.body.replaceChildren(
      el("div", { class: "fl-comp" }, ...told, el("p", { class: "fl-line", text: ownRun(run, at[k]) }), comparison(this.app, k)),
    );
  }

  /** @param {number} k */
  #showCard(k) {
    this.message.drop();
    this.attempt.drop();
    this.app.highlights.set({ pairs: [] });
    this.card.show(k);
    this.root.dataset.shows = `compaction ${k}`;
  }

  /** @param {number} f */
  #showAttempt(f) {
    this.message.drop();
    this.app.highlights.set({ pairs: [] });
    this.attempt.show(f);
    this.root.dataset.shows = `attempt ${f}`;
  }
}

/** How the simulated run stands where the recorded one compacted. @param {Run} run @param {number} arrived */
function ownRun(run, arrived) {
  const { tokens, epoch } = run.step(run.stepOfMessage(Math.max(0, arrived - 1)));
  const done = counted(run, epoch) || "no compaction";
  return `At this point the simulated window holds ${tilde(run)}${pluralize(tokens, "token")} after ${done}.`;
}
