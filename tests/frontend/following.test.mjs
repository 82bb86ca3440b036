// An open file is looked at from time to time, and Python is told once that it was written to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { requests, serve, settled } from "./dom.mjs";
import { Following } from "../../viewer/frontend/lib/following.js";

const asked = () => requests.map(([, path]) => path);

/** A follower, and what it told Python. */
function following() {
  const told = [];
  return { told, made: new Following({ state: () => {}, trigger: (...what) => told.push(what) }) };
}

test("each new stamp is told once", async () => {
  let stamp = "";
  serve({ "api/followed/": () => ({ stamp }) });
  const { told, made } = following();
  made.update({ name: "f1", seconds: 1 });
  await settled();
  assert.ok(asked().length > 1 && asked().every((path) => path === "api/followed/f1"));
  assert.deepEqual(told, []);
  stamp = "second";
  await settled();
  stamp = "third";
  await settled();
  made.destroy();
  assert.deepEqual(told, [
    ["changed", "second"],
    ["changed", "third"],
  ]);
});

test("another file takes the place of the one before", async () => {
  serve({ "api/followed/": { stamp: "" } });
  const { made } = following();
  made.update({ name: "f1", seconds: 1 });
  made.update({ name: "f2", seconds: 1 });
  await settled();
  made.destroy();
  assert.ok(asked().length && asked().every((path) => path === "api/followed/f2"));
});

test("nothing is asked any more once it is gone", async () => {
  serve({ "api/followed/": { stamp: "late" } });
  const { told, made } = following();
  made.update({ name: "f1", seconds: 1 });
  made.destroy();
  await settled();
  assert.deepEqual([asked(), told], [[], []]);
});

test("a server that does not answer is asked again", async () => {
  let away = true;
  serve({ "api/followed/": () => (away ? undefined : { stamp: "new" }) });
  const { told, made } = following();
  made.update({ name: "f1", seconds: 1 });
  await settled();
  assert.deepEqual(told, []);
  away = false;
  await settled();
  made.destroy();
  assert.deepEqual(told, [["changed", "new"]]);
});
