// JSON from the server, or an error that can be shown.
import assert from "node:assert/strict";
import test from "node:test";
import { NO_ANSWER, fetchJson, posting } from "../../viewer/frontend/lib/json.js";
import { requests, serve } from "./dom.mjs";

test("an answer is its JSON, and what is sent is JSON", async () => {
  serve({ "api/runs": { rows: [1] } });
  assert.deepEqual(await fetchJson("api/runs", posting({ ids: [3] })), { rows: [1] });
  assert.deepEqual(requests, [["POST", "api/runs", { ids: [3] }]]);
});

test("a refusal says why and what to do, and keeps its status", async () => {
  serve({});
  await assert.rejects(fetchJson("api/runs"), { message: "not here; look elsewhere", status: 404 });
  globalThis.fetch = async () => ({ ok: false, status: 502, json: async () => JSON.parse("<html>") });
  await assert.rejects(fetchJson("api/runs"), { message: "The server answered 502", status: 502 });
});

test("where nothing answers, that is what it says", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(fetchJson("api/runs"), { message: NO_ANSWER });
  await assert.rejects(fetchJson("api/runs", undefined, "Retrying."), { message: "Retrying." });
});
