// Questions to the server: same origin, answers kept, stale ones dropped. What it answers is in docs/wire.md.
import { problemText } from "./problem.js";

const MOST_CHARACTERS = 8_000_000;

/** @typedef {{get: (path: string) => Promise<any>}} Server  what it answers at a path is what docs/wire.md says */

/** Answers by address, the least recently used thrown out once they hold more than `limit` characters. */
export class Answers {
  /** @param {number} [limit] */
  constructor(limit = MOST_CHARACTERS) {
    this.limit = limit;
    this.held = 0;
    /** @type {Map<string, {value: unknown, size: number}>} */
    this.kept = new Map();
  }

  /** @param {string} path @returns {any} the answer, or undefined */
  get(path) {
    const found = this.kept.get(path);
    if (!found) return undefined;
    this.kept.delete(path);
    this.kept.set(path, found);
    return found.value;
  }

  /** @param {string} path @param {unknown} value @param {number} size characters it stands for */
  set(path, value, size) {
    this.held += size - (this.kept.get(path)?.size ?? 0);
    this.kept.delete(path);
    this.kept.set(path, { value, size });
    for (const [oldest, entry] of this.kept) {
      if (this.held <= this.limit || this.kept.size === 1) break;
      this.kept.delete(oldest);
      this.held -= entry.size;
    }
  }
}

const answers = new Answers();

/** The questions that are not answered yet, and who was asked. @type {Map<string, {app: Server, answer: Promise<any>}>} */
const asked = new Map();

/** The questions that are about to be asked, by who asks them. @type {Map<Asker, string>} */
const coming = new Map();

/** Whether the answer to such a question is awaited, or the question is about to be asked. @param {RegExp} paths */
export const awaited = (paths) => [...asked.keys(), ...coming.values()].some((path) => paths.test(path));

/** An answer already here, or undefined. @param {string} path */
export const known = (path) => answers.get(path);

/**
 * The answer at a path, kept for the next time; a question that is not answered yet is not asked again. Rejects with an Error
 * whose message can be shown.
 * @param {Server} app
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function ask(app, path) {
  const kept = answers.get(path);
  if (kept !== undefined) return kept;
  const before = asked.get(path);
  if (before?.app === app) return before.answer;
  const question = { app, answer: fetched(app, path) };
  asked.set(path, question);
  try {
    return await question.answer;
  } finally {
    if (asked.get(path) === question) asked.delete(path);
  }
}

/** @param {Server} app @param {string} path */
async function fetched(app, path) {
  const value = await app.get(path);
  answers.set(path, value, weight(value));
  return value;
}

/** Roughly how many characters an answer holds. @param {unknown} value @returns {number} */
export function weight(value) {
  if (typeof value === "string") return value.length + 16;
  if (value === null || typeof value !== "object") return 16;
  return Object.values(value).reduce((sum, part) => sum + weight(part), 32);
}

/**
 * Asks one question at a time: a new one puts the old one aside, and an answer that comes too late is not
 * delivered. Waits `delay` ms first, unless the answer is already here, so that scrubbing asks nothing.
 */
export class Asker {
  /** @param {Server} app @param {number} [delay] */
  constructor(app, delay = 80) {
    this.app = app;
    this.delay = delay;
    this.turn = 0;
    this.timer = 0;
  }

  /** Put aside whatever was asked. */
  drop() {
    clearTimeout(this.timer);
    coming.delete(this);
    this.turn += 1;
  }

  /** @param {string} path @param {(value: any) => void} then @param {(message: string) => void} fail */
  ask(path, then, fail) {
    this.drop();
    const kept = known(path);
    if (kept !== undefined) return then(kept);
    const turn = this.turn;
    coming.set(this, path);
    this.timer = setTimeout(async () => {
      coming.delete(this);
      const [value, failure] = await ask(this.app, path).then(
        (v) => [v, null],
        (e) => [null, problemText(e)],
      );
      if (turn !== this.turn) return;
      if (failure === null) then(value);
      else fail(failure);
    }, this.delay);
  }
}

const safe = encodeURIComponent;

/** What a message says around a text; `at` is "12", or "3/0" for what a compaction added. @param {string} sid @param {string} query @param {string} tid @param {string} at */
export const snippetPath = (sid, query, tid, at) => `api/snippet/${safe(sid)}?q=${safe(query)}&tid=${safe(tid)}&at=${safe(at)}`;

/** What is not 0, as a query. @param {Record<string, number>} wanted */
function queryOf(wanted) {
  const said = Object.entries(wanted).filter(([, value]) => value);
  return said.length ? `?${said.map(([name, value]) => `${name}=${value}`).join("&")}` : "";
}

/** `seen`: what of a run that grows was there when it was asked: what is kept holds for that. @param {string} sid @param {number} i @param {number} [from] @param {number} [seen] */
export const messagePath = (sid, i, from = 0, seen = 0) => `api/message/${safe(sid)}/${i}${queryOf({ from, seen })}`;

/** @param {string} tid @param {number} j @param {number} m @param {number} [from] */
export const addedPath = (tid, j, m, from = 0) => `api/added/${safe(tid)}/${j}/${m}${from ? `?from=${from}` : ""}`;

/** What is left of message i where stage s empties it. @param {string} tid @param {number} s @param {number} i @param {number} [from] */
export const shadowPath = (tid, s, i, from = 0) => `api/shadow/${safe(tid)}/${s}/${i}${from ? `?from=${from}` : ""}`;

/** @param {string} sid */
export const overviewPath = (sid) => `api/overview/${safe(sid)}`;

/** The messages behind what the overview counts. @param {string} sid @param {number} [seen] */
export const calledPath = (sid, seen = 0) => `api/called/${safe(sid)}${queryOf({ seen })}`;

/** @param {string} tid @param {number} j */
export const compactionPath = (tid, j) => `api/compaction/${safe(tid)}/${j}`;

/** What the card of a long session comes without. @param {string} tid @param {number} j */
export const compactionFindingsPath = (tid, j) => `${compactionPath(tid, j)}/findings`;

/** The f-th attempt that failed. @param {string} tid @param {number} f @param {number} times  in a row, so far */
export const attemptPath = (tid, f, times) => `api/attempt/${safe(tid)}/${f}${queryOf({ seen: times })}`;

/**
 * A recorded compaction against a policy; without settings, those that suit the session.
 * @param {string} sid @param {number} k @param {string} policy @param {Record<string, string>} settings
 */
export const comparedPath = (sid, k, policy, settings) => `api/compared/${safe(sid)}/${k}?${new URLSearchParams({ ...settings, policy })}`;

/** @param {string} sid @param {string} query @param {string} tid @param {number} [seen] */
export const findPath = (sid, query, tid, seen = 0) => `api/find/${safe(sid)}?q=${safe(query)}&tid=${safe(tid)}${seen ? `&seen=${seen}` : ""}`;

/** @param {string} tid @param {string} [kind] @param {number} [from] @param {number} [seen] */
export const findingsPath = (tid, kind = "", from = 0, seen = 0) => {
  const asked = [...(kind || from ? [`kind=${safe(kind)}&from=${from}`] : []), ...(seen ? [`seen=${seen}`] : [])];
  return `api/findings/${safe(tid)}${asked.length ? `?${asked.join("&")}` : ""}`;
};

/** What the compactions lost, from one on. @param {string} tid @param {number} [from] @param {number} [seen] */
export const lossesPath = (tid, from = 0, seen = 0) => `api/losses/${safe(tid)}${queryOf({ from, seen })}`;

/** @param {string} tid @param {string} text @param {number} [seen] */
export const fatePath = (tid, text, seen = 0) => `api/fate/${safe(tid)}?text=${safe(text)}${seen ? `&seen=${seen}` : ""}`;

/** @param {string} tid @param {string} text @param {number} step */
export const fixesPath = (tid, text, step) => `api/fixes/${safe(tid)}?text=${safe(text)}&step=${step}`;

/** @param {string} tid @param {number} k @param {number} [seen] */
export const provenancePath = (tid, k, seen = 0) => `api/provenance/${safe(tid)}/${k}${queryOf({ seen })}`;
