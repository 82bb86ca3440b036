// What a step costs the page: what stands there is filled anew, and nothing is drawn or measured twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve, settled } from "./dom.mjs";
import { until } from "./until.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { RowList } from "../../viewer/frontend/debugger/rows.js";
import { el, write } from "../../viewer/frontend/lib/dom.js";
import { run } from "./packed.mjs";

const rowOf = (k) => ({ key: `m${k}`, pool: k, of: -1, role: "user", label: "", region: "recent", preview: `text ${k}`, tokens: 9, flags: 0 });
const section = (count) => ({ id: "all", title: "All", count, row: rowOf, find: (pool) => (pool < count ? pool : -1) });

test("a text that changes keeps its node; one that begins or ends has as many as it needs", () => {
  const node = el("span", { text: "before" });
  const [text] = node.childNodes;
  write(node, "after");
  assert.deepEqual([node.textContent, node.firstChild === text], ["after", true]);
  write(node, "");
  assert.equal(node.childNodes.length, 0);
  write(node, "again");
  assert.equal(node.textContent, "again");
  const mixed = el("p", {}, el("b", { text: "bold" }), " and plain");
  write(mixed, "plain");
  assert.deepEqual([mixed.textContent, mixed.childNodes.length], ["plain", 1]);
});

test("rows that are scrolled by the list itself are drawn once, those that a reader scrolls once more", () => {
  const list = new RowList({ label: "Messages" });
  list.follow = true;
  let drawn = 0;
  const paint = list.paint.bind(list);
  list.paint = () => ((drawn += 1), paint());
  const scrolled = (top) => {
    if (top !== undefined) list.scroller.scrollTop = top;
    list.scroller.dispatchEvent(new Event("scroll"));
  };
  list.show([section(1000)]);
  assert.ok(list.scroller.scrollTop > 0, "it shows its end");
  drawn = 0;
  scrolled();
  assert.equal(drawn, 0);
  scrolled(280);
  assert.equal(drawn, 1);
  list.scrollTo(560);
  scrolled();
  assert.equal(drawn, 2, "what was scrolled and not drawn is drawn then");
});

test("a message that is held stays held where the browser scrolls the list, and no longer once a person does", () => {
  const list = new RowList({ label: "Messages" });
  const scrolled = (top) => {
    list.scroller.scrollTop = top;
    list.scroller.dispatchEvent(new Event("scroll"));
    return list.hold;
  };
  list.hold = 500;
  list.show([section(1000)]);
  assert.equal(scrolled(2800), 500);
  list.scroller.dispatchEvent(new Event("wheel", { bubbles: true }));
  assert.equal(scrolled(5600), -1);
  list.hold = 500;
  list.reveal(500);
  assert.equal(scrolled(8400), 500, "it was brought into sight since, so nobody scrolls it");
  list.fade = 22;
  assert.equal(scrolled(0), 500);
  assert.ok(list.scroller.scrollTop > 8400, "a room sees it again");
});

test("a step between messages asks for no width: behind what was written that would lay out the page at once", async () => {
  serve({ "api/message/": { role: "user", content: "a text", total: 6 } });
  const app = new App(document.body);
  app.setRun(run({ tid: "t", stamp: "t" }, { sid: "t", session: "t" }), { query: { source: "sample" }, start: "0" });
  await settled();
  let asked = 0;
  Object.defineProperty(app.root.querySelector(".fl-toscale").parentElement, "clientWidth", { get: () => ((asked += 1), 800) });
  app.go(1);
  assert.equal(app.run.step(1).compaction, -1);
  assert.equal(asked, 0);
  app.destroy();
});

test("while it is scrubbed the window and the counter follow at once, the inspector when the cursor rests", async () => {
  serve({ "api/message/": { role: "user", content: "a text", total: 6 }, "api/": {} });
  const app = new App(document.body);
  app.setRun(run({ tid: "u", stamp: "u" }, { sid: "u", session: "u" }), { query: { source: "sample" }, start: "0" });
  await settled();
  app.setOverview(false);
  const seen = () => [".fl-window .fl-size", ".fl-position b"].map((selector) => app.root.querySelector(selector).textContent);
  const inspected = () => app.root.querySelector(".fl-inspector").dataset.shows;
  const before = [seen(), inspected()];
  app.go(2, { scrubbed: true });
  assert.deepEqual(seen(), ["3 messages", "message 3"]);
  assert.equal(inspected(), before[1]);
  await until(() => inspected() === "message 2");
  app.go(1, { scrubbed: true });
  app.go(0, { scrubbed: true });
  app.notify({ selected: true });
  assert.equal(inspected(), "message 0", "whatever else happens is drawn at once");
  app.destroy();
});
