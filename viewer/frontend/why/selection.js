// The text that is selected on the page: in a shadow root, where each browser has its own way to tell.

import { sourceOf } from "../lib/places.js";
import { wholeWords } from "./text.js";

/** Characters that are read of a selection; only its beginning is asked about. */
const MOST_READ = 16_000;

/**
 * What is selected inside of a node, and where it is; null where nothing is. Of rendered Markdown it is the text as it was written.
 * @param {HTMLElement} root
 * @returns {{text: string, range: Range} | null}
 */
export function selectionIn(root) {
  const tree = /** @type {Document | (ShadowRoot & {getSelection?: () => Selection | null})} */ (root.getRootNode());
  const selection = tree.getSelection?.() ?? document.getSelection();
  const range = selection && rangeOf(selection, tree);
  if (!range || range.collapsed || !root.contains(range.startContainer) || !root.contains(range.endContainer)) return null;
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const before = startContainer.nodeType === Node.TEXT_NODE ? (startContainer.nodeValue ?? "").slice(0, startOffset) : "";
  const after = endContainer.nodeType === Node.TEXT_NODE ? (endContainer.nodeValue ?? "").slice(endOffset) : "";
  const text = wholeWords(before, sourceOf(partsOf(range)) ?? (String(selection) || String(range)), after);
  return text ? { text, range } : null;
}

/** @param {Selection} selection @param {Document | ShadowRoot} tree @returns {Range | null} */
function rangeOf(selection, tree) {
  const [composed] = tree instanceof ShadowRoot ? (selection.getComposedRanges?.({ shadowRoots: [tree] }) ?? []) : [];
  if (!composed) return selection.rangeCount ? selection.getRangeAt(0) : null;
  const range = document.createRange();
  range.setStart(composed.startContainer, composed.startOffset);
  range.setEnd(composed.endContainer, composed.endOffset);
  return range;
}

/** The text nodes of a range with what of each is in it, as far as it is read. @param {Range} range */
function partsOf(range) {
  const { commonAncestorContainer: root, startContainer, startOffset, endContainer, endOffset } = range;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const parts = [];
  let read = 0;
  for (let node = root.nodeType === Node.TEXT_NODE ? root : walker.nextNode(); node && read < MOST_READ; node = walker.nextNode()) {
    if (!range.intersectsNode(node)) {
      if (parts.length) break;
      continue;
    }
    const from = node === startContainer ? startOffset : 0;
    const to = node === endContainer ? endOffset : (node.nodeValue ?? "").length;
    if ((node.nodeValue ?? "").slice(from, to).trim()) parts.push({ node, from, to });
    read += to - from;
  }
  return parts;
}
