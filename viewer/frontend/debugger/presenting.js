// A run in front of a room: large type, the timeline and the window alone, driven by the keys that a clicker sends. Where the run forgot a
// rule that it needed each press is a stop of that story, else a phase of the next compaction, of which a run without any has none: there it
// is a message. Esc returns.

import { Asker, messagePath } from "../lib/api.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { capitalized, pluralize } from "../lib/format.js";
import { namesNothing } from "../run/effect.js";
import { firstWords, fromBeginning } from "../run/beginning.js";
import { titleWords } from "../lib/titlewords.js";
import { headline } from "../run/headline.js";
import { phaseSentence, splicedSentence } from "../run/phasesentences.js";
import { regionWords, roomPhases } from "../run/roomphases.js";
import { forgottenRule, ruleNote, takenNote } from "../run/rulestory.js";
import { noCompactionHere, stepName } from "../run/places.js";
import { tilde } from "../run/sections.js";
import { summaryNotes } from "../run/summarynotes.js";
import { Bookends } from "./bookends.js";
import { nameOf } from "./keepers.js";
import { hasHatched, hatchedWords } from "./paint.js";
import { OtherRun } from "./otherrun.js";
import { PhasePlayer } from "./phaseplayer.js";
import { CLICKER, COMMANDS, FIRST, NAMED_KEYS, PACING, forward, hasNoPhase, helpKeys, leadsNowhere, unfold } from "./presentkeys.js";
import { Room } from "./room.js";
import { RoomPlayer } from "./roomplayer.js";
import { SlideCard, large, writeLarge } from "./slidecard.js";
import { CompactionTelling } from "./compactiontelling.js";
import { StoryPath } from "./storypath.js";
import { shown, takenApart } from "./shownwindow.js";
import { positionWords } from "./transport.js";
/** @import { App } from "./app.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Phase } from "../run/types.js" */
/** @import { Command, Part } from "./types.js" */

/** A room reads while it looks: compactions, and playback, take twice the time. */
const FOR_A_ROOM = 0.5;
/** Of a rule that the model can see. */
const HERE = "In the window, word for word";
/** Where the slides of a run end. */
const END = "The session ends here";
/** Behind the last compaction. */
const LAST = "No later compaction. ↓ goes on message by message";
/** Until it is known what a press leads to. */
const SOUGHT = "Working out what was lost…";
/** Of one that only a summary tells of. */
const CARRIED = "Only a summary says it";
/** What the last slide of a story is called. */
const KEPT = "What would have kept it";
/** Of several changes. */
const EACH = "Each of these changes would have kept it, word for word.";
/** The keys that choose one of them, and which way. @type {Record<string, 1 | -1>} */
const CHOOSERS = { ArrowDown: 1, ArrowUp: -1 };
/** Of its window: where the run that the change makes is not there to be shown. */
const AS_IT_WAS = "The window beside this is that of the run as shown, without the change.";
/** Characters of a message in the caption, which has six lines, and of one whose first sentence is longer: in smaller type, and beside a rule or below a size. */
const CAPTION = 150;
const LONG = 440;
const BESIDE = 220;
/** Where the rule is while the compaction that takes it is taken apart. @param {Phase} phase @param {boolean} summary  whether one says something else @param {string} before  where it was until then */
const ruleIn = (phase, summary, before) => (phase === 1 ? before : phase === 3 && summary ? "The summary does not say it" : "It goes with them");
/** The same of a compaction whose summary says it. @param {Phase | null} phase */
const carriedIn = (phase) => (phase && phase < 3 ? ruleIn(phase, false, HERE) : CARRIED);
/** What a window is before a step: sent where the model replies there. @param {Run} run @param {number} next */
function sentBefore(run, next) {
  const { compaction, messages } = run.step(next);
  const replies = compaction < 0 && run.pool.row(messages - 1).role === "assistant";
  return `${replies ? "the one that the model would have been sent" : "as it would have been"} before ${stepName(run, next)}`;
}
/** The part: what stands around the debugger while `app.presenting`. @param {HTMLElement} _ @param {App} app @returns {Part} */
export function part(_, app) {
  /** @type {Presented | null} */ let now = null;
  let ending = false;
  const end = () => {
    const was = now;
    now = null;
    ending = true; // what it gives back is drawn meanwhile
    was?.destroy();
    ending = false;
  };
  const update = () => {
    if (ending) return;
    if (!app.presenting) return end();
    if (now && !now.tells(app.run)) end(); // another run stands in its place: Back to other settings
    const begins = !now;
    now ??= new Presented(app);
    if (begins) now.path.learn();
    now.draw();
  };
  return { update, stop: end, commandOf: (event) => (now && app.presenting ? now.commandOf(event) : undefined) };
}

class Presented {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The run that is told. */ this.tid = app.run.view.tid;
    this.phases = new PhasePlayer(app);
    this.asker = new Asker(app);
    /** How fast it was, for who comes back from the room. */ this.pace = app.speed;
    app.speed = Math.min(FOR_A_ROOM, app.speed);
    /** A press that waits until it is known what it leads to, and where it was made. @type {{way: 1 | -1, step: number} | null} */ this.waits = null;
    /** Its stops, where it has a story. */ this.path = new StoryPath(app, () => (this.#learned(), this.#leadOn()));
    /** What is known of the compactions. */ this.compactions = new CompactionTelling(app, this.path, () => this.#drawSlide());
    /** What stands around all of that. */ this.bookends = new Bookends(app, this.path);
    /** The run of the last slide: what would have kept the rule. */ this.other = new OtherRun(app, () => this.draw());
    app.keysHere = () => ({ keys: helpKeys(this.route), alone: true });
    this.room = new Room(app.root, (key) => this.commandOf({ key, shiftKey: false })?.(app));
    this.room.follow(app);
    this.room.watch(app, () => app.run?.length && this.#drawSlide());
    this.card = new SlideCard(this.room.caption);
    /** Playback, where a press leads through slides. */ this.player = new RoomPlayer(app, this.card, {
      press: () => (this.#advance(1), this.#drawSlide()),
      again: () => this.#toBeginning(),
      sought: () => this.#sought,
      changed: () => this.draw(),
      rested: (part) => this.room.drawRest(part),
    });
    this.#askOverview();
    app.root.prepend(this.room.top, this.card.root);
    app.grid.after(this.room.foot, this.room.line);
    document.documentElement.dataset.flPresent = "true";
    app.root.toggleAttribute("data-present", true);
  }

  /** Whether this is the run that is told, or stands in for it. @param {Run} run */
  tells(run) {
    return run.view.tid === this.tid || run === this.other.run;
  }

  /** Which slide of the story is shown: its place, -1 for none. */
  get place() {
    if (this.bookends.now) return -1;
    return this.other.shown ? this.path.stops.length : this.path.placeOf(this.app.step);
  }

  /** What a clicker leads through: a live run, which has no end yet, is told message by message. @returns {import("./presentkeys.js").Route} */
  get route() {
    const { run } = this.app;
    if (this.path.stops.length) return "story";
    return run.compactions && !run.view.live ? "compactions" : "messages";
  }

  /** Whether it is not known yet what a clicker leads to. */
  get #sought() {
    return this.route !== "messages" && (this.path.sought || this.bookends.sought);
  }

  /** Ask what the session is, for its opening and for what was asked before a compaction. */
  #askOverview() {
    this.bookends.learn((found) => {
      this.compactions.overview = found;
      this.#drawSlide();
      this.#leadOn();
    });
  }

  /** A press that waited leads on, where the cursor still is. */
  #leadOn() {
    const { waits } = this;
    if (!waits || this.#sought) return;
    this.waits = null;
    if (waits.step === this.app.step) this.#advance(waits.way);
    this.#drawSlide();
  }

  /** The row of the rule stays in sight once it is known which that is. */
  #learned() {
    const { app, path } = this;
    void this.other.ask(path.keeper);
    const { loss } = (path.stops.length && forgottenRule(path.rows)) || {};
    if (!loss || app.told?.pool === loss.at) return this.draw();
    const also = path.stops.flatMap(({ step, words }) => (words ? [{ pool: app.run.step(step).messages - 1, text: words }] : []));
    app.told = { pool: loss.at, text: path.stops[0].rule, also };
    app.notify({ present: true });
  }

  draw() {
    const { room, app } = this;
    const { header } = app.run.store;
    if (this.other.moved) return this.#follow();
    this.bookends.follow();
    this.compactions.bring();
    if (this.path.ended) this.other.show(this.path.stepBeforeNeed);
    write(room.word, app.whole ? curveWords(app.run) : regionWords(app.run.step(app.step).regions));
    room.name(NAMED_KEYS);
    write(room.title, titleWords(header.title) || "Untitled session");
    write(room.count, app.whole ? pluralize(app.run.n, "message") : positionWords(app.run, app.step));
    room.drawPace(app.speed, app.playing || this.player.on ? "playing" : "");
    if (!this.player.on) room.drawRest(Number(app.playing)); // message by message the window moves
    this.#drawSlide();
  }

  /** A click on the timeline, or Back, has led away from the last slide: to a message of the real run. */
  #follow() {
    this.path.ended = false;
    this.other.follow();
  }

  /** Draw the slide, as large as there is room for. */
  #drawSlide() {
    this.#drawWords();
    this.card.fit();
    this.player.drawn();
  }

  /** What happens at the cursor: a stop of the story, a compaction, the phase of it that is shown, or the message that arrived. */
  #drawWords() {
    const { room, app, path, card } = this;
    const { run } = app;
    this.asker.drop(); // it was for another slide, or is asked again
    const { k, phase, step: at } = shown(app);
    const bookend = this.bookends.slide;
    attribute(room.foot, "data-on", String(k >= 0 && !bookend && this.#hasPhases));
    const { now } = app.show;
    const rests = now ? k >= 0 && phase === 4 && !now.back : k < 0 || (phase ?? 4) === 4; // the splice is told as it ends, from its first moment
    const place = rests ? this.place : -1;
    const apart = k >= 0 && !rests && !now?.back ? phase : null;
    room.say(apart && apart < 4 ? `→ ${roomPhases(run, app.step, k)[apart].join(": ")}` : this.#ahead(this.place));
    this.#drawStop(this.place, apart);
    attribute(room.caption, "data-long", null);
    attribute(card.root, "data-lost", null);
    if (bookend) return card.drawTold(bookend, false);
    const told = this.place < 0 ? this.compactions.slideOf(k, phase ?? 4, rests) : null;
    if (told) return card.drawTold(told, true);
    const writes = apart === 3; // what the summary says stands beside it as it is written
    const took = (rests && place < 0) || writes ? this.#lossesAt(app.step) : undefined;
    card.drawNote(rests && place < 0 ? this.#noteOf(at) : "");
    card.drawQuotes(took ? summaryNotes(took) : (path.stops[place]?.lines ?? []));
    if (place === path.stops.length && place >= 0) return this.#drawKept();
    if (path.stops[place]?.said) return writeLarge(room.caption, path.stops[place].said);
    if (k < 0 && place < 0 && (phase ?? 4) === 4 && run.failedAt(at) >= 0) return this.#drawFailed(at);
    if (phase) return writeLarge(room.caption, phaseSentence(run, app.step, k, phase));
    if (k >= 0) return writeLarge(room.caption, splicedSentence(run, k));
    this.#message(run.step(at).messages - 1);
  }

  /** What came of an attempt that failed, and the message that had arrived: from its last phase on. @param {number} step */
  #drawFailed(step) {
    const { run } = this.app;
    this.card.drawQuotes([headline(run.pool.row(run.step(step).messages - 1), tilde(run))]);
    writeLarge(this.room.caption, phaseSentence(run, step, -1, 4));
  }

  /** The message that arrived. @param {number} place */
  #message(place) {
    const { run } = this.app;
    const row = run.pool.row(place);
    const { who, said } = headline(row, tilde(run));
    const words = large(said);
    this.room.caption.replaceChildren(el("span", { class: "fl-present-who", text: `${visible(who)} ` }), words);
    if (said === row.preview) this.#complete(words, place, said);
    else if (row.role === "tool" && row.preview && !this.card.lines.length) this.#drawAnswer(place, row.preview);
  }

  /** Below the size of a result how it begins. @param {number} place @param {string} preview */
  #drawAnswer(place, preview) {
    const draw = (/** @type {string} */ said) => this.card.drawQuotes([{ who: "", said }]);
    draw(preview);
    this.#ask(place, preview, (content) => content && draw(firstWords(content, BESIDE)));
  }

  /** Which stop of the story it is, and whether the window has the rule. @param {number} place  -1 for none @param {Phase | null} phase  of its compaction */
  #drawStop(place, phase) {
    const { path } = this;
    const { kicker, rule } = this.card;
    const {
      title = "",
      rule: text = "",
      gone = "",
      backSince = "",
      carried = false,
      lines = [],
    } = path.stops[Math.min(place, path.stops.length - 1)] ?? {};
    kicker.hidden = rule.hidden = place < 0;
    if (place < 0) return;
    const last = place >= path.stops.length;
    const lost = last || phase || backSince ? "" : gone; // the last slide tells of another run
    kicker.replaceChildren(el("b", { text: `${place + 1} of ${path.length}` }), ` ${last ? KEPT : title}`);
    const before = path.stops.some((stop) => stop.carried) ? CARRIED : HERE;
    const here = backSince && !last ? backSince : carried ? carriedIn(phase) : phase && gone ? ruleIn(phase, lines.length > 0, before) : HERE;
    attribute(rule, "data-gone", lost || ![HERE, CARRIED, backSince].includes(here) ? "true" : null);
    const state = el("span", { class: "fl-present-state", text: lost || (last && !this.other.shown ? "The rule" : here) });
    rule.replaceChildren(state, large(text, lost ? "s" : "q"));
  }

  /** The last slide: what would have kept it, and whose window stands beside it. */
  #drawKept() {
    const { kept, advice, keepers } = this.path;
    const words = advice || !kept ? (kept ?? ["Trying what would have kept it…"]) : ["With ", ...kept, " it would have stayed, word for word."];
    this.room.caption.replaceChildren(...(keepers.length > 1 ? [EACH] : words));
    const { app, other, card } = this;
    const change = keepers.length > 1 ? app.change : "";
    const window = other.shown ? `The window beside this is ${sentBefore(app.run, app.step + 1)}${change}.` : kept ? AS_IT_WAS : "";
    card.drawQuotes(window ? [{ who: window, said: "" }] : []);
    if (keepers.length > 1) card.quotes.prepend(this.#choices());
  }

  /** The changes that would have kept it, each a button that shows its window. */
  #choices() {
    const { app, path } = this;
    const one = (/** @type {import("../why/types.js").Fix} */ fix, /** @type {number} */ k) =>
      button(nameOf(app, fix), () => this.#choose(k), { "aria-pressed": String(k === path.chosen) });
    return el("div", { class: "fl-present-keepers" }, ...path.keepers.map(one));
  }

  /** Show the window of another change; says whether there is one at that place. @param {number} to */
  #choose(to) {
    const { app, other, path } = this;
    if (app.alone || !path.ended || !path.choose(to)) return false;
    void other.turn(path.keeper);
    this.draw();
    app.root.focus({ preventScroll: true });
    return true;
  }

  /** What the step has to do with the rule that is forgotten; of another compaction, what it took. @param {number} at */
  #noteOf(at) {
    const forgotten = forgottenRule(this.path.rows);
    const row = this.#lossesAt(at);
    return (forgotten && ruleNote(this.app.run, forgotten, at)) || (row ? takenNote(row) : "");
  }

  /** What was lost at the compaction of a step. @param {number} at */
  #lossesAt(at) {
    return this.path.rows.find(({ step }) => step === at);
  }

  /** A beginning that is cut goes on to the end of its sentence, once the message is here. @param {HTMLElement} said @param {number} place @param {string} preview */
  #complete(said, place, preview) {
    this.#ask(place, preview, (content) => {
      const short = fromBeginning(preview, content, CAPTION);
      const text = short.endsWith("…") ? fromBeginning(preview, content, this.card.rule.hidden ? LONG : BESIDE) : short;
      writeLarge(said, text);
      attribute(this.room.caption, "data-long", text.length > CAPTION);
    });
  }

  /** Ask for a message whose beginning is cut. @param {number} place @param {string} preview @param {(content: string) => void} take */
  #ask(place, preview, take) {
    const { app, asker } = this;
    if (!preview.endsWith("…") || app.run.view.live) return;
    const taken = (/** @type {{content?: string}} */ { content = "" }) => {
      take(content);
      this.card.fit();
      this.player.drawn();
    };
    asker.ask(messagePath(app.run.store.header.sid, place), taken, () => {}); // the beginning stands
  }

  /** What a key does in front of a room; those that would open what is hidden there do nothing. @param {{key: string, shiftKey: boolean}} event @returns {Command} */
  commandOf({ key, shiftKey }) {
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (name === "?") return (app) => (this.player.stop(), app.toggle("help"));
    if (name === "Escape" || (name === "p" && shiftKey)) return (app) => app.present(false);
    return Object.hasOwn(COMMANDS, name) ? (app) => this.#do(name, app) : () => {};
  }

  /** A key ends the opening, and any but the clicker's the last slide. @param {string} key @param {App} app */
  #do(key, app) {
    if (PACING.includes(key)) return COMMANDS[key](app, this.phases);
    const plays = this.player.on || app.playing;
    this.waits = null;
    this.player.stop();
    if (key === " " && (plays || this.route !== "messages")) return plays ? app.pause() : this.player.start();
    const way = this.route === "messages" ? undefined : CLICKER[key];
    const { opensAt, now } = this.bookends;
    const nowhere = !this.path.ended && leadsNowhere(app, key); // the last slide has another run, which has compactions of its own
    const first = opensAt >= 0 && (FIRST.includes(key) || (nowhere && key === "p" && now !== "title"));
    if (way) this.#advance(way);
    else if (hasNoPhase(app, key)) app.message(noCompactionHere(app.run, app.step));
    else if (first) this.#toBeginning();
    else if (nowhere) COMMANDS[key](app, this.phases);
    else if (!this.#choose(this.path.chosen + (CHOOSERS[key] ?? 0))) {
      this.bookends.show("");
      this.compactions.lostAt = -1;
      this.#end(false);
      COMMANDS[key](app, this.phases);
      if (key === "r" && (app.show.now || takenApart(app))) this.player.start(true);
    }
    this.#drawSlide();
  }

  /** To the next stop, or the one before; first to the end of what moves, and of a compaction that is taken apart. @param {1 | -1} way */
  #advance(way) {
    const { app, phases, path } = this;
    if (way > 0 && (app.show.now || app.cut || (takenApart(app)?.phase ?? 4) < 4)) return forward(app, phases);
    if (way < 0 && this.compactions.fromLost()) return;
    if (way < 0 && !this.bookends.now && !path.ended && this.#hasPhases && unfold(app, phases)) return;
    if (this.#sought) return (this.waits = { way, step: app.step });
    return path.stops.length ? this.#toStop(way) : this.#toCompaction(way);
  }

  /** Whether there is something to tell of each phase of the compaction at the cursor. */
  get #hasPhases() {
    const { run, step } = this.app;
    const { compaction } = run.step(step);
    return compaction < 0 || !namesNothing(run, compaction);
  }

  /** To the next compaction, or the one before. @param {1 | -1} way */
  #toCompaction(way) {
    const { app, bookends, compactions } = this;
    if (way > 0 && !bookends.now && compactions.toLost()) return;
    const bookend = way > 0 ? bookends.next : bookends.previous;
    if (bookend) return this.#goTo(bookends.stepOf(bookend), way, bookend);
    const ends = bookends.now === "end";
    const to = way > 0 ? app.run.nextCompaction(app.step) : app.run.previousCompaction(app.step + Number(ends));
    if (to >= 0) {
      this.#goTo(to, way);
      return way < 0 && compactions.toLastLost();
    }
    this.#leadsNowhere(way < 0 ? "No earlier compaction" : ends ? END : LAST);
  }

  /** To the next stop of the story, or the one before. @param {1 | -1} way */
  #toStop(way) {
    const { app, path } = this;
    const here = this.other.shown ? (this.other.real?.step ?? 0) : app.step;
    const opens = this.bookends.now !== "";
    const to = way > 0 ? (opens ? 0 : path.after(here)) : opens ? -1 : path.before(here);
    const { opensAt } = this.bookends;
    if (to < 0 && way < 0 && !opens && opensAt >= 0) return this.#goTo(opensAt, way, "title");
    if (to < 0) return this.#leadsNowhere(way > 0 ? this.#storyEnds : "The story begins here");
    this.#end(to === path.stops.length);
    this.#goTo(path.stepOf(to), way);
    this.draw();
  }

  /** To the title, or where there is none to the first message. */
  #toBeginning() {
    const { opensAt } = this.bookends;
    this.#end(false);
    this.#goTo(Math.max(0, opensAt), -1, opensAt < 0 ? "" : "title");
  }

  /** Whether the slide is the last: any other has the real run. @param {boolean} last */
  #end(last) {
    this.path.ended = last;
    if (!last) this.other.leave();
  }

  /** @param {number} step @param {1 | -1} way @param {import("./bookends.js").Bookend} [bookend]  what is told there */
  #goTo(step, way, bookend = "") {
    const { app, phases } = this;
    const same = step === app.step;
    phases.halt();
    app.pause();
    app.select(null);
    this.compactions.lostAt = -1;
    if (!bookend) this.bookends.show("");
    app.highlights.set({ phase: null, at: -1 });
    const { compaction } = app.run.step(step);
    if (way > 0 && !same && !bookend && compaction >= 0 && !namesNothing(app.run, compaction)) phases.play(step, 1);
    else app.go(step);
    if (bookend) this.bookends.show(bookend);
  }

  /** What comes: the next stop, or the next compaction; and what a word of the picture means. @param {number} place  of the slide in the story, -1 for none */
  #ahead(place) {
    const { path, app, bookends } = this;
    if (this.#sought) return SOUGHT;
    const next = path.length && (bookends.now || place >= 0) ? place + 1 : -1;
    if (next >= 0 && next < path.length) return `→ ${path.stops[next]?.title ?? KEPT}`;
    if (next >= 0) return this.#storyEnds;
    return this.route === "compactions" ? this.#aheadOfCompaction() : ahead(app.run, app.step);
  }

  /** The same where each press leads to a compaction, to what it lost, or to what stands around them. */
  #aheadOfCompaction() {
    const { app, bookends, compactions } = this;
    if (bookends.now === "end") return END;
    const title = (bookends.now ? "" : compactions.leadsToLost(app.step)) || bookends.nextTitle;
    return title ? `→ ${title[0].toLowerCase()}${title.slice(1)}` : nextStop(app.run, app.step);
  }

  /** What is said behind the last stop, with what ↓ does there. */
  get #storyEnds() {
    const { ended, chosen, keepers } = this.path;
    const next = ended && !this.app.alone && chosen + 1 < keepers.length;
    return `The end of the story. ↓ ${next ? "shows the next change" : "goes on message by message"}`;
  }

  /** The answer to a press behind the end or before the beginning: only heard where it stands below the window. @param {string} text */
  #leadsNowhere(text) {
    if (this.player.ends()) return;
    if (this.room.ahead.textContent === text) this.app.say(text);
    else this.app.message(text);
  }

  destroy() {
    this.player.destroy();
    this.asker.drop();
    this.bookends.destroy();
    this.other.destroy();
    this.compactions.destroy();
    this.path.destroy();
    this.room.destroy();
    this.card.destroy();
    this.phases.halt();
    this.phases.stop();
    this.app.setSpeed(this.pace);
    this.app.told = null;
    this.app.keysHere = null;
    this.app.root.toggleAttribute("data-present", false);
    delete document.documentElement.dataset.flPresent;
  }
}

/** What the words of the whole curve mean: those of the window before its first compaction, and of what is hatched. @param {Run} run */
function curveWords(run) {
  const { regions } = run.step(Math.max(0, run.nextCompaction(0) - 1));
  return regionWords(regions, hasHatched(run) ? capitalized(hatchedWords(run)[1]) : "");
}

/** Where the next press leads: "→ the next compaction, 12 steps ahead". @param {Run} run @param {number} step */
function nextStop(run, step) {
  const next = run.nextCompaction(step);
  if (step === run.length - 1) return END;
  return next < 0 ? LAST : `→ the next compaction, ${pluralize(next - step, "step")} ahead`;
}

/** What comes: "The next compaction is 12 steps ahead: key n". @param {Run} run @param {number} step */
function ahead(run, step) {
  const next = run.nextCompaction(step);
  if (next < 0) return run.compactions ? "No later compaction" : "No compaction in this run";
  return `The next compaction is ${pluralize(next - step, "step")} ahead: key n`;
}
