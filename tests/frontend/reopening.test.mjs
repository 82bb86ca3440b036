// A session that the server has closed is opened again, and what was asked is answered then.
import assert from "node:assert/strict";
import test from "node:test";
import "./dom.mjs";
import { Reopening } from "../../viewer/frontend/debugger/reopening.js";

/** A server that has closed the session until it was opened again, and how often it was told to. */
function server(refusal = { error: "this session is no longer open", hint: "reload the page", closed: true }) {
  const seen = { open: false, opened: 0, asked: 0 };
  globalThis.fetch = async () => {
    seen.asked += 1;
    return seen.open ? { ok: true, json: async () => ({ total: 3 }) } : { ok: false, status: 404, json: async () => refusal };
  };
  const reopen = () => {
    seen.opened += 1;
    setTimeout(() => (seen.open = true), 1);
  };
  return { seen, reopening: new Reopening(reopen) };
}

test("two questions about a closed session open it once, and have their answers when it is open again", async () => {
  const { seen, reopening } = server();
  assert.deepEqual(await Promise.all([reopening.get("api/find/s"), reopening.get("api/called/s")]), [{ total: 3 }, { total: 3 }]);
  assert.equal(seen.opened, 1);
  seen.open = false;
  assert.deepEqual(await reopening.get("api/find/s"), { total: 3 });
  assert.equal(seen.opened, 2, "and again when it was closed again");
});

test("any other refusal is told at once", async () => {
  const { seen, reopening } = server({ error: "this match is no longer open", closed: false });
  await assert.rejects(reopening.get("api/snippet/s"), { message: "This match is no longer open." });
  assert.deepEqual([seen.opened, seen.asked], [0, 1]);
});
