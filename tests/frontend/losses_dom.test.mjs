// What each compaction lost, on a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./dom.mjs";
import { LossesView } from "../../viewer/frontend/debugger/losses.js";

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
