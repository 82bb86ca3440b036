// The page of an exported file: the debugger, and above it a bar that chooses which of the file's runs it shows.
import { addressed, keepInHash, stepIn } from "../lib/address.js";
import { answerWith } from "../lib/asking.js";
import { el, visible } from "../lib/dom.js";
import { problemText } from "../lib/problem.js";
import { themeOf } from "../lib/theme.js";
import { App } from "../debugger/app.js";
import { decodePlain, decodeStore } from "../run/decode.js";
import { Run } from "../run/model.js";
import { answersFrom } from "./answers.js";
import { Followed } from "./followed.js";
import { styledRoot } from "./held.js";
import { placesOf, Sliders } from "./sliders.js";
/** @import { Held } from "./held.js" */
/** @import { Store } from "../run/decode.js" */
/** @import { Head } from "./types.js" */

export class Page {
  /** @param {ShadowRoot} parent @param {Held} held @param {Head} head @param {Store} store */
  constructor(parent, held, head, store) {
    this.held = held;
    this.head = head;
    this.store = store;
    this.shown = "";
    this.bar = el("header", { class: "fl-export" }, el("b", { text: "foldline" }), el("span", { class: "fl-export-what", text: "exported file" }));
    parent.append(this.bar);
    this.app = new App(parent, null, "export");
    /** The address that the debugger last asked for. */ this.nth = 0;
    this.app.tell = (name, value) => name === "address" && this.#asked(value);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#theme());
    this.#theme();
    this.runs = this.#runs();
    this.sliders = new Sliders(head.grid.axes, (tid) => void this.show(tid));
    this.followed = new Followed(held, (text) => this.app.why.ask(text));
    this.bar.append(this.sliders.node, this.followed.node);
  }

  #theme() {
    const theme = themeOf(this.app.root);
    this.bar.dataset.theme = theme;
    this.app.setTheme(theme);
  }

  /** The choice of runs, where there are several. */
  #runs() {
    const { runs } = this.head;
    const options = runs.map(({ tid, name }) => el("option", { value: tid, text: visible(name) }));
    const select = el("select", { class: "fl-select", "aria-label": "Run" }, ...options);
    select.addEventListener("change", () => void this.show(select.value));
    if (runs.length > 1) this.bar.append(el("label", {}, "Run ", select));
    return select;
  }

  /** The run that an address names: the first where it names none that is here. @param {URLSearchParams} query */
  #named(query) {
    const { runs, grid } = this.head;
    const tid = query.get("run") ?? "";
    return runs.some((run) => run.tid === tid) || placesOf(grid.axes, tid) ? tid : runs[0].tid;
  }

  /** @param {{nth: number, query: string}} address  that Back or Forward led to */
  #asked({ nth, query }) {
    this.nth = nth;
    void this.show(this.#named(new URLSearchParams(query)));
  }

  /** Show the run that the address names, at the step that it or the file says; without an address, with the texts and the overview of the file. */
  async open() {
    const query = addressed();
    await this.show(this.#named(query), query.get("step") ?? this.head.start);
    if (query.toString()) return;
    this.app.untold = true;
    for (const text of this.head.why) this.app.why.ask(text);
    if (this.head.overview) this.app.setOverview(true);
  }

  /** @param {string} tid @param {string} [start]  the step to begin at */
  async show(tid, start = "") {
    const { runs, grid, rival } = this.head;
    const refused = grid.refused[tid];
    if (refused) {
      this.app.setAddress({ nth: this.nth });
      return this.app.message(`The policy refuses these settings: ${visible(refused)}`);
    }
    this.shown = tid;
    try {
      const view = { ...decodePlain(await this.held.bytes(`view-${tid}`)), stamp: tid };
      if (this.shown !== tid) return; // another was chosen meanwhile
      this.runs.value = runs.some((run) => run.tid === tid) ? tid : "opened";
      this.sliders.show(tid);
      void this.followed.show(tid);
      const query = tid === runs[0].tid ? {} : { run: tid };
      this.app.setRun(new Run(this.store, view), { query, start: stepIn(start) < 0 ? "" : start, rival, nth: this.nth });
    } catch (error) {
      this.app.fail(problemText(error));
    }
  }
}

/** Open what the file holds, in an element of its document. @param {HTMLElement} place @param {Held} held */
export async function openFile(place, held) {
  const head = /** @type {Head} */ (await held.json("head"));
  held.starts = head.starts;
  answerWith(answersFrom(held));
  keepInHash();
  const parent = await styledRoot(place, held);
  await new Page(parent, held, head, decodeStore(await held.bytes(`store-${head.sid}`))).open();
}
