import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { test } from "node:test";
import { decodeStore, decodeView, summed } from "../../viewer/frontend/run/decode.js";
import { MESSAGES, storeBytes, viewJson } from "./packed.mjs";

test("a store gives back each column", () => {
  const store = decodeStore(storeBytes(MESSAGES));
  assert.deepEqual([...store.tokens], [10, 20, 30, 40, 50, 60]);
  assert.deepEqual([...store.running], [0, 10, 30, 60, 100, 150, 210]);
  assert.deepEqual([...store.role], [0, 1, 2, 3, 2, 1]);
  assert.equal(store.header.labels[store.label[2]], "→ Read");
  assert.deepEqual([...store.turnStarts], [1, 5]);
  assert.deepEqual([...store.calls], [2, 4]);
});

test("previews are cut out of the text by bytes, not by characters", () => {
  const store = decodeStore(
    storeBytes([
      ["user", 1, "日本"],
      ["user", 1, ""],
      ["user", 1, "🙂 ok"],
    ]),
  );
  assert.deepEqual([0, 1, 2].map(store.preview), ["日本", "", "🙂 ok"]);
});

test("an odd number of messages and an offset that is not aligned make no difference", () => {
  const bytes = storeBytes(MESSAGES.slice(0, 3));
  const moved = new Uint8Array(bytes.length + 3);
  moved.set(bytes, 3);
  assert.deepEqual([...decodeStore(moved.subarray(3)).tokens], [10, 20, 30]);
});

test("an empty session has no messages and a sum of nothing", () => {
  const store = decodeStore(storeBytes([]));
  assert.deepEqual([store.n, ...store.running], [0, 0]);
});

test("a view is inflated and its deltas summed", async () => {
  const { tails: _, spared: __, ...rest } = viewJson({ length: 4 });
  const sizes = [4, 0, 0, 0, 3, 0, 0, 0];
  const bytes = [...sizes, 2, 0, 4, 5, 0xac, 0x02, 1, ...Buffer.from(JSON.stringify(rest))];
  const view = await decodeView(deflateSync(Uint8Array.from(bytes)).toString("base64"));
  assert.deepEqual([...view.tails], [1, 1, 3, 0]);
  assert.deepEqual([...view.spared], [150, 149]);
});

test("a version this page does not know is refused in words", () => {
  assert.throws(() => decodeStore(storeBytes([], { version: 2 })), /cannot read version 2/);
});

test("deltas sum up", () => assert.deepEqual([...summed([5, 1, -2])], [5, 6, 4]));
