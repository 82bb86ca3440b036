// What happened in a session, in a minute: before anything is chosen, and on "o". Of a run with compactions it takes the window's place too.

import { Asker, overviewPath } from "../lib/api.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { onlyEmpties } from "../run/compactionfigures.js";
import { ENDS, WORDLESS, afterLast, closingName, ownSums, stepsOf, turnAt, when } from "../run/overviewwords.js";
import { icon } from "../lib/icons.js";
import { MIDWAY, startsMidway } from "../run/midway.js";
import { stepName } from "../run/places.js";
import { askedOf, turnParts } from "../run/turnparts.js";
import { Counted, section, unfolding } from "./counted.js";
import { LossesView } from "./losses.js";
import { subAgents } from "./subagents.js";
import { SectionLinks } from "./sectionlinks.js";
import { compactionMeans, sampleWords, shownWords } from "./openingwords.js";
/** @import { App } from "./app.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Query } from "./types.js" */
/** @import { OverviewTurn, SessionOverview } from "../run/types.js" */

/** Files of a turn that its title names. */
const SHOWN = 3;

/** Parts of shell commands that are shown until the others are asked for. */
const PARTS = 12;

/** Turns of one list: what is out of sight is left out list by list, as one turn alone costs more to look for than to draw. */
const LISTED = 20;

export class OverviewView {
  /** @param {HTMLElement} head @param {HTMLElement} body @param {App} app */
  constructor(head, body, app) {
    this.head = head;
    this.body = body;
    this.app = app;
    this.asker = new Asker(app);
    /** Which session is drawn, and with which run's compactions. */ this.drawn = { session: "", stamp: "" };
    /** @type {SessionOverview | null} */ this.found = null;
    /** What a compaction is: in front of all that uses the word. */ this.means = el("p", { class: "fl-omeans" });
    /** What the run is, in a sentence. */ this.said = el("p", { class: "fl-osmall" });
    this.recorded = button("Show the run as recorded", () => app.apply(recordedQuery(app.query)), { class: "fl-link" });
    this.shown = el("div", { class: "fl-oshown" }, this.said, this.recorded);
    /** Why a sample's summaries read as they do. */ this.told = el("div", { class: "fl-otold" });
    this.losses = new LossesView(app, { open: (step) => this.#open(step), go: (step) => this.#go(step), during: (step) => this.#during(step) });
    this.node = el("div", { class: "fl-overview" });
    this.counted = new Counted(this.node, app);
    /** Looks whether the task is longer than what is shown of it. */ this.cut = new ResizeObserver(() => {});
    /** Waits until what is shown instead can be scrolled. */ this.rewinds = new ResizeObserver(() => {});
    this.links = new SectionLinks(body);
    /** Where the way through the session begins. */ this.begin = el("span");
    /** Whether the head is that of a run with compactions. */ this.compacted = false;
    /** How far down it was when something else was shown. */ this.top = 0;
    body.addEventListener("scroll", () => this.node.parentNode === body && (this.top = body.scrollTop), { passive: true });
    /** @type {HTMLElement[]} */ this.turns = [];
    /** @type {{about: HTMLElement, further: HTMLElement, turns: HTMLElement} | null} */ this.parts = null;
    /** @type {number[]} */ this.steps = [];
  }

  /** Whether it stands in the place of the window too: compactions need the room, and say more at first than messages do. */
  get wide() {
    return this.#shows && this.app.run.compactions > 0;
  }

  /** Whether it stands beside the window, where there is room for both. */
  get beside() {
    return this.#shows && !this.app.run.compactions;
  }

  get #shows() {
    return this.app.overview && !this.app.why.front && !this.app.presenting;
  }

  /** Show the overview of the session on the page. What only the run settles is drawn anew for another run of the session. */
  show() {
    const { run } = this.app;
    const { stamp } = run.view;
    const session = `${run.store.header.sid}/${run.n}`;
    const before = this.drawn;
    this.drawn = { session, stamp };
    if (before.session !== session) return this.#begin();
    this.#bring();
    if (before.stamp !== stamp) this.#place();
    this.#here();
    this.counted.returned();
  }

  /** Put back what was drawn before something else was shown, as far down as it was. */
  #bring() {
    if (!this.found || this.node.parentNode === this.body) return;
    this.rewinds.disconnect();
    this.#drawHead();
    this.body.replaceChildren(this.node);
    this.body.scrollTop = this.top;
    this.links.mark();
  }

  /** Something else is shown from now on: what has been drawn is kept, unless it is still incomplete. */
  leave() {
    if (!this.drawn.session || this.node.parentNode !== this.body) return;
    this.node.remove();
    this.#rewind();
    if (!this.found || !this.losses.done) this.drop();
  }

  /** What comes begins at its top: at once, or, as a browser keeps how far down a hidden node was, when it is there again. */
  #rewind() {
    this.rewinds.disconnect();
    this.rewinds = new ResizeObserver(() => {
      if (!this.body.clientHeight) return;
      this.body.scrollTop = 0;
      this.rewinds.disconnect();
    });
    this.rewinds.observe(this.body);
    if (this.body.clientHeight) this.body.scrollTop = 0;
  }

  drop() {
    this.asker.drop();
    this.losses.drop();
    this.drawn = { session: "", stamp: "" };
  }

  #begin() {
    this.rewinds.disconnect();
    this.losses.drop(); // until the overview of this session is here, they would be drawn over a run they are not of
    this.found = null;
    this.turns = [];
    this.#drawHead();
    this.node.replaceChildren(el("p", { class: "fl-none", text: "…" }));
    this.body.replaceChildren(this.node);
    this.#ask();
  }

  #ask() {
    const { run } = this.app;
    const fail = (/** @type {string} */ said) => this.node.replaceChildren(failure(said, () => this.#ask()));
    this.asker.ask(overviewPath(run.store.header.sid), (found) => this.#draw(found), fail);
  }

  #drawHead() {
    this.compacted = this.app.run.compactions > 0;
    const leave = () => this.app.setOverview(false);
    const through = button("", leave, { class: "fl-through", title: "Show the window and the message at the cursor (o)" });
    through.append(this.begin, icon("forward"));
    const close = button("×", leave, { class: "fl-icon", title: "Show the message at the cursor (o)", "aria-label": "Close the overview" });
    const title = el("h2", { class: "fl-title", text: "What happened in this session" });
    this.head.replaceChildren(el("div", { class: "fl-hline fl-ohead" }, title, this.links.node, through, ...(this.compacted ? [] : [close])));
  }

  /** @param {SessionOverview} found */
  #draw(found) {
    this.found = found;
    this.body.scrollTop = this.top = 0;
    const about = el("div", { class: "fl-oabout" }, ...this.#start(found));
    const copy = found.copied ? [el("p", { class: "fl-osmall", text: "With the copy of the other session:" })] : [];
    const further = el("div", { class: "fl-ofurther" }, ...copy, ...this.counted.used(found), ...this.#byShell(found));
    const turns = this.#list(found);
    this.node.replaceChildren(about, el("div", { class: "fl-otime" }, this.losses.each, further, turns));
    this.parts = { about, further, turns };
    this.turns = /** @type {HTMLElement[]} */ ([...this.node.querySelectorAll(".fl-oturn")]);
    this.#place();
    this.#here();
    this.counted.returned();
  }

  /** What the run has made of the session: at which step each turn begins, and which compactions happened during it. */
  #place() {
    const { run } = this.app;
    if (!this.found) return;
    this.steps = stepsOf(run, this.found);
    write(this.means, compactionMeans(run));
    write(this.said, shownWords(this.app));
    this.shown.hidden = !this.said.textContent;
    this.told.replaceChildren(...[sampleWords(this.app)].filter((node) => node !== null));
    const simulated = run.view.kind === "simulate";
    attribute(this.shown, "data-simulated", simulated ? "true" : null);
    this.recorded.hidden = !simulated || this.app.alone;
    if (this.compacted !== run.compactions > 0) this.#drawHead(); // its button may have the focus
    this.losses.place();
    for (const told of this.node.querySelectorAll(".fl-owithin")) told.remove();
    this.turns.forEach((turn, k) => {
      attribute(turn, "data-step", this.steps[k]);
      this.#part(turn, k);
    });
    for (const list of /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll(".fl-oturns")))
      list.style.setProperty("contain-intrinsic-height", `auto ${heightOf(list)}px`);
    this.#linkSections(this.found);
  }

  /** The ways to the sections of the page. @param {SessionOverview} found */
  #linkSections(found) {
    if (!this.parts) return;
    const { about, further, turns } = this.parts;
    this.links.show([
      { node: about, name: "In short" },
      { node: this.losses.each, name: "Compactions", count: this.app.run.compactions },
      { node: further, name: found.sums.files || found.redirected_total ? "Tools and files" : "Tools" },
      { node: turns, name: "Turns", count: found.sums.typed },
    ]);
  }

  /** Write what was done in a turn, before and after each of its compactions. @param {HTMLElement} turn @param {number} k */
  #part(turn, k) {
    const found = /** @type {SessionOverview} */ (this.found);
    const { work, lines } = turnParts(this.app.run, found.turns[k], this.steps[k], this.steps[k + 1]);
    const done = turn.querySelector(".fl-owork");
    if (!work) done?.remove();
    else if (done) write(done, visible(work));
    else turn.append(el("span", { class: "fl-owork", text: visible(work) }));
    turn.parentElement?.after(...lines.map(({ step, text }) => (step < 0 ? rest(text) : this.#compaction(step, text))));
  }

  /** What was asked for, how it ended, the whole in figures, and what was lost. @param {SessionOverview} found */
  #start(found) {
    return [
      ...(startsMidway(this.app.run) ? [el("p", { class: "fl-omidway", role: "note", text: MIDWAY })] : []),
      ...(found.copied ? [el("p", { class: "fl-omidway", role: "note", text: copiedWords(found.copied) })] : []),
      el(
        "section",
        {},
        ...this.#task(found),
        ...this.#later(found),
        ...this.#ending(found),
        ...this.#whole(found),
        ...(found.agents ? [named("Sub-agents", ...subAgents(this.app, found.agents))] : []),
      ),
      this.means,
      this.losses.headline, // what comes later stands below what is there at once
      this.losses.story.node,
      this.shown,
      this.told,
      this.losses.whole,
    ];
  }

  /** The whole in figures, and when it was; apart from that, where some of it is a copy, what was done here. @param {SessionOverview} found */
  #whole(found) {
    const lasted = when(found.began, found.ended, found.active);
    const [own, all] = [this.counted.sums(ownSums(found), !found.copied), found.copied ? this.counted.sums(found.sums) : []];
    const time = lasted ? [el("p", { class: own.length ? "fl-osmall" : "", text: lasted })] : [];
    const name = found.copied ? "Done here" : own.length ? "In all" : "When";
    return [...(own.length || lasted ? [named(name, ...own, ...time)] : []), ...(all.length ? [named("With the copy", ...all)] : [])];
  }

  /** @param {SessionOverview} found */
  #later({ later }) {
    if (!later) return [];
    const after = afterLast(later);
    const note = after ? [el("p", { class: "fl-osmall", text: after })] : [];
    return [named("Last request", this.#quote(later), ...byAgent(later), ...note)];
  }

  /** The turn in which a step is, and its number, 0 where another agent asked; null where it is in none. @param {number} step */
  #during(step) {
    const turns = this.found?.turns ?? [];
    const k = turnAt(this.steps, step);
    const turn = turns[k];
    return turn?.asked ? { turn, number: turn.typed ? k + Number(turns[0].typed) : 0 } : null;
  }

  /** The task; a long one is cut until somebody wants all of it: its rules stand at its end as often as not. @param {SessionOverview} found */
  #task({ task, later, copied = null }) {
    if (!task) return [named("Task", el("p", { class: "fl-none", text: "No request of a user." }))];
    const quote = this.#quote(task);
    const name = taskName(this.app.run, later, copied);
    const text = /** @type {HTMLElement} */ (quote.firstElementChild);
    const isCut = () => text.scrollHeight > text.clientHeight;
    const toggle = () => {
      const whole = quote.classList.toggle("fl-owhole");
      write(all, whole ? "Show less" : "Show all of it");
      attribute(all, "aria-expanded", String(whole));
    };
    const all = button("Show all of it", toggle, { class: "fl-link fl-omore", "aria-expanded": "false", hidden: true });
    this.cut.disconnect();
    this.cut = new ResizeObserver(() => quote.classList.contains("fl-owhole") || (all.hidden = !isCut()));
    this.cut.observe(text);
    return [named(name, quote, all, ...byAgent(task))];
  }

  /** The beginning of a message, and the way to it. @param {{at: number, text: string}} quote */
  #quote({ at, text }) {
    const node = button("", () => this.#go(this.app.run.stepOfMessage(at)), { class: "fl-oquote", title: `Go to message ${int(at + 1)}` });
    node.append(el("span", { dir: "auto", text: visible(text) }));
    return node;
  }

  /** @param {SessionOverview} found */
  #list(found) {
    const first = Number(found.turns[0]?.typed);
    const rows = found.turns.map((turn, k) => this.#turn(turn, k, k + first));
    const lists = Array.from({ length: Math.ceil(rows.length / LISTED) }, (_, k) => {
      const shown = rows.slice(k * LISTED, (k + 1) * LISTED);
      const typed = found.turns.slice(k * LISTED, (k + 1) * LISTED).filter((turn) => turn.typed).length;
      return el("ol", { class: "fl-oturns", "aria-label": rangeName(k * LISTED + first, typed) }, ...shown);
    });
    const { messages = 0 } = found.copied ?? {};
    const own = messages ? found.turns.findIndex(({ at }) => at >= messages) : -1;
    if (own > 0) rows[own].before(el("li", { class: "fl-ocopied", text: "Up to here it is a copy of another session." }));
    const left = found.turns_total - rows.length;
    if (left > 0) lists.at(-1)?.append(el("li", { class: "fl-none", text: `and ${pluralize(left, "more turn")}` }));
    return el("section", { hidden: !lists.length, "data-of": "turns" }, el("h3", { text: "Turn by turn" }), ...lists);
  }

  /** A turn. @param {OverviewTurn} turn @param {number} k @param {number} number */
  #turn(turn, k, number) {
    const node = button("", () => this.#go(this.steps[k]), { class: "fl-oturn", title: turn.files.slice(0, SHOWN).join("\n") });
    node.append(
      el("span", { class: "fl-onth", text: turn.typed ? int(number) : "" }),
      el("span", { class: "fl-oasked", dir: "auto", text: visible(askedOf(turn)) }),
      ...(turn.meanwhile ? [el("span", { class: "fl-omeanwhile", text: "sent while the agent worked" })] : []),
      endOf(/** @type {SessionOverview} */ (this.found), k, number) ?? "",
    );
    return el("li", {}, node);
  }

  /** @param {number} step @param {string} text */
  #compaction(step, text) {
    const node = button("", () => this.#open(step), {
      class: "fl-ocompaction",
      "data-step": step,
      "data-clears": onlyEmpties(this.app.run, this.app.run.step(step).compaction) || null,
      title: "Open its card",
    });
    node.append(el("i", { "aria-hidden": "true", text: "◆ " }), text);
    return el("li", { class: "fl-owithin" }, node);
  }

  /** The way to a message. @param {number} at @param {Node | string} shown */
  #link(at, shown) {
    const node = button("", () => this.#go(this.app.run.stepOfMessage(at)), { class: "fl-link", title: `Go to message ${int(at + 1)}` });
    node.append(shown);
    return node;
  }

  /** What shell commands committed and sent, wrote, removed or moved. @param {SessionOverview} found */
  #byShell(found) {
    return [
      ...this.#parts("sent", "Committed, tagged, pushed, sent to a code host", found.published, found.published_total),
      ...this.#parts("redirected", "Written by shell commands", found.redirected, found.redirected_total, found.half_written),
      ...this.#parts("removed", "Removed or moved by shell commands", found.removed, found.removed_total),
    ];
  }

  /** Parts of shell commands, each once, with the ways to it; `half` are those whose command failed later. @param {string} of @param {string} title @param {[string, number, number[]][]} [parts] @param {number} [total] @param {string[]} [half] */
  #parts(of, title, parts = [], total = 0, half = []) {
    const items = parts.map(([part, times, ats]) => {
      const code = el("code", { dir: "auto", text: visible(part) });
      const [first, ...later] = ats.map((at, k) => this.#link(at, k ? int(at + 1) : code));
      const failed = half.includes(part) ? el("b", { text: " (written before its command failed)" }) : null;
      if (times === 1) return el("li", {}, first, failed);
      const more = times > ats.length ? [` and ${int(times - ats.length)} more`] : [];
      const links = later.flatMap((link, k) => [k ? ", " : " · also at message ", link]);
      return el("li", {}, first, failed, el("b", { text: ` ${int(times)}×` }), ...links, ...more);
    });
    return section(of, title, unfolding(items, PARTS, total));
  }

  /** How it ended: the last answer, or why there is none, and what stands behind the model's newest words. @param {SessionOverview} found */
  #ending({ closing, last, later, newest: end, ended_with: why }) {
    const words = closing ? this.#quote(closing) : el("p", { class: "fl-none", text: WORDLESS });
    const quoted = end && end.at !== later?.at ? [this.#quote(end)] : [];
    const ended = [
      ...(why ? [el("p", { dir: "auto", text: visible(why) })] : []),
      ...(last in ENDS ? [el("p", { text: ENDS[last] })] : []),
      ...quoted,
    ];
    return [named(closingName(last), words), ...(ended.length ? [named("Ended with", ...ended)] : [])];
  }

  /** Show a message in the place of the overview. @param {number} step */
  #go(step) {
    this.app.pause();
    this.app.go(step);
  }

  /** Show a compaction's card in the place of the overview. @param {number} step */
  #open(step) {
    this.app.pause();
    this.app.go(step);
    this.app.select(null);
    this.body.focus({ preventScroll: true });
  }

  /** Mark where the cursor is: the turn, and the step that the way begins from. */
  #here() {
    const { run, step } = this.app;
    write(this.begin, step < run.length - 1 ? `Step through from ${stepName(run, step)}${beforeWords(run, step + 1)}` : "Show the window");
    const k = turnAt(this.steps, this.app.step);
    this.turns.forEach((turn, i) => attribute(turn, "aria-current", i === k ? "true" : null));
  }
}

/** What comes behind the step that the way begins from, if that is why it begins there. @param {Run} run @param {number} step */
const beforeWords = (run, step) => (run.compactionAt(step) < 0 ? "" : `, before ${stepName(run, step)}`);

/**
 * What the task is called: what a file has first is not the first one where it begins midway.
 * @param {Run} run @param {SessionOverview["later"]} later @param {SessionOverview["copied"]} copied
 */
function taskName(run, later, copied) {
  if (startsMidway(run) && !copied) return "First request in this file";
  return later ? "First task" : "Task";
}

/** Something of the session in a line, by its name. @param {string} name @param {HTMLElement[]} content */
const named = (name, ...content) => el("div", { class: "fl-oline" }, el("h3", { text: name }), el("div", {}, ...content));

/** The height of some turns before they come into view, about: of each, and of the lines below its request. @param {HTMLElement} list */
const heightOf = (list) => 28 * list.children.length + 17 * list.querySelectorAll(".fl-osaid, .fl-owork, .fl-omeanwhile").length;

/** What a session goes on from. @param {NonNullable<SessionOverview["copied"]>} copied */
const copiedWords = ({ messages }) =>
  `${messages === 1 ? "Message 1 is" : `Messages 1 to ${int(messages)} are`} a copy of another session, which this one goes on from.`;

/** Who asked, where no person did. @param {{agent?: boolean}} quote */
const byAgent = ({ agent = false }) => (agent ? [el("p", { class: "fl-osmall", text: "Another agent asked for it." })] : []);

/** Which turns a list has: a number of them from one on; what a person did not type has no number. @param {number} from @param {number} typed */
function rangeName(from, typed) {
  const first = Math.max(1, from);
  if (!typed) return "Turns without a number";
  return typed > 1 ? `Turns ${int(first)} to ${int(first + typed - 1)}` : `Turn ${int(first)}`;
}

/** What was done behind a compaction of a turn. @param {string} text */
const rest = (text) => el("li", { class: "fl-owithin fl-orest", text: visible(text) });

/** The address of the same session as its transcript records it. @param {Query} query @returns {Query} */
const recordedQuery = ({ source, session, lane, meter }) => ({ source, session, lane, policy: "recorded", meter });

/**
 * How a turn ended, or null: the model's last words; of one that the user stopped that first, as these words are no answer then; of one
 * whose work went on when the user sent more, where; of one without any words that no reply came.
 * @param {SessionOverview} found @param {number} k @param {number} number  of the turn
 */
function endOf({ turns, turns_total: total }, k, number) {
  const { said = "", stopped, calls } = turns[k];
  const words = visible(said);
  if (turns[k + 1]?.meanwhile) return el("span", { class: "fl-osaid", text: `goes on in turn ${int(number + 1)}` });
  if (!stopped && said) return el("span", { class: "fl-osaid", dir: "auto", text: words });
  if (!stopped) return calls.length && k < total - 1 ? el("span", { class: "fl-osaid", text: "no reply before the next request" }) : null;
  return el("span", { class: "fl-osaid" }, "stopped by the user", ...(said ? ["; before that: ", el("bdi", { text: words })] : []));
}
