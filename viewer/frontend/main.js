// What Streamlit calls. The components share this module: `store` publishes sessions, `view` is the debugger, `panel` the
// settings, `catalogue` publishes the policies, `chooser` picks one. Streamlit calls each on mount and on every change of its
// data or of the theme; state is kept by parent element.
import { stepIn } from "./address.js";
import { App } from "./app.js";
import { Chooser } from "./chooser.js";
import { Library } from "./library.js";
import { decodeStore, decodeView } from "./decode.js";
import { Live } from "./live.js";
import { Run } from "./model.js";
import { Panel } from "./panel.js";
import { Sessions } from "./sessions.js";
import { tabName } from "./tab.js";
import { themeOf } from "./theme.js";
export { styled } from "./styles.js";

const KEPT_STORES = 3;

/** Sessions by sid, the newest last, with the size of what they came in. @type {Map<string, {session: import("./decode.js").Store, size: number}>} */
const stores = new Map();
/** Every policy, once it has arrived. @type {import("./picking.js").Catalogue | null} */
let policies = null;
/** "store" when a session has arrived, "settings" when a slider has moved, "catalogue" when the policies are there. */
const bus = new EventTarget();
/** @type {WeakMap<object, View>} */
const views = new WeakMap();
/** @type {WeakMap<object, Panel>} */
const panels = new WeakMap();
let mounts = 0;

/**
 * The session component: invisible.
 * @param {{data: Uint8Array}} component
 */
export function store({ data }) {
  if (!(data instanceof Uint8Array)) throw new Error("the session did not arrive as bytes");
  const held = stores.get(sidOf(data));
  const size = data.byteLength;
  const session = held?.size === size ? held.session : decodeStore(data); // a change of theme sends it again
  stores.delete(session.header.sid);
  stores.set(session.header.sid, { session, size });
  for (const sid of [...stores.keys()].slice(0, -KEPT_STORES)) stores.delete(sid);
  bus.dispatchEvent(new CustomEvent("store"));
}

/** @param {Uint8Array} bytes  the sid without decoding the rest */
function sidOf(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = new TextDecoder().decode(bytes.subarray(4, 4 + Math.min(size, 400)));
  return /"sid": ?"([^"]*)"/.exec(head)?.[1] ?? "";
}

/**
 * The debugger.
 * @param {any} component
 */
export function view(component) {
  const { parentElement } = component;
  let here = views.get(parentElement);
  if (!here) views.set(parentElement, (here = new View(parentElement)));
  here.update(component);
  return () => leave(parentElement, views);
}

/** @type {WeakMap<object, Driven>} */
const driven = new WeakMap();

/**
 * The debugger over a run that is driven from here.
 * @param {any} component
 */
export function live(component) {
  const { parentElement } = component;
  let here = driven.get(parentElement);
  if (!here) driven.set(parentElement, (here = new Driven(parentElement)));
  here.update(component);
  return () => leave(parentElement, driven);
}

/**
 * The sliders.
 * @param {any} component
 */
export function panel(component) {
  const { parentElement } = component;
  let here = panels.get(parentElement);
  const say = (/** @type {any} */ detail) => bus.dispatchEvent(new CustomEvent("settings", { detail }));
  if (!here) panels.set(parentElement, (here = new Panel(parentElement, say)));
  here.update(component.data);
  return () => leave(parentElement, panels);
}

/**
 * Every policy, for the chooser: invisible.
 * @param {{data: import("./picking.js").Catalogue}} component
 */
export function catalogue({ data }) {
  policies = data;
  bus.dispatchEvent(new CustomEvent("catalogue"));
}

/** @type {WeakMap<object, Chosen>} */
const choosers = new WeakMap();

/**
 * The policy that is chosen, and the dialog to choose another.
 * @param {any} component
 */
export function chooser(component) {
  const { parentElement } = component;
  let here = choosers.get(parentElement);
  if (!here) choosers.set(parentElement, (here = new Chosen(parentElement)));
  here.update(component);
  return () => leave(parentElement, choosers);
}

/** @type {WeakMap<object, {sessions: Sessions, setTriggerValue?: Function, destroy: () => void}>} */
const listed = new WeakMap();

/**
 * Which session of a file of many is open, and the dialog to choose another.
 * @param {any} component
 */
export function sessions({ parentElement, data, setTriggerValue }) {
  let here = listed.get(parentElement);
  if (!here) {
    const made = new Sessions(parentElement, (number) => listed.get(parentElement)?.setTriggerValue?.("session", String(number)));
    listed.set(parentElement, (here = { sessions: made, destroy: () => made.destroy() }));
  }
  here.setTriggerValue = setTriggerValue;
  here.sessions.update(data);
  return () => leave(parentElement, listed);
}

/** @type {WeakMap<object, {library: Library, setTriggerValue?: Function, destroy: () => void}>} */
const libraries = new WeakMap();

/**
 * The sessions on this machine.
 * @param {any} component
 */
export function library({ parentElement, data, setTriggerValue }) {
  let here = libraries.get(parentElement);
  if (!here) {
    const open = (/** @type {string} */ path, /** @type {number} */ number) => libraries.get(parentElement)?.setTriggerValue?.("open", { path, number });
    const tell = (/** @type {string} */ name, /** @type {any} */ value) => libraries.get(parentElement)?.setTriggerValue?.(name, value);
    const made = new Library(parentElement, open, tell);
    libraries.set(parentElement, (here = { library: made, destroy: () => made.destroy() }));
  }
  here.setTriggerValue = setTriggerValue;
  here.library.update(data);
  return () => leave(parentElement, libraries);
}

/** One mounted chooser: knows when the policies arrive, and tells Python which one is picked. */
class Chosen {
  /** @param {any} parent */
  constructor(parent) {
    this.chooser = new Chooser(parent, (name) => this.setTriggerValue?.("policy", name), () => policies);
    this.stop = new AbortController();
    bus.addEventListener("catalogue", () => this.chooser.refresh(), { signal: this.stop.signal });
  }

  /** @param {any} component */
  update({ data, setTriggerValue }) {
    this.setTriggerValue = setTriggerValue;
    this.chooser.update(data);
  }

  destroy() {
    this.stop.abort();
    this.chooser.destroy();
  }
}

/**
 * Streamlit runs the clean-up of a call that a newer one has overtaken, too: nothing is done while the element is still there.
 * @param {any} parent
 * @param {WeakMap<object, {destroy: () => void}>} instances
 */
function leave(parent, instances) {
  if ((parent.host ?? parent).isConnected) return;
  instances.get(parent)?.destroy();
  instances.delete(parent);
}

/** One mounted live run: what comes over the wire goes to the debugger, what the sliders say to Python. */
class Driven {
  /** @param {any} parent */
  constructor(parent) {
    this.drive = new Live({ message: (text) => this.app.message(text), moved: (from, to) => this.#moved(from, to) });
    this.app = new App(parent, this.drive);
    this.app.root.dataset.mounts = String(++mounts);
    this.drive.arrived = (make, same) => this.app.walker.arrive(make, same);
    this.left = "";
    this.named = false;
    this.settings = new Settings((settings) => this.setStateValue?.("settings", settings));
  }

  /** @param {any} component */
  update({ data, setStateValue, setTriggerValue }) {
    this.setStateValue = setStateValue;
    this.setTriggerValue = setTriggerValue;
    this.app.tell = (/** @type {string} */ name, /** @type {any} */ value) => setTriggerValue(name, value);
    this.app.setTheme(themeOf(this.app.root));
    this.app.setAddress(data?.address);
    if (!this.drive.id) this.app.start = stepIn(data?.address?.start);
    if (!this.named) void tabName().then((tab) => this.setStateValue?.("tab", tab)); // Python asks which tab drives
    this.named = true;
    if (!data?.run || data.run === this.left) return;
    this.left = "";
    this.drive.follow(data.run);
  }

  /** A new run has taken the place of the old one: Python is told, and until it knows it is not listened to. @param {string} from @param {string} to */
  #moved(from, to) {
    this.left = from;
    this.setTriggerValue?.("run", to);
  }

  destroy() {
    this.settings.stop();
    this.drive.stop();
    this.app.destroy();
  }
}

/** What the sliders say, sent on at most once a frame, the latest. */
class Settings {
  /** @param {(settings: any) => void} send */
  constructor(send) {
    this.send = send;
    this.stopped = new AbortController();
    bus.addEventListener("settings", (event) => this.#say(/** @type {CustomEvent} */ (event).detail), { signal: this.stopped.signal });
  }

  /** @param {any} settings */
  #say(settings) {
    if (!this.latest) requestAnimationFrame(() => this.#flush());
    this.latest = settings;
  }

  #flush() {
    const settings = this.latest;
    this.latest = null;
    if (settings && !this.stopped.signal.aborted) this.send(settings);
  }

  stop() {
    this.stopped.abort();
  }
}

/** One mounted debugger: takes data in the order it was sent, waits for the session it belongs to. */
class View {
  /** @param {any} parent */
  constructor(parent) {
    this.app = new App(parent);
    this.app.root.dataset.mounts = String(++mounts);
    this.sent = 0;
    this.applied = 0;
    this.text = "";
    /** @type {{view: any, address: any, order: number} | null} */ this.waiting = null;
    this.stop = new AbortController();
    bus.addEventListener("store", () => this.apply(), { signal: this.stop.signal });
    this.settings = new Settings((settings) => this.setStateValue("settings", settings));
  }

  /** @param {any} component */
  update({ data, setStateValue, setTriggerValue }) {
    this.setStateValue = setStateValue;
    this.app.tell = (/** @type {string} */ name, /** @type {any} */ value) => setTriggerValue(name, value);
    this.app.setTheme(themeOf(this.app.root));
    if (!data || typeof data !== "object") return void this.app.fail("the picture did not arrive in one piece; reload the page");
    if (data.z !== this.text) void this.decode(data);
    else this.app.setAddress(data.address);
  }

  /** @param {any} data */
  async decode(data) {
    const order = ++this.sent;
    this.text = data.z;
    try {
      const view = { ...(await decodeView(data.z)), stamp: data.stamp };
      if (order < this.applied || order < (this.waiting?.order ?? 0)) return; // a newer one was quicker
      this.waiting = { view, address: data.address, order };
      this.apply();
    } catch (error) {
      this.app.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Show what has come, if the session it belongs to is here. */
  apply() {
    const { waiting } = this;
    const session = waiting && stores.get(waiting.view.sid)?.session;
    if (!waiting || !session) return;
    this.waiting = null;
    this.applied = waiting.order;
    this.app.setRun(new Run(session, waiting.view), waiting.address);
  }

  destroy() {
    this.stop.abort();
    this.settings.stop();
    this.app.destroy();
  }
}
