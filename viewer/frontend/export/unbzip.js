// What bzip2 has packed, unpacked: no browser knows that format, and it makes texts a third smaller than zlib does.
// https://github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf

const BLOCK = 0x314159;
const GROUP = 50;
const LONGEST = 20;

/** A table of Huffman codes: of each length the last code, what to take from it for a place, and the symbols in order. @typedef {{limit: Int32Array, shift: Int32Array, symbols: number[], least: number}} Table */

class Bits {
  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
    this.at = 0;
    this.held = 0;
    this.count = 0;
  }

  /** The next bits as a number. @param {number} n  up to 24 */
  take(n) {
    for (; this.count < n; this.count += 8) {
      if (this.at === this.data.length) throw new Error("it ends too soon");
      this.held = (this.held << 8) | this.data[this.at++];
    }
    this.count -= n;
    return (this.held >>> this.count) & ((1 << n) - 1);
  }

  /** The next symbol of a table. @param {Table} table */
  symbol({ limit, shift, symbols, least }) {
    let length = least;
    let code = this.take(length);
    for (; length <= LONGEST && code > limit[length]; length++) code = (code << 1) | this.take(1);
    return symbols[code - shift[length]];
  }
}

/** @param {Uint8Array} packed  throws for what is damaged @returns {Uint8Array<ArrayBuffer>} */
export function unbzipped(packed) {
  const bits = new Bits(packed);
  bits.take(24); // "BZh"
  const most = (bits.take(8) - 48) * 100_000;
  const links = new Uint32Array(most);
  /** @type {Uint8Array[]} */ const parts = [];
  while (bits.take(24) === BLOCK) {
    bits.take(24); // the rest of the mark
    const wanted = bits.take(16) * 65536 + bits.take(16);
    bits.take(1); // which says of blocks of old that they are shuffled
    const first = bits.take(24);
    const count = symbolsOf(bits, links);
    if (count > most || first >= count) throw new Error("its text has no such length");
    const part = withRuns(links, turned(links, count), first);
    if (checksum(part) !== wanted) throw new Error("its text is another one");
    parts.push(part);
  }
  return joined(parts);
}

/** The CRC of each byte, its highest bit first. */
const REST = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24;
  for (let k = 0; k < 8; k++) rest = (rest << 1) ^ (rest < 0 ? 0x04c11db7 : 0);
  return rest;
});

/** @param {Uint8Array} text */
function checksum(text) {
  let rest = -1;
  for (const byte of text) rest = (rest << 8) ^ REST[(rest >>> 24) ^ byte];
  return ~rest >>> 0;
}

/** Undo the moves to the front and the runs of a block: its bytes, each in the low bits of a link. @param {Bits} bits @param {Uint32Array} links @returns {number} how many there are */
function symbolsOf(bits, links) {
  const front = usedBytes(bits);
  const end = front.length + 1;
  const groups = bits.take(3);
  const chosen = selectors(bits, groups);
  const tables = Array.from({ length: groups }, () => tableOf(lengthsOf(bits, end + 1)));
  let n = 0;
  for (let k = 0, left = 0, table = tables[0], run = 0, unit = 1; ; left--) {
    if (!left) [table, left] = [tables[chosen[k++]], GROUP];
    const symbol = bits.symbol(table);
    if (symbol < 2) {
      run += unit << symbol;
      unit <<= 1;
      continue;
    }
    if (run) links.fill(front[0], n, (n += run));
    if (symbol === end) return n;
    [run, unit] = [0, 1];
    const byte = front[symbol - 1];
    front.copyWithin(1, 0, symbol - 1);
    front[0] = byte;
    links[n++] = byte;
  }
}

/** The bytes that a block has. @param {Bits} bits */
function usedBytes(bits) {
  const rows = bits.take(16);
  const found = [];
  for (let row = 0; row < 16; row++) {
    const used = rows & (32768 >> row) ? bits.take(16) : 0;
    for (let k = 0; k < 16; k++) if (used & (32768 >> k)) found.push(row * 16 + k);
  }
  return Uint8Array.from(found);
}

/** Which table each group of symbols has. @param {Bits} bits @param {number} groups */
function selectors(bits, groups) {
  const front = [...Array(groups).keys()];
  return Array.from({ length: bits.take(15) }, () => {
    let place = 0;
    while (bits.take(1)) place++;
    front.unshift(...front.splice(place, 1));
    return front[0];
  });
}

/** How long the code of each symbol is. @param {Bits} bits @param {number} count */
function lengthsOf(bits, count) {
  let length = bits.take(5);
  return Array.from({ length: count }, () => {
    while (bits.take(1)) length += bits.take(1) ? -1 : 1;
    return length;
  });
}

/** @param {number[]} lengths @returns {Table} */
function tableOf(lengths) {
  const limit = new Int32Array(LONGEST + 2).fill(-1);
  const shift = new Int32Array(LONGEST + 2);
  const symbols = [];
  for (let length = 1, code = 0; length <= LONGEST; length++, code <<= 1) {
    shift[length] = code - symbols.length;
    for (let k = 0; k < lengths.length; k++) if (lengths[k] === length) symbols.push(k), code++;
    limit[length] = code - 1;
  }
  return { limit, shift, symbols, least: Math.min(...lengths) };
}

/** Above each byte where the one behind it stands: the bytes are those in front of all rotations of the text, in order. @param {Uint32Array} links @param {number} n */
function turned(links, n) {
  const starts = new Uint32Array(257);
  for (let i = 0; i < n; i++) starts[(links[i] & 255) + 1]++;
  for (let byte = 0; byte < 256; byte++) starts[byte + 1] += starts[byte];
  for (let i = 0; i < n; i++) links[starts[links[i] & 255]++] |= i << 8;
  return n;
}

/** The text of a block, in which four equal bytes stand in front of how many more there are. @param {Uint32Array} links @param {number} n @param {number} first */
function withRuns(links, n, first) {
  let text = new Uint8Array(n + 1024);
  let size = 0;
  for (let i = 0, at = links[first] >>> 8, last = -1, equal = 0; i < n; i++) {
    const byte = links[at] & 255;
    at = links[at] >>> 8;
    if (size + 256 > text.length) text = joined([text, new Uint8Array(text.length)]);
    if (equal === 4) {
      text.fill(last, size, (size += byte));
      equal = 0;
      continue;
    }
    equal = byte === last ? equal + 1 : 1;
    text[size++] = last = byte;
  }
  return text.subarray(0, size);
}

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
