// Where the sessions in view hold the words that are typed: asked of the server once for each, a few at a time.
import { el, visible } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { fetchJson } from "../lib/json.js";

const [START, END] = ["\ue000", "\ue001"];
/** How many characters before the found word stay on a small page. */ const NEAR = 12;
/** The last words of a text that are no longer than that. */ const LAST_WORDS = new RegExp(`\\s(\\S.{0,${NEAR - 1}})$`, "u");

/** The first words that are marked, with those marked right behind them. */
const IN_A_ROW = new RegExp(`${START}[^${END}]*${END}(?:[^\\p{L}\\p{N}${START}…]{1,3}${START}[^${END}]*${END})*`, "u");

/** In which part of a session, the text with the words marked, and how many messages hold what is typed in a row. @typedef {[part: string, text: string, count?: number]} Snippet */

export class Snippets {
  /** @param {() => void} arrived */
  constructor(arrived) {
    this.arrived = arrived;
    this.query = "";
    /** What is typed, without the quotes around it: the text that Find looks for. */ this.text = "";
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

  /** What Find is to look for in a session: what is typed where it stands so, else as it stands there; "" where only a title has it. @param {number} id */
  async textFor(id) {
    if (this.query && !this.known.get(id)) {
      this.wanted.add(id);
      await this.#ask();
    }
    const snippet = this.known.get(id);
    return snippet?.[2] ? this.text : foundText(snippet);
  }

  async #ask() {
    const { query, known } = this;
    const ids = [...this.wanted].slice(0, 100);
    this.wanted.clear();
    if (!ids.length) return;
    for (const id of ids) known.set(id, null);
    const answer = await fetchJson(`api/library/snippets?${new URLSearchParams({ q: query, ids: ids.join(",") })}`).catch(() => null);
    if (query !== this.query || !answer?.found) return;
    this.text = answer.text ?? "";
    for (const [id, snippet] of Object.entries(answer.found)) known.set(Number(id), snippet);
    this.arrived();
  }
}

/** What a snippet says was found, as it stands there: "" for none. @param {Snippet | null | undefined} snippet */
const foundText = (snippet) => (IN_A_ROW.exec(snippet?.[1] ?? "")?.[0] ?? "").replaceAll(START, "").replaceAll(END, "");

/** A snippet, the words marked, in what it was found, and in how many messages it is. @param {Snippet} snippet */
export function snippetNodes([part, text, count = 0]) {
  const often = count ? [oftenNode(count)] : [];
  const tools = part === "tools";
  const where = el("b", { class: "fl-listed-part", text: tools ? "tool" : "message" }, tools && wide(" call or output"));
  const nodes = text.split(START).flatMap((piece, i) => {
    if (!i) return lead(visible(piece));
    const [word, rest = ""] = piece.split(END);
    return [el("mark", { text: visible(word) }), visible(rest)];
  });
  return [...often, where, el("bdi", {}, ...nodes)];
}

/** In how many messages it is, as Find counts them: "in 18 messages", on a small page "18 messages". @param {number} count */
function oftenNode(count) {
  const title = "Messages with this text, tool calls and tool output included: as many as Find shows in Debug";
  return el("span", { class: "fl-listed-often", title }, wide("in "), pluralize(count, "message"));
}

/** What stands before the first word that is found: on a small page its last word or two, so that the found one is in sight. @param {string} text */
function lead(text) {
  const near = text.length > NEAR ? (LAST_WORDS.exec(text)?.[1] ?? "") : text;
  return near === text ? [text] : [wide(text.slice(0, text.length - near.length)), el("span", { class: "fl-listed-near", text: near })];
}

/** Words for which a small page has no room. @param {string} text */
const wide = (text) => el("span", { class: "fl-listed-wide", text });
