// A pen that writes SVG: so much of a canvas's as the painting of timelines uses. No DOM.
// https://html.spec.whatwg.org/multipage/canvas.html#canvasrenderingcontext2d

const ANCHORS = { left: "start", right: "end", center: "middle", start: "start", end: "end" };
const BASELINES = {
  middle: "central",
  top: "text-before-edge",
  bottom: "text-after-edge",
  alphabetic: "alphabetic",
  hanging: "hanging",
  ideographic: "ideographic",
};

/** What `save` keeps. */
const STATE = /** @type {const} */ ([
  "fillStyle",
  "strokeStyle",
  "lineWidth",
  "globalAlpha",
  "font",
  "textAlign",
  "textBaseline",
  "lineJoin",
  "dash",
  "clipped",
]);

export class SvgPen {
  /** @param {number} width @param {number} height @param {(text: string, font: string) => number} measure  how wide a text is */
  constructor(width, height, measure) {
    this.width = width;
    this.height = height;
    this.measure = measure;
    /** @type {string[]} */ this.defs = [];
    /** @type {string[]} */ this.nodes = [];
    this.path = "";
    this.fillStyle = "#000";
    this.strokeStyle = "#000";
    this.lineWidth = 1;
    this.globalAlpha = 1;
    this.font = "10px sans-serif";
    /** @type {keyof typeof ANCHORS} */ this.textAlign = "start";
    /** @type {keyof typeof BASELINES} */ this.textBaseline = "alphabetic";
    this.lineJoin = "miter";
    /** @type {number[]} */ this.dash = [];
    this.clipped = "";
    /** @type {Record<string, unknown>[]} */ this.kept = [];
  }

  save() {
    this.kept.push(Object.fromEntries(STATE.map((name) => [name, this[name]])));
  }

  restore() {
    Object.assign(this, this.kept.pop());
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = "";
  }

  closePath() {
    this.path += "Z";
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path += `M${at(x)} ${at(y)}`;
  }

  /** The first one of a path moves there. @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${at(x)} ${at(y)}`;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.path += `M${at(x)} ${at(y)}h${at(width)}v${at(height)}h${at(-width)}Z`;
  }

  /** With corners that are round where there is room. @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  roundRect(x, y, width, height, radius) {
    const r = Math.max(0, Math.min(radius, width / 2, height / 2));
    const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${at(r)} ${at(r)} 0 0 1 ${at(dx)} ${at(dy)}`;
    const [w, h] = [width - 2 * r, height - 2 * r];
    this.path += `M${at(x + r)} ${at(y)}h${at(w)}${corner(r, r)}v${at(h)}${corner(-r, r)}h${at(-w)}${corner(-r, -r)}v${at(-h)}${corner(r, -r)}Z`;
  }

  /** A whole circle: nothing else is painted. @param {number} x @param {number} y @param {number} radius */
  arc(x, y, radius) {
    const half = (/** @type {number} */ dx) => `a${at(radius)} ${at(radius)} 0 1 1 ${at(dx)} 0`;
    this.path += `M${at(x - radius)} ${at(y)}${half(2 * radius)}${half(-2 * radius)}Z`;
  }

  fill() {
    this.#add(`<path d="${this.path}" fill="${escaped(this.fillStyle)}"${this.#shade()}/>`);
  }

  stroke() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    const line = `stroke="${escaped(this.strokeStyle)}" stroke-width="${at(this.lineWidth)}" stroke-linejoin="${this.lineJoin}"`;
    this.#add(`<path d="${this.path}" fill="none" ${line}${dash}${this.#shade()}/>`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    const size = `x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"`;
    if (width > 0 && height > 0) this.#add(`<rect ${size} fill="${escaped(this.fillStyle)}"${this.#shade()}/>`);
  }

  clearRect() {}

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const place = `x="${at(x)}" y="${at(y)}" text-anchor="${ANCHORS[this.textAlign]}" dominant-baseline="${BASELINES[this.textBaseline]}"`;
    this.#add(`<text ${place} fill="${escaped(this.fillStyle)}" style="font: ${escaped(this.font)}"${this.#shade()}>${escaped(text)}</text>`);
  }

  /** @param {string} text */
  measureText(text) {
    return { width: this.measure(text, this.font) };
  }

  /** What is painted from now on stays within the path. */
  clip() {
    const id = `c${this.defs.length}`;
    this.defs.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.clipped = id;
  }

  /** A fill of slanted lines. @param {string} color @param {number} rising  below 0, they fall */
  hatch(color, rising) {
    const id = `h${this.defs.length}`;
    const [from, to] = rising < 0 ? [-1, 7] : [7, -1];
    const lines = [-6, 0, 6].map((shift) => `M${shift - 1} ${from}L${shift + 7} ${to}`).join("");
    const stroke = `<path d="${lines}" stroke="${escaped(color)}" stroke-width="3"/>`;
    this.defs.push(`<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse">${stroke}</pattern>`);
    return `url(#${id})`;
  }

  #shade() {
    return this.globalAlpha < 1 ? ` opacity="${at(this.globalAlpha)}"` : "";
  }

  /** @param {string} node */
  #add(node) {
    this.nodes.push(this.clipped ? `<g clip-path="url(#${this.clipped})">${node}</g>` : node);
  }

  /** The picture as a file. @param {string} background @param {string} title */
  text(background, title) {
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`;
    const floor = `<rect width="100%" height="100%" fill="${escaped(background)}"/>`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>${escaped(title)}</title>\n`;
    return `${head}<defs>${this.defs.join("")}</defs>\n${[floor, ...this.nodes].join("\n")}\n</svg>\n`;
  }
}

/** A number with two digits behind the point, at most. @param {number} value */
const at = (value) => String(Math.round(100 * value) / 100);

const ENTITIES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });

/** @param {unknown} text */
const escaped = (text) => String(text).replace(/[&<>"]/g, (found) => ENTITIES[found]);
