// What Streamlit calls. The components share this module: `store` publishes sessions, `view` is the debugger, `live` the debugger
// over a live run, `panel` the settings, `catalogue` publishes the policies, `chooser` picks one.
import { problemText } from "./lib/problem.js";
import { stepIn } from "./lib/address.js";
import { App } from "./debugger/app.js";
import { leaveBeginning } from "./debugger/early.js";
import { Compare } from "./compare/app.js";
import { Board } from "./compare/board.js";
import { LaneCards } from "./compare/sidebar.js";
import { Following } from "./lib/following.js";
import { watchHistory } from "./lib/leaving.js";
import { mounted } from "./lib/mounted.js";
import { watchPages } from "./lib/pageback.js";
import { watchPaths } from "./lib/pathends.js";
import { watchFailures } from "./lib/pathfocus.js";
import { themeOf } from "./lib/theme.js";
import { LearnPage } from "./learn/page.js";
import { Lessons } from "./learn/lessons.js";
import { LessonPanel } from "./learn/panel.js";
import { Library } from "./library/library.js";
import { Runs } from "./library/runs.js";
import { Sessions } from "./library/sessions.js";
import { liveExtension } from "./live/extension.js";
import { LiveRun } from "./live/liverun.js";
import { tabName } from "./live/tabname.js";
import { decodeStore, decodeView } from "./run/decode.js";
import { Run } from "./run/model.js";
import { Chooser } from "./settings/chooser.js";
import { Panel } from "./settings/panel.js";
import { TunePage } from "./tune/page.js";
import { TunePanel } from "./tune/panel.js";
import { Tuning } from "./tune/tuning.js";
import { tuneDialogs } from "./tune/opening.js";
/** @import { AddressData, OpeningData } from "./debugger/types.js" */
/** @import { CompareData } from "./compare/app.js" */
/** @import { Python } from "./lib/types.js" */
/** @import { Store } from "./run/decode.js" */
/** @import { View as TraceView } from "./run/types.js" */
/** @import { Settings } from "./settings/panel.js" */
/** @import { Catalogue } from "./settings/picking.js" */
/** @import { PageData } from "./tune/types.js" */
/** @import { PageData as LearnData } from "./learn/types.js" */
export { paintBeginning } from "./debugger/early.js";
export { styled } from "./lib/styles.js";

const KEPT_STORES = 3;

/** Sessions by sid, the newest last, with the size of what they came in. @type {Map<string, {session: Store, size: number}>} */
const stores = new Map();
/** Every policy, once it has arrived. @type {Catalogue | null} */
let policies = null;
/** "store" when a session has arrived, "settings" when a slider has moved, "catalogue" when the policies are there, "hindered" when
 *  another tab has taken a live run over, or given it back. */
const bus = new EventTarget();
/** Why the settings cannot be changed now, "" where they can. */
let hindered = "";
let mounts = 0;
/** The session that a room saw when its debugger left the page, else "": Streamlit may mount it anew on Back, and the room sees on. */
let inRoom = "";
/** How many settings were sent to Python, which tells a new one from one that Back has undone by it. */
let sent = 0;

watchHistory();
watchPages();
watchPaths();
watchFailures();

/** The session component: invisible. @param {{data: Uint8Array}} component */
export function store({ data }) {
  if (!(data instanceof Uint8Array)) throw new Error("the session did not arrive as bytes");
  const known = stores.get(sidOf(data));
  const size = data.byteLength;
  const session = known?.size === size ? known.session : decodeStore(data); // a change of theme sends it again
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

/** Every policy, for the chooser: invisible. @param {{data: Catalogue}} component */
export function catalogue({ data }) {
  policies = data;
  bus.dispatchEvent(new CustomEvent("catalogue"));
}

/** The debugger. */
export const view = mounted((parent, python) => new View(parent, python), ["compare", "forked"]);

/** The debugger over a live run. */
export const live = mounted((parent, python) => new LiveView(parent, python), ["debug"]);

/** The sliders. */
export const panel = mounted((parent) => {
  const made = new Panel(parent, (detail) => bus.dispatchEvent(new CustomEvent("settings", { detail })));
  const { update, stop } = hinderable(made);
  return { update, destroy: () => (stop.abort(), made.destroy()) };
});

/** A part of the sidebar that is out of use while another tab drives. @template Data @param {{root: HTMLElement, update: (data: Data) => void}} made */
function hinderable(made) {
  const stop = new AbortController();
  const hinder = () => made.root.toggleAttribute("inert", Boolean(hindered));
  bus.addEventListener("hindered", hinder, { signal: stop.signal });
  return { update: (/** @type {Data} */ data) => (made.update(data), hinder()), stop };
}

/** The policy that is chosen, and the dialog to choose another. */
export const chooser = mounted((parent, python) => {
  const made = new Chooser(
    parent,
    (name) => python.trigger("policy", name),
    () => policies,
  );
  const { update, stop } = hinderable(made);
  bus.addEventListener("catalogue", () => made.refresh(), { signal: stop.signal });
  return { update, destroy: () => (stop.abort(), made.destroy()) };
});

/** Whether an open file was written to: invisible. */
export const follow = mounted((_, python) => new Following(python));

/** Which session of a file or folder of many is open, and the dialog to choose another. */
export const sessions = mounted((parent, python) => new Sessions(parent, (address) => python.trigger("session", address)));

/** The sessions on this machine. */
export const library = mounted(
  (parent, python) => new Library(parent, (path, number) => python.trigger("open", { path, number }), python.trigger),
  ["open", "dropped"],
);

/** The runs on this machine. */
export const runs = mounted((parent, python) => new Runs(parent, python.trigger), ["open", "debug"]);

/** The lanes of Compare, which its page and its sidebar share. */
const board = new Board();

/** The lanes beside one another. */
export const compare = mounted(
  (parent, python) => {
    const app = new Compare(parent, board, (sid) => stores.get(sid)?.session, python.trigger);
    app.root.dataset.mounts = String(++mounts);
    board.send = (value) => python.state("lanes", value);
    const stop = new AbortController();
    bus.addEventListener("store", () => app.apply(), { signal: stop.signal });
    const update = (/** @type {CompareData} */ data) => {
      app.setTheme(themeOf(app.root));
      void app.take(data);
    };
    return { update, destroy: () => (stop.abort(), app.destroy()) };
  },
  ["debug"],
);

/** The lanes in the sidebar of Compare. */
export const lanes = mounted((parent) => {
  const made = new LaneCards(parent, board, () => policies);
  const stop = new AbortController();
  bus.addEventListener("catalogue", () => made.chooser.refresh(), { signal: stop.signal });
  return { update: () => made.update(), destroy: () => (stop.abort(), made.destroy()) };
});

/**
 * What a page and its sidebar share, as long as one of them is there: `use` gives it, `leave` ends it with the last one.
 * @template {{destroy: () => void}} Model
 * @param {() => Model} make
 */
function sharedBy(make) {
  /** @type {{model: Model, users: number} | null} */ let now = null;
  const use = () => {
    now ??= { model: make(), users: 0 };
    now.users += 1;
    return now.model;
  };
  const leave = () => {
    if (!now || --now.users) return;
    now.model.destroy();
    now = null;
  };
  return { use, leave };
}

const tuned = sharedBy(() => new Tuning());
const learned = sharedBy(() => new Lessons());

/** The Tune page. */
export const tune = mounted((parent) => {
  const made = new TunePage(parent, tuned.use());
  return { update: (/** @type {PageData} */ data) => made.update(data), destroy: () => (made.destroy(), tuned.leave()) };
});

/** The sidebar of the Tune page. */
export const tunepanel = mounted((parent) => {
  const tuning = tuned.use();
  const made = new TunePanel(
    parent,
    tuning,
    tuneDialogs(parent, tuning, () => policies),
  );
  return { update: () => made.update(), destroy: () => (made.destroy(), tuned.leave()) };
});

/** The Learn page. */
export const learn = mounted(
  (parent, python) => {
    const made = new LearnPage(parent, learned.use(), python.trigger);
    return { update: (/** @type {LearnData} */ data) => made.update(data), destroy: () => (made.destroy(), learned.leave()) };
  },
  ["library"],
);

/** The sidebar of the Learn page. */
export const lesson = mounted((parent) => {
  const made = new LessonPanel(parent, learned.use());
  return { update: () => made.update(), destroy: () => (made.destroy(), learned.leave()) };
});

/** Sends the settings of the sliders to Python: at once, then the latest once a frame. */
class SettingsSender {
  /** @param {Python} python */
  constructor(python) {
    this.python = python;
    /** @type {Settings | null} */ this.latest = null;
    this.resting = true;
    this.stopped = new AbortController();
    bus.addEventListener("settings", (event) => this.#take(/** @type {CustomEvent<Settings>} */ (event).detail), { signal: this.stopped.signal });
  }

  /** @param {Settings} settings */
  #take(settings) {
    this.latest = settings;
    if (this.resting) this.#send();
  }

  #send() {
    const settings = this.latest;
    this.latest = null;
    this.resting = !settings;
    if (!settings || this.stopped.signal.aborted) return;
    this.python.state("settings", { ...settings, nth: ++sent });
    requestAnimationFrame(() => this.#send());
  }

  stop() {
    this.stopped.abort();
  }
}

/** One mounted live run: what comes over the wire goes to the debugger, the settings of the sliders to Python. */
class LiveView {
  /** @param {ParentNode} parent @param {Python} python */
  constructor(parent, python) {
    this.python = python;
    this.drive = new LiveRun({ message: (text) => this.app.message(text), moved: (from, to) => this.#moved(from, to) });
    this.app = new App(parent, liveExtension(this.drive));
    this.app.root.dataset.mounts = String(++mounts);
    this.app.tell = python.trigger;
    this.drive.arrived = (make, same, anew) => this.app.follower?.arrive(make, same, anew);
    this.left = "";
    /** The settings of the run, as a text. */ this.known = "";
    /** The tokens that the sidebar was drawn for. */ this.expected = 0;
    this.drive.watch(() => this.#followSettings());
    this.settings = new SettingsSender(python);
    void tabName().then((tab) => python.state("tab", tab)); // Python asks which tab drives
  }

  /** @param {{run?: string, expected?: number, address?: AddressData}} data */
  update(data) {
    this.app.setTheme(themeOf(this.app.root));
    this.app.setAddress(data?.address);
    if (!this.drive.id) this.app.start = stepIn(data?.address?.start);
    if (!data?.run || data.run === this.left) return;
    this.left = "";
    this.expected = data.expected ?? 0;
    this.drive.follow(data.run);
  }

  /** A new run has taken the place of the old one: until Python names another, the old one is passed over. @param {string} from @param {string} to */
  #moved(from, to) {
    this.left = from;
    this.python.trigger("run", to);
  }

  /** Take the sidebar out of use while another tab drives. Have it drawn again when that tab has changed the settings, and when the run outgrows it. */
  #followSettings() {
    const { state } = this.drive;
    this.#hinder(state ? this.drive.hindered : "");
    if (!state) return;
    if (this.known && this.known !== state.settings && !state.drives) this.python.trigger("elsewhere", state.settings);
    this.known = state.settings;
    if (state.expected <= this.expected) return;
    this.expected = state.expected;
    this.python.trigger("elsewhere", `expected ${state.expected}`);
  }

  /** @param {string} why */
  #hinder(why) {
    if (why === hindered) return;
    hindered = why;
    bus.dispatchEvent(new CustomEvent("hindered"));
  }

  destroy() {
    this.#hinder("");
    this.settings.stop();
    this.drive.stop();
    this.app.destroy();
  }
}

/** Once what is being drawn now is on the screen. @param {() => void} then */
const onceDrawn = (then) => requestAnimationFrame(() => setTimeout(then));

/** One mounted debugger: takes data in the order it was sent, waits for the session it belongs to. */
class View {
  /** @param {ParentNode} parent @param {Python} python */
  constructor(parent, python) {
    this.app = new App(parent);
    this.app.root.dataset.mounts = String(++mounts);
    this.app.tell = python.trigger;
    /** Whether Back has led to another page: it is left, also where it is destroyed only once that was left again. */ this.left = false;
    this.sent = 0;
    this.applied = 0;
    this.text = "";
    /** What came with the newest picture. @type {{address?: AddressData}} */ this.came = {};
    /** @type {{view: TraceView, came: {address?: AddressData}, order: number} | null} */ this.waiting = null;
    this.stop = new AbortController();
    bus.addEventListener("store", () => this.apply(), { signal: this.stop.signal });
    const page = location.pathname;
    const leaves = () => (this.left ||= location.pathname !== page);
    addEventListener("popstate", leaves, { signal: this.stop.signal, capture: true });
    this.settings = new SettingsSender(python);
  }

  /** @param {{z: string, stamp: string, address: AddressData, opening?: OpeningData}} data */
  update(data) {
    this.app.setTheme(themeOf(this.app.root));
    if (data?.opening) return this.open(data.opening);
    if (!data || typeof data !== "object") return this.fail("The data of this page arrived incomplete. Reload the page.");
    if (data.z !== this.text) void this.decode(data);
    else if (this.applied < this.sent) this.came.address = data.address;
    else this.app.setAddress(data.address);
  }

  /** @param {OpeningData} data  where it fails, what was shown before comes again */
  open(data) {
    this.text = "";
    onceDrawn(leaveBeginning); // before the debugger says that it is drawn
    this.app.setOpening(data);
  }

  /** @param {{z: string, stamp: string, address: AddressData}} data */
  async decode(data) {
    const order = ++this.sent;
    this.text = data.z;
    const came = { address: data.address };
    this.came = came;
    try {
      const view = { ...(await decodeView(data.z)), stamp: data.stamp };
      if (order < this.applied || order < (this.waiting?.order ?? 0)) return; // a newer one was quicker
      this.waiting = { view, came, order };
      this.apply();
    } catch (error) {
      this.fail(problemText(error));
    }
  }

  /** Show what has come, if the session it belongs to is here. */
  apply() {
    const { waiting } = this;
    const session = waiting && stores.get(waiting.view.sid)?.session;
    if (!waiting || !session) return;
    this.waiting = null;
    this.applied = waiting.order;
    onceDrawn(leaveBeginning); // before the debugger says that it is drawn
    this.app.setRun(new Run(session, waiting.view), waiting.came.address ?? {});
    if (inRoom === waiting.view.sid) this.app.present(true);
    inRoom = "";
  }

  /** @param {string} text  said where nothing covers it */
  fail(text) {
    leaveBeginning();
    this.app.fail(text);
  }

  destroy() {
    leaveBeginning();
    const stays = this.app.presenting && !this.left; // else Back has led to another page, and ends it
    inRoom = stays ? this.app.run.view.sid : "";
    this.stop.abort();
    this.settings.stop();
    this.app.destroy();
  }
}
