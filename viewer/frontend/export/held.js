// What an exported file holds: blocks, each unpacked when it is first asked for.
import { inflated } from "../lib/inflate.js";
import { unbzipped } from "./unbzip.js";
import { bytesOf } from "./unpack.js";
/** @import { Message } from "../message/types.js" */

/** A message as the file has it: whole. @typedef {Message & {index: number}} Body */

/** Blocks of messages that stay unpacked. */
const MOST_KEPT = 100;
/** How what bzip2 has packed begins: "B". */
const BZIPPED = 66;
/** The block that holds many, each of which is asked for by its own name. */
const BUNDLE = "grid";
/** Kinds of these that have, for each key, the number of a value in a block of values that are there once. */
const BY_NUMBER = ["added", "shadow"];
const ONCE = "once";

const WAY_OUT = "Copy or download the file again; if it stays so, have the session exported again.";

/** @param {string} name  of a block @param {string} what  is wrong with it */
const damage = (name, what) => new Error(`This file is damaged: its part “${name}” ${what}. ${WAY_OUT}`);

/** The font that the file holds, under the name the style sheets ask for; without one, or where it is damaged, the system's is taken. @param {Held} held */
async function addFont(held) {
  if (held.read("font") === null) return;
  try {
    const font = new FontFace("Source Sans", await held.bytes("font"), { weight: "200 900" });
    document.fonts.add(await font.load());
  } catch {
    // the page is read without it
  }
}

/** A root for the page of a file, with the style sheets and the font that the file holds. @param {HTMLElement} place @param {Held} held */
export async function styledRoot(place, held) {
  place.replaceChildren();
  const root = place.attachShadow({ mode: "open" });
  await addFont(held);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(new TextDecoder().decode(await held.bytes("styles")));
  root.adoptedStyleSheets = [sheet];
  return root;
}

export class Held {
  /** @param {(name: string) => string | null} read  the text of a block, null for none */
  constructor(read) {
    this.read = read;
    /** @type {Map<string, Promise<any>>} */ this.unpacked = new Map();
    /** What the bundle holds, by name. @type {Promise<Map<string, Uint8Array<ArrayBuffer>>> | undefined} */ this.bundle = undefined;
    /** Where each block of messages begins, of each session. @type {Record<string, number[]>} */ this.starts = {};
  }

  /** The bytes of a block as they were packed. @param {string} name @returns {Uint8Array<ArrayBuffer>} */
  packed(name) {
    const text = this.read(name);
    if (text === null) throw damage(name, "is missing");
    return bytesOf(text);
  }

  /** The bytes of a block, of its own or in the bundle. @param {string} name */
  async bytes(name) {
    return (await this.#found(name)) ?? this.#unpacked(name);
  }

  /** @param {string} name */
  async #unpacked(name) {
    const packed = this.packed(name);
    return unpacked(packed).catch(() => Promise.reject(damage(name, "cannot be read")));
  }

  /** @param {string} name */
  async #found(name) {
    if (this.read(name) !== null) return this.#unpacked(name);
    this.bundle ??= this.read(BUNDLE) === null ? Promise.resolve(new Map()) : this.#unpacked(BUNDLE).then(partsOf);
    return (await this.bundle).get(name) ?? null;
  }

  /** A block of JSON; null where there is none. @param {string} name @returns {Promise<any>} */
  json(name) {
    let found = this.unpacked.get(name);
    if (!found) {
      found = this.#value(name);
      found.catch(() => this.unpacked.delete(name)); // so that to try again is to try
      this.unpacked.set(name, found);
      this.#forget();
    }
    return found;
  }

  /** @param {string} name */
  async #value(name) {
    const bytes = await this.#found(name);
    const value = bytes && JSON.parse(new TextDecoder().decode(bytes));
    const numbers = value && this.read(name) === null && BY_NUMBER.includes(name.split("-")[0]);
    return numbers ? this.#numbered(value) : value;
  }

  /** The values of these numbers. @param {Record<string, number>} numbers */
  async #numbered(numbers) {
    const values = /** @type {unknown[]} */ (await this.json(ONCE));
    if (!values) throw damage(ONCE, "is missing");
    return Object.fromEntries(Object.entries(numbers).map(([key, number]) => [key, values[number]]));
  }

  /** A block of messages, in columns. @param {string} sid @param {number} number */
  async #columns(sid, number) {
    const name = `bodies-${sid}-${number}`;
    const found = await this.json(name);
    if (!found) throw damage(name, "is missing");
    return found;
  }

  /** What is left of messages that a run cleared, by "stage/message": at other settings what the run has that the file opens with. @param {string} tid */
  async left(tid) {
    return (await this.json(`shadow-${tid}`)) ?? (await this.json("shadow-opened")) ?? {};
  }

  /** The oldest blocks of messages are unpacked again when they are asked for. */
  #forget() {
    const bodies = [...this.unpacked.keys()].filter((name) => name.startsWith("bodies-"));
    for (const name of bodies.slice(0, -MOST_KEPT)) this.unpacked.delete(name);
  }

  /** Message i of a session, or undefined. @param {string} sid @param {number} i @returns {Promise<Body | undefined>} */
  async body(sid, i) {
    const starts = this.starts[sid] ?? [];
    const number = starts.findLastIndex((start) => start <= i);
    return number < 0 ? undefined : rowOf(await this.#columns(sid, number), i - starts[number]);
  }

  /** Every message of a session, block by block. @param {string} sid @returns {AsyncGenerator<Body[]>} */
  async *bodies(sid) {
    for (const number of (this.starts?.[sid] ?? []).keys()) {
      const columns = await this.#columns(sid, number);
      yield columns.index.map((/** @type {number} */ _, /** @type {number} */ k) => rowOf(columns, k));
    }
  }
}

/** @param {Uint8Array<ArrayBuffer>} packed  by zlib or bzip2 */
const unpacked = async (packed) => (packed[0] === BZIPPED ? unbzipped(packed) : inflated(packed));

/** The parts of the bundle: their names and lengths are its first line. @param {Uint8Array<ArrayBuffer>} bytes */
function partsOf(bytes) {
  let at = bytes.indexOf(10) + 1;
  const sizes = /** @type {[string, number][]} */ (Object.entries(JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)))));
  return new Map(sizes.map(([name, size]) => [name, bytes.slice(at, (at += size))]));
}

/** Messages are in columns, which take less: one of them. @param {Record<string, any[]>} columns @param {number} k @returns {Body | undefined} */
function rowOf(columns, k) {
  if (k >= columns.index.length) return undefined;
  return /** @type {Body} */ (Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[k]])));
}
