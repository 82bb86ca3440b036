// How a transcript begins, in front of a debugger that cannot show it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "./dom.mjs";
import { leaveBeginning } from "../../viewer/frontend/debugger/early.js";
import { until } from "./until.mjs";

globalThis.CSSStyleSheet = class extends document.defaultView.CSSStyleSheet {
  async replace() {
    return this;
  }
};
const main = await import("../../viewer/frontend/main.js");

const opening = { id: "50", name: "50.jsonl", size: 50, rows: [], first: "Fix the report" };
const beginning = { json: async () => ({ opening }) };

/** Whatever has to do with the beginning answers. */
function serveBeginning() {
  serve({ "api/opening/": { stage: "reading", read: 1, messages: 0 } });
  const { fetch } = globalThis;
  globalThis.fetch = (path, ...how) => (/joined\.css/.test(String(path)) ? Promise.resolve({ ok: true, text: async () => "" }) : fetch(path, ...how));
}

test("a beginning that comes after the page has said why it shows no transcript does not cover that", async (t) => {
  serveBeginning();
  const notice = document.createElement("div");
  notice.className = "st-key-not-opened";
  document.body.append(notice);
  t.after(() => notice.remove());
  await main.paintBeginning(Promise.resolve(beginning));
  assert.equal(document.querySelector(".fl-early"), null);
});

test("a debugger that cannot read what came for it says so, and the beginning no longer covers that", async (t) => {
  t.after(leaveBeginning);
  serveBeginning();
  await main.paintBeginning(Promise.resolve(beginning));
  assert.ok(document.querySelector(".fl-early"));
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  main.view({ parentElement, data: { z: "AAAA", stamp: "", address: {} }, setStateValue() {}, setTriggerValue() {} });
  await until(() => parentElement.querySelector(".fl-waiting").textContent !== "Opening…");
  assert.equal(document.querySelector(".fl-early"), null);
});
