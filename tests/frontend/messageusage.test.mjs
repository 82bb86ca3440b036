// What stands below a message of what its model call read and wrote.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

const { recorded } = await import("../../viewer/frontend/message/body.js");

/** What is said in a session of a format. */
const said = (format, model) => recorded({ store: { header: { format } } }, { model, usage: { input_uncached: 30, output: 4 } })[0].textContent;

test("only in foldline's own runs is a model called demo the script that counts for itself", () => {
  assert.equal(said("foldline-run", "demo"), "counted by the demo agent, a script: prompt 30 tokens, reply 4");
  const provider = "recorded: prompt 30 tokens (30 new, 0 from the cache, 0 to the cache), reply 4";
  assert.deepEqual([said("openai-chat", "demo"), said("foldline-run", "gpt")], [provider, provider]);
});
