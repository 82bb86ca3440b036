// Whether long lines are wrapped: prose is, code and tables are not, until the switch says otherwise.

import { attribute, button } from "./dom.js";

/** What the page remembers for each kind of text. @type {Record<"prose" | "code", boolean>} */
const wraps = { prose: true, code: false };

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
  if (role === "tool") return paragraphs > 0.3 ? "prose" : "code";
  if (lines.length < 4) return "prose";
  const table = share((line) => /^\s*[|+].*[|+]\s*$/.test(line));
  const code = share((line) => /^(\s{4,}|\t|[+-]{3} |@@ )|[{};]\s*$/.test(line));
  return table > 0.5 || code > 0.5 ? "code" : "prose";
}

/** Mark a block of text with its kind. @param {HTMLElement} node @param {"prose" | "code"} kind */
export function ofKind(node, kind) {
  node.dataset.kind = kind;
  return node;
}

/**
 * The switch of a message whose blocks stand in `body`: it turns the kind that needs it most. While a text is looked for,
 * everything wraps: a hit far to the right would hide the beginnings of all lines.
 * @param {HTMLElement} body
 * @param {() => boolean} looking
 */
export function wrapSwitch(body, looking) {
  const wrapped = (/** @type {string | undefined} */ name) => (name === "code" ? wraps.code : wraps.prose) || looking();
  const kind = () => (body.querySelector('[data-kind="code"]') ? "code" : "prose");
  const node = button("Wrap", () => ((wraps[kind()] = !wraps[kind()]), show()), {
    class: "fl-switch fl-wrap",
    role: "switch",
    title: "Wrap long lines",
  });
  const show = () => {
    attribute(node, "hidden", !body.querySelector("[data-kind]"));
    for (const name of ["prose", "code"]) body.classList.toggle(`fl-long-${name}`, !wrapped(name));
    attribute(node, "aria-checked", String(wrapped(kind())));
    for (const block of /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll("[data-kind]")))
      attribute(block, "tabindex", wrapped(block.dataset.kind) ? null : "0"); // what scrolls sideways can be reached by keyboard
  };
  show();
  return { node, show };
}
