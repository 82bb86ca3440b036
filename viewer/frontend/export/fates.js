// Where any text was at every step of a run that the file holds. Of texts that were followed when it was made it holds what the engine says.
import { decodePlain, decodeStore } from "../run/decode.js";
import { Run } from "../run/model.js";
import { ADDED, SPACE } from "../run/pool.js";
import { isCommon } from "./common.js";
import { eventsOf, shown } from "./fateevents.js";
import { tooCommon, worded } from "./fatewords.js";
import { needsOf } from "./needs.js";
import { hitsIn, normalized, saidIn } from "./saying.js";
import { laneOf, onlyStretch, stretchesOf } from "./textlane.js";
/** @import { Fate } from "../why/types.js" */
/** @import { Held } from "./held.js" */
/** @import { Texts } from "./saying.js" */

/** As viewer/wire/fate.py has it. */
const MOST_PLACES = 500;

/** A run, and what its messages say. @typedef {{run: Run, base: Texts, added: Texts, copies: Texts[], unread: Set<number>}} Said */

export class Fates {
  /** @param {Held} held */
  constructor(held) {
    this.held = held;
    /** What the messages of each session say. @type {Map<string, Promise<Texts>>} */ this.texts = new Map();
    /** The run that was asked about last. @type {{tid: string, said: Promise<Said | null>}} */ this.last = { tid: "", said: Promise.resolve(null) };
  }

  /** The fate of a text; null where the file does not hold all that the run put in. @param {string} tid @param {string} text @returns {Promise<Fate | null>} */
  async of(tid, text) {
    if (this.last.tid !== tid) this.last = { tid, said: this.#textsOf(tid) };
    const said = await this.last.said;
    if (!said) return null;
    const { run } = said;
    const hits = hitsIn(run, text, said);
    const common = isCommon(text, hits.base.length, run.n);
    const found = { text, steps: run.length, match: hits.match, places: hits.base.slice(0, MOST_PLACES), total: hits.base.length, common };
    if (common) return { ...found, events: [], uses: [], reasons: [], lane: run.length ? [tooCommon(onlyStretch(run, hits), hits.base.length)] : [] };
    const lane = laneOf(run, hits, said.unread);
    const events = eventsOf(lane, needsOf(lane, text));
    const quoted = shown(events, normalized(text), (place) => textAt(said, place));
    return { ...found, events: quoted, uses: [], reasons: [], lane: worded(lane, events, stretchesOf(lane)) };
  }

  /** @param {string} tid @returns {Promise<Said | null>} */
  async #textsOf(tid) {
    const view = decodePlain(await this.held.bytes(`view-${tid}`));
    const run = new Run(decodeStore(await this.held.bytes(`store-${view.sid}`)), view);
    const added = textsOf(await this.held.json(`added-${tid}`), (place) => placeOf(run, place));
    const left = await this.held.left(tid);
    const copies = view.shadows.map((shadow, s) => leftOf(left, s, new Set(shadow.places)));
    const base = await this.#base(view.sid);
    const whole = base.size === run.n && added.size === run.pool.added.length;
    if (!whole || view.shadows.some(({ places }, s) => places.length !== copies[s].size)) return null;
    const unread = await this.#unread(run, tid);
    for (const place of unread.values()) if (place !== null) added.set(place, "");
    return { run, base, added, copies, unread: new Set(unread.keys()) };
  }

  /** The compactions whose summaries hold a placeholder, and where each stands among what was added. @param {Run} run @param {string} tid @returns {Promise<Map<number, number | null>>} */
  async #unread(run, tid) {
    const cards = Object.entries((await this.held.json(`compaction-${tid}`)) ?? {});
    const opaque = run.view.policy?.kind === "opaque";
    const found = cards.filter(([k, { unreadable }]) => unreadable || (opaque && run.view.c.summaryTokens[Number(k)]));
    return new Map(found.map(([k, { summary_in: m }]) => [Number(k), m === undefined ? null : run.firstAdded[Number(k)] + m]));
  }

  /** What the messages of a session say: read once. @param {string} sid */
  #base(sid) {
    const known = this.texts.get(sid) ?? this.#read(sid);
    this.texts.set(sid, known);
    return known;
  }

  /** @param {string} sid */
  async #read(sid) {
    /** @type {Texts} */ const texts = new Map();
    for await (const bodies of this.held.bodies(sid)) for (const body of bodies) texts.set(body.index, saidIn(body));
    return texts;
  }
}

/** @param {Record<string, any> | null} bodies @param {(name: string) => number | null} place  where each stands, null for none @returns {Texts} */
function textsOf(bodies, place) {
  const found = Object.entries(bodies ?? {}).map(([name, body]) => /** @type {const} */ ([place(name), saidIn(body)]));
  return new Map(found.flatMap(([at, text]) => (at === null ? [] : [/** @type {[number, string]} */ ([at, text])])).sort(([a], [b]) => a - b));
}

/** What stage s left of these messages: other runs of the session may have cleared more. @param {Record<string, any>} left @param {number} s @param {Set<number>} places */
function leftOf(left, s, places) {
  return textsOf(left, (name) => {
    const [stage, place] = name.split("/").map(Number);
    return stage === s && places.has(place) ? place : null;
  });
}

/** Among all that compactions added. @param {Run} run @param {string} name  "compaction/place" */
function placeOf(run, name) {
  const [k, m] = name.split("/").map(Number);
  return run.firstAdded[k] + m;
}

/** What the message at a place of the pool says. @param {Said} said @param {number} place */
function textAt({ base, added, copies }, place) {
  if (place < ADDED) return base.get(place) ?? "";
  if (place < SPACE) return added.get(place - ADDED) ?? "";
  return copies[Math.floor(place / SPACE) - 1].get(place % SPACE) ?? base.get(place % SPACE) ?? "";
}
