// Spans of a text on the page, each put into an element of its own. Nothing that was drawn is drawn again: the page keeps its place,
// its focus and what is selected on it.

import { place, placedIn, placeOf } from "./places.js";
/** @import { Span } from "./types.js" */

/** A text node, where it begins, and from where to where a span covers it. @typedef {{node: Text, at: number, a: number, b: number}} Covered */

/** What stands on lines of its own: a span is put into one element in each of them. */
const BLOCKS = "p, li, h3, h4, h5, h6, td, th, blockquote, .fl-piece, .fl-md-info";

/**
 * Put the text of each span into an element that `make` gives. What stands in such an element already stays as it is, so that this
 * may be called again when more of the text is drawn.
 * @param {HTMLElement} root
 * @param {Span[]} spans  of the text as it is shown, in order, none over another
 * @param {(k: number) => HTMLElement} make
 * @param {string} made  a selector of what `make` gives
 */
export function wrapSpans(root, spans, make, made) {
  const texts = placedIn(root).filter(({ node }) => !node.parentElement?.closest(made));
  let end = texts.length;
  for (let k = spans.length - 1; k >= 0; k -= 1) {
    const [from, to] = spans[k]; // the last one first: what is cut off a node stands behind its beginning
    while (end > 0 && texts[end - 1].at >= to) end -= 1;
    let begin = end;
    while (begin > 0 && endOf(texts[begin - 1]) > from) begin -= 1;
    const covered = texts
      .slice(begin, end)
      .map((text) => ({ ...text, a: Math.max(0, from - text.at), b: Math.min(text.node.data.length, to - text.at) }));
    for (const [block, part] of byBlock(covered).reverse()) wrap(block, trimmed(part), () => make(k));
    end = begin < end && texts[begin].at < from ? begin + 1 : begin;
  }
}

/** @param {{node: Text, at: number}} text */
const endOf = ({ node, at }) => at + node.data.length;

/** @param {Covered[]} texts @returns {[Element, Covered[]][]} */
function byBlock(texts) {
  /** @type {[Element, Covered[]][]} */ const found = [];
  for (const text of texts) {
    const block = text.node.parentElement?.closest(BLOCKS);
    const last = found.at(-1);
    if (block && last?.[0] === block) last[1].push(text);
    else if (block) found.push([block, [text]]);
  }
  return found;
}

/** Without the white space at both ends. @param {Covered[]} part */
function trimmed(part) {
  const blank = (/** @type {Covered | undefined} */ text) => text && !text.node.data.slice(text.a, text.b).trim();
  while (blank(part[0])) part.shift();
  while (blank(part.at(-1))) part.pop();
  const [first, last] = [part[0], part[part.length - 1]];
  while (first && /\s/.test(first.node.data[first.a])) first.a += 1;
  while (last && /\s/.test(last.node.data[last.b - 1])) last.b -= 1;
  return part;
}

/** @param {Element} block @param {Covered[]} part @param {() => HTMLElement} make */
function wrap(block, part, make) {
  if (!part.length) return;
  const [first, last] = [part[0], part[part.length - 1]];
  const whole = last.b === last.node.data.length;
  const range = document.createRange();
  begin(range, block, first.node, first.a);
  finish(range, block, last.node, last.b);
  const sources = part.map(({ node }) => placeOf(node)?.source ?? "");
  const box = make();
  box.append(range.extractContents());
  range.insertNode(box);
  const move = (/** @type {Node | null} */ node, /** @type {number} */ from, /** @type {string} */ source) =>
    node?.nodeType === Node.TEXT_NODE && place(/** @type {Text} */ (node), { source, from });
  for (const [i, node] of textsOf(box).entries()) if (part[i]) move(node, part[i].at + part[i].a, sources[i]);
  if (!whole) move(last.a > 0 ? box.nextSibling : last.node, last.at + last.b, sources[sources.length - 1]);
}

/** The text nodes under a node that are not empty. @param {Node} root @returns {Text[]} */
const textsOf = (root) =>
  [...root.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ? [/** @type {Text} */ (node)] : []) : textsOf(node)));

/** The range begins here: in front of the elements that begin here, so that none is left empty. @param {Range} range @param {Element} block @param {Text} node @param {number} at */
function begin(range, block, node, at) {
  if (at > 0) return range.setStart(node, at);
  /** @type {Node} */ let outer = node;
  while (!outer.previousSibling && outer.parentElement && outer.parentElement !== block) outer = outer.parentElement;
  range.setStartBefore(outer);
}

/** The same for its end. @param {Range} range @param {Element} block @param {Text} node @param {number} at */
function finish(range, block, node, at) {
  if (at < node.data.length) return range.setEnd(node, at);
  /** @type {Node} */ let outer = node;
  while (!outer.nextSibling && outer.parentElement && outer.parentElement !== block) outer = outer.parentElement;
  range.setEndAfter(outer);
}
