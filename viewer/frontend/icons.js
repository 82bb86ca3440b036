// The few icons, drawn as paths: no font, no image, no markup from text.

const SVG = "http://www.w3.org/2000/svg";

/** Paths in a 16 x 16 box; those of the second list take the colour of compactions. @type {{[name: string]: [string[], string[]]}} */
const SHAPES = {
  first: [["M2.5 3h1.7v10H2.5z", "M13 3v10L5.2 8z"], []],
  last: [["M11.8 3h1.7v10h-1.7z", "M3 3v10l7.8-5z"], []],
  back: [["M11 3v10L4 8z"], []],
  forward: [["M5 3v10l7-5z"], []],
  play: [["M4.5 2.5v11l9-5.5z"], []],
  pause: [["M4 3h3v10H4z", "M9 3h3v10H9z"], []],
  previous: [["M5.6 4v8L.6 8z"], ["M11 3.6 15.4 8 11 12.4 6.6 8z"]],
  next: [["M10.4 4v8l5-4z"], ["M5 3.6 9.4 8 5 12.4.6 8z"]],
};

/**
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const [plain, marked] = SHAPES[name];
  svg.append(...plain.map((d) => path(d)), ...marked.map((d) => path(d, "fl-mark")));
  return svg;
}

/**
 * @param {string} d
 * @param {string} [name]
 */
function path(d, name) {
  const node = document.createElementNS(SVG, "path");
  node.setAttribute("d", d);
  if (name) node.setAttribute("class", name);
  return node;
}
