// The dialogs of the Tune page: which sessions, which values, which prices; what the measures mean, and the keys.
import { attribute, button, el, visible } from "../lib/dom.js";
import { dialogOf } from "../lib/dialog.js";
import { int, pluralize } from "../lib/format.js";
import { titleWords } from "../lib/titlewords.js";
import { fixedOf, sameAxes } from "./places.js";
import { GIVES_UP, THRASHES, brief } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { Axis, Prices } from "./types.js" */

const SUMMARIES = ["structural", "fixed size"];
const PRICE_NAMES = ["Input", "Cache read", "Cache write", "Output"];

/** @type {[string, string][]} */
export const MEASURE_WORDS = [
  [
    "Misses",
    "The agent names a path, an identifier or a number that was said earlier, and nothing in its window says it any more: neither a message nor a summary. Misses are the share of all such later uses. A lower bound of what was lost: a name that a summary only quotes or lists counts as known, though what was said of it may be gone; and what the agent no longer knew to ask for is not counted. Where nothing is compacted, there are none.",
  ],
  [
    "Cost",
    "All model calls with prompt caching, and the summarizer’s, at the prices on the left: what a prompt shares with the one before is read from the cache unless five minutes have passed. A lower bound: without thinking, hidden prompts and tools.",
  ],
  ["Compactions", "How often the window was rewritten, over all sessions."],
  [
    "Tokens sent",
    "The sum of the prompts of all model calls, by the meter named above. A lower bound of what is billed: hidden prompts and tool definitions are not in the transcript.",
  ],
  ["Thrashes", `${THRASHES} Such a setting is never called best.`],
  ["Gives up", `${GIVES_UP} Such a setting is never called best.`],
];
export const CAVEAT =
  "A sweep replays what the recorded agent did. Under another setting its window changes, but its steps stay as they were recorded. With less in its window the agent would have acted otherwise: asked again, erred, or stopped. So nothing here predicts success. It compares settings on the same recorded sessions.";

/** @type {[string, string][]} */
const KEYS = [
  ["← ↑ ↓ →", "next cell of the map"],
  ["Enter", "choose the cell; again to let go of it"],
  ["m", "next measure"],
  ["b", "go to the best setting"],
  ["r", "run, or stop"],
  ["?", "this list"],
  ["Esc", "close what was opened last; let go of the chosen cell"],
];

/** A dialog that is made anew each time it is opened, and gone when it closes. @param {HTMLElement} host @param {string} title @param {...Node} content */
export function showDialog(host, title, ...content) {
  const back = /** @type {ShadowRoot} */ (host.getRootNode()).activeElement;
  const node = dialogOf(title, "fl-tune-dialog", ...content);
  node.addEventListener("close", () => {
    node.remove();
    if (back instanceof HTMLElement) back.focus();
  });
  host.append(node);
  node.showModal();
  return node;
}

/** What every measure means. @param {HTMLElement} host */
export const showMeasures = (host) => showDialog(host, "What is measured", definitions(MEASURE_WORDS), el("p", { text: CAVEAT }));

/** @param {HTMLElement} host */
export const showCaveat = (host) => showDialog(host, "The recorded agent’s later steps are taken as given", el("p", { text: CAVEAT }));

/** @param {HTMLElement} host */
export const showKeys = (host) => showDialog(host, "Keys", definitions(KEYS, "kbd"));

/** @param {[string, string][]} pairs @param {"kbd" | "span"} [tag] */
const definitions = (pairs, tag = "span") =>
  el(
    "dl",
    { class: "fl-tune-definitions" },
    ...pairs.flatMap(([name, text]) => [
      el("dt", {}, ...name.split(" ").flatMap((part) => (tag === "kbd" ? [el("kbd", { text: part }), " "] : [`${part} `]))),
      el("dd", { text }),
    ]),
  );

/** Which sessions: a folder or part of the Library, and those of them that are swept. @param {HTMLElement} host @param {Tuning} tuning */
export function showSessions(host, tuning) {
  const { chosen } = tuning;
  if (chosen.kind === "result") return showResult(host, tuning);
  const place = chosen.kind === "folder" ? folderForm(tuning, () => node.close()) : libraryForm(tuning);
  const least = el("input", {
    type: "number",
    min: 0,
    step: 1000,
    value: String(tuning.least),
    "aria-label": "Tokens at least",
    class: "fl-tune-field",
  });
  const list = el("div", { class: "fl-tune-list", role: "group", "aria-label": "Sessions" });
  const how = el("span", { class: "fl-tune-mute", role: "status" });
  const without = new Set(chosen.without);
  const draw = () => {
    const found = [...(tuning.found?.sessions ?? [])].sort((a, b) => b.tokens - a.tokens);
    const over = found.filter(({ tokens }) => tokens >= Number(least.value));
    const count = over.filter(({ id }) => !without.has(id)).length;
    how.textContent = tuning.reading
      ? `Reading ${int(tuning.reading[0])} of ${int(tuning.reading[1])}…`
      : `${int(count)} of ${pluralize(found.length, "session")}`;
    list.replaceChildren(...over.slice(0, 500).map((one) => sessionBox(one, without, draw)));
  };
  least.addEventListener("input", draw);
  const take = button("Use these", () => (tuning.leaving([...without], Math.max(0, Number(least.value) || 0)), node.close()), {
    class: "fl-tune-button fl-tune-primary",
  });
  const filter = el("label", { class: "fl-tune-row" }, "Only sessions of at least", least, "tokens", how);
  const node = showDialog(
    host,
    chosen.kind === "folder" ? "Sessions of a folder" : "Sessions of the Library",
    place,
    filter,
    list,
    el("div", { class: "fl-tune-dialog-foot" }, take),
  );
  const stop = new AbortController();
  tuning.addEventListener(
    "change",
    () => {
      if (!least.matches(":focus")) least.value = String(tuning.least);
      draw();
    },
    { signal: stop.signal },
  );
  node.addEventListener("close", () => stop.abort());
  draw();
}

/** The files that were left out, and why. @param {HTMLElement} host @param {Tuning} tuning */
export function showUnread(host, tuning) {
  const lines = (tuning.found?.failures ?? []).map(([name, why]) => el("p", {}, el("b", { text: visible(name) }), `: ${visible(why)}`));
  showDialog(host, "Files that were left out", el("div", { class: "fl-tune-unread" }, ...lines));
}

/** Which result to open. @param {HTMLElement} host @param {Tuning} tuning */
function showResult(host, tuning) {
  const field = el("input", {
    type: "text",
    value: tuning.chosen.result,
    placeholder: "/path/to/out",
    "aria-label": "Folder of foldline tune --parquet",
    spellcheck: "false",
    class: "fl-tune-field fl-tune-wide",
  });
  const form = el(
    "form",
    { class: "fl-tune-row" },
    field,
    button("Open", () => {}, { class: "fl-tune-button fl-tune-primary", type: "submit" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const result = field.value.trim();
    node.close();
    if (result) tuning.choosing({ kind: "result", result, map: "" });
  });
  const about = "The folder, or the rows.parquet in it, that foldline tune --parquet has written.";
  const node = showDialog(host, "Open a result", form, el("p", { class: "fl-tune-mute", text: about }));
}

/** @param {import("./types.js").SessionFacts} one @param {Set<string>} without @param {() => void} draw */
function sessionBox({ id, title, agent, messages, tokens }, without, draw) {
  const box = el("input", { type: "checkbox" });
  box.checked = !without.has(id);
  box.addEventListener("change", () => {
    if (box.checked) without.delete(id);
    else without.add(id);
    draw();
  });
  const facts = el("span", { class: "fl-tune-mute", text: `${visible(agent)} · ${pluralize(messages, "message")} · ~${brief(tokens)}` });
  return el(
    "label",
    { class: "fl-tune-choice" },
    box,
    el("span", { class: "fl-tune-cut", dir: "auto", text: visible(titleWords(title)), title: visible(title) }),
    facts,
  );
}

/** @param {Tuning} tuning @param {() => void} close */
function folderForm(tuning, close) {
  const field = el("input", {
    type: "text",
    value: tuning.chosen.folder,
    placeholder: "/path/to/folder",
    "aria-label": "Folder or file",
    spellcheck: "false",
    class: "fl-tune-field fl-tune-wide",
  });
  const open = button("Open", () => {}, { class: "fl-tune-button", type: "submit" });
  const form = el("form", { class: "fl-tune-row" }, field, open);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const folder = field.value.trim();
    if (folder) tuning.choosing({ kind: "folder", folder, without: [], least: -1 });
    if (!folder) close();
  });
  return form;
}

/** @param {Tuning} tuning */
function libraryForm(tuning) {
  const { chosen } = tuning;
  const words = el("input", {
    type: "text",
    value: chosen.words,
    placeholder: "Words that each of them holds",
    "aria-label": "Words that each session holds",
    class: "fl-tune-field fl-tune-wide",
  });
  const agent = el("input", { type: "text", value: chosen.agent, placeholder: "Any agent", "aria-label": "Agent", class: "fl-tune-field" });
  const newest = el("input", {
    type: "number",
    min: 1,
    max: 2000,
    value: String(chosen.newest),
    "aria-label": "Newest sessions at most",
    class: "fl-tune-field",
  });
  const form = el(
    "form",
    { class: "fl-tune-row" },
    words,
    agent,
    "newest",
    newest,
    button("Find", () => {}, { class: "fl-tune-button", type: "submit" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tuning.choosing({
      kind: "library",
      words: words.value.trim(),
      agent: agent.value.trim(),
      newest: Math.max(1, Number(newest.value) || 40),
      without: [],
      least: -1,
    });
  });
  return form;
}

/** Which two parameters of the policy on the map are swept, over which values; the meter and the summaries. @param {HTMLElement} host @param {Tuning} tuning */
export function showValues(host, tuning) {
  const grid = tuning.grids[tuning.mapped];
  const known = tuning.known.get(grid?.policy ?? "") ?? [];
  const rows = ["To the right", "Upward"].map((label, n) => axisRow(label, known, grid?.axes[n], n > 0));
  const others = fixedRows(tuning, grid);
  const meter = choice("Tokens by", ["", ...(tuning.data?.meters ?? [])], tuning.chosen.meter, "each session's own meter");
  const summaries = choice("Summaries", SUMMARIES, tuning.chosen.summaries);
  const wrong = el("p", { class: "fl-tune-worse", role: "alert" });
  const take = button(
    "Use these",
    () => {
      const axes = rows.map(({ read }) => read()).filter((axis) => axis !== null);
      wrong.textContent = axes.some(({ values }) => !values.length)
        ? "Give each parameter at least one value."
        : axes.length === 2 && axes[0].name === axes[1].name
          ? "Choose two different parameters."
          : "";
      if (wrong.textContent) return;
      node.close();
      apply(tuning, axes, others.read(), meter.value, summaries.value);
    },
    { class: "fl-tune-button fl-tune-primary" },
  );
  const terms = el("div", { class: "fl-tune-row" }, el("label", {}, "Tokens by ", meter), el("label", {}, "Summaries ", summaries));
  const node = showDialog(
    host,
    `Values of ${grid?.policy ?? "the policy"}`,
    ...rows.map(({ root }) => root),
    others.root,
    terms,
    wrong,
    el("div", { class: "fl-tune-dialog-foot" }, take),
  );
}

/** The parameters that are set and not swept, and room for one more. @param {Tuning} tuning @param {import("./types.js").Grid | undefined} grid */
function fixedRows(tuning, grid) {
  const names = Object.keys(tuning.facts.get(grid?.policy ?? "")?.defaults ?? {});
  const rows = [...Object.entries(grid ? fixedOf(grid) : {}), ["", ""]].map(([name, value]) => {
    const which = choice("Parameter that is set", ["", ...names], name, "none");
    const field = el("input", { type: "text", value, "aria-label": "Its value", spellcheck: "false", class: "fl-tune-field fl-tune-wide" });
    which.addEventListener("change", () => (field.value = tuning.facts.get(grid?.policy ?? "")?.defaults[which.value] ?? ""));
    return { root: el("div", { class: "fl-tune-row" }, which, field), read: () => [which.value, field.value.trim()] };
  });
  return {
    root: el("div", { class: "fl-tune-axis" }, el("h3", { text: "Also set" }), ...rows.map(({ root }) => root)),
    read: () => Object.fromEntries(rows.map(({ read }) => read()).filter(([name]) => name)),
  };
}

/** @param {Tuning} tuning @param {Axis[]} axes @param {{[name: string]: string}} set @param {string} meter @param {string} summaries */
function apply(tuning, axes, set, meter, summaries) {
  const grid = tuning.grids[tuning.mapped];
  const swept = grid && !sameAxes(axes, grid.axes);
  const changed = grid && { ...grid, fixed: set, ...(swept ? { axes, own: true } : {}) };
  const grids = tuning.chosen.grids.map((other) => (changed && other === grid ? changed : other));
  if (meter !== tuning.chosen.meter) return tuning.choosing({ meter, summaries, grids });
  Object.assign(tuning.chosen, { summaries });
  tuning.regrid(grids);
}

/** @param {string} label @param {import("./types.js").Proposal[]} known @param {Axis | undefined} axis @param {boolean} optional */
function axisRow(label, known, axis, optional) {
  const names = [...(optional ? [""] : []), ...known.map(({ parameter }) => parameter)];
  const name = choice(`Parameter ${label.toLowerCase()}`, names, axis?.name ?? "", "none");
  const values = el("input", {
    type: "text",
    value: axis?.values.join(", ") ?? "",
    "aria-label": `Values ${label.toLowerCase()}`,
    spellcheck: "false",
    class: "fl-tune-field fl-tune-wide",
  });
  const why = el("p", { class: "fl-tune-mute" });
  const explain = () => (why.textContent = known.find(({ parameter }) => parameter === name.value)?.why ?? "");
  name.addEventListener("change", () => {
    const one = known.find(({ parameter }) => parameter === name.value);
    values.value = one ? one.stops.slice(one.low, one.high + 1).join(", ") : "";
    explain();
  });
  explain();
  const read = () =>
    name.value
      ? {
          name: name.value,
          values: [
            ...new Set(
              values.value
                .split(",")
                .map((one) => one.trim().replace(/^(\d[\d_]*)$/, (digits) => digits.replaceAll("_", "")))
                .filter(Boolean),
            ),
          ],
        }
      : null;
  return { root: el("div", { class: "fl-tune-axis" }, el("h3", { text: label }), el("div", { class: "fl-tune-row" }, name, values), why), read };
}

/** @param {string} label @param {string[]} options @param {string} value @param {string} [none] */
function choice(label, options, value, none = "") {
  const known = options.includes(value) ? options : [...options, value];
  const node = el("select", { "aria-label": label, class: "fl-tune-field" }, ...known.map((one) => el("option", { value: one, text: one || none })));
  node.value = value;
  return node;
}

/** The four prices, of a model or as typed. @param {HTMLElement} host @param {Tuning} tuning */
export function showPrices(host, tuning) {
  const models = tuning.found?.models ?? [];
  const model = el("input", {
    type: "text",
    value: tuning.model,
    "aria-label": "Model",
    list: "fl-tune-models",
    spellcheck: "false",
    class: "fl-tune-field fl-tune-wide",
  });
  const known = el("datalist", { id: "fl-tune-models" }, ...models.map((name) => el("option", { value: name })));
  const shown = tuning.samePrices ?? tuning.rates.get(tuning.model);
  const fields = PRICE_NAMES.map((name, n) =>
    el("input", {
      type: "number",
      min: 0,
      step: "any",
      value: String(shown?.[n] ?? ""),
      "aria-label": `${name}, dollars a million tokens`,
      class: "fl-tune-field",
    }),
  );
  const rows = PRICE_NAMES.map((name, n) => el("label", { class: "fl-tune-price" }, el("span", { text: name }), fields[n]));
  const wrong = el("p", { class: "fl-tune-worse", role: "alert" });
  const take = (/** @type {string} */ name) => (tuning.set({ model: name, prices: null }), node.close());
  const listed = button("Prices of this model", () => take(model.value.trim()), { class: "fl-tune-button" });
  const own = button("Each session by its own model", () => take(""), { class: "fl-tune-button", hidden: !tuning.own.priced.length });
  const typed = button(
    "Use these prices",
    () => {
      const prices = fields.map((field) => (field.value.trim() === "" ? -1 : Number(field.value)));
      if (prices.some((price) => !(price >= 0))) {
        wrong.textContent = "Give four prices of 0 or more.";
        return;
      }
      tuning.set({ model: model.value.trim(), prices: /** @type {Prices} */ (prices) });
      node.close();
    },
    { class: "fl-tune-button fl-tune-primary" },
  );
  const about = el("p", {
    class: "fl-tune-mute",
    text: `Dollars a million tokens; prices typed here hold for all sessions${tuning.list ? `. The list is ${tuning.list}, read offline` : ""}.`,
  });
  const node = showDialog(
    host,
    "Prices",
    el("div", { class: "fl-tune-row" }, model, known, listed),
    ...rows,
    about,
    wrong,
    el("div", { class: "fl-tune-dialog-foot" }, own, typed),
  );
  attribute(node, "data-kind", "prices");
}
