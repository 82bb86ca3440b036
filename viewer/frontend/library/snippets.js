// Where the sessions in view hold the words that are typed: asked of the server once for each, a few at a time.
import { el, visible } from "../lib/dom.js";
import { fetchJson } from "../lib/json.js";

const [START, END] = ["\ue000", "\ue001"];

/** In which part of a session, and the text with the words marked. @typedef {[part: string, text: string]} Snippet */

export class Snippets {
  /** @param {() => void} arrived */
  constructor(arrived) {
    this.arrived = arrived;
    this.query = "";
    /** @type {Map<number, Snippet | null>} */ this.known = new Map();
    /** @type {Set<number>} */ this.wanted = new Set();
  }

  /** Forget what was found for other words. @param {string} query */
  of(query) {
    if (query === this.query) return;
    this.query = query;
    this.known.clear();
    this.wanted.clear();
  }

  /** That of a session; null where there is none, or none yet: it is asked for then. @param {number} id */
  get(id) {
    if (!this.query) return null;
    const known = this.known.get(id);
    if (known !== undefined) return known;
    if (!this.wanted.size) requestAnimationFrame(() => void this.#ask());
    this.wanted.add(id);
    return null;
  }

  async #ask() {
    const { query, known } = this;
    const ids = [...this.wanted].slice(0, 100);
    this.wanted.clear();
    if (!ids.length) return;
    for (const id of ids) known.set(id, null);
    const answer = await fetchJson(`api/library/snippets?${new URLSearchParams({ q: query, ids: ids.join(",") })}`).catch(() => null);
    if (query !== this.query || !answer?.found) return;
    for (const [id, snippet] of Object.entries(answer.found)) known.set(Number(id), snippet);
    this.arrived();
  }
}

/** A snippet, the words marked, and in what it was found. @param {Snippet} snippet */
export function snippetNodes([part, text]) {
  const where = el("b", { class: "fl-listed-part", text: part === "tools" ? "tool call or output" : "message" });
  const nodes = text.split(START).flatMap((piece, i) => {
    if (!i) return [visible(piece)];
    const [word, rest = ""] = piece.split(END);
    return [el("mark", { text: visible(word) }), visible(rest)];
  });
  return [where, el("bdi", {}, ...nodes)];
}
