// The few icons, drawn as paths: no font, no image, no markup from text.

const SVG = "http://www.w3.org/2000/svg";

/** Paths in a 16 x 16 box; those of the second list take the color of compactions. @type {{[name: string]: [string[], string[]]}} */
const SHAPES = {
  first: [["M2.5 3h1.7v10H2.5z", "M13 3v10L5.2 8z"], []],
  last: [["M11.8 3h1.7v10h-1.7z", "M3 3v10l7.8-5z"], []],
  back: [["M11 3v10L4 8z"], []],
  forward: [["M5 3v10l7-5z"], []],
  play: [["M4.5 2.5v11l9-5.5z"], []],
  pause: [["M4 3h3v10H4z", "M9 3h3v10H9z"], []],
  step: [["M2.5 3v10l7-5z", "M11 3h2.5v10H11z"], []],
  stop: [["M3.5 3.5h9v9h-9z"], []],
  again: [["M8 2.5a5.5 5.5 0 1 0 5.3 4h-1.9A3.7 3.7 0 1 1 8 4.3V7l4.2-3.6L8 0z"], []],
  compact: [["M2 2h12v1.8H2z", "M2 12.2h12V14H2z", "M7.1 4.6h1.8v1.2h1.9L8 8 5.2 5.8h1.9z", "M7.1 11.4h1.8v-1.2h1.9L8 8l-2.8 2.2h1.9z"], []],
  mark: [["M5.2 2.2h5.6l3 3v5.6l-3 3H5.2l-3-3V5.2z"], []],
  braces: [
    [
      "M6 2.5v1.7H5c-.5 0-.7.3-.7.8v1.6c0 .7-.3 1.1-.8 1.4.5.3.8.7.8 1.4V11c0 .5.2.8.7.8h1v1.7H4.800c-1.400 0-2.300-.8-2.300-2.200V9.700c0-.500-.300-.800-1-.800V7.100c.700 0 1-.3 1-.8V4.700C2.500 3.300 3.400 2.500 4.800 2.500z",
      "M10 2.500v1.700h1c.5 0 .7.300.7.800v1.600c0 .7.300 1.100.8 1.400-.5.300-.8.700-.8 1.400V11c0 .500-.2.800-.7.800h-1v1.700h1.200c1.400 0 2.300-.800 2.300-2.200V9.700c0-.500.300-.800 1-.800V7.100c-.7 0-1-.3-1-.800V4.700c0-1.400-.900-2.200-2.300-2.200z",
    ],
    [],
  ],
  plug: [
    [
      "M5 1.500h1.700v3H5z",
      "M9.300 1.500H11v3H9.300z",
      "M3.500 5h9v2.500a4.500 4.500 0 0 1-3.600 4.400v2.600H7.100v-2.600a4.500 4.500 0 0 1-3.600-4.400z",
    ],
    [],
  ],
  pen: [["M2.500 11v2.500H5l6.600-6.600-2.500-2.500z", "M9.900 3.600l2.500 2.500 1.300-1.300-2.500-2.500z"], []],
  present: [["M1.5 2h13v9.500h-13zM3.300 3.800v5.900h9.400V3.800z", "M7.200 11.500h1.600V13h2.700v1.500h-7V13h2.700z"], []],
  dot: [["M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z"], []],
  ring: [["M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zm0 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6z"], []],
  warn: [["M8 2 15 14H1z"], []],
  previous: [["M5.6 4v8L.6 8z"], ["M11 3.6 15.4 8 11 12.4 6.6 8z"]],
  earlier: [["M5.600 4v8L.6 8z", "M8.500 2.500h1.600v11H8.500z"], ["M12.500 2.500h1.600v11h-1.600z"]],
  later: [["M10.400 4v8l5-4z", "M2 2.500h1.600v11H2z"], ["M6 2.500h1.600v11H6z"]],
  next: [["M10.4 4v8l5-4z"], ["M5 3.6 9.4 8 5 12.4.6 8z"]],
};

/** @param {string} name @returns {SVGElement} */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const [plain, marked] = SHAPES[name];
  svg.append(...plain.map((d) => path(d)), ...marked.map((d) => path(d, "fl-mark")));
  return svg;
}

/** @param {string} d @param {string} [name] */
function path(d, name) {
  const node = document.createElementNS(SVG, "path");
  node.setAttribute("d", d);
  if (name) node.setAttribute("class", name);
  return node;
}
