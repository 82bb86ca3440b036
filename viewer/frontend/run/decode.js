// What Python packed, unpacked: the store's bytes and the view's text. docs/wire.md is the contract.
// Pure: no DOM. `DecompressionStream` is the one thing of the platform it needs, and node has it too.
import { inflated } from "../lib/inflate.js";
/** @import { Header, View, WireView } from "./types.js" */

export const ROLES = ["system", "user", "assistant", "tool"];
export const FLAG = { typed: 1, calls: 2, error: 4, injected: 8, thinking: 16, images: 32, modelCall: 64, wordless: 128 };

/**
 * One session under one meter.
 * @typedef {object} Store
 * @property {Header} header          what the wire calls the header
 * @property {number} n            how many messages there are
 * @property {Uint32Array} tokens  of each message
 * @property {Float64Array} running  running[i] is the sum of the first i; n + 1 entries
 * @property {Uint16Array} label   index into header.labels
 * @property {Uint8Array} role     index into ROLES
 * @property {Uint8Array} flags    sums of FLAG
 * @property {Int32Array} turnStarts  the typed messages
 * @property {Int32Array} calls    messages before which the model was called
 * @property {(i: number) => string} preview  one line of message i
 */

/** @param {Uint8Array} bytes @returns {Store} */
export function decodeStore(bytes) {
  const own = bytes.byteOffset % 4 ? bytes.slice() : bytes; // typed arrays want their offset aligned
  const at = cursor(own);
  const header = JSON.parse(new TextDecoder().decode(at.bytes(at.u32(1)[0])));
  if (header.version !== 1) throw new Error(`this page cannot read version ${header.version} of a session; reload it`);
  const n = header.n;
  const tokens = at.u32(n);
  const offsets = at.u32(n + 1);
  const label = at.u16(n);
  const role = at.bytes(n);
  const flags = at.bytes(n);
  const preview = previews(at.rest(), offsets);
  return {
    header,
    n,
    tokens,
    label,
    role,
    flags,
    preview,
    running: runningSum(tokens),
    turnStarts: placesOf(flags, FLAG.typed),
    calls: placesOf(flags, FLAG.modelCall),
  };
}

/** @param {Uint8Array} bytes  reads one column after the other */
function cursor(bytes) {
  let at = 0;
  const take = (/** @type {number} */ size) => (at += size) - size;
  const place = (/** @type {number} */ size) => bytes.byteOffset + take(size);
  return {
    u32: (/** @type {number} */ n) => new Uint32Array(bytes.buffer, place(4 * n), n),
    u16: (/** @type {number} */ n) => new Uint16Array(bytes.buffer, place(2 * (n + (n % 2))), n),
    bytes: (/** @type {number} */ n) => new Uint8Array(bytes.buffer, place(n), n),
    rest: () => bytes.subarray(at),
  };
}

/** @param {Uint8Array} text @param {Uint32Array} offsets */
function previews(text, offsets) {
  const decoder = new TextDecoder();
  return (/** @type {number} */ i) => decoder.decode(text.subarray(offsets[i], offsets[i + 1]));
}

/** @param {ArrayLike<number>} values */
export function runningSum(values) {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}

/** @param {Uint8Array} flags @param {number} flag */
function placesOf(flags, flag) {
  let count = 0;
  for (let i = 0; i < flags.length; i++) if (flags[i] & flag) count++;
  const places = new Int32Array(count);
  for (let i = 0, k = 0; i < flags.length; i++) if (flags[i] & flag) places[k++] = i;
  return places;
}

/** Columns with an entry for every step: bytes in front of the JSON. */
const BY_STEP = ["tails", "spared"];

/**
 * A view with its deltas summed up; the columns as arrays.
 * @param {string} z  base64 of zlib of the columns of every step and JSON
 * @returns {Promise<View>}
 */
export function decodeView(z) {
  return decodePacked(Uint8Array.from(atob(z), (c) => c.charCodeAt(0)));
}

/** The same of the bytes that the text stands for. @param {Uint8Array<ArrayBuffer>} packed @returns {Promise<View>} */
export async function decodePacked(packed) {
  return decodePlain(await inflated(packed));
}

/** The same of bytes that are unpacked. @param {Uint8Array} bytes @returns {View} */
export function decodePlain(bytes) {
  return openView(unpacked(bytes));
}

/** @param {Uint8Array} bytes  the sizes of the columns, the columns, JSON */
function unpacked(bytes) {
  const sizes = new DataView(bytes.buffer, bytes.byteOffset);
  let at = 4 * BY_STEP.length;
  const columns = BY_STEP.map((name, k) => {
    const size = sizes.getUint32(4 * k, true);
    return [name, varints(bytes.subarray(at, (at += size)))];
  });
  return { ...JSON.parse(new TextDecoder().decode(bytes.subarray(at))), ...Object.fromEntries(columns) };
}

/** Whole numbers from few bytes: seven bits a byte, the lowest first, the sign last. @param {Uint8Array} bytes */
function varints(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length; ) {
    let value = 0;
    let unit = 1;
    for (; bytes[at] > 127; at++, unit *= 128) value += (bytes[at] & 127) * unit;
    value += bytes[at++] * unit;
    values.push(value % 2 ? -(value + 1) / 2 : value / 2);
  }
  return values;
}

/** @param {WireView} view  as JSON came in @returns {View} */
export function openView(view) {
  if (view.version !== 1) throw new Error(`this page cannot read version ${view.version} of a trace; reload it`);
  const { pins, shadows, spared, failed } = view;
  return {
    ...view,
    tails: summed(view.tails),
    spared: summed(spared ?? []),
    pins: { systems: Boolean(pins?.systems), emptied: pins?.emptied ? summed(pins.emptied) : null },
    shadows: (shadows ?? []).map((s) => ({ ...s, places: summed(s.places) })),
    failed: { at: summed(failed?.at ?? []), status: failed?.status ?? [], reason: failed?.reason ?? [], times: failed?.times ?? [] },
    c: { ...view.c, at: summed(view.c.at) },
  };
}

/** @param {number[]} deltas */
export function summed(deltas) {
  const values = new Int32Array(deltas.length);
  for (let i = 0, sum = 0; i < deltas.length; i++) values[i] = sum += deltas[i];
  return values;
}
