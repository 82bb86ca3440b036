// Files that the browser saves.
import { el } from "./dom.js";

/** Milliseconds after which a blob is let go: the browser has begun to save it by then. */
const LONG = 10_000;

/** Have the file at an address saved. @param {string} href @param {string} name */
export function save(href, name) {
  el("a", { href, download: name }).click();
}

/** Have a file that was made here saved. @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), LONG);
}
