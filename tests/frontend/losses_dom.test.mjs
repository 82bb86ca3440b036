// What each compaction lost, on a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./dom.mjs";
import { el } from "../../viewer/frontend/lib/dom.js";
import { LossesView } from "../../viewer/frontend/debugger/losses.js";
import { OverviewView } from "../../viewer/frontend/debugger/overview.js";

test("an answer about a run that is no longer on the page is not shown", async () => {
  const answers = [];
  const app = { run: { compactions: 0, view: { kind: "replay" } }, get: () => new Promise((answer) => answers.push(answer)) };
  const nothing = () => {};
  const losses = new LossesView(app, nothing, nothing);
  losses.asker.ask("api/losses/before", ({ words }) => losses.list.append(words), nothing);
  await settled();
  losses.place();
  answers[0]({ words: "of the run before" });
  await settled();
  assert.equal(losses.list.textContent, "");
});

test("an answer about a session that is no longer on the page is not shown while the overview of the next one is asked for", async () => {
  /** @type {Map<string, (answer: object) => void>} */ const answers = new Map();
  const run = { n: 1, length: 1, compactions: 0, view: { kind: "replay", stamp: "b" }, store: { header: { sid: "b" } } };
  const app = { run, get: (path) => new Promise((answer) => answers.set(path, answer)) };
  const overview = new OverviewView(el("header"), el("div"), app);
  const shown = [];
  overview.losses.asker.ask(
    "api/losses/a",
    (page) => shown.push(page),
    () => {},
  );
  await settled();
  overview.show();
  answers.get("api/losses/a")({ total: 0 });
  await settled();
  assert.deepEqual(shown, []);
});
