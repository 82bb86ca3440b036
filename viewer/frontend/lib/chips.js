// Facts as chips on one line, of which only those are shown that are in sight whole.
import { el } from "./dom.js";

/** What of a fact stands behind the rest of it, by what it is a fact of. @type {Record<string, RegExp>} */
const ENDS = { tokens: /(?= by )/, model: /(?=-20\d{6}$)/, messages: /(?= \+ )/ };

/** Only facts that are in sight whole are shown, at least the number of messages: what finds no room is in the list that opens. @param {HTMLElement} chips */
export function whole(chips) {
  const first = chips.querySelector('[data-kind="messages"]');
  chips.style.setProperty("--least", `${Math.ceil(first?.getBoundingClientRect().width ?? 0)}px`); // it is in sight at any width
  const { right, bottom } = chips.getBoundingClientRect();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (chips.querySelectorAll(".fl-fact"))) {
    const box = node.getBoundingClientRect();
    node.style.visibility = box.right > right + 1 || box.bottom > bottom + 1 ? "hidden" : "";
  }
}

/** A fact; what stands behind the rest of it is in its title alone where it finds no room. @param {string[]} fact */
export function chip([kind, text]) {
  const [said, by] = text.split(ENDS[kind] ?? /$^/);
  return el("span", { class: "fl-fact", title: text, "data-kind": kind }, said, by ? el("span", { class: "fl-by", text: by }) : "");
}
