// A summary on its card: as Markdown, or as it is written.

import { el } from "../lib/dom.js";
import { markdown } from "../lib/markdownnodes.js";
import { longBlock } from "../lib/text.js";
import { ofKind } from "../lib/wrap.js";
import { isMarkdown, MarkdownSwitch } from "./reading.js";

/** A summary and the switch of how it is read. @param {string} text @param {string} query */
export function summaryText(text, query) {
  const node = el("div", { class: "fl-summary-text" });
  const draw = () => {
    const words = isMarkdown(text, "said") ? markdown(text, query, true) : ofKind(longBlock(text, query), "prose");
    node.replaceChildren(reading.node, words);
    reading.show("said", text);
  };
  const reading = new MarkdownSwitch(() => (draw(), reading.node.focus()));
  draw();
  return node;
}
