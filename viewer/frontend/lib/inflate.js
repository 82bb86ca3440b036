// What zlib has packed, unpacked by the platform. A Blob would go through another process of the browser, and back.

/** @param {Uint8Array<ArrayBuffer>} packed  rejects what is damaged */
export async function inflated(packed) {
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  writer.write(packed).catch(() => {}); // the reader tells of it
  writer.close().catch(() => {});
  return new Uint8Array(await new Response(readable).arrayBuffer());
}
