// The blocks of an exported file as bytes: seven bits a character. viewer/export/blocks.py packs them.

/** What stands for NUL, CR and "<", from U+00A1 on. */
const ESCAPED = [0, 13, 60];

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(text) {
  const bytes = new Uint8Array(Math.floor((text.length * 7) / 8));
  for (let i = 0, at = 0, held = 0, bits = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    held = ((held << 7) | (code < 128 ? code : ESCAPED[code - 161])) & 32767;
    bits += 7;
    if (bits >= 8) bytes[at++] = held >> (bits -= 8);
  }
  return bytes;
}

/** The text of a block of this document, null where there is none. @param {string} name */
export const blockText = (name) => document.getElementById(`fl-${name}`)?.textContent ?? null;
