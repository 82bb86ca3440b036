// A page without a browser, for tests of parts that draw: happy-dom's document with a size, frames that a test sets off, delays
// of nothing, and a server that answers from a table.
import { setMaxListeners } from "node:events";
import { Window } from "happy-dom";

// What the debugger listens to until it is destroyed is some fifteen; more on one signal would be a leak.
setMaxListeners(20);
process.on("warning", (warning) => {
  if (warning.name === "MaxListenersExceededWarning") throw warning;
});

const window = new Window({ url: "http://localhost:8501/" });
const BORROWED = [
  ..."EventTarget Node Element HTMLElement ShadowRoot Event CustomEvent KeyboardEvent MouseEvent PointerEvent HTMLInputElement MutationObserver".split(
    " ",
  ),
  ..."getComputedStyle location history sessionStorage localStorage document".split(" "),
];
for (const name of BORROWED) Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
globalThis.window = globalThis;
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
const page = new EventTarget();
globalThis.addEventListener = page.addEventListener.bind(page);
globalThis.removeEventListener = page.removeEventListener.bind(page);
globalThis.dispatchEvent = page.dispatchEvent.bind(page);
globalThis.ResizeObserver = class {
  constructor(resized) {
    this.observe = () => queueMicrotask(resized);
  }
  disconnect() {}
};

// happy-dom lays nothing out: every element is 800 by 400
for (const [name, value] of Object.entries({ clientWidth: 800, clientHeight: 400, offsetWidth: 100, scrollHeight: 34 }))
  Object.defineProperty(window.HTMLElement.prototype, name, { get: () => value, configurable: true });
window.HTMLElement.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, right: 800, bottom: 400, width: 800, height: 400 });
window.Element.prototype.scrollIntoView = () => {};
window.Element.prototype.setPointerCapture = () => {};
window.Element.prototype.animate = () => ({ cancel() {}, onfinish: null });
if (!document.fonts) Object.defineProperty(document, "fonts", { value: Object.assign(new EventTarget(), { ready: Promise.resolve() }) });

/** What was written on canvases since it was last asked for. */
export const painted = { texts: [] };
const pen = new Proxy(
  { font: "", measureText: (text) => ({ width: 6 * text.length }), fillText: (text) => painted.texts.push(text), createPattern: () => "hatched" },
  { get: (own, name) => own[name] ?? (() => {}), set: (own, name, value) => ((own[name] = value), true) },
);
window.HTMLCanvasElement.prototype.getContext = () => pen;
globalThis.OffscreenCanvas = class {
  getContext = () => pen;
};

let now = 0;
let frames = new Map();
let frame = 0;
performance.now = () => now;
globalThis.requestAnimationFrame = (act) => (frames.set(++frame, act), frame);
globalThis.cancelAnimationFrame = (id) => frames.delete(id);

/** Let so many milliseconds go by in frames of `every`. */
export function pass(ms, every = 50) {
  for (const end = now + ms; now < end; ) {
    now += every;
    const due = frames;
    frames = new Map();
    for (const act of due.values()) act(now);
  }
}

globalThis.setTimeout = (act, _ms, ...args) => setImmediate(act, ...args);
globalThis.clearTimeout = clearImmediate;

/** Wait for what was asked and put off. */
export async function settled() {
  for (let k = 0; k < 12; k++) await new Promise((done) => setImmediate(done));
}

/** What was asked of the server: method, path and body. */
export const requests = [];

/** The WebSockets that were opened since the last `serve`, the newest at the end. */
export const lines = [];

const REFUSED = { error: "not here", hint: "look elsewhere", status: 404 };

/**
 * Answer each path that begins with a key: with a value, or what a function makes of path and body; else 404. What is sent on a
 * WebSocket is answered like the body of a request.
 */
export function serve(answers) {
  requests.length = lines.length = 0;
  const answered = async (method, url, body) => {
    const path = `${url.pathname}${url.search}`.slice(1);
    requests.push([method, path, body]);
    const key = Object.keys(answers).find((start) => path.startsWith(start));
    const found = key === undefined ? undefined : answers[key];
    return typeof found === "function" ? found(path, body) : found;
  };
  globalThis.fetch = async (url, { method = "GET", body } = {}) => {
    const value = await answered(method, url, typeof body === "string" ? JSON.parse(body) : body);
    const { status, ...refused } = REFUSED;
    return value === undefined ? { ok: false, status, json: async () => refused } : { ok: true, status: 200, json: async () => value };
  };
  globalThis.WebSocket = class {
    constructor(url) {
      lines.push(Object.assign(this, { url, open: true }));
      queueMicrotask(() => this.open && this.onopen());
    }
    async send(text) {
      const value = (await answered("WS", this.url, JSON.parse(text))) ?? REFUSED;
      if (this.open) this.onmessage({ data: JSON.stringify(value) });
    }
    close() {
      this.open = false;
    }
  };
}

/** The tab is hidden, or shown again. */
export function hide(hidden) {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Press a key where the focus of the part is, or on a node. */
export function press(node, key, more = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more });
  node.dispatchEvent(event);
  return event;
}

/** Write in a field. */
export function type(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Choose in a list, or turn a box. */
export function change(field, value) {
  if (typeof value === "boolean") field.checked = value;
  else field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The pointer at a place of a node. */
export function point(node, type, x, y = 200, more = {}) {
  const event = new PointerEvent(type, { clientX: x, clientY: y, button: 0, pointerId: 1, bubbles: true, ...more });
  for (const [name, value] of Object.entries({ offsetX: x, offsetY: y })) Object.defineProperty(event, name, { value });
  node.dispatchEvent(event);
}

/** The texts of all nodes that a selector finds. */
export const texts = (root, selector) => [...root.querySelectorAll(selector)].map((node) => node.textContent);
