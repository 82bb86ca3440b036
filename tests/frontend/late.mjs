// What the platform inflates, late at random: a busy machine, on demand (FOLDLINE_LATE, see tests/slow_pages.py).
const LATE = Number(process.env.FOLDLINE_LATE);
const later = globalThis.setTimeout;
const some = () => new Promise((done) => later(done, Math.random() * LATE));

const Inflating = globalThis.DecompressionStream;
globalThis.DecompressionStream = class {
  /** @param {CompressionFormat} format */
  constructor(format) {
    const held = new TransformStream({ transform: async (piece, through) => (await some(), through.enqueue(piece)) });
    const inflating = new Inflating(format);
    held.readable.pipeTo(inflating.writable).catch(() => {}); // the reader tells of it
    this.writable = held.writable;
    this.readable = inflating.readable;
  }
};
