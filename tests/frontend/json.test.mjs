// JSON from the server, or an error that can be shown.
import assert from "node:assert/strict";
import test from "node:test";
import { NO_ANSWER, fetchJson, posting, refusalText } from "../../viewer/frontend/lib/json.js";
import { requests, serve } from "./dom.mjs";

test("an answer is its JSON, and what is sent is JSON", async () => {
  serve({ "api/runs": { rows: [1] } });
  assert.deepEqual(await fetchJson("api/runs", posting({ ids: [3] })), { rows: [1] });
  assert.deepEqual(requests, [["POST", "api/runs", { ids: [3] }]]);
});

test("a refusal says why and what to do, and keeps its status", async () => {
  serve({});
  await assert.rejects(fetchJson("api/runs"), { message: "Not here. Look elsewhere.", status: 404 });
  globalThis.fetch = async () => ({ ok: false, status: 502, json: async () => JSON.parse("<html>") });
  await assert.rejects(fetchJson("api/runs"), { message: "The server answered 502.", status: 502 });
});

test("of what the server has closed a refusal says so", async () => {
  globalThis.fetch = async () => ({ ok: false, status: 404, json: async () => ({ error: "this session is no longer open", closed: true }) });
  await assert.rejects(fetchJson("api/find/s"), { message: "This session is no longer open.", closed: true });
});

test("a refusal begins and ends as a sentence, but a file or a parameter keeps its name", () => {
  assert.equal(refusalText({ error: "the agent is running", hint: "stop it first" }), "The agent is running. Stop it first.");
  assert.equal(refusalText({ error: "There is no sample 'x'.", hint: "" }), "There is no sample 'x'.");
  assert.equal(refusalText({ error: "run.jsonl: has no rows", hint: "does it run there?" }), "run.jsonl: has no rows. Does it run there?");
  assert.equal(
    refusalText({ error: "keep_recent must be 1 or more", hint: "foldline policies lists it" }),
    "keep_recent must be 1 or more. foldline policies lists it.",
  );
});

test("where nothing answers, that is what it says", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(fetchJson("api/runs"), { message: NO_ANSWER });
  await assert.rejects(fetchJson("api/runs", undefined, "Retrying."), { message: "Retrying." });
});
