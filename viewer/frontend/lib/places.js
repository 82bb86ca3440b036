// Where the text nodes of a transcript's text come from: their place in it, with every invisible character written out.

/** The text, where it is more than what is shown (its markup), and where in it the node begins. @typedef {{source: string, from: number}} Place */

/** @type {WeakMap<Node, Place>} */
const places = new WeakMap();

/** A text node that knows its place. @param {string} text @param {number} from @param {string} [source] */
export const placed = (text, from, source = "") => place(document.createTextNode(text), { source, from });

/** Tell a text node its place. @template {Text} Node @param {Node} node @param {Place} where */
export function place(node, where) {
  places.set(node, where);
  return node;
}

/** The place of a text node, if it knows it. @param {Node} node */
export const placeOf = (node) => places.get(node);

/** The text nodes under a node that know their place, in the order of the page. @param {Node} root @returns {{node: Text, at: number}[]} */
export function placedIn(root) {
  /** @type {{node: Text, at: number}[]} */ const found = [];
  const walk = (/** @type {Node} */ node) => {
    const known = places.get(node);
    if (known) found.push({ node: /** @type {Text} */ (node), at: known.from });
    for (const child of node.childNodes) walk(child);
  };
  walk(root);
  return found;
}

/**
 * What stands in the source where these text nodes are shown, its markup too; null where they do not come from one.
 * @param {{node: Node, from: number, to: number}[]} parts  in order, with what of each is meant
 */
export function sourceOf(parts) {
  const found = parts.map(({ node }) => places.get(node));
  const [first, last] = [found[0], found[found.length - 1]];
  if (!first?.source || !last || found.some((known) => known?.source !== first.source)) return null;
  return first.source.slice(first.from + parts[0].from, last.from + parts[parts.length - 1].to);
}
