// A text on one line that may be cut: the end of a file's name stays in sight, and a title is told whole where it is pointed at or focused.
import { attribute, button, el, write } from "./dom.js";
import { explained } from "./tooltip.js";

const KEPT = 16; // characters at the end of a name, fewer where a part of it begins among the first of them
const AMONG = 6;
const LONG = 24; // characters from which on a small page writes a title in small letters
const LONGER = 36; // the same of a large page

/**
 * A text and what of it stays when it is cut: the end of a file's name, or of a text that is one word.
 * @param {string} text
 * @returns {[lead: string, end: string]}
 */
export function ended(text) {
  const last = [...(/\S+$/.exec(text)?.[0] ?? "")];
  const named = last.length === [...text].length || /[\p{L}\p{N}_)\]]\.[a-z]\w{0,7}$/iu.test(last.join(""));
  if (!named || last.length <= KEPT) return [text, ""];
  const most = last.slice(-KEPT);
  const part = most.findIndex((_, k) => k > 0 && k <= AMONG && /[-_./]/.test(most[k - 1]) && !/[-_./]/.test(most[k]));
  const end = most.slice(Math.max(0, part)).join("");
  return [text.slice(0, -end.length), end];
}

/** Such a text as nodes, for a node of the class `fl-ended`. @param {string} text */
export function endedNodes(text) {
  const [lead, end] = ended(text);
  return [el("span", { class: "fl-cut-lead", text: lead }), ...(end ? [el("span", { class: "fl-cut-end", text: end })] : [])];
}

/**
 * The title of a page, as a heading. Where a click on it opens something, it is a button.
 * @param {(() => void) | null} open
 */
export function titled(open) {
  const heading = el("h1", { dir: "auto" });
  const face = open ? button("", open, { class: "fl-ended", "aria-haspopup": "dialog" }) : el("span", { class: "fl-ended" });
  heading.append(face);
  const node = explained(heading, "…", open ? face : heading);
  node.classList.add("fl-titled");
  /** @param {string} text @param {string} whole @param {number} gives  the part of its length that it gives up last */
  const show = (text, whole, gives) => {
    if (face.textContent !== text) face.replaceChildren(...endedNodes(text));
    if (open) attribute(face, "aria-label", text);
    write(/** @type {Node} */ (heading.nextSibling), whole || text);
    attribute(node, "data-long", text.length > LONG && !ended(text)[1] && (text.length > LONGER ? "longer" : "true"));
    node.style.setProperty("--long", `${Math.ceil(gives * text.length)}ch`);
  };
  return { node, show };
}
