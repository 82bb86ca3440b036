// The library: what is listed in which order, its table, and the place that is returned to.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { requests, press, serve, settled, texts, type } from "./dom.mjs";

const { arranged, columnValue } = await import("../../viewer/frontend/library/arranging.js");
const { compared, nextSort, sortIn, sortText } = await import("../../viewer/frontend/lib/table.js");
const { ListPlace } = await import("../../viewer/frontend/lib/listplace.js");
const { lookedFor } = await import("../../viewer/frontend/run/lookedfor.js");
const { snippetNodes } = await import("../../viewer/frontend/library/snippets.js");
const { el } = await import("../../viewer/frontend/lib/dom.js");
const { Library } = await import("../../viewer/frontend/library/library.js");

const row = (id, title, more = {}) => {
  const {
    path = `/w/${title}.jsonl`,
    number = 0,
    agent = "pi",
    messages = 1,
    tokens = 1,
    meter = "o200k_base",
    compactions = 0,
    ended = "",
    unsearched = 0,
    changed = "",
  } = more;
  return [id, path, number, agent, agent, title, "", "", messages, 1, tokens, meter, compactions, 0, ended, unsearched, changed, false];
};
const ROWS = [
  row(1, "plums", { tokens: 900, ended: "2026-03-03T00:00:00Z", compactions: 2 }),
  row(2, "figs", { tokens: 50, ended: "2026-03-02T00:00:00Z", agent: "Codex" }),
  row(3, "apples", { tokens: 300, ended: "2026-03-01T00:00:00Z", path: "/w/many.md", unsearched: 5 }),
  row(4, "Pears", { tokens: 700, ended: "2026-03-04T00:00:00Z", path: "/w/many.md", number: 1, compactions: 1 }),
];
const NEWEST = { column: "ended", down: true };
const session = ([id, path, number, agent, , title, , , messages, , tokens, meter, compactions, , ended]) => ({
  ...{ id, path, number, agent, title, messages, tokens, meter, compactions, ended },
});
const SESSIONS = ROWS.map(session);
const shown = (view) => {
  const { items } = arranged(SESSIONS, { found: null, agent: "", compacted: false, sort: NEWEST, open: () => false, ...view });
  return items.map((item) =>
    item.kind === "file" ? `${item.path} ${item.sessions.length}/${item.all}` : `${item.inside ? "  " : ""}${item.session.title}`,
  );
};

test("the sessions of one file are one row, which stands where they together belong", () => {
  assert.deepEqual(shown({}), ["/w/many.md 2/2", "plums", "figs"]);
  assert.deepEqual(shown({ sort: { column: "tokens", down: true } }), ["/w/many.md 2/2", "plums", "figs"]);
  assert.deepEqual(shown({ sort: { column: "messages", down: false } }), ["plums", "figs", "/w/many.md 2/2"]);
});

test("an open file has its sessions under it, in the order of the list", () => {
  const open = () => true;
  assert.deepEqual(shown({ open }).slice(0, 3), ["/w/many.md 2/2", "  Pears", "  apples"]);
  assert.deepEqual(shown({ open, sort: { column: "title", down: false } }), ["figs", "/w/many.md 2/2", "  apples", "  Pears", "plums"]);
});

test("of a file of which one session matches, that session is listed by itself", () => {
  assert.deepEqual(shown({ found: new Set([2, 3]) }), ["figs", "apples"]);
  assert.deepEqual(shown({ compacted: true }), ["Pears", "plums"]);
});

test("sessions with the words in a row come first, a file with one among them, each group in its order", () => {
  const all = new Set([1, 2, 3, 4]);
  assert.deepEqual(shown({ found: all, first: new Set([2]) }), ["figs", "/w/many.md 2/2", "plums"]);
  assert.deepEqual(shown({ found: all, first: new Set([2, 3]) }), ["/w/many.md 2/2", "figs", "plums"]);
});

test("filters are counted each without itself, so that what a click brings can be read before", () => {
  const counts = ({ agents, compacted }) => [...agents, compacted];
  const view = { found: null, agent: "", compacted: false, sort: NEWEST, open: () => false };
  assert.deepEqual(counts(arranged(SESSIONS, view)), [["pi", 3], ["Codex", 1], 2]);
  assert.deepEqual(counts(arranged(SESSIONS, { ...view, agent: "Codex" })), [["pi", 3], ["Codex", 1], 0]);
  assert.deepEqual(counts(arranged(SESSIONS, { ...view, compacted: true })), [["pi", 2], 2]);
  assert.deepEqual(counts(arranged(SESSIONS, { ...view, found: new Set([1]) })), [["pi", 1], 1]);
});

test("of a long way to the found word a small page keeps the last word or two", () => {
  const parts = (text) => {
    const line = el("p", {}, ...snippetNodes(["tools", text]));
    return [line.textContent, texts(line, "bdi > .fl-listed-wide"), texts(line, ".fl-listed-near")];
  };
  const found = "\ue000tart\ue001, baked";
  assert.deepEqual(parts(`at a fair: ${found}`), ["tool call or outputat a fair: tart, baked", [], []]);
  assert.deepEqual(parts(`the long way to a plum ${found}`), [
    "tool call or outputthe long way to a plum tart, baked",
    ["the long way "],
    ["to a plum "],
  ]);
  assert.deepEqual(parts(`one_long_word.${found}`).slice(1), [["one_long_word."], [""]]);
});

test("a filter that nothing matches any more is gone, unless it is the one that is chosen", async () => {
  const { root, part } = await made();
  const chips = () => texts(root, ".fl-library-agents > *");
  assert.deepEqual(chips(), ["All agents 4", "pi 3", "Codex 1"]);
  type(part.field, "tart");
  await settled();
  assert.deepEqual(chips(), ["All agents 2", "pi 2"]);
  part.field.value = "";
  type(part.field, "");
  await settled();
  [...root.querySelectorAll(".fl-library-agents > *")].at(-1).click();
  type(part.field, "tart");
  await settled();
  assert.deepEqual(chips(), ["All agents 2", "pi 2", "Codex 0"]);
  part.destroy();
});

test("tokens by two meters are not summed, and such a file comes last either way", () => {
  const mixed = [SESSIONS[0], { ...SESSIONS[2], meter: "calibrated" }, SESSIONS[3]];
  for (const down of [true, false]) {
    const { items } = arranged(mixed, { found: null, agent: "", compacted: false, sort: { column: "tokens", down }, open: () => false });
    assert.deepEqual([items.map(({ kind }) => kind), columnValue(items[1], "tokens")], [["session", "file"], null]);
  }
});

test("sessions without a time come last either way, in the order they arrive in", () => {
  const undated = ["made", "copied"].map((title, k) => session(row(7 + k, title)));
  for (const [down, first] of [
    [true, ["plums", "figs"]],
    [false, ["figs", "plums"]],
  ]) {
    const all = [undated[0], SESSIONS[0], undated[1], SESSIONS[1]];
    const { items } = arranged(all, { found: null, agent: "", compacted: false, sort: { column: "ended", down }, open: () => false });
    assert.deepEqual(
      items.map((item) => item.session.title),
      [...first, "made", "copied"],
    );
  }
});

test("no time of a file is shown as that of the last message", async () => {
  const rows = [
    row(1, "plums", { ended: "2020-03-03T00:00:00Z", changed: "2026-11-29T12:00:00Z" }),
    row(2, "figs", { changed: "2026-11-29T12:00:00Z" }),
    row(3, "pears"),
    row(4, "new", { meter: "", ended: "2019-11-29T12:00:00Z" }),
  ];
  const { root, part } = await made({ "api/library": { rows, total: 4, cut: WHOLE, unread: ALL_READ, progress: idle } });
  const cells = [...root.querySelectorAll('[role=gridcell][data-column="ended"]')];
  const said = cells.map((cell) => [cell.textContent, cell.querySelector("[title]")?.title ?? ""]);
  const why = "Its messages have no time.";
  assert.deepEqual(said, [
    ["3 Mar 2020", ""],
    ["…", ""],
    ["–", `${why} The file was changed on 29 November 2026.`],
    ["–", why],
  ]);
  part.destroy();
});

test("numbers are compared by size, texts as a reader orders them, and a second click turns the order", () => {
  assert.ok(compared(9, 10, false) < 0 && compared(9, 10, true) > 0);
  assert.ok(compared("run 9", "Run 10", false) < 0 && compared("éclair", "figs", false) < 0);
  const tokens = { name: "tokens", label: "Tokens", numeric: true };
  const title = { name: "title", label: "Session" };
  assert.deepEqual(nextSort(tokens, NEWEST), { column: "tokens", down: true });
  assert.deepEqual(nextSort(tokens, { column: "tokens", down: true }), { column: "tokens", down: false });
  assert.deepEqual(nextSort(title, NEWEST), { column: "title", down: false });
});

test("a sort is read from the address as it is written there; one of no column is not used", () => {
  const columns = [{ name: "tokens", label: "Tokens" }];
  for (const text of ["tokens", "-tokens"]) assert.equal(sortText(sortIn(text, columns, NEWEST)), text);
  assert.deepEqual([sortIn("", columns, NEWEST), sortIn("-path", columns, NEWEST)], [NEWEST, NEWEST]);
});

const at = (address) => history.replaceState(null, "", `http://localhost:8501${address}`);
beforeEach(() => {
  sessionStorage.clear();
  at("/library");
});

test("what is chosen is in the address and in the tab, and is read from either", () => {
  const kept = new ListPlace("library", ["q", "sort"]);
  kept.write({ q: "a b", sort: "" }, { top: 90, at: "x" });
  assert.equal(location.search, "?q=a+b");
  at("/library");
  assert.deepEqual(kept.read(), { chosen: { q: "a b", sort: "" }, place: { top: 90, at: "x" } });
  at("/library?q=a+b");
  assert.deepEqual(kept.read().place, { top: 90, at: "x" });
  at("/library?sort=-tokens&other=1");
  assert.deepEqual(kept.read(), { chosen: { sort: "-tokens" }, place: { top: 0, at: "" } });
});

test("on another page the address is left alone, and is not read", () => {
  const kept = new ListPlace("library", ["q"]);
  at("/?q=other");
  kept.write({ q: "a" }, { top: 0, at: "" });
  assert.deepEqual([location.search, kept.read().chosen], ["?q=other", {}]);
});

test("what the tab holds is not trusted to be whole", () => {
  for (const text of ["{", "[]", '"x"', "{}"]) {
    sessionStorage.setItem("foldline-library", text);
    assert.deepEqual(new ListPlace("library", ["q"]).read(), { chosen: {}, place: { top: 0, at: "" } });
  }
});

const ALL_READ = { count: 0, files: [] };
const WHOLE = { folders: [], most: 20_000 };
const idle = { done: 4, total: 4, now: "", building: false };
async function made(more = {}, places = ["/w"]) {
  const opened = [];
  serve({
    "api/library/search": () => ({ ids: [3, 4] }),
    "api/library/snippets": { found: { 3: ["tools", "a \ue000tart\ue001 <b>"] } },
    "api/library": { rows: ROWS, total: 4, cut: WHOLE, unread: ALL_READ, progress: idle },
    ...more,
  });
  document.body.replaceChildren();
  const part = new Library(
    document.body,
    (path, number) => opened.push([path, number]),
    () => {},
  );
  part.update({ places });
  await settled();
  return { part, opened, root: part.root };
}
const titles = (root) => texts(root, ".fl-listed-title").map((text) => text.replace(/[▸▾] /, ""));

test("a head sorts by click, says so, and the address keeps it", async () => {
  const { root } = await made();
  const sorted = () => texts(root, "[aria-sort]").concat(root.querySelector("[aria-sort]").getAttribute("aria-sort"));
  assert.deepEqual(
    [titles(root), sorted()],
    [
      ["many.md", "plums", "figs"],
      ["Last message", "descending"],
    ],
  );
  const head = root.querySelector('[role=columnheader][data-column="title"] button');
  head.click();
  assert.deepEqual([titles(root), sorted(), location.search], [["figs", "many.md", "plums"], ["Session", "ascending"], "?sort=title"]);
  head.click();
  assert.deepEqual([titles(root), sorted(), location.search], [["plums", "many.md", "figs"], ["Session", "descending"], "?sort=-title"]);
});

test("a search shows where the words stand and opens the files it found; nothing of it is markup", async () => {
  const { root, part } = await made();
  type(part.field, "tart");
  await settled();
  globalThis.dispatchEvent(new Event("frame"));
  (await import("./dom.mjs")).pass(50);
  await settled();
  assert.deepEqual(titles(root), ["many.md", "Pears", "apples"]);
  assert.equal(texts(root, ".fl-listed-where").at(-1), "tool call or outputa tart <b>");
  assert.deepEqual([texts(root, "mark"), texts(root, ".fl-pick-count"), location.search], [["tart"], ["2 of 4 sessions"], "?q=tart"]);
  assert.ok(requests.some(([, path]) => path.startsWith("api/library/snippets?q=tart&ids=4%2C3")));
});

test("how many hold the words in a row is said, they come first, and Enter opens the first; a column that is chosen orders all", async () => {
  const { root, part, opened } = await made({ "api/library/search": { ids: [1, 2, 4], phrase: [2] } });
  type(part.field, "green figs");
  await settled();
  assert.deepEqual([titles(root), texts(root, ".fl-pick-count")], [["figs", "Pears", "plums"], ["3 of 4 sessions, 1 with the words in a row first"]]);
  const sorted = () => [...root.querySelectorAll("[aria-sort]")].map((head) => `${head.dataset.column} ${head.getAttribute("aria-sort")}`);
  assert.deepEqual(sorted(), [], "no column orders them");
  root.querySelector('[data-column="tokens"] button').click();
  assert.deepEqual(titles(root), ["plums", "Pears", "figs"]);
  root.querySelector('[data-column="ended"] button').click();
  assert.deepEqual([titles(root), sorted(), location.search], [["Pears", "plums", "figs"], ["ended descending"], "?q=green+figs&sort=-ended"]);
  type(part.field, "green figs ");
  await settled();
  assert.deepEqual([titles(root)[0], sorted()], ["figs", []], "what is typed anew is listed as at first");
  press(part.field, "Enter");
  await settled();
  assert.deepEqual(opened, [["/w/figs.jsonl", 0]]);
  part.destroy();
});

test("Debug is told what is typed where messages hold it so, else what of it is marked in a row; not what only a title has", async () => {
  const found = { 1: ["messages", "a \ue000green fig\ue001", 2], 2: ["messages", "the \ue000Green\ue001, \ue000fig\ue001s of the \ue000fig\ue001"] };
  const { part, opened } = await made({
    "api/library/search": { ids: [2, 1, 4], phrase: [2] },
    "api/library/snippets": { found, text: "green fig" },
  });
  const openedAt = async (row) => {
    part.table.list.at = row;
    press(part.field, "Enter");
    await settled();
    const [path, number] = opened.at(-1);
    return [path, lookedFor({ source: `path:${path}`, session: number ? String(number) : undefined })];
  };
  type(part.field, "green fig");
  await settled();
  assert.deepEqual(await openedAt(0), ["/w/figs.jsonl", "Green, fig"]);
  assert.deepEqual(lookedFor({ source: "path:/w/figs.jsonl" }), "", "it is asked once");
  assert.deepEqual([(await openedAt(1))[1], (await openedAt(2))[1]].sort(), ["", "green fig"]);
  part.lesson = "3";
  assert.deepEqual(await openedAt(0), ["/w/figs.jsonl", ""], "what is chosen for a lesson opens there");
  part.destroy();
});

test("where nothing holds a text as it is typed, its words can be searched, as often as another such text is typed", async () => {
  const { root, part } = await made({ "api/library/search": (path) => ({ ids: path.includes("q=green+figs") ? [2] : [], phrase: [] }) });
  const offered = async (text) => {
    type(part.field, text);
    await settled();
    return texts(root, ".fl-pick-none button");
  };
  for (const plain of ["pears", "blue, figs.", "(blue) figs -"]) assert.deepEqual(await offered(plain), ["Clear search and filters"]);
  for (const exact of ['"blue figs"', "“blue figs”", "blue,figs", "blue_figs"])
    assert.deepEqual(await offered(exact), ["Search for blue figs", "Clear search and filters"]);
  assert.deepEqual(await offered("green-figs"), ["Search for green figs", "Clear search and filters"]);
  root.querySelector(".fl-pick-none button").click();
  await settled();
  assert.deepEqual([part.field.value, titles(root), document.activeElement], ["green figs", ["figs"], part.field]);
  part.destroy();
});

test("Enter opens what the words find, also where it is pressed before they have found it", async () => {
  const { part, opened } = await made({ "api/library/search": { ids: [2] } });
  type(part.field, "fi");
  press(part.field, "Enter");
  assert.deepEqual(opened, []);
  await settled();
  assert.deepEqual(opened, [["/w/figs.jsonl", 0]]);
  type(part.field, "fig");
  press(part.field, "Enter");
  type(part.field, "figs");
  await settled();
  assert.equal(opened.length, 1);
});

test("the list is shared in its order, closed files unfolded; a session by the button of its row", async () => {
  const { root, part, opened } = await made({ "api/share": { found: [], list: "x" } });
  const shared = async (node) => {
    node.click();
    await settled();
    part.share.node.close();
    return requests.at(-1).slice(1);
  };
  const head = root.querySelector('[role=columnheader][data-column="title"] button');
  head.click();
  assert.deepEqual(await shared(root.querySelector(".fl-library-share")), ["api/share/list/library/secrets", { ids: [2, 3, 4, 1] }]);
  const forms = () => [...root.querySelectorAll(".fl-share option")].map(({ value }) => value);
  assert.deepEqual(forms().slice(0, 4), ["csv", "parquet", "json", "html"]); // "figs" is highlighted
  const plums = [...root.querySelectorAll(".fl-listed-share")].at(-1);
  assert.equal(plums.getAttribute("aria-label"), "Share plums");
  assert.deepEqual(await shared(plums), ["api/share/session/secrets", { path: "/w/plums.jsonl", number: "" }]);
  assert.equal(root.querySelector(".fl-share-of").textContent, "plums");
  part.table.list.point(1); // a file of two sessions
  await shared(root.querySelector(".fl-library-share"));
  assert.deepEqual([forms(), opened], [["csv", "parquet", "json"], []]);
  part.destroy();
});

test("what is searched is said, of how many sessions not all is, and of which folders not all files are", async () => {
  const { root } = await made();
  const words = "Searches titles, folders, messages, tool calls and tool output; of 1 very long session only the beginning.";
  assert.deepEqual(texts(root, ".fl-library-foot"), [words]);
  const large = await made({ "api/library": { rows: ROWS, total: 4, cut: { ...WHOLE, folders: ["/home/ada"] }, unread: ALL_READ, progress: idle } });
  const cut = "Of /home/ada only the first 20,000 files are looked at: add a folder inside it for more. ";
  assert.deepEqual(texts(large.root, ".fl-library-foot"), [cut + words]);
});

test("files that could not be read are counted, the first named, each with its reason", async () => {
  const files = ["a", "b", "c", "d"].map((name) => [`${name}.json`, "is of no format known here"]);
  const foot = async (unread) => {
    const { root, part } = await made({ "api/library": { rows: ROWS, total: 4, cut: WHOLE, unread, progress: idle } });
    const node = root.querySelector(".fl-library-foot");
    part.destroy();
    return [node.textContent.split(". ").at(-1), node.title];
  };
  const [said, why] = await foot({ count: 9, files });
  assert.equal(said, "9 files could not be read: a.json, b.json, c.json and 6 more.");
  assert.deepEqual([why.split("\n").length, why.split("\n")[3]], [4, "d.json: is of no format known here"]);
  assert.equal((await foot({ count: 1, files: files.slice(0, 1) }))[0], "1 file could not be read: a.json.");
  assert.match((await foot(ALL_READ))[0], /only the beginning\.$/);
});

test("a file is opened and closed by Enter and by the arrows, without leaving its place", async () => {
  const { root, part } = await made();
  const list = root.querySelector(".fl-long");
  const expanded = () => root.querySelector(".fl-long-row").getAttribute("aria-expanded");
  press(list, "Enter");
  assert.deepEqual([titles(root), expanded()], [["many.md", "Pears", "apples", "plums", "figs"], "true"]);
  press(list, "ArrowLeft");
  assert.deepEqual([titles(root), expanded()], [["many.md", "plums", "figs"], "false"]);
  press(list, "ArrowRight");
  press(list, "ArrowDown");
  assert.equal(part.table.list.at, 1);
});

test("the list comes back as it was left: words, filter, sort, scroll and the row that was opened", async () => {
  const first = await made();
  first.root.querySelector(".fl-library-filters .fl-library-agent").click();
  first.root.querySelector('[data-column="tokens"] button').click();
  press(first.part.field, "ArrowDown");
  first.part.table.list.node.scrollTop = 30;
  press(first.part.field, "Enter");
  await settled();
  assert.deepEqual(first.opened, [["/w/many.md", 1]]);
  first.part.destroy();
  at("/library");

  const { part, root } = await made();
  assert.deepEqual(titles(root), ["plums", "Pears"]);
  assert.deepEqual([part.table.list.at, part.table.list.node.scrollTop, location.search], [1, 30, "?with=compactions&sort=-tokens"]);
});

test("what is left out is told and let go: beside the count, by the filter itself, and not where all is listed", async () => {
  const { root, part } = await made({ "api/library/snippets": { found: { 4: ["messages", "a \ue000tart\ue001", 18] } } });
  const clear = root.querySelector(".fl-library-head .fl-link");
  assert.deepEqual([clear.hidden, texts(root, ".fl-pick-count"), root.querySelector("[data-filtered]")], [true, ["4 sessions"], null]);
  const agents = () => [...root.querySelectorAll(".fl-library-agents > *")];
  for (const pressed of ["true", "false"]) {
    agents()[1].click();
    assert.deepEqual([agents()[1].getAttribute("aria-pressed"), clear.hidden], [pressed, pressed === "false"]);
  }
  root.querySelector(".fl-library-filters .fl-library-agent").click();
  type(part.field, "tart");
  await settled();
  assert.deepEqual([clear.hidden, root.querySelectorAll("[data-filtered]").length], [false, 1]);
  globalThis.dispatchEvent(new Event("frame"));
  (await import("./dom.mjs")).pass(50);
  await settled();
  assert.deepEqual(texts(root, ".fl-listed-often"), ["in 18 messages"]);
  clear.click();
  await settled();
  assert.deepEqual([clear.hidden, part.field.value, location.search, titles(root).length], [true, "", "", 3]);
  part.destroy();
});

test("where nothing matches, one click clears the search and the filters", async () => {
  const { root, part } = await made({ "api/library/search": { ids: [] } });
  root.querySelector(".fl-library-filters .fl-library-agent").click();
  type(part.field, "quinces");
  await settled();
  assert.equal(root.querySelector(".fl-pick-none").textContent, "No matching sessionsClear search and filters");
  root.querySelector(".fl-pick-none button").click();
  await settled();
  assert.deepEqual([titles(root).length, part.field.value, root.querySelector(".fl-pick-none").hidden], [3, "", true]);
});

test("while the files are read an empty list says how far that is, and nothing else does; a list has the count, and that at its foot", async () => {
  const said = (root) =>
    [".fl-pick-none", ".fl-pick-count", ".fl-library-state"].map((name) => {
      const node = root.querySelector(name);
      return node.hidden ? "" : node.textContent;
    });
  const reading = { done: 3, total: 9, now: "pi", building: true };
  const empty = await made({ "api/library": { rows: [], total: 0, cut: WHOLE, unread: ALL_READ, progress: reading } });
  assert.deepEqual(said(empty.root), ["Reading 3 of 9: pi", "", ""]);
  const last = await made({ "api/library": { rows: [], total: 0, cut: WHOLE, unread: ALL_READ, progress: { ...reading, done: 9, now: "" } } });
  assert.deepEqual(said(last.root), ["Reading 9 of 9", "", ""]);
  last.part.destroy();
  empty.part.destroy();
  const { part, root } = await made({
    "api/library": { rows: [row(0, "plums")], total: 1, cut: WHOLE, unread: ALL_READ, progress: reading },
    "api/library/search": { ids: [] },
  });
  assert.deepEqual(said(root), ["", "1 session", "Reading 3 of 9: pi"]);
  type(part.field, "quinces");
  await settled();
  assert.deepEqual(said(root), ["Reading 3 of 9: pi", "", ""]);
  part.destroy();
});

test("ten thousand sessions are a few rows", async () => {
  const rows = Array.from({ length: 10_000 }, (_, k) => row(k, `t${k}`));
  const { root } = await made({ "api/library": { rows, total: 10_000, cut: WHOLE, unread: ALL_READ, progress: idle } });
  assert.ok(root.querySelectorAll(".fl-long-row").length < 40);
});

test("where no folder is there to look in the library says so at once, and nothing of looking", async () => {
  const looking = { rows: [], total: 0, cut: WHOLE, unread: ALL_READ, progress: { done: 0, total: 0, now: "", building: true } };
  const said = async (/** @type {string[]} */ places) => {
    const { root, part } = await made({ "api/library": looking }, places);
    const shown = [".fl-pick-none", ".fl-bare h2", ".fl-library-state"].map((name) => root.querySelector(name));
    const words = shown.map((node) => (node.closest("[hidden]") ? "" : node.textContent));
    part.destroy();
    return words;
  };
  assert.deepEqual(await said([]), ["", "No sessions found", ""]);
  assert.deepEqual(await said(["/w"]), ["Looking for sessions…", "", ""]);
});

test("the library says what it is for where it is empty, and its button leads to the field for a folder", async () => {
  const { root, part } = await made({
    "api/library": { rows: [], total: 0, cut: WHOLE, unread: ALL_READ, progress: { ...idle, done: 0, total: 0 } },
  });
  const none = root.querySelector(".fl-pick-none");
  assert.match(root.querySelector(".fl-bare").textContent, /^No sessions foundThe Library lists every session/);
  assert.deepEqual([root.querySelector(".fl-bare").hidden, none.hidden], [false, true]);
  const field = document.createElement("input");
  const place = document.createElement("div");
  place.className = "st-key-new-place";
  place.append(field);
  document.body.append(place);
  root.querySelector(".fl-bare button").click();
  assert.equal(document.activeElement, field);
  place.remove();
  root.querySelector(".fl-bare button").click(); // the field comes late
  document.body.append(place);
  await settled();
  assert.equal(document.activeElement, field);
  place.remove();
  serve({});
  await part.refresh();
  assert.equal(none.textContent, "Not here. Look elsewhere.");
});

test("a slash goes to the search, and a question mark tells the keys; in the field both are text", async () => {
  const { root, part } = await made();
  const list = root.querySelector(".fl-long");
  const dialog = () => root.querySelector("dialog.fl-list-keys");
  list.focus();
  press(list, "/");
  assert.equal(document.activeElement, part.field);
  press(part.field, "?");
  assert.equal(dialog(), null);
  press(list, "?");
  assert.deepEqual([dialog().open, texts(dialog(), "h2"), texts(dialog(), "dd")[0]], [true, ["Keys of the Library"], "open the session in Debug"]);
  list.focus();
  press(dialog(), "/");
  assert.equal(document.activeElement, list);
  press(dialog(), "?");
  assert.equal(dialog(), null);
  root.querySelector('button[aria-label="Keys"]').click();
  assert.ok(dialog().open);
  press(dialog(), "?");
  part.update({ places: ["/w"], lesson: "6" });
  press(list, "?");
  assert.equal(texts(dialog(), "dd")[0], "take the session to lesson 6");
  part.destroy();
  press(document.body, "?");
  assert.equal(document.querySelectorAll("dialog.fl-list-keys").length, 0);
});

test("filters that go on beyond the page say at which end", async () => {
  const { root, part } = await made();
  const line = root.querySelector(".fl-library-filters");
  const more = (scrollLeft, scrollWidth) => {
    for (const [name, value] of Object.entries({ scrollLeft, scrollWidth, clientWidth: 300 }))
      Object.defineProperty(line, name, { value, configurable: true });
    line.dispatchEvent(new Event("scroll"));
    return line.getAttribute("data-more");
  };
  assert.deepEqual([more(0, 300), more(0, 900), more(200, 900), more(600, 900)], [null, "end", "start end", "start"]);
  part.destroy();
});

test("the filter that gets the focus is brought into sight", async () => {
  const { root } = await made();
  const chip = root.querySelector(".fl-library-filters .fl-library-agent");
  const asked = [];
  chip.scrollIntoView = (how) => asked.push(how);
  chip.dispatchEvent(new Event("focusin", { bubbles: true }));
  assert.deepEqual(asked, [{ block: "nearest", inline: "nearest" }]);
});
