// Whether long lines are wrapped: prose always is; code and tables only where the switch says so.

import { attribute, button } from "./dom.js";

/** Whether code is wrapped: what the page remembers. Nothing but the switch changes it. */
let wraps = false;

/**
 * What kind of text this is: code where lines have to keep their columns, prose where they are paragraphs.
 * @param {string} text
 * @param {string} [role]
 * @returns {"prose" | "code"}
 */
export function kindOf(text, role = "") {
  const lines = text
    .slice(0, 20_000)
    .split("\n")
    .filter((line) => line.trim());
  const share = (/** @type {(line: string) => boolean} */ test) => lines.filter(test).length / Math.max(1, lines.length);
  const paragraphs = share((line) => line.length > 400);
  if (lines.length < 2) return "prose";
  if (role === "tool") return paragraphs > 0.3 || (share(isSentence) > 0.3 && share(isCode) < 0.1) ? "prose" : "code";
  if (lines.length < 4) return "prose";
  const table = share((line) => /^\s*[|+].*[|+]\s*$/.test(line));
  return table > 0.5 || share(isCode) > 0.5 ? "code" : "prose";
}

/** Whether a line is indented as code is, ends as a statement does, or is of a diff. @param {string} line */
const isCode = (line) => /^(\s{4,}|\t|[+-]{3} |@@ )|[{};]\s*$/.test(line);

/** Whether a line is longer than the column and reads as sentences do: words one after the other, no signs of code among them. @param {string} line */
const isSentence = (line) => line.length > 60 && /(^|[^\w])([A-Za-z’'-]+[,;:.]? ){7}/.test(line) && !/[{}=<>|\\]|\/\/|::|\(\)/.test(line);

/** Mark a block of text with its kind. @param {HTMLElement} node @param {"prose" | "code"} kind */
export function ofKind(node, kind) {
  node.dataset.kind = kind;
  return node;
}

/**
 * The switch of a message whose blocks stand in `body`: there where it has code. While its code has a mark everything wraps,
 * as a mark far to the right would hide the beginnings of all lines, and there is nothing to switch.
 * @param {HTMLElement} body
 */
export function wrapSwitch(body) {
  const node = button("Wrap", () => ((wraps = !wraps), show()), { class: "fl-switch fl-wrap", role: "switch", title: "Wrap long lines of code" });
  const show = () => {
    const isMarked = body.querySelector('[data-kind="code"] mark') !== null;
    const wrapped = wraps || isMarked;
    attribute(node, "hidden", isMarked || !body.querySelector('[data-kind="code"]'));
    body.classList.toggle("fl-long-code", !wrapped);
    attribute(node, "aria-checked", String(wraps));
    for (const block of /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll("[data-kind]")))
      attribute(block, "tabindex", wrapped || block.dataset.kind !== "code" ? null : "0"); // what scrolls sideways can be reached by keyboard
  };
  show();
  return { node, show };
}
